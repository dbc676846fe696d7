/** What is left of a chat of Gemini CLI: rewritten messages, rewinds, checkpoints. */

import { renameSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LineReader } from '../../src/bytes/lines.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import { entryAt } from '../../src/bytes/walk.ts';
import { Work } from '../../src/bytes/work.ts';
import type { Source } from '../../src/harness/harness.ts';
import { cellOf } from '../../src/harness/shared/address.ts';
import { chatsReader } from '../../src/harness/shared/gemini-chats/conversation.ts';
import type { ChatUnit } from '../../src/harness/shared/gemini-chats/units.ts';
import { plainSource } from '../../src/harness/shared/sources.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => removeFolder(folder));

const reader = chatsReader('gemini', { rows: 'block' });

function chatOf(lines: readonly unknown[]): Source {
  const text = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  const path = writeFile(folder, 'chat.jsonl', text.join(''));
  const entry = entryAt(path, 'chat.jsonl');
  if (!entry) throw new Error(`${path} is gone`);
  return plainSource('transcript', 'lines', entry);
}

/** The state after all lines; with `isResumed` it goes through JSON after each. */
function foldOf(source: Source, context: ScanContext, work = new Work(), isResumed = false) {
  let state = reader.start(context.source, context);
  const lines = new LineReader(source.path);
  while (lines.next()) {
    reader.read(state, new SourceRecord(lines, work), () => expect.fail('too early'), context);
    if (isResumed) state = reader.restore?.(JSON.parse(JSON.stringify(reader.save?.(state))));
  }
  return state;
}

function unitsOf(state: unknown, context: ScanContext): ChatUnit[] {
  const units: ChatUnit[] = [];
  reader.finish?.(state, unit => units.push(unit), context);
  return units;
}

/** Identifier, text and line of each row. */
function rowsOf(lines: readonly unknown[], isResumed = false): unknown[] {
  const source = chatOf(lines);
  const context = new ScanContext(source, new Work());
  const state = foldOf(source, context, new Work(), isResumed);
  return unitsOf(state, context).map(unit =>
    ['uuid', 'message_content', 'line_number'].map(name => cellOf(reader, name)?.(unit, context)),
  );
}

const user = (id: string, content = id) => ({ id, type: 'user', content });
const rewind = (id: string) => ({ $rewindTo: id });
const checkpoint = (...messages: unknown[]) => ({ $set: { messages, lastUpdated: 'x' } });

describe('a chat', () => {
  it('has a message where it was first, as it was last', () => {
    expect(rowsOf([user('a'), user('b'), user('a', 'again'), user('c')])).toEqual([
      ['a', 'again', 3],
      ['b', 'b', 2],
      ['c', 'c', 4],
    ]);
  });

  it('goes on from before the message that it is rewound to', () => {
    const lines = [user('a'), user('b'), user('c'), rewind('b'), user('d'), user('b', 'anew')];
    expect(rowsOf(lines)).toEqual([
      ['a', 'a', 1],
      ['d', 'd', 5],
      ['b', 'anew', 6],
    ]);
  });

  it('begins anew when it is rewound to a message that it does not have', () => {
    expect(rowsOf([user('a'), rewind('z'), user('b')])).toEqual([['b', 'b', 3]]);
  });

  it('is replaced by a checkpoint, whose messages lie in its line', () => {
    const lines = [user('a'), user('b'), checkpoint(user('b', 'short'), user('s')), user('c')];
    expect(rowsOf(lines)).toEqual([
      ['b', 'short', 3],
      ['s', 's', 3],
      ['c', 'c', 4],
    ]);
  });

  it('has a message of a checkpoint again when it is written on a line of its own', () => {
    expect(rowsOf([checkpoint(user('a'), user('b')), user('a', 'later')])).toEqual([
      ['a', 'later', 2],
      ['b', 'b', 1],
    ]);
  });

  it('keeps what is no message through rewinds and checkpoints', () => {
    const rows = rowsOf(['{"half', user('a'), rewind('z'), '[]', checkpoint(), user('b')]);
    expect(rows).toEqual([
      [null, expect.stringMatching(/^Parse error: Unterminated/), 1],
      [null, 'Parse error: the record is a JSON array, not an object', 4],
      ['b', 'b', 6],
    ]);
  });

  it('has the header and other directives in no row', () => {
    const header = { sessionId: 's', projectHash: 'h', lastUpdated: 'x' };
    expect(rowsOf([header, user('a'), { $set: { summary: 'x' } }])).toHaveLength(1);
  });
});

