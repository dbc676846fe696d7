/** Pictures and documents in records, replaced by what they are. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloadParts, withoutPayloads } from '../../src/harness/shared/prompt/binary.ts';
import { jsonValue } from '../support/json.ts';

const HEADS = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/gif': [...Buffer.from('GIF89a')],
  'image/webp': [...Buffer.from('RIFF')],
  'application/pdf': [...Buffer.from('%PDF-1.7')],
} as const;

type Mime = keyof typeof HEADS;

/** A file of that type, in base64. */
function file(mime: Mime, size = 300): string {
  return Buffer.concat([Buffer.from(HEADS[mime]), Buffer.alloc(size, 0xa7)])
    .subarray(0, size)
    .toString('base64');
}

const PNG = file('image/png');

describe('a payload', () => {
  it.each(Object.keys(HEADS) as Mime[])('is base64 that begins as %s does', mime => {
    for (const bytes of [300, 301, 302]) {
      expect(withoutPayloads(file(mime, bytes))).toEqual({ type: 'binary', mime, bytes });
    }
  });

  it('may be broken into lines', () => {
    const lines = PNG.replaceAll(/.{76}/g, '$&\r\n');
    expect(withoutPayloads(`${lines}\n`)).toEqual({
      type: 'binary',
      mime: 'image/png',
      bytes: 300,
    });
  });

  it('is a data URL of any size', () => {
    expect(withoutPayloads('data:image/png;base64,AAAA')).toEqual({
      type: 'binary',
      mime: 'image/png',
      bytes: 3,
    });
    expect(withoutPayloads('DATA:text/plain;charset=utf-8;base64,QUI=')).toEqual({
      type: 'binary',
      mime: 'text/plain',
      bytes: 2,
    });
    expect(withoutPayloads('data:;base64,')).toEqual({ type: 'binary', mime: null, bytes: 0 });
  });

  it.each([
    ['short base64', PNG.slice(0, 252)],
    ['base64 of something else', Buffer.alloc(400, 0x41).toString('base64')],
    ['text after base64', `${PNG} and more`],
    ['text within base64', `${PNG}é${PNG}`],
    ['padding within base64', `${PNG}=${PNG}`],
    ['text after a data URL', 'data:image/png;base64,AAAA see?'],
    ['a data URL in a text', 'See data:image/png;base64,AAAA'],
    ['a data URL without base64', 'data:text/plain,hello'],
    ['words', 'data: none'],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    expect(withoutPayloads(text)).toBe(text);
  });
});

describe('a value with payloads', () => {
  it('is copied with what they are in their place', () => {
    const value = JSON.parse(`{"b":[1,{"data":"${PNG}"},"x"],"__proto__":"${PNG}","a":null}`);
    const before = JSON.stringify(value);
    const binary = '{"type":"binary","mime":"image/png","bytes":300}';
    expect(JSON.stringify(withoutPayloads(value))).toBe(
      `{"b":[1,{"data":${binary}},"x"],"__proto__":${binary},"a":null}`,
    );
    expect(JSON.stringify(value)).toBe(before);
  });

  it('may nest deep', () => {
    let value: unknown = PNG;
    for (let depth = 0; depth < 50_000; depth++) value = [value];
    let copy = withoutPayloads(value);
    while (Array.isArray(copy)) copy = copy[0];
    expect(copy).toEqual({ type: 'binary', mime: 'image/png', bytes: 300 });
  });
});

it('gives any value without payloads back as it is', () => {
  fc.assert(
    fc.property(jsonValue, value => {
      expect(withoutPayloads(value)).toBe(value);
    }),
  );
  expect(withoutPayloads(undefined)).toBeUndefined();
});

it('copies any value around a payload', () => {
  fc.assert(
    fc.property(jsonValue, value => {
      const copy = withoutPayloads([value, PNG]);
      const expected = [value, { type: 'binary', mime: 'image/png', bytes: 300 }];
      expect(JSON.stringify(copy)).toBe(JSON.stringify(expected));
    }),
  );
});

describe('the parts of a message that are not text', () => {
  it('are its pictures and documents, in place', () => {
    const source = { type: 'base64', media_type: 'image/gif', data: 'AAAA' };
    const parts = payloadParts([
      { type: 'text', text: 'a' },
      { type: 'input_image', image_url: `data:image/webp;base64,${PNG}` },
      { type: 'image', image_url: { url: `data:image/jpeg;base64,${PNG}` } },
      { type: 'image', source },
      { type: 'document', source: { ...source, media_type: 'application/pdf', data: PNG } },
      { type: 'image', data: PNG, mimeType: 'image/x' },
      { type: 'image', data: 'AAAA', mime_type: 'image/y' },
      { type: 'image', url: 'https://example.org/a.png' },
      { type: 'image', data: 'AAAA', mimeType: 'image/z' },
      { type: 'file', media_type: 'a/b', data: `data:;base64,AAAA` },
    ]);
    expect(parts).toEqual([
      { index: 1, type: 'input_image', mime: 'image/webp', bytes: 300 },
      { index: 2, type: 'image', mime: 'image/jpeg', bytes: 300 },
      { index: 3, type: 'image', mime: 'image/gif', bytes: 3 },
      { index: 4, type: 'document', mime: 'image/png', bytes: 300 },
      { index: 5, type: 'image', mime: 'image/png', bytes: 300 },
      { index: 6, type: 'image', mime: 'image/y', bytes: null },
      { index: 7, type: 'image', mime: null, bytes: null },
      { index: 8, type: 'image', mime: 'image/z', bytes: null },
      { index: 9, type: 'file', mime: 'a/b', bytes: 3 },
    ]);
  });

  it('are whatever else has no text, with its size as JSON', () => {
    const other = { type: 'tool_reference', name: 'x' };
    expect(payloadParts([other, { a: 1 }, { type: 'text', text: 7 }, null, 'x', 1])).toEqual([
      { index: 0, type: 'tool_reference', mime: null, bytes: JSON.stringify(other).length },
      { index: 1, type: '?', mime: null, bytes: 7 },
      { index: 2, type: 'text', mime: null, bytes: 24 },
    ]);
  });

  it('are none of anything but a list', () => {
    for (const value of ['x', null, undefined, {}, 1]) expect(payloadParts(value)).toEqual([]);
  });
});
