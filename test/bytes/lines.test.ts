/** Lines with their addresses: what ends one, what a block border does, what a scan survives. */

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

/** A line as a reader gives it; `text` has one char a byte. */
interface Line {
  readonly text: string;
  readonly ending: string | null;
  readonly lineNumber: number;
  readonly byteOffset: number;
  readonly byteLength: number;
}

const BLOCK_SIZES = [1, 2, 3, 7, 16, 1024];

function file(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return writeFile(folder, 'lines.jsonl', bytes);
}

function reader(path: string, blockBytes: number, options: LineOptions = {}): LineReader {
  return new LineReader(path, { block: Buffer.alloc(blockBytes, 'x'), ...options });
}

function current({ buffer, start, end, ending, ...line }: LineReader): Line {
  const { lineNumber, byteOffset, byteLength } = line;
  const text = buffer.toString('latin1', start, end);
  return { text, ending, lineNumber, byteOffset, byteLength };
}

function* rest(lines: LineReader): Generator<Line> {
  while (lines.next()) yield current(lines);
}

function read(path: string, blockBytes: number, options: LineOptions = {}): Line[] {
  return [...rest(reader(path, blockBytes, options))];
}

/** The rules, told slowly: the whole file as one string. */
function naive(content: string): Line[] {
  const lines: Line[] = [];
  for (let byteOffset = 0; byteOffset < content.length; ) {
    const newline = content.indexOf('\n', byteOffset);
    const piece = content.slice(byteOffset, newline < 0 ? undefined : newline);
    const isCrlf = newline >= 0 && piece.endsWith('\r');
    const text = isCrlf ? piece.slice(0, -1) : piece;
    const ending = newline < 0 ? null : isCrlf ? 'CRLF' : 'LF';
    const lineNumber = lines.length + 1;
    lines.push({ text, ending, lineNumber, byteOffset, byteLength: text.length });
    byteOffset += piece.length + 1;
  }
  return lines;
}

/** Texts and endings, as the shortest account of a file. */
function pairs(lines: readonly Line[]): (string | null)[][] {
  return lines.map(({ text, ending }) => [text, ending]);
}

