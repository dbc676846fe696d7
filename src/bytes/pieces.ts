/** The parts of a record that spans blocks, joined once. */

/** Shorter parts are gathered in chunks: a buffer of its own costs more than they do. */
const SMALL_BYTES = 256;
const CHUNK_BYTES = 4096;

/** Gathers copies of parts; drops them all when there are more than `maxBytes` bytes. */
export class Pieces {
  byteLength = 0;
  lastByte: number | undefined;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  /** The last part, while it has room for more. */
  #chunk: Buffer | null = null;
  #chunkLength = 0;

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
    if (this.isTooLong) this.#drop();
    // A record is one part as a rule: a chunk would be wasted on it.
    else if (end - start < SMALL_BYTES && this.#parts.length > 0) this.#gather(block, start, end);
    else {
      this.#seal();
      this.#parts.push(Buffer.from(block.subarray(start, end)));
    }
  }

  /** Adds what others have gathered. */
  addAll(pieces: Pieces): void {
    const bytes = pieces.join();
    this.add(bytes, 0, bytes.length);
    if (!pieces.isTooLong) return;
    this.byteLength += pieces.byteLength;
    this.#drop();
  }

  /** The parts in one buffer; empty when they were dropped. */
  join(): Buffer {
    this.#seal();
    const [first, second] = this.#parts;
    return first && !second ? first : Buffer.concat(this.#parts);
  }

  #gather(block: Buffer, start: number, end: number): void {
    if (!this.#chunk || this.#chunkLength + end - start > CHUNK_BYTES) {
      this.#seal();
      this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    }
    this.#chunkLength += block.copy(this.#chunk, this.#chunkLength, start, end);
  }

  #seal(): void {
    if (this.#chunk) this.#parts.push(this.#chunk.subarray(0, this.#chunkLength));
    this.#chunk = null;
    this.#chunkLength = 0;
  }

  #drop(): void {
    this.#parts = [];
    this.#chunk = null;
    this.#chunkLength = 0;
  }
}
