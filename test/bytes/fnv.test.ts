/** FNV-1a with 64 bits, against the definition with big integers. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fnv1a53, fnv1a64, fnv1aWords } from '../../src/bytes/fnv.ts';
import { toWire } from '../../src/bytes/text.ts';

function defined(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

it('has the values that its authors publish', () => {
  expect(fnv1a64('')).toBe('cbf29ce484222325');
  expect(fnv1a64('a')).toBe('af63dc4c8601ec8c');
  expect(fnv1a64('foobar')).toBe('85944171f73967e8');
});

it('is what its definition gives, for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      expect(fnv1a64(Buffer.from(bytes).toString('latin1'))).toBe(defined(bytes));
    }),
  );
});

it('comes as two words and as the upper 53 bits too', () => {
  expect(fnv1aWords('foobar')).toEqual({ high: 0x85944171, low: 0xf73967e8 });
  expect(fnv1aWords('')).toEqual({ high: 0xcbf29ce4, low: 0x84222325 });
  expect(BigInt(fnv1a53('foobar'))).toBe(0x85944171f73967e8n >> 11n);
});

it('is that of the wire text where a text is none', () => {
  for (const text of ['日記', '日', `${'x'.repeat(2000)}€`]) {
    expect(fnv1a64(text)).toBe(fnv1a64(toWire(text)));
  }
  // Not that of the lower half of its only char.
  expect(fnv1a64('日')).not.toBe(fnv1a64('\xe5'));
});
