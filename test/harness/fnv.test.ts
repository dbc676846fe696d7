/** FNV-1a with 64 bits, against the definition with big integers. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fnv1a64 } from '../../src/harness/shared/fnv.ts';

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
