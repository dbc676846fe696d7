/**
 * Lines of a file with their addresses, at constant memory.
 *
 * Rules:
 * - LF and CRLF end a line; a CR alone is an ordinary byte. A last line may have no ending.
 * - The offset counts every byte of the file; the length is the line's own bytes without its ending.
 * - The file is read in blocks into one buffer. Each block opens the file, reads and closes it, so
 *   that no descriptor is left when a scan is abandoned.
 * - Lines are slices of the block. A line that spans blocks is joined once, in a buffer of its own.
 * - A line over `maxLineBytes` is counted but not kept.
 * - The scan ends at the size that the file had when it was first opened: what an agent appends
 *   meanwhile belongs to the next scan. A file that shrinks or is replaced meanwhile ends the scan
 *   with `problem` set.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Work } from './work.ts';

const LF = 10;
const CR = 13;
const EMPTY = Buffer.alloc(0);

/** How a line ends; null for a last line without an ending. */
export type LineEnding = 'LF' | 'CRLF' | null;

/** The longest line that is kept: 256 MiB. JavaScript strings end a little above 512 MiB. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** One block: large enough that system calls do not count, small enough to stay in the cache. */
export const BLOCK_BYTES = 1024 * 1024;

/** Where to begin, and the limits; all parts have defaults. */
export interface LineOptions {
  /** Offset of the first byte to read, the beginning of a line. */
  readonly byteOffset?: number;
  /** Number of the line before the first. */
  readonly lineNumber?: number;
  /** Memory to read into, one block long; readers used one after the other may share it. */
  readonly block?: Buffer;
  readonly maxLineBytes?: number;
  /** Counters to add to. */
  readonly work?: Work;
}

/**
 * A cursor over the lines of one file. After `next()` gave true its fields describe the current
 * line; `buffer` from `start` to `end` holds the bytes. They are valid until the next call, and
 * beyond it as long as `blockDone` is false, or for ever where `isJoined`.
 */
export class LineReader {
  readonly path: string;
  buffer: Buffer = EMPTY;
  start = 0;
  end = 0;
  /** Line in the file, from 1. */
  lineNumber: number;
  byteOffset: number;
  byteLength = 0;
  ending: LineEnding = null;
  /** The line is over the limit: `buffer` is empty, the address is right. */
  isTooLong = false;
  /** The line was joined from several blocks and owns its buffer. */
  isJoined = false;
  /** The next call overwrites the block that the current line lies in. */
  blockDone = false;
  /** Why the scan ended before the end of the file, or null. */
  problem: string | null = null;

  readonly #work: Work;
  readonly #maxLineBytes: number;
  readonly #block: Buffer;
  #blockEnd = 0;
  #cursor = 0;
  #newline = -1;
  #position: number;
  #limit = -1;
  #identity = '';

  constructor(path: string, options: LineOptions = {}) {
    this.path = path;
    this.lineNumber = options.lineNumber ?? 0;
    this.byteOffset = options.byteOffset ?? 0;
    this.#position = this.byteOffset;
    this.#work = options.work ?? new Work();
    this.#block = options.block ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  /** Offset of the first byte that has not been given out as part of a line. */
  get nextByteOffset(): number {
    return this.#position - (this.#blockEnd - this.#cursor);
  }

  /**
   * Moves to the next line; false at the end. Throws the operating system's error when the file
   * cannot be opened or read; `nextByteOffset` then tells where.
   */
  next(): boolean {
    this.byteOffset = this.nextByteOffset;
    this.isJoined = false;
    this.isTooLong = false;
    if (this.#newline < 0) return this.#nextAcrossBlocks();
    this.#take(this.#block, this.#cursor, this.#newline, true);
    this.#advance(this.#newline + 1);
    return true;
  }

  /** The current line is `buffer` from `start` to `end`, LF excluded. */
  #take(buffer: Buffer, start: number, end: number, hasNewline: boolean): void {
    const isCrlf = hasNewline && end > start && buffer[end - 1] === CR;
    this.buffer = buffer;
    this.start = start;
    this.end = isCrlf ? end - 1 : end;
    this.byteLength = this.end - start;
    this.ending = hasNewline ? (isCrlf ? 'CRLF' : 'LF') : null;
    this.lineNumber++;
    this.#work.linesRead++;
  }

  #advance(cursor: number): void {
    this.#cursor = cursor;
    this.#newline = cursor < this.#blockEnd ? this.#block.indexOf(LF, cursor) : -1;
    if (this.#newline >= this.#blockEnd) this.#newline = -1;
    this.blockDone = this.#newline < 0;
  }

  #nextAcrossBlocks(): boolean {
    const pieces = new Pieces(this.#maxLineBytes);
    pieces.add(this.#block, this.#cursor, this.#blockEnd);
    while (this.#fill()) {
      if (this.#newline < 0) {
        pieces.add(this.#block, 0, this.#blockEnd);
        continue;
      }
      if (pieces.byteLength === 0) return this.next();
      pieces.add(this.#block, 0, this.#newline);
      this.#takePieces(pieces, true);
      this.#advance(this.#newline + 1);
      return true;
    }
    if (pieces.byteLength === 0) return false;
    this.#takePieces(pieces, false);
    return true;
  }

  #takePieces(pieces: Pieces, hasNewline: boolean): void {
    const line = pieces.join();
    this.#take(line, 0, line.length, hasNewline);
    this.isJoined = true;
    if (!pieces.isTooLong) return;
    const isCrlf = hasNewline && pieces.lastByte === CR;
    this.isTooLong = true;
    this.byteLength = pieces.byteLength - (isCrlf ? 1 : 0);
    this.ending = hasNewline ? (isCrlf ? 'CRLF' : 'LF') : null;
  }

  /** Reads the next block; false at the end of the scan. */
  #fill(): boolean {
    this.#blockEnd = this.#isAtLimit() ? 0 : this.#readBlock();
    this.#position += this.#blockEnd;
    this.#advance(0);
    return this.#blockEnd > 0;
  }

  #isAtLimit(): boolean {
    return this.problem !== null || (this.#limit >= 0 && this.#position >= this.#limit);
  }

  #readBlock(): number {
    const descriptor = openSync(this.path, 'r');
    try {
      const stat = fstatSync(descriptor);
      const identity = `${stat.dev}:${stat.ino}`;
      if (this.#limit < 0) {
        this.#limit = stat.size;
        this.#identity = identity;
        this.#work.filesOpened++;
      } else if (identity !== this.#identity) {
        this.problem = 'the file was replaced while it was read';
        return 0;
      }
      const wanted = Math.min(this.#block.length, this.#limit - this.#position);
      const got = wanted > 0 ? readSync(descriptor, this.#block, 0, wanted, this.#position) : 0;
      if (got === 0 && wanted > 0) this.problem = 'the file was cut short while it was read';
      this.#work.bytesRead += got;
      return got;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The parts of a line that spans blocks; drops them when the line grows over the limit. */
class Pieces {
  byteLength = 0;
  lastByte = -1;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isTooLong(): boolean {
    return this.byteLength > this.#maxBytes;
  }

  add(block: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.byteLength += end - start;
    this.lastByte = block[end - 1] ?? -1;
    if (this.isTooLong) this.#parts = [];
    else this.#parts.push(Buffer.from(block.subarray(start, end)));
  }

  join(): Buffer {
    const [first, second] = this.#parts;
    return first && !second ? first : Buffer.concat(this.#parts);
  }
}
