/** What a reader of lines keeps and lets go: slices, lines over the limit, files that change. */

import {
  appendFileSync,
  readdirSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LineOptions, LineReader } from '../../src/bytes/lines.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

function file(content: string): string {
  return writeFile(folder, 'lines.jsonl', Buffer.from(content, 'latin1'));
}

function reader(path: string, blockBytes: number, options: LineOptions = {}): LineReader {
  return new LineReader(path, { block: Buffer.alloc(blockBytes), ...options });
}

function textOf({ buffer, start, end }: LineReader): string {
  return buffer.toString('latin1', start, end);
}

function textsOf(lines: LineReader): string[] {
  const texts: string[] = [];
  while (lines.next()) texts.push(textOf(lines));
  return texts;
}

/** Open descriptors of this process. */
function descriptors(): number {
  return readdirSync('/dev/fd').length;
}

/** A line as far as the limit concerns it. */
function verdict(lines: LineReader): unknown[] {
  if (lines.isTooLong) expect([lines.start, lines.end]).toEqual([0, 0]);
  return [textOf(lines), lines.byteLength, lines.ending, lines.isTooLong];
}

function verdicts(text: string, blockBytes: number, maxLineBytes: number): unknown[][] {
  const lines = reader(file(text), blockBytes, { maxLineBytes });
  const found: unknown[][] = [];
  while (lines.next()) found.push(verdict(lines));
  return found;
}

describe.each([1, 3, 4, 5, 7, 1024])('a limit of 4 bytes, in blocks of %i bytes', size => {
  it('keeps a line of just that length, whatever ends it', () => {
    expect(verdicts('abcd\nabcd\r\nabcd', size, 4)).toEqual([
      ['abcd', 4, 'LF', false],
      ['abcd', 4, 'CRLF', false],
      ['abcd', 4, null, false],
    ]);
  });

  it('drops the bytes of a longer line and keeps its address', () => {
    expect(verdicts('ab\nabcde\nabcde\r\nabcdefghijkl\r\nab\nabcde', size, 4)).toEqual([
      ['ab', 2, 'LF', false],
      ['', 5, 'LF', true],
      ['', 5, 'CRLF', true],
      ['', 12, 'CRLF', true],
      ['ab', 2, 'LF', false],
      ['', 5, null, true],
    ]);
  });

  it('counts a CR that ends no line', () => {
    expect(verdicts('abcd\r', size, 4)).toEqual([['', 5, null, true]]);
    expect(verdicts('abc\r', size, 4)).toEqual([['abc\r', 4, null, false]]);
    expect(verdicts('abcd\r\r\n', size, 4)).toEqual([['', 5, 'CRLF', true]]);
  });

  it('does not move the lines after it', () => {
    const lines = reader(file('abcdefgh\r\nab\n'), size, { maxLineBytes: 4 });
    lines.next();
    expect([lines.lineNumber, lines.byteOffset, lines.nextByteOffset]).toEqual([1, 0, 10]);
    lines.next();
    expect([lines.lineNumber, lines.byteOffset, lines.nextByteOffset]).toEqual([2, 10, 13]);
  });
});

/** A slice that was promised to stay, and what it said. */
interface Held {
  readonly slice: Buffer;
  readonly text: string;
  readonly isJoined: boolean;
}

