/**
 * Remembers identifiers in a fixed 8 KiB: it never forgets one, and now and then takes one for
 * seen that was not. Each identifier has four of 65,536 bits, by two hashes of 32 bits.
 */

const BITS = 65_536;
const BYTE_BITS = 8;

/** A set of identifiers that only grows. */
export class SeenFilter {
  readonly #bytes: Buffer;

  /** `saved` is what `save` gave; empty at first. */
  constructor(saved = '') {
    this.#bytes = Buffer.alloc(BITS / BYTE_BITS);
    this.#bytes.write(saved, 'base64');
  }

  /** Adds an identifier; whether it was there before. */
  add(id: string): boolean {
    const first = hash(id, FNV_BASIS);
    const second = hash(id, first);
    const bits = [first >>> 16, first & 0xffff, second >>> 16, second & 0xffff];
    let isSeen = true;
    for (const bit of bits) if (!this.#mark(bit)) isSeen = false;
    return isSeen;
  }

  /** Sets a bit; whether it was set. */
  #mark(bit: number): boolean {
    const at = bit >> 3;
    const mask = 1 << (bit & 7);
    const byte = this.#bytes[at] ?? 0;
    this.#bytes[at] = byte | mask;
    return (byte & mask) !== 0;
  }

  /** The set as text; empty while nothing was added. */
  save(): string {
    return this.#bytes.every(byte => byte === 0) ? '' : this.#bytes.toString('base64');
  }
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a with its bits mixed, so that both halves depend on all of the text. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
