/**
 * A set of texts that keeps only a hash of each: 16 bytes a text or less, whatever its length.
 *
 * With 64 bits two of ten million texts share a hash once in 370,000 sets.
 */

/** The prime of FNV-1a with 64 bits is 2^40 and this. */
const PRIME_LOW = 0x1b3;
const BASIS_HIGH = 0xcbf29ce4;
const BASIS_LOW = 0x84222325;

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
    let high = BASIS_HIGH;
    let low = BASIS_LOW;
    for (let i = 0; i < text.length; i++) {
      low ^= text.charCodeAt(i);
      // By halves of the low word, so that every product is a small integer.
      const lower = (low & 0xffff) * PRIME_LOW;
      const upper = (low >>> 16) * PRIME_LOW + (lower >>> 16);
      high = (Math.imul(high, PRIME_LOW) + (low << 8) + (upper >>> 16)) | 0;
      low = (upper << 16) | (lower & 0xffff);
    }
    if (this.#size * 2 >= this.#capacity) this.#grow();
    return this.#insert(high >>> 0, (low | 1) >>> 0);
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
