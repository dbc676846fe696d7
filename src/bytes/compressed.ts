/**
 * The bytes of a zstd file, decompressed as they are read.
 *
 * Rules:
 * - Frames that follow one another are one stream; a file without bytes is an empty one.
 * - A frame that is cut short, damaged, or followed by something else ends the bytes with a
 *   problem; what was decompressed before it counts, but for the last 16 KiB before damage.
 * - Positions are read in their order; going back begins again, going forward reads on.
 * - The native package is loaded when the first such file is read (see `optional.ts`).
 */

import { BLOCK_BYTES, type BlockSource, FileBlocks } from './blocks.ts';
import { type Decompressor, loadZstd } from './optional.ts';
import type { Work } from './work.ts';

const INPUT_BYTES = BLOCK_BYTES / 4;

/** What one call decompresses at most: where it meets damage it gives nothing at all. */
const OUTPUT_BYTES = 16 * 1024;

/** Decompressed bytes. */
export class ZstdBlocks implements BlockSource {
  readonly offsetSpace = 'decompressed';
  problem: string | null = null;
  readonly #file: FileBlocks;
  readonly #input = Buffer.allocUnsafeSlow(INPUT_BYTES);
  #stream: Decompressor | null = null;
  #inputStart = 0;
  #inputEnd = 0;
  /** Bytes of the file up to the end of the input. */
  #fileOffset = 0;
  /** Decompressed bytes given out. */
  #position = 0;
  /** No frame is open. */
  #isFrameDone = true;
  /** The last call filled its target amid a frame: more may wait without new input. */
  #mayHoldOutput = false;

  constructor(path: string, work: Work) {
    this.#file = new FileBlocks(path, work);
  }

  get doneBytes(): number {
    return this.#file.doneBytes;
  }

  read(block: Buffer, position: number): number {
    if (position < this.#position) this.#restart();
    while (this.#position < position) {
      const skipped = Math.min(position - this.#position, block.length);
      if (this.#readNext(block.subarray(0, skipped)) === 0) return 0;
    }
    return this.#readNext(block);
  }

  #restart(): void {
    this.#stream = null;
    this.#inputStart = this.#inputEnd = this.#fileOffset = this.#position = 0;
    this.#isFrameDone = true;
    this.#mayHoldOutput = false;
  }

  /** Fills as much of a block as there is; 0 at the end. */
  #readNext(block: Buffer): number {
    let filled = 0;
    while (filled < block.length && this.problem === null) {
      const needsInput = this.#inputStart === this.#inputEnd && !this.#mayHoldOutput;
      if (needsInput && !this.#fill()) break;
      filled += this.#decompress(block.subarray(filled, filled + OUTPUT_BYTES));
    }
    this.#position += filled;
    return filled;
  }

  #decompress(target: Buffer): number {
    this.#stream ??= new (loadZstd().DCtx)();
    const input = this.#input.subarray(this.#inputStart, this.#inputEnd);
    try {
      const [hint, written, consumed] = this.#stream.decompressStream(target, input);
      this.#inputStart += consumed;
      this.#isFrameDone = hint === 0;
      this.#mayHoldOutput = written === target.length && !this.#isFrameDone;
      return written;
    } catch (error) {
      const offset = this.#fileOffset - input.length;
      const reason = error instanceof Error ? error.message : String(error);
      this.problem = `the zstd stream is damaged behind byte ${offset}: ${reason}`;
      return 0;
    }
  }

  #fill(): boolean {
    this.#inputStart = 0;
    this.#inputEnd = this.#file.read(this.#input, this.#fileOffset);
    this.#fileOffset += this.#inputEnd;
    if (this.#inputEnd > 0) return true;
    this.problem = this.#file.problem;
    if (!this.#isFrameDone) this.problem ??= 'the zstd stream is cut short';
    return false;
  }
}
