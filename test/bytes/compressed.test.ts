/** Zstd files: the lines of the plain file, and a problem where they end too early. */

import { randomBytes } from 'node:crypto';
import { appendFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZstdBlocks } from '../../src/bytes/compressed.ts';
import { LineReader } from '../../src/bytes/lines.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { compress } from '../support/zstd.ts';

const BLOCK_BYTES = 1024 * 1024;
let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

interface Line {
  readonly text: string;
  readonly lineNumber: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly ending: string | null;
}

interface Read {
  readonly lines: readonly Line[];
  readonly problem: string | null;
}

function readLines(reader: LineReader): Read {
  const lines: Line[] = [];
  while (reader.next()) {
    const { lineNumber, byteOffset, byteLength, ending } = reader;
    const text = reader.buffer.toString('latin1', reader.start, reader.end);
    lines.push({ text, lineNumber, byteOffset, byteLength, ending });
  }
  return { lines, problem: reader.problem };
}

function plainLines(bytes: Uint8Array): Read {
  return readLines(new LineReader(writeFile(folder, 'plain.jsonl', bytes)));
}

function zstdLines(bytes: Uint8Array, blockBytes = BLOCK_BYTES): Read {
  const path = writeFile(folder, 'rollout.jsonl.zst', bytes);
  const blocks = new ZstdBlocks(path, new Work());
  return readLines(new LineReader(path, { block: Buffer.alloc(blockBytes), blocks }));
}

/** Everything that can be read, in blocks of the size that is given. */
function zstdBytes(bytes: Uint8Array, blockBytes = BLOCK_BYTES): Buffer {
  const path = writeFile(folder, 'bytes.zst', bytes);
  const blocks = new ZstdBlocks(path, new Work());
  const parts: Buffer[] = [];
  for (let position = 0; ; ) {
    const block = Buffer.alloc(blockBytes);
    const got = blocks.read(block, position);
    if (got === 0) break;
    parts.push(block.subarray(0, got));
    position += got;
  }
  return Buffer.concat(parts);
}

