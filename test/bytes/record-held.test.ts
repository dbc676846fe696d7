/** Records that are held keep their bytes while the block that they lie in is overwritten. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LineReader } from '../../src/bytes/lines.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => removeFolder(folder));

/** Every record of a file of these lines; `keep` says which are held, and until which line. */
function readAll(
  lines: readonly string[],
  blockBytes: number,
  keep: (line: number) => number,
): SourceRecord[] {
  const path = writeFile(folder, 'lines.jsonl', lines.map(line => `${line}\n`).join(''));
  const reader = new LineReader(path, { block: Buffer.alloc(blockBytes) });
  const records: SourceRecord[] = [];
  while (reader.next()) {
    const record = new SourceRecord(reader, new Work());
    records.push(record);
    const line = record.lineNumber;
    if (keep(line) > line) record.hold();
    for (const earlier of records) if (keep(earlier.lineNumber) === line) earlier.release();
  }
  return records;
}

describe('a record that is held', () => {
  it('has its bytes after the file was read', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `{"n":${index}}`);
    const records = readAll(lines, 32, () => Number.POSITIVE_INFINITY);
    expect(records.map(record => record.wire)).toEqual(lines);
    expect(records.map(record => record.value)).toEqual(lines.map(line => JSON.parse(line)));
  });

  it('is copied once, when its block is overwritten, and not before', () => {
    const path = writeFile(folder, 'two-blocks.jsonl', '{"a":1}\n{"a":2}\n{"a":3}\n{"a":4}\n');
    const block = Buffer.alloc(16);
    const reader = new LineReader(path, { block });
    reader.next();
    const record = new SourceRecord(reader, new Work());
    record.hold();
    reader.next();
    expect(record.buffer).toBe(block);
    reader.next();
    const moved = record.buffer;
    expect(moved).not.toBe(block);
    reader.next();
    expect([record.buffer === moved, record.wire]).toEqual([true, '{"a":1}']);
  });

  it('that is released before is not copied', () => {
    const path = writeFile(folder, 'released.jsonl', '{"a":1}\n{"a":2}\n{"a":3}\n');
    const block = Buffer.alloc(16);
    const reader = new LineReader(path, { block });
    reader.next();
    const record = new SourceRecord(reader, new Work());
    record.hold();
    reader.next();
    record.release();
    reader.next();
    expect([record.buffer === block, record.wire]).toEqual([true, '{"a":3}']);
  });

  it('keeps its bytes exactly as long as it is held, whatever is held around it', () => {
    const line = fc
      .string({ unit: 'grapheme-ascii', maxLength: 40 })
      .map(text => JSON.stringify(text));
    const plan = fc.array(fc.tuple(line, fc.integer({ min: 0, max: 9 })), { maxLength: 40 });
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 100 }), (lines, blockBytes) => {
        const texts = lines.map(([text]) => text);
        const last = lines.length + 1;
        const until = (number: number) => {
          const held = lines[number - 1]?.[1] ?? 0;
          return held > 4 ? last : number + held;
        };
        const records = readAll(texts, blockBytes, until);
        for (const record of records) {
          if (until(record.lineNumber) < last) continue;
          expect(record.wire).toBe(texts[record.lineNumber - 1]);
        }
      }),
    );
  });
});
