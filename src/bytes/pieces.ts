/** The parts of a record that spans blocks, joined once. */

/** Gathers copies of parts; drops them all when there are more than `maxBytes` bytes. */
export class Pieces {
  byteLength = 0;
  lastByte: number | undefined;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the parts were dropped. */
  get isTooLong(): boolean {
    return this.byteLength > this.#maxBytes;
  }

  /** Adds a copy of the bytes of `block` from `start` to `end`. */
  add(block: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.byteLength += end - start;
    this.lastByte = block[end - 1];
    if (this.isTooLong) this.#parts = [];
    else this.#parts.push(Buffer.from(block.subarray(start, end)));
  }

  /** The parts in one buffer; empty when they were dropped. */
  join(): Buffer {
    const [first, second] = this.#parts;
    return first && !second ? first : Buffer.concat(this.#parts);
  }
}