/** Few bytes that matter and some that do not. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 80 }).map(bytes => Buffer.from(bytes).toString('latin1')),
  fc.string({ unit: fc.constantFrom('\r', '\n', '\r\n', 'a', 'é', '\0'), maxLength: 60 }),
);

const blockBytes = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1024));

describe.each(BLOCK_SIZES)('lines read in blocks of %i bytes', size => {
  it.each([
    [
      'two LF lines',
      'one\ntwo\n',
      [
        ['one', 'LF'],
        ['two', 'LF'],
      ],
    ],
    [
      'CRLF lines',
      'one\r\ntwo\r\n',
      [
        ['one', 'CRLF'],
        ['two', 'CRLF'],
      ],
    ],
    [
      'both kinds',
      'one\r\ntwo\nthree\r\n',
      [
        ['one', 'CRLF'],
        ['two', 'LF'],
        ['three', 'CRLF'],
      ],
    ],
    [
      'a CR alone',
      'one\rtwo\nthree\r',
      [
        ['one\rtwo', 'LF'],
        ['three\r', null],
      ],
    ],
    ['only a CR', '\r', [['\r', null]]],
    ['CRs before a CRLF', 'one\r\r\n', [['one\r', 'CRLF']]],
    [
      'a last line without an ending',
      'one\ntwo',
      [
        ['one', 'LF'],
        ['two', null],
      ],
    ],
    ['one line without an ending', 'one', [['one', null]]],
    ['nothing', '', []],
    [
      'only newlines',
      '\n\n\r\n\n',
      [
        ['', 'LF'],
        ['', 'LF'],
        ['', 'CRLF'],
        ['', 'LF'],
      ],
    ],
    [
      'blank lines',
      'a\n\n \nb',
      [
        ['a', 'LF'],
        ['', 'LF'],
        [' ', 'LF'],
        ['b', null],
      ],
    ],
    [
      'an LF before a CR',
      'a\n\rb\n',
      [
        ['a', 'LF'],
        ['\rb', 'LF'],
      ],
    ],
    [
      'bytes above 0x7f',
      'é\xff\xfe\n\x85\xa0',
      [
        ['é\xff\xfe', 'LF'],
        ['\x85\xa0', null],
      ],
    ],
  ])('are split right: %s', (_, text, expected) => {
    expect(pairs(read(file(text), size))).toEqual(expected);
  });

  it('carry number, offset and length without the ending', () => {
    expect(read(file('one\r\n\nthree'), size)).toEqual([
      { text: 'one', ending: 'CRLF', lineNumber: 1, byteOffset: 0, byteLength: 3 },
      { text: '', ending: 'LF', lineNumber: 2, byteOffset: 5, byteLength: 0 },
      { text: 'three', ending: null, lineNumber: 3, byteOffset: 6, byteLength: 5 },
    ]);
  });

  it('may be longer than many blocks', () => {
    const long = 'abcdefghij'.repeat(500);
    const path = file(`${long}\r\nshort\n${long}\n${long}`);
    expect(pairs(read(path, size))).toEqual([
      [long, 'CRLF'],
      ['short', 'LF'],
      [long, 'LF'],
      [long, null],
    ]);
  });

  it('begin where they are told to, and number from there', () => {
    const path = file('one\ntwo\r\nthree\n');
    expect(read(path, size, { byteOffset: 4, lineNumber: 1 })).toEqual(
      naive('one\ntwo\r\nthree\n').slice(1),
    );
    expect(read(path, size, { byteOffset: 15, lineNumber: 3 })).toEqual([]);
    expect(read(path, size, { byteOffset: 99, lineNumber: 3 })).toEqual([]);
  });

  it('count what they cost: the size in bytes, one file, each line', () => {
    const work = new Work();
    const text = 'one\n\ntwo\r\nthree';
    read(file(text), size, { work });
    expect(work).toMatchObject({ bytesRead: text.length, filesOpened: 1, linesRead: 4 });
  });
});

describe('block borders', () => {
  it('may lie between CR and LF', () => {
    expect(pairs(read(file('abc\r\ndef\r\n'), 4))).toEqual([
      ['abc', 'CRLF'],
      ['def', 'CRLF'],
    ]);
  });

  it('may lie right after a line, or right before a CR', () => {
    expect(pairs(read(file('abc\nde\r\nf'), 4))).toEqual([
      ['abc', 'LF'],
      ['de', 'CRLF'],
      ['f', null],
    ]);
    expect(pairs(read(file('abc\r\n'), 3))).toEqual([['abc', 'CRLF']]);
  });

  it('leave nothing of the block before in a shorter last one', () => {
    expect(pairs(read(file('abcd\nef\ng'), 7))).toEqual([
      ['abcd', 'LF'],
      ['ef', 'LF'],
      ['g', null],
    ]);
  });
});

describe('any bytes in any blocks', () => {
  it('split as the rules say', () => {
    fc.assert(
      fc.property(content, blockBytes, (text, size) => {
        expect(read(file(text), size)).toEqual(naive(text));
      }),
      { numRuns: 400 },
    );
  });

  it('come back byte for byte from lines and endings, whose offsets chain', () => {
    const endings: Record<string, string> = { LF: '\n', CRLF: '\r\n', null: '' };
    fc.assert(
      fc.property(content, blockBytes, (text, size) => {
        let rebuilt = '';
        for (const line of read(file(text), size)) {
          expect(line.byteOffset).toBe(rebuilt.length);
          expect(line.byteLength).toBe(line.text.length);
          rebuilt += line.text + endings[String(line.ending)];
        }
        expect(rebuilt).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('give the same rest when a new reader begins at any line', () => {
    fc.assert(
      fc.property(content, blockBytes, blockBytes, (text, size, otherSize) => {
        const path = file(text);
        const lines = read(path, size);
        lines.forEach(({ byteOffset }, lineNumber) => {
          const options = { byteOffset, lineNumber };
          expect(read(path, otherSize, options)).toEqual(lines.slice(lineNumber));
        });
      }),
      { numRuns: 200 },
    );
  });

  it('tell after each line where the next one begins', () => {
    fc.assert(
      fc.property(content, blockBytes, (text, size) => {
        const lines = reader(file(text), size);
        const begins: number[] = [lines.nextByteOffset];
        while (lines.next()) begins.push(lines.nextByteOffset);
        const expected = [...naive(text).map(({ byteOffset }) => byteOffset), text.length];
        expect(begins).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
