/** Records: decoded once, when somebody asks, and whatever their bytes are. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceRecord } from '../../src/bytes/record.ts';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { Work } from '../../src/bytes/work.ts';
import { lineOf } from '../support/record.ts';

interface Given {
  readonly byteOffset?: number;
  readonly isTooLong?: boolean;
  readonly work?: Work;
  /** Bytes on both sides of the record in its buffer. */
  readonly around?: string;
}

function record(content: string | Uint8Array, given: Given = {}): SourceRecord {
  const { byteOffset = 0, isTooLong = false, work = new Work(), around = '' } = given;
  const bytes = Buffer.from(content);
  const buffer = Buffer.concat([Buffer.from(around), bytes, Buffer.from(around)]);
  const start = Buffer.byteLength(around);
  const end = start + bytes.length;
  return new SourceRecord(lineOf(buffer, start, end, { byteOffset, isTooLong }), work);
}

describe('a record', () => {
  it('keeps its address', () => {
    const parts = { lineNumber: 3, byteOffset: 40, ending: 'CRLF', recordKey: 'key' } as const;
    const line = lineOf(Buffer.from('x{}x'), 1, 3, { ...parts, offsetSpace: 'element' });
    expect(new SourceRecord(line, new Work(), { isBorrowable: true })).toMatchObject({
      ...line,
      isBorrowable: true,
    });
    expect(new SourceRecord(line, new Work()).isBorrowable).toBe(false);
  });

  it('is its own bytes, not those around it', () => {
    const found = record('{"a":"é"}', { around: '[9]\n' });
    expect(found.value).toEqual({ a: toWire('é') });
    expect(fromWire(found.wire)).toBe('{"a":"é"}');
    expect([found.error, found.isUtf8, found.isBlank]).toEqual([null, true, false]);
  });

  it('is decoded when it is asked for its value or error, and once', () => {
    const work = new Work();
    const valid = record('{}', { work });
    expect([valid.wire, valid.isBlank, valid.isUtf8, valid.hasByteOrderMark]).toHaveLength(4);
    expect(work.recordsParsed).toBe(0);
    expect(valid.value).toBe(valid.value);
    expect([valid.error, work.recordsParsed]).toEqual([null, 1]);
    const invalid = record('{', { work });
    expect([typeof invalid.error, invalid.value, work.recordsParsed]).toEqual([
      'string',
      undefined,
      2,
    ]);
  });

  it('may be any JSON value, false and null too', () => {
    for (const text of ['null', 'false', '0', '""', '[]', '"a"']) {
      const found = record(text);
      expect([found.value, found.error]).toEqual([JSON.parse(text), null]);
    }
  });
});

describe('a record of which no text is passed on', () => {
  it('has the same structure and ASCII texts, whatever its escapes', () => {
    const bytes = Buffer.from('{"type":"user","list":[{"b":"\\u00e9"},1,true],"é":null}');
    const line = lineOf(bytes, 0, bytes.length);
    const found = new SourceRecord(line, new Work(), { isStructureOnly: true });
    const expected = { type: 'user', list: [{ b: expect.any(String) }, 1, true], 'Ã©': null };
    expect(found.value).toEqual(expected);
    expect(found.error).toBeNull();
  });
});

describe('a record that does not parse', () => {
  it.each(['', ' ', '{', '{"a":1}}', '{}{}', "{'a':1}", 'nul', '\ufeff', '{"a":1}\0'])(
    'has an error and no value: %j',
    text => {
      const found = record(text, { byteOffset: 5 });
      expect(found.value).toBeUndefined();
      expect(found.error).toMatch(/JSON/);
    },
  );

  it('counts positions in bytes of the record', () => {
    const error = record('{"é":"€🦆",}', { around: 'xxxx' }).error;
    expect(error).toContain('position 16');
    expect(record('{"é":"€🦆","\\u00e9":1,}').error).toContain('position 27');
  });

  it('counts them after a byte order mark', () => {
    expect(record('\ufeff{"a":1,}').error).toBe(record('{"a":1,}').error);
  });
});

describe('a record over the limit', () => {
  it('has an error that names its length, no value and no text, and is not blank', () => {
    const work = new Work();
    const parts = { byteLength: 300_000_000, isTooLong: true };
    const found = new SourceRecord(lineOf(Buffer.alloc(0), 0, 0, parts), work);
    expect(found.error).toBe('line of 300000000 bytes is over the limit of 256 MiB');
    expect([found.value, found.wire, found.isBlank]).toEqual([undefined, '', false]);
    expect([found.hasByteOrderMark, work.recordsParsed]).toEqual([false, 0]);
  });
});

describe('a byte order mark', () => {
  it('is read past where it begins a file, and only there', () => {
    const first = record('\ufeff{"a":1}');
    expect([first.hasByteOrderMark, first.value, first.error]).toEqual([true, { a: 1 }, null]);
    const later = record('\ufeff{"a":1}', { byteOffset: 8 });
    expect([later.hasByteOrderMark, later.value]).toEqual([false, undefined]);
    expect(later.error).toMatch(/JSON/);
  });

  it('stays part of the text', () => {
    const found = record('\ufeff{}');
    expect([fromWire(found.wire), found.byteLength, found.isBlank]).toEqual(['\ufeff{}', 5, false]);
  });

  it.each(['', 'ab', '{}', ' \ufeff{}'])('is not found in %j', text => {
    expect(record(text).hasByteOrderMark).toBe(false);
  });

  it('is not found where the record ends amid it', () => {
    expect(record(Buffer.from([0xef, 0xbb]), { around: '\ufeff' }).hasByteOrderMark).toBe(false);
  });
});

describe('a blank record', () => {
  it.each(['', ' ', '\t', '\r', ' \t\r ', '\n'])('holds nothing but white space: %j', text => {
    expect(record(text, { around: 'x' }).isBlank).toBe(true);
  });

  it.each(['x', ' x', 'x ', '\0', '\v', '\f', '\u00a0', '\u2028', '\ufeff'])(
    'holds nothing else: %j',
    text => {
      expect(record(text, { around: ' ' }).isBlank).toBe(false);
    },
  );
});

describe('the bytes of a record', () => {
  it('are UTF-8 or not, whatever stands around them', () => {
    expect(record('é€🦆', { around: '\ufffd' }).isUtf8).toBe(true);
    const parts = [
      [0xc3],
      [0xa9],
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ];
    for (const bytes of parts) expect(record(Uint8Array.from(bytes)).isUtf8).toBe(false);
  });

  it('come back from the wire text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        const { wire } = record(bytes, { around: 'é' });
        expect(Buffer.from(wire, 'latin1').equals(bytes)).toBe(true);
      }),
    );
  });
});
