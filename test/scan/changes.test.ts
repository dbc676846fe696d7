/** Files that change while a scan is under way. */

import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AhqError, type ObjectRow, open } from '../../src/index.ts';
import { machine } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { promptLine, writeSession } from './claude-home.ts';

/** Enough lines for several blocks of a file and several chunks of rows. */
const LINES = 20_000;

const BLOCK_BYTES = 1024 * 1024;

const LINE = promptLine('large', 'x'.repeat(200));

const LINE_BYTES = Buffer.byteLength(LINE);

let folder: string;
let large: string;

beforeEach(() => {
  folder = makeFolder();
  large = writeSession(folder, '-p', 'large');
  writeSession(folder, '-q', 'small');
  writeFileSync(large, LINE.repeat(LINES));
});
afterEach(() => removeFolder(folder));

interface Outcome {
  readonly rows: readonly ObjectRow[];
  readonly notes: readonly string[];
  readonly error: unknown;
}

/** Reads the folder, and calls `change` before the chunk with this number, from 0. */
async function readWhile(name: string, chunk: number, change: () => void): Promise<Outcome> {
  const notes: string[] = [];
  const rows: ObjectRow[] = [];
  let chunks = 0;
  const engine = await open({
    environment: machine(),
    onNote: note => notes.push(note),
    onProgress: () => {
      if (chunks++ === chunk) change();
    },
  });
  const sql = `SELECT line_number, byte_offset, file_name FROM read_${name}(path = $path)`;
  try {
    for await (const row of engine.query(sql, { path: folder })) rows.push(row);
    return { rows, notes, error: null };
  } catch (error) {
    return { rows, notes, error };
  } finally {
    engine.close();
  }
}

const READERS = ['conversations', 'events'];

describe.each(READERS)('a file that vanishes before read_%s opens it', name => {
  it('is said, and all others are read', async () => {
    const { rows, notes, error } = await readWhile(name, 0, () => rmSync(large));
    expect(error).toBeNull();
    expect(rows.map(row => row['file_name'])).toEqual(['small.jsonl']);
    expect(notes).toEqual([
      `read_${name}: cannot read '${large}' from byte 0: it vanished (ENOENT)`,
    ]);
  });
});

describe.each(READERS)('what is appended while read_%s reads', name => {
  it('belongs to the next scan', async () => {
    const append = () => appendFileSync(large, promptLine('large', 'late'));
    const { rows, notes } = await readWhile(name, 1, append);
    expect(rows).toHaveLength(LINES + 1);
    expect(notes).toEqual([]);
    expect((await readWhile(name, -1, () => {})).rows).toHaveLength(LINES + 2);
  });
});

const CHANGES: [string, () => void, RegExp][] = [
  ['is removed', () => rmSync(large), /it vanished \(ENOENT\)$/],
  [
    'is replaced by another',
    () => {
      writeFileSync(join(folder, 'new'), promptLine('large', 'y').repeat(LINES));
      renameSync(join(folder, 'new'), large);
    },
    /the file was replaced while it was read$/,
  ],
  ['is cut short', () => truncateSync(large, 10), /the file was cut short while it was read$/],
];

describe.each(CHANGES)('a file that %s while it is read', (_, change, reason) => {
  it('ends there with a note in read_conversations, and the others are read', async () => {
    const { rows, notes, error } = await readWhile('conversations', 1, change);
    expect(error).toBeNull();
    expect(rows.length).toBeGreaterThan(2000);
    expect(rows.length).toBeLessThan(LINES);
    expect(rows.at(-1)).toMatchObject({ file_name: 'small.jsonl' });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(reason);
    expect(notes[0]).toContain(`read_conversations: cannot read '${large}' from byte `);
  });

  it('ends read_events with an error that names the file and the byte', async () => {
    const { rows, error } = await readWhile('events', 1, change);
    if (!(error instanceof AhqError)) throw new Error(`no error of ours: ${error}`);
    expect(error.code).toBe('READ');
    expect(error.path).toBe(large);
    expect(error.message).toMatch(reason);
    expect(error.offset).toBeGreaterThan(BLOCK_BYTES - LINE_BYTES);
    expect(error.offset).toBeLessThanOrEqual(BLOCK_BYTES);
    const place = `read_events: failed to read '${large}' at byte ${error.offset}: `;
    expect(error.message.startsWith(place)).toBe(true);
    expect(rows.length).toBeLessThan(LINES);
  });

  it.each(READERS)('gives read_%s nothing but what was read before', async name => {
    const { rows } = await readWhile(name, 1, change);
    const ofLarge = rows.filter(row => row['file_name'] === 'large.jsonl');
    const offsets = ofLarge.map(row => Number(row['byte_offset']));
    expect(offsets).toEqual(offsets.map((_offset, index) => index * LINE_BYTES));
    expect(offsets.at(-1) ?? 0).toBeLessThan(BLOCK_BYTES);
  });
});
