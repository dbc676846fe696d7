/** JSON printed: keys by their bytes, texts as wire text, digits as they were written. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { member, parseJson } from '../../src/bytes/json.ts';
import { compactJson, partAsJson } from '../../src/bytes/json-print.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { Work } from '../../src/bytes/work.ts';
import { type Json, jsonStyle, jsonText, jsonValue, wellFormed } from '../support/json.ts';
import { lineOf } from '../support/record.ts';

function record(text: string | Buffer): SourceRecord {
  const buffer = Buffer.from(text);
  return new SourceRecord(lineOf(buffer, 0, buffer.length), new Work());
}

/** What `partAsJson` gives for the whole of a record, as ordinary text. */
function whole(text: string | Buffer): string | null {
  const found = partAsJson(record(text), root => root);
  return found === null ? null : fromWire(found);
}

function compact(text: string): string | null {
  const bytes = Buffer.from(text);
  const found = compactJson(parseJson(bytes, 0, bytes.length));
  return found === null ? null : fromWire(found);
}

/** `JSON.stringify` with the keys of every object sorted by their UTF-8 bytes. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, item]) => `${JSON.stringify(key)}:${sorted(item)}`);
  return `{${members.join(',')}}`;
}

describe('a value as compact JSON', () => {
  it('is what JSON.stringify writes when the keys are sorted by their bytes', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, (value, style) => {
        const bytes = Buffer.from(jsonText(value, style));
        const expected = sorted(wellFormed(JSON.parse(bytes.toString('utf8'))));
        expect(compact(bytes.toString('utf8'))).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('sorts by bytes, not by UTF-16, and numbers as texts', () => {
    const text = '{"～":1,"🦆":2,"10":3,"9":4,"a":5,"B":6,"":7,"é":8}';
    expect(compact(text)).toBe('{"":7,"10":3,"9":4,"B":6,"a":5,"é":8,"～":1,"🦆":2}');
  });

  it.each([
    ['{}', '{}'],
    ['[]', '[]'],
    ['[ [ ], { } ]', '[[],{}]'],
    ['"a"', '"a"'],
    ['null', 'null'],
    [
      '{"a":{"c":[1,{"y":null,"x":[true]}],"b":false}}',
      '{"a":{"b":false,"c":[1,{"x":[true],"y":null}]}}',
    ],
    ['"\\u0001\\n\\"\\\\\\/"', '"\\u0001\\n\\"\\\\/"'],
  ])('prints %s as %s', (text, expected) => {
    expect(compact(text)).toBe(expected);
  });

  it('prints numbers in their shortest form', () => {
    expect(compact('[1.0,1e2,-0,1E-7,0.10,100000000000000000000]')).toBe(
      '[1,100,0,1e-7,0.1,100000000000000000000]',
    );
  });

  it('is null for nothing', () => {
    expect(compactJson(undefined)).toBeNull();
  });
});

describe('a part of a record as compact JSON', () => {
  it('is the same as compact JSON where every number is exact', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, (value, style) => {
        const text = Buffer.from(jsonText(value, style)).toString('utf8');
        fc.pre(!/\d{15}|[eE]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '')));
        expect(whole(text)).toBe(compact(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('is null where there is no such part, or no record', () => {
    const pick = (root: unknown) => member(root, 'input');
    expect(partAsJson(record('{"other":9007199254740993}'), pick)).toBeNull();
    expect(partAsJson(record('{"input":'), pick)).toBeNull();
    expect(partAsJson(record('{"input":null}'), pick)).toBe('null');
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '1E+21',
    '9007199254740993.0',
  ])('keeps the digits of %s, and then those of its other numbers', digits => {
    expect(whole(`{"b": ${digits}, "a": [1.0, -0, 0.10, 1e2]}`)).toBe(
      `{"a":[1.0,-0,0.10,1e2],"b":${digits}}`,
    );
    expect(whole(digits)).toBe(digits);
    expect(whole(`[${digits}]`)).toBe(`[${digits}]`);
  });

  it('keeps digits in the part only because of numbers in the part', () => {
    const { buffer, start, end, value } = record('{"big":9007199254740993,"input":[1.0]}');
    const pick = (root: unknown) => member(root, 'input');
    expect(partAsJson({ buffer, start, end, value }, pick)).toBe('[1]');
  });
});

/** Texts around a number that is not exact: none of them may be taken for a number. */
describe('a record whose digits are kept', () => {
  const big = '9007199254740993';

  it.each([
    '"1.0"',
    '"a 12 b"',
    '"\\"12\\""',
    '"\\\\"',
    '"\\\\\\"1"',
    '"\\u0000"',
    '"\\u0000#"',
    '"\\u0000#1.0"',
    '"\\u0000\\u0023"',
    '"\\u0000\\u002312"',
    '"\\u0000##12"',
    '"\\u0000\\u0000"',
    '"\\u0000\\u0000\\u00001"',
    '"\\u0000\\u00011"',
    '"\\u00011"',
    '"\\u0007\\u0001\\u00000\\u0002\\u0003\\u0004\\u0005\\u0006"',
    '"#1"',
    '"é\\u00e9 1.0 🦆 \\ud83e 2.0"',
  ])('leaves %s alone, as a text and as a key', text => {
    const key = JSON.stringify(JSON.parse(text).toWellFormed());
    expect(whole(`{"a":[${text},1.0,${big}]}`)).toBe(`{"a":[${key},1.0,${big}]}`);
    expect(whole(`{${text}:[${text},1.0,${big}]}`)).toBe(`{${key}:[${key},1.0,${big}]}`);
    expect(whole(`[${big},${text}]`)).toBe(`[${big},${key}]`);
  });

  it('prints everything but its numbers as a record without such a number', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, (value, style) => {
        const bytes = Buffer.from(jsonText(['x', value], style));
        const texts = bytes.toString('utf8');
        const kept = whole(`[${big},${texts}]`);
        expect(kept?.startsWith(`[${big},`)).toBe(true);
        const printed = JSON.parse(kept ?? '')[1];
        expect(sorted(printed)).toBe(sorted(wellFormed(JSON.parse(texts))));
      }),
      { numRuns: 2000 },
    );
  });

  it('may begin with a byte order mark', () => {
    expect(whole(`\ufeff{"a":[${big},1.0]}`)).toBe(`{"a":[${big},1.0]}`);
  });

  it('may lie amid other bytes', () => {
    const text = `[${big},1.0,"é"]`;
    const buffer = Buffer.from(`[1]${text}[2]`);
    const end = buffer.length - 3;
    const value = parseJson(buffer, 3, end);
    expect(partAsJson({ buffer, start: 3, end, value }, root => root)).toBe(toWire(text));
  });

  it('may hold many NULs', () => {
    const text = `{"a":"${'\\u0000'.repeat(300_000)}","b":[${`${big},`.repeat(9)}1.0]}`;
    expect(whole(text) === text).toBe(true);
  });

  it('may hold a text of many megabytes', () => {
    const long = 'x\\n'.repeat(8_000_000);
    const text = `{"a":"${long}","b":${big}}`;
    expect(whole(text) === text).toBe(true);
  });
});

describe('deep nesting', () => {
  const depth = 100_000;

  it('is printed without recursion', () => {
    const lists = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(compact(lists) === lists).toBe(true);
    expect(compact(objects) === objects).toBe(true);
  });

  it('is printed with its digits without recursion', () => {
    const text = `${'[{"a":'.repeat(depth / 2)}9007199254740993${'}]'.repeat(depth / 2)}`;
    expect(whole(text) === text).toBe(true);
  });
});