/** Lines that do not compress to nothing: each differs from the one before. */
function manyLines(byteLength: number): Buffer {
  const lines: string[] = [];
  for (let length = 0, seed = 1; length < byteLength; ) {
    seed = (seed * 48271) % 2147483647;
    const line = `{"n":${seed},"text":"${seed.toString(36).repeat(1 + (seed % 40))}"}\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join(''));
}

describe('a zstd file', () => {
  it('has the lines of the plain file, at its offsets', () => {
    const bytes = Buffer.from('{"a":1}\r\n\n{"b":"é"}\nlast');
    expect(zstdLines(compress(bytes))).toEqual(plainLines(bytes));
  });

  it('says that its offsets count decompressed bytes', () => {
    const path = writeFile(folder, 'space.zst', compress(Buffer.from('x\n')));
    const reader = new LineReader(path, { blocks: new ZstdBlocks(path, new Work()) });
    expect(reader.offsetSpace).toBe('decompressed');
  });

  it('has no lines when it holds nothing, compressed or not', () => {
    expect(zstdLines(compress(Buffer.alloc(0)))).toEqual({ lines: [], problem: null });
    expect(zstdLines(Buffer.alloc(0))).toEqual({ lines: [], problem: null });
  });

  it('may have several frames, of which a line may span two', () => {
    const bytes = manyLines(5000);
    const parts = [bytes.subarray(0, 777), bytes.subarray(777, 778), bytes.subarray(778)];
    const frames = [...parts, Buffer.alloc(0)].map(part => compress(part));
    expect(zstdLines(Buffer.concat(frames))).toEqual(plainLines(bytes));
  });

  it('may be many times larger than a block', () => {
    const bytes = manyLines(5 * BLOCK_BYTES + 12345);
    const found = zstdLines(compress(bytes));
    expect(found.problem).toBeNull();
    expect(found.lines).toEqual(plainLines(bytes).lines);
  });

  it('ends without a problem where a frame fills a block to its last byte', () => {
    for (const length of [1024, 16 * 1024, BLOCK_BYTES, 2 * BLOCK_BYTES]) {
      const bytes = manyLines(length).subarray(0, length);
      for (const blockBytes of [1024, BLOCK_BYTES]) {
        const { lines, problem } = zstdLines(compress(bytes), blockBytes);
        expect([length, problem, lines.length]).toEqual([
          length,
          null,
          plainLines(bytes).lines.length,
        ]);
      }
    }
  });

  it('counts the bytes of the file that it read', () => {
    const packed = compress(manyLines(100_000));
    const path = writeFile(folder, 'work.zst', packed);
    const work = new Work();
    const blocks = new ZstdBlocks(path, work);
    readLines(new LineReader(path, { blocks, work }));
    expect([blocks.doneBytes, work.bytesRead, work.filesOpened]).toEqual([
      packed.length,
      packed.length,
      1,
    ]);
  });
});

describe('a damaged zstd file', () => {
  it('gives what comes before the end when it is cut short at any byte', () => {
    const bytes = manyLines(3000);
    const packed = compress(bytes);
    for (let end = 1; end < packed.length; end++) {
      const { lines, problem } = zstdLines(packed.subarray(0, end));
      expect([end, problem]).toEqual([end, 'the zstd stream is cut short']);
      const text = lines.map(line => line.text).join('\n');
      expect(bytes.toString('latin1').startsWith(text)).toBe(true);
    }
  });

  it('gives the lines of large blocks before the end that is missing', () => {
    const bytes = manyLines(3 * BLOCK_BYTES);
    const packed = compress(bytes);
    const { lines, problem } = zstdLines(packed.subarray(0, Math.floor(packed.length / 2)));
    expect(problem).toBe('the zstd stream is cut short');
    const whole = lines.slice(0, -1);
    expect(whole.length).toBeGreaterThan(1000);
    expect(whole).toEqual(plainLines(bytes).lines.slice(0, whole.length));
  });

  it('gives its frame whole and names the place of the garbage behind it', () => {
    const bytes = manyLines(3000);
    const packed = compress(bytes);
    const garbage = Buffer.from('{"not":"compressed"}\n');
    const { lines, problem } = zstdLines(Buffer.concat([packed, garbage]));
    expect(lines).toEqual(plainLines(bytes).lines);
    expect(problem).toContain(`the zstd stream is damaged behind byte ${packed.length}`);
  });

  it('gives all but the last 16 KiB before a byte that is wrong', () => {
    const bytes = manyLines(2 * BLOCK_BYTES);
    const packed = Buffer.from(compress(bytes));
    const middle = Math.floor(packed.length * 0.6);
    packed.fill(0xff, middle, middle + 64);
    const path = writeFile(folder, 'wrong.zst', packed);
    const blocks = new ZstdBlocks(path, new Work());
    const block = Buffer.alloc(4 * BLOCK_BYTES);
    const got = blocks.read(block, 0);
    expect(blocks.problem).toContain('the zstd stream is damaged');
    expect(got).toBeGreaterThan(BLOCK_BYTES / 2);
    expect(block.subarray(0, got).equals(bytes.subarray(0, got))).toBe(true);
    expect(blocks.read(block, got)).toBe(0);
  });

  it('is no zstd file at all: a problem, and no lines', () => {
    const { lines, problem } = zstdLines(manyLines(3000));
    expect(lines).toEqual([]);
    expect(problem).toContain('the zstd stream is damaged behind byte 0');
  });

  it('ends where another file takes its place while it is read', () => {
    const bytes = randomBytes(2 * BLOCK_BYTES);
    const path = writeFile(folder, 'replaced.zst', compress(bytes));
    const blocks = new ZstdBlocks(path, new Work());
    const block = Buffer.alloc(1000);
    expect(blocks.read(block, 0)).toBe(1000);
    renameSync(writeFile(folder, 'new.zst', compress(bytes)), path);
    let position = 1000;
    for (let got = 1; got > 0; position += got) got = blocks.read(block, position);
    expect(blocks.problem).toBe('the file was replaced while it was read');
    expect(position).toBeLessThan(bytes.length);
  });

  it('ends where it ended when it was opened, although a frame was added', () => {
    const bytes = manyLines(3000);
    const path = writeFile(folder, 'grown.zst', compress(bytes));
    const blocks = new ZstdBlocks(path, new Work());
    const block = Buffer.alloc(1000);
    blocks.read(block, 0);
    appendFileSync(path, compress(Buffer.from('{"later":true}\n')));
    let position = 1000;
    for (let got = 1; got > 0; position += got) got = blocks.read(block, position);
    expect([blocks.problem, position]).toEqual([null, bytes.length]);
  });

  it('that is not there is an error of the system', () => {
    const blocks = new ZstdBlocks(join(folder, 'nowhere.zst'), new Work());
    expect(() => blocks.read(Buffer.alloc(10), 0)).toThrow('ENOENT');
  });
});

describe('positions in a zstd file', () => {
  it('may go forward and back', () => {
    const bytes = manyLines(200_000);
    const path = writeFile(folder, 'positions.zst', compress(bytes));
    const blocks = new ZstdBlocks(path, new Work());
    const block = Buffer.alloc(5000);
    for (const position of [150_000, 3, 100_000, 100_000, 0]) {
      expect(blocks.read(block, position)).toBe(5000);
      expect(block.equals(bytes.subarray(position, position + 5000))).toBe(true);
    }
    expect(blocks.read(block, bytes.length + 1)).toBe(0);
  });

  it('are those of the lines that a reader goes on with', () => {
    const bytes = manyLines(50_000);
    const path = writeFile(folder, 'resumed.zst', compress(bytes));
    const { lines } = plainLines(bytes);
    const [before, after] = [lines[99], lines.slice(100)];
    const byteOffset = (before?.byteOffset ?? 0) + (before?.byteLength ?? 0) + 1;
    const blocks = new ZstdBlocks(path, new Work());
    const reader = new LineReader(path, { blocks, byteOffset, lineNumber: 100 });
    expect(readLines(reader).lines).toEqual(after);
  });
});

it('any bytes in any frames come back in blocks of any size', () => {
  const frames = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 6 });
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 4000 }), (parts, blockBytes) => {
      const packed = Buffer.concat(parts.map(part => compress(part)));
      expect(zstdBytes(packed, blockBytes).equals(Buffer.concat(parts))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