describe('the bytes of a line', () => {
  it('stay until the block is done, for ever where the line was joined', () => {
    const text = fc.string({ unit: fc.constantFrom('\r', '\n', 'a', 'b', 'c'), maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (content, size) => {
        const lines = reader(file(content), size);
        let held: Held[] = [];
        while (lines.next()) {
          for (const { slice, text } of held) expect(slice.toString('latin1')).toBe(text);
          const slice = lines.buffer.subarray(lines.start, lines.end);
          held.push({ slice, text: textOf(lines), isJoined: lines.isJoined });
          if (lines.blockDone) held = held.filter(({ isJoined }) => isJoined);
        }
        for (const { slice, text } of held) expect(slice.toString('latin1')).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('lie in the block unless the line spans blocks', () => {
    const block = Buffer.alloc(8);
    const lines = new LineReader(file('ab\ncd\nefgh\nij\n'), { block });
    const found: unknown[] = [];
    while (lines.next()) {
      found.push([textOf(lines), lines.buffer === block, lines.isJoined, lines.blockDone]);
    }
    expect(found).toEqual([
      ['ab', true, false, false],
      ['cd', true, false, true],
      ['efgh', false, true, false],
      ['ij', true, false, true],
    ]);
  });

  it('are not joined when a line begins and ends with its block', () => {
    const lines = reader(file('abc\ndef\n'), 4);
    expect([lines.next(), lines.isJoined, lines.blockDone]).toEqual([true, false, true]);
    expect([lines.next(), lines.isJoined, lines.blockDone]).toEqual([true, false, true]);
  });
});

describe('a file that changes while it is read', () => {
  it('may grow: the scan ends at the size that it had when it was opened', () => {
    const path = file('one\ntwo\nthr');
    const lines = reader(path, 4);
    lines.next();
    appendFileSync(path, 'ee\nfour\n');
    expect(textsOf(lines)).toEqual(['two', 'thr']);
    expect([lines.nextByteOffset, lines.problem]).toEqual([11, null]);
    const again = reader(path, 4, { byteOffset: lines.nextByteOffset });
    expect(textsOf(again)).toEqual(['ee', 'four']);
  });

  it('may grow before the first line is asked for: the size counts from then', () => {
    const path = file('one\n');
    const lines = reader(path, 64);
    appendFileSync(path, 'two\n');
    expect(textsOf(lines)).toEqual(['one', 'two']);
  });

  it('may shrink: the scan ends with a problem after the bytes that are left', () => {
    const path = file('one\ntwo\nthree\nfour\n');
    const lines = reader(path, 4);
    lines.next();
    truncateSync(path, 10);
    expect(textsOf(lines)).toEqual(['two', 'th']);
    expect(lines.problem).toBe('the file was cut short while it was read');
    expect([lines.next(), lines.nextByteOffset]).toEqual([false, 10]);
  });

  it('may be replaced: the scan ends with a problem, and nothing of the new file', () => {
    const path = file('one\ntwo\nthree\n');
    const lines = reader(path, 4);
    lines.next();
    renameSync(writeFile(folder, 'other.jsonl', 'ONE\nTWO\nTHREE\n'), path);
    expect(textsOf(lines)).toEqual([]);
    expect(lines.problem).toBe('the file was replaced while it was read');
    expect([lines.next(), lines.nextByteOffset]).toEqual([false, 4]);
  });

  it('may be replaced amid a line: what was read of the line before is given out', () => {
    const path = file('one\ntwo two\nthree\n');
    const lines = reader(path, 6);
    lines.next();
    renameSync(writeFile(folder, 'other.jsonl', 'ONE\nTWO TWO\nTHREE\n'), path);
    expect(textsOf(lines)).toEqual(['tw']);
    expect([lines.ending, lines.nextByteOffset]).toEqual([null, 6]);
    expect(lines.problem).toBe('the file was replaced while it was read');
  });

  it('may be replaced or cut after its last block without anybody noticing', () => {
    const path = file('one\ntwo\n');
    const lines = reader(path, 64);
    lines.next();
    truncateSync(path, 0);
    expect(textsOf(lines)).toEqual(['two']);
    expect(lines.problem).toBeNull();
  });

  it('may vanish: the next call throws, and can be made again', () => {
    const path = file('one\ntwo two\nthree\n');
    const lines = reader(path, 6);
    lines.next();
    unlinkSync(path);
    expect(() => lines.next()).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => lines.next()).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect([lines.nextByteOffset, lines.lineNumber]).toEqual([4, 1]);
  });
});

/** Counters that run something as soon as so many bytes were read: between two blocks. */
class Interrupting extends Work {
  constructor(bytesMin: number, run: () => void) {
    super();
    let bytesRead = 0;
    let isDone = false;
    Object.defineProperty(this, 'bytesRead', {
      get: () => bytesRead,
      set: (bytes: number) => {
        bytesRead = bytes;
        if (isDone || bytes < bytesMin) return;
        isDone = true;
        run();
      },
    });
  }
}

describe('a line that spans blocks', () => {
  it('is read again from its beginning when reading failed amid it', () => {
    const path = file('one\ntwo two two\nthree\n');
    const aside = `${folder}/aside.jsonl`;
    const work = new Interrupting(12, () => renameSync(path, aside));
    const lines = reader(path, 4, { work });
    lines.next();
    expect(() => lines.next()).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect([lines.nextByteOffset, lines.lineNumber]).toEqual([4, 1]);
    renameSync(aside, path);
    expect(lines.next()).toBe(true);
    expect([textOf(lines), lines.byteOffset, lines.lineNumber]).toEqual(['two two two', 4, 2]);
    expect(textsOf(lines)).toEqual(['three']);
  });
});

describe('a file that cannot be read', () => {
  it('throws what the operating system says', () => {
    const open = (path: string) => () => new LineReader(path).next();
    const inFile = `${file('x')}/y`;
    expect(open(`${folder}/nothing`)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(open(inFile)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    expect(open(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });

  it('is not looked at before the first line is asked for', () => {
    const work = new Work();
    const lines = new LineReader(`${folder}/nothing`, { work, byteOffset: 7 });
    expect([lines.nextByteOffset, work.filesOpened]).toEqual([7, 0]);
  });
});

describe('descriptors', () => {
  it('are not left when a scan is abandoned, fails or ends', () => {
    const before = descriptors();
    for (let i = 0; i < 20; i++) {
      const path = file('one\ntwo\nthree\nfour\n');
      const lines = reader(path, 6);
      lines.next();
      lines.next();
      if (i % 2 === 0) writeFileSync(path, '');
      if (i % 3 === 0) textsOf(lines);
      expect(() => reader(folder, 6).next()).toThrow();
    }
    expect(descriptors()).toBe(before);
  });
});

describe('readers that are used one after the other', () => {
  it('may share one block', () => {
    const block = Buffer.alloc(8);
    const first = writeFile(folder, 'first.jsonl', 'one\ntwo\nthree');
    const second = writeFile(folder, 'second.jsonl', 'x\ny\n');
    const texts = [first, second, first].map(path => textsOf(new LineReader(path, { block })));
    expect(texts).toEqual([
      ['one', 'two', 'three'],
      ['x', 'y'],
      ['one', 'two', 'three'],
    ]);
  });

  it('add to the counters that they are given', () => {
    const work = new Work();
    const path = file('one\ntwo\nthree');
    textsOf(reader(path, 4, { work }));
    textsOf(reader(path, 1024, { work, byteOffset: 4 }));
    expect(work).toMatchObject({ bytesRead: 13 + 9, filesOpened: 2, linesRead: 5 });
  });
});

describe('a block of its own', () => {
  it('is made when none is given, and long enough for ordinary lines', () => {
    const long = 'x'.repeat(3_000_000);
    const lines = new LineReader(file(`one\n${long}\ntwo\n`));
    expect(textsOf(lines)).toEqual(['one', long, 'two']);
  });
});