const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const message = fc.tuple(id, fc.nat(99)).map(([name, version]) => user(name, `v${version}`));
const line = fc.oneof(
  { weight: 5, arbitrary: message },
  { weight: 1, arbitrary: id.map(rewind) },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(message, { selector: m => m.id }).map(m => checkpoint(...m)),
  },
  { weight: 1, arbitrary: fc.constant('{"torn') },
);

/** The rules, told slowly, on an array. */
function naive(lines: readonly (string | Record<string, unknown>)[]): unknown[] {
  let left: { id: unknown; row: unknown }[] = [];
  const put = (part: unknown, number: number) => {
    const { id: name, content } = part as ReturnType<typeof user>;
    const row = [name, content, number];
    const known = left.find(other => other.id === name);
    if (known) known.row = row;
    else left.push({ id: name, row });
  };
  const isError = (part: { id: unknown }) => part.id === undefined;
  for (const [index, record] of lines.entries()) {
    if (typeof record === 'string') {
      left.push({ id: undefined, row: [null, expect.stringMatching(/^Parse error/), index + 1] });
    } else if ('$rewindTo' in record) {
      const from = left.findIndex(part => part.id === record['$rewindTo']);
      left = left.filter((part, at) => at < from || isError(part));
    } else if ('$set' in record) {
      left = left.filter(isError);
      for (const part of (record['$set'] as { messages: unknown[] }).messages) put(part, index + 1);
    } else put(record, index + 1);
  }
  return left.map(({ row }) => row);
}

describe('any chat', () => {
  it('is what the rules make of its lines, also stopped and resumed after each', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), lines => {
        expect(rowsOf(lines)).toEqual(naive(lines));
        expect(rowsOf(lines, true)).toEqual(naive(lines));
      }),
    );
  });
});

describe('the fold', () => {
  const long = 'x'.repeat(100_000);

  it('keeps addresses, not messages', () => {
    const source = chatOf([user('a', long), checkpoint(user('b', long)), user('c', long)]);
    const context = new ScanContext(source, new Work());
    const state = foldOf(source, context);
    expect(JSON.stringify(reader.save?.(state)).length).toBeLessThan(500);
  });

  it('reads a line again for the rows that it is left with, once for all its columns', () => {
    const calls = [{ id: 'x' }, { id: 'y' }];
    const source = chatOf([user('a'), user('a'), { ...user('b', long), toolCalls: calls }]);
    const work = new Work();
    const context = new ScanContext(source, work);
    const units = unitsOf(foldOf(source, context), context);
    expect(work.recordsParsed).toBe(0);
    for (const unit of units) {
      for (const name of ['uuid', 'message_type', 'tool_name']) reader.cells[name]?.(unit, context);
    }
    expect(units).toHaveLength(4);
    expect(work.recordsParsed).toBe(2);
    expect(work.bytesRead).toBeLessThan(2 * source.byteLength);
  });

  it('says so when the file is another one by then', () => {
    const source = chatOf([user('a'), user('b')]);
    const context = new ScanContext(source, new Work());
    const state = foldOf(source, context);
    renameSync(writeFile(folder, 'other', 'x'.repeat(source.byteLength)), source.path);
    for (const unit of unitsOf(state, context)) {
      expect(reader.cells['message_type']?.(unit, context)).toBe('_parse_error');
      expect(reader.cells['parse_error']?.(unit, context)).toMatch(/replaced/);
    }
  });

  it('says so when the file is shorter or gone by then', () => {
    const source = chatOf([user('a', 'long enough'), user('b')]);
    const context = new ScanContext(source, new Work());
    const state = foldOf(source, context);
    writeFile(folder, 'chat.jsonl', '{"id"');
    const errorsOf = () =>
      unitsOf(state, new ScanContext(source, new Work())).map(unit =>
        reader.cells['parse_error']?.(unit, context),
      );
    expect(errorsOf()).toEqual([
      expect.stringMatching(/cut short/),
      expect.stringMatching(/cut short/),
    ]);
    removeFolder(source.path);
    expect(errorsOf()).toEqual([expect.stringMatching(/ENOENT/), expect.stringMatching(/ENOENT/)]);
  });
});
