/**
 * A set of texts that keeps only a hash of each: 16 bytes a text or less, whatever its length.
 *
 * With 64 bits two of ten million texts share a hash once in 370,000 sets.
 */

import { fnv1aWords } from '../bytes/fnv.ts';

const FIRST_CAPACITY = 1024;

/** Hashes of texts in a table with open addressing; a pair of zeros is a free place. */
export class KeySet {
  #capacity = FIRST_CAPACITY;
  #high = new Uint32Array(FIRST_CAPACITY);
  #low = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** How many texts were added. */
  get size(): number {
    return this.#size;
  }

  /** Adds a text; false when it, or one with the same hash, is there already. */
  add(text: string): boolean {
    const { high, low } = fnv1aWords(text);
    if (this.#size * 2 >= this.#capacity) this.#grow();
    return this.#insert(high, (low | 1) >>> 0);
  }

  #insert(high: number, low: number): boolean {
    const mask = this.#capacity - 1;
    // The lowest bit is always set, so that no hash looks like a free place.
    let at = ((low >>> 1) ^ high) & mask;
    while (this.#low[at] !== 0) {
      if (this.#low[at] === low && this.#high[at] === high) return false;
      at = (at + 1) & mask;
    }
    this.#high[at] = high;
    this.#low[at] = low;
    this.#size++;
    return true;
  }

  #grow(): void {
    const [highs, lows] = [this.#high, this.#low];
    this.#capacity *= 2;
    this.#high = new Uint32Array(this.#capacity);
    this.#low = new Uint32Array(this.#capacity);
    this.#size = 0;
    for (let i = 0; i < lows.length; i++) {
      const low = lows[i] ?? 0;
      if (low !== 0) this.#insert(highs[i] ?? 0, low);
    }
  }
}
