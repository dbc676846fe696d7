/** What a refresh reads, and what it does when files and stores are not as they were. */

import { appendFileSync, cpSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { claude } from '../../src/harness/claude/index.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';
import { refreshFrom, rowsIn } from './store.ts';

const FOLDER = makeFolder();
const DEMO = path.join(projectRoot, 'fixtures/claude/demo/.claude');
afterAll(() => removeFolder(FOLDER));

let home = '';
let store = '';
let session = '';
let tests = 0;

beforeEach(async () => {
  const folder = path.join(FOLDER, String(tests++));
  home = path.join(folder, '.claude');
  store = path.join(folder, 'ahq.duckdb');
  cpSync(DEMO, home, { recursive: true });
  const slug = '-home-mira-shop-api/8e67a60e-533d-4d75-b94d-349609176f3b.jsonl';
  session = path.join(home, 'projects', slug);
  await refreshFrom(store, claude, home);
});

const LINE = `${JSON.stringify({
  type: 'user',
  uuid: 'new-line',
  cwd: '/home/mira/shop-api',
  sessionId: '8e67a60e-533d-4d75-b94d-349609176f3b',
  timestamp: '2026-11-01T10:00:00.000Z',
  message: { role: 'user', content: 'One more thing.' },
})}\n`;

/** The rows of a relation in which a text occurs. */
async function rowsWith(relation: string, text: string): Promise<readonly string[]> {
  const rows = (await rowsIn(store)).get(relation) ?? [];
  return rows.filter(row => row.includes(text));
}

describe('a refresh', () => {
  it('opens no file and reads no byte when nothing has changed', async () => {
    const { result, work } = await refreshFrom(store, claude, home);
    expect(work).toMatchObject({ bytesRead: 0, filesOpened: 0, linesRead: 0 });
    expect(result).toMatchObject({ read: 0, rows: 0, sources: 33 });
  });

  it('reads the marks and the new line of a file that has grown, and no other file', async () => {
    appendFileSync(session, LINE);
    const { result, work } = await refreshFrom(store, claude, home);
    expect(result).toMatchObject({ read: 1, rewritten: 0 });
    expect(work.linesRead).toBe(1);
    // Hashes of 64 KiB: the head and the tail before, the tail after.
    expect(work.bytesRead).toBeLessThanOrEqual(3 * 64 * 1024 + LINE.length);
    expect(await rowsWith('message', 'One more thing.')).toHaveLength(1);
  });

  it('leaves a last line that is still being written for the next time', async () => {
    appendFileSync(session, LINE.slice(0, 50));
    await refreshFrom(store, claude, home);
    expect(await rowsWith('message', 'One more thing.')).toEqual([]);
    expect((await rowsIn(store)).get('parse_issue')).toHaveLength(3);
    appendFileSync(session, LINE.slice(50));
    await refreshFrom(store, claude, home);
    expect(await rowsWith('message', 'One more thing.')).toHaveLength(1);
  });

  it('replaces the rows of a file that was rewritten, and says so', async () => {
    writeFileSync(session, LINE);
    const { result } = await refreshFrom(store, claude, home);
    expect(result.rewritten).toBe(1);
    const file = path.basename(session);
    const rows = await rowsWith('conversations', file);
    expect(rows).toHaveLength(1);
    expect(await rowsWith('parse_issue', 'source_rewritten')).toHaveLength(1);
  });

  it('keeps the rows of a file that is gone, also while it is', async () => {
    const before = await rowsIn(store);
    const elsewhere = path.join(FOLDER, 'elsewhere.jsonl');
    renameSync(session, elsewhere);
    const { result } = await refreshFrom(store, claude, home);
    expect(result.missing).toBe(1);
    expect((await rowsIn(store)).get('message')).toEqual(before.get('message'));
    renameSync(elsewhere, session);
    expect((await refreshFrom(store, claude, home)).result).toMatchObject({ missing: 0, read: 0 });
  });

  it('counts a copy of a file once, and still when the first copy is gone', async () => {
    const before = await rowsIn(store);
    const copy = session.replace('-home-mira-shop-api', '-home-mira-backup');
    cpSync(session, copy);
    await refreshFrom(store, claude, home);
    const both = await rowsIn(store);
    for (const name of ['llm_call', 'tool_call', 'turn', 'session']) {
      expect([name, both.get(name)?.length]).toEqual([name, before.get(name)?.length]);
    }
    expect(both.get('conversations')?.length).toBeGreaterThan(
      before.get('conversations')?.length ?? 0,
    );
  });
});

describe('a store', () => {
  it('is for its owner only', () => {
    expect(statSync(store).mode & 0o777).toBe(0o600);
  });

  it('of a newer version is refused, with both versions', async () => {
    await inStore("UPDATE store_meta SET value = '99' WHERE name = 'format'");
    await expect(refreshFrom(store, claude, home)).rejects.toThrow(/has format 99.*reads 1/);
  });

  it('whose parsers were older has its files read again by itself', async () => {
    await inStore("UPDATE store_source SET reading_version = 'old' WHERE kind = 'transcript'");
    const before = await rowsIn(store);
    const { result } = await refreshFrom(store, claude, home);
    expect(result.upgraded).toBeGreaterThan(10);
    expect((await rowsIn(store)).get('message')).toEqual(before.get('message'));
  });

  it('that is damaged is named, with the way to make it anew', async () => {
    rmSync(store);
    writeFileSync(store, 'this is no database');
    await expect(refreshFrom(store, claude, home)).rejects.toThrow(/cannot open the store/);
  });

  it('keeps long texts compressed', async () => {
    const found = await inStore(
      `SELECT DISTINCT compression FROM pragma_storage_info('tool_io_rows')
       WHERE column_name = 'output_text' AND segment_type = 'VARCHAR'`,
    );
    expect(found).toEqual([['ZSTD']]);
  });
});

/** Runs a statement in the store itself. */
async function inStore(sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(store);
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}
