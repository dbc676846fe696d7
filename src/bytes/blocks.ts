/**
 * Blocks of bytes from a file, at a position, without keeping the file open.
 *
 * The file ends for a reader at the size that it had when it was first opened: what an agent
 * appends meanwhile belongs to the next scan. A file that shrinks or is replaced ends with a
 * `problem`, after what was read of its last line.
 */

import { closeSync, readSync, type Stats } from 'node:fs';
import { openFile } from './open-file.ts';
import type { Work } from './work.ts';

/** One block: large enough that system calls do not count, small enough to stay in the cache. */
export const BLOCK_BYTES = 1024 * 1024;

/** Where a reader gets its bytes from. */
export interface BlockSource {
  /** What the positions count in. */
  readonly offsetSpace: 'file' | 'decompressed';
  /** Why the bytes ended early, or null. */
  readonly problem: string | null;
  /** How many bytes of the file were read. */
  readonly doneBytes: number;
  /**
   * Reads into a block the bytes from `position` on; gives how many, 0 at the end. Throws the
   * operating system's error.
   */
  read(block: Buffer, position: number): number;
}

/** The bytes of a file as they are. */
export class FileBlocks implements BlockSource {
  readonly offsetSpace = 'file';
  problem: string | null = null;
  doneBytes = 0;
  readonly #path: string;
  readonly #work: Work;
  #limit = -1;
  #identity: string | null;

  /** `identity` is the device and inode of the file that is meant; any file at `path` without. */
  constructor(path: string, work: Work, identity: string | null = null) {
    this.#path = path;
    this.#work = work;
    this.#identity = identity;
  }

  read(block: Buffer, position: number): number {
    const isAtEnd = this.problem !== null || (this.#limit >= 0 && position >= this.#limit);
    if (isAtEnd) return 0;
    const { descriptor, stat } = openFile(this.#path);
    try {
      if (!this.#isSameFile(stat)) return 0;
      const wanted = Math.min(block.length, this.#limit - position);
      const got = wanted > 0 ? readSync(descriptor, block, 0, wanted, position) : 0;
      if (got === 0 && wanted > 0) this.problem = 'the file was cut short while it was read';
      this.#work.bytesRead += got;
      this.doneBytes += got;
      return got;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Notes size and identity at the first opening; later compares. */
  #isSameFile({ dev, ino, size }: Stats): boolean {
    const identity = `${dev}:${ino}`;
    this.#identity ??= identity;
    if (identity !== this.#identity) {
      this.problem = 'the file was replaced while it was read';
      return false;
    }
    if (this.#limit < 0) {
      this.#limit = size;
      this.#work.filesOpened++;
    }
    return true;
  }
}
