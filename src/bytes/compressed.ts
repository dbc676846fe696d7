/**
 * The bytes of a zstd file, decompressed as they are read.
 *
 * The native package is loaded when the first such file is opened; where it is missing the file is
 * a problem with advice, and everything else works. A frame that is cut short, damaged, or followed
 * by something else ends the bytes with a problem; what was decompressed before it counts.
 */

import { createRequire } from 'node:module';
import { BLOCK_BYTES, type BlockSource, FileBlocks } from './blocks.ts';
import type { Work } from './work.ts';

type Zstd = typeof import('zstd-napi/binding.js');

/** Decompressed bytes; positions must be read in their order. */
export class ZstdBlocks implements BlockSource {
  readonly offsetSpace = 'decompressed';
  problem: string | null = null;
  readonly #file: FileBlocks;
  readonly #input = Buffer.allocUnsafeSlow(BLOCK_BYTES / 4);
  readonly #stream: InstanceType<Zstd['DCtx']> | null;
  #inputStart = 0;
  #inputEnd = 0;
  #fileOffset = 0;
  /** The frame that is being read is complete. */
  #isFrameDone = true;
  /** The last output filled its target: more may wait without new input. */
  #mayHoldOutput = false;

  constructor(path: string, work: Work) {
    this.#file = new FileBlocks(path, work);
    const zstd = loadZstd();
    this.#stream = zstd ? new zstd.DCtx() : null;
    if (!zstd) this.problem = 'reading .zst needs the package zstd-napi: npm install zstd-napi';
  }

  get doneBytes(): number {
    return this.#file.doneBytes;
  }

  read(block: Buffer, _position: number): number {
    let filled = 0;
    while (filled < block.length && this.problem === null) {
      const needsInput = this.#inputStart === this.#inputEnd && !this.#mayHoldOutput;
      if (needsInput && !this.#fill()) break;
      filled += this.#decompress(block.subarray(filled));
    }
    return filled;
  }

  #decompress(target: Buffer): number {
    try {
      const input = this.#input.subarray(this.#inputStart, this.#inputEnd);
      const [hint, written, consumed] = this.#stream?.decompressStream(target, input) ?? [0, 0, 0];
      this.#inputStart += consumed;
      this.#isFrameDone = hint === 0;
      this.#mayHoldOutput = written === target.length;
      return written;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problem = `the zstd stream is damaged near byte ${this.#fileOffset}: ${reason}`;
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

let loaded: Zstd | null | undefined;

function loadZstd(): Zstd | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = createRequire(import.meta.url)('zstd-napi/binding.js') as Zstd;
  } catch {
    loaded = null;
  }
  return loaded;
}
