/** A set of hashes knows what was added, also after it has grown. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeySet } from '../../src/scan/key-set.ts';

describe('a set of keys', () => {
  it('tells new keys from those that it has', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), keys => {
        const [set, model] = [new KeySet(), new Set<string>()];
        for (const key of keys) {
          expect(set.add(key)).toBe(!model.has(key));
          model.add(key);
        }
        expect(set.size).toBe(model.size);
      }),
    );
  });

  it('keeps all keys while it grows', () => {
    const set = new KeySet();
    for (let i = 0; i < 100_000; i++) expect(set.add(`key ${i}`)).toBe(true);
    for (let i = 0; i < 100_000; i++) expect(set.add(`key ${i}`)).toBe(false);
    expect(set.size).toBe(100_000);
  });
});
