/**
 * Lines of a file with their addresses, at constant memory.
 *
 * Rules:
 * - LF and CRLF end a line; a CR alone is an ordinary byte. A last line may have no ending.
 * - The offset counts every byte of the file; the length is the line's own bytes without its
 *   ending.
 * - The bytes come in blocks (see `blocks.ts`), so that no descriptor is left when a scan is
 *   abandoned.
 * - Lines are slices of the block. A line that spans blocks is joined once, in a buffer of its own.
 * - A line over `maxLineBytes` is counted but not kept.
 */

import { BLOCK_BYTES, type BlockSource, FileBlocks } from './blocks.ts';
import { Pieces } from './pieces.ts';
import { HeldRecords, type LineEnding, type RecordCursor } from './record.ts';
import { Work } from './work.ts';

const LF = 10;
const CR = 13;
const EMPTY = Buffer.alloc(0);

/** The longest line that is kept: 256 MiB. JavaScript strings end a little above 512 MiB. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

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
  /** Where the bytes come from; the file itself by default. */
  readonly blocks?: BlockSource;
}

/**
 * A cursor over the lines of one file. After `next()` gave true its fields describe the current
 * line; `buffer` from `start` to `end` holds the bytes. They are valid until the next call, and
 * beyond it as long as `blockDone` is false, or for ever where `isJoined`.
 */
export class LineReader implements RecordCursor {
  readonly path: string;
  buffer: Buffer = EMPTY;
  start = 0;
  end = 0;
  /** Line in the file, from 1. */
  lineNumber: number;
  byteOffset: number;
  byteLength = 0;
  ending: LineEnding = null;
  readonly offsetSpace: BlockSource['offsetSpace'];
  /** Lines have an offset and need no key. */
  readonly recordKey = null;
  /** The line is over the limit: `buffer` is empty, the address is right. */
  isTooLong = false;
  /** The line was joined from several blocks and owns its buffer. */
  isJoined = false;
  /** The next call overwrites the block that the current line lies in. */
  blockDone = false;
  readonly held = new HeldRecords();

  readonly #blocks: BlockSource;
  readonly #work: Work;
  readonly #maxLineBytes: number;
  readonly #block: Buffer;
  #blockEnd = 0;
  #cursor = 0;
  #newline = -1;
  #position: number;

  constructor(path: string, options: LineOptions = {}) {
    this.path = path;
    this.lineNumber = options.lineNumber ?? 0;
    this.byteOffset = options.byteOffset ?? 0;
    this.#position = this.byteOffset;
    this.#work = options.work ?? new Work();
    this.#block = options.block ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.#blocks = options.blocks ?? new FileBlocks(path, this.#work);
    this.offsetSpace = this.#blocks.offsetSpace;
  }

  /** Why the scan ended before the end of the file, or null. */
  get problem(): string | null {
    return this.#blocks.problem;
  }

  /** How many bytes of the file were read. */
  get doneBytes(): number {
    return this.#blocks.doneBytes;
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
    if (this.#newline < 0) return this.#nextAcrossBlocks();
    const byteLength = this.#newline - this.#cursor;
    const lastByte = byteLength > 0 ? this.#block[this.#newline - 1] : undefined;
    this.#measure(byteLength, lastByte, true);
    this.#hold(this.#block, this.#cursor);
    this.#advance(this.#newline + 1);
    return true;
  }

  /** The current line has so many bytes, LF excluded, of which this is the last. */
  #measure(byteLength: number, lastByte: number | undefined, hasNewline: boolean): void {
    const isCrlf = hasNewline && lastByte === CR;
    this.byteLength = isCrlf ? byteLength - 1 : byteLength;
    this.ending = hasNewline ? (isCrlf ? 'CRLF' : 'LF') : null;
    this.isTooLong = this.byteLength > this.#maxLineBytes;
    this.lineNumber++;
    this.#work.linesRead++;
  }

  /** The bytes of the current line begin here, if it has any that are kept. */
  #hold(buffer: Buffer, start: number): void {
    this.buffer = this.isTooLong ? EMPTY : buffer;
    this.start = this.isTooLong ? 0 : start;
    this.end = this.isTooLong ? 0 : start + this.byteLength;
  }

  #advance(cursor: number): void {
    this.#cursor = cursor;
    this.#newline = cursor < this.#blockEnd ? this.#block.indexOf(LF, cursor) : -1;
    if (this.#newline >= this.#blockEnd) this.#newline = -1;
    this.blockDone = this.#newline < 0;
  }

  #nextAcrossBlocks(): boolean {
    // One byte more than a line may have: it can turn out to be the CR of the ending.
    const pieces = new Pieces(this.#maxLineBytes + 1);
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
    this.#measure(pieces.byteLength, pieces.lastByte, hasNewline);
    this.#hold(pieces.join(), 0);
    this.isJoined = true;
  }

  /** Reads the next block; false at the end of the scan. */
  #fill(): boolean {
    this.held.moveOut(this.#block);
    try {
      this.#blockEnd = this.#blocks.read(this.#block, this.#position);
    } catch (error) {
      // Another call begins again with the line that could not be read to its end.
      this.#position = this.byteOffset;
      this.#blockEnd = 0;
      this.#advance(0);
      throw error;
    }
    this.#position += this.#blockEnd;
    this.#advance(0);
    return this.#blockEnd > 0;
  }
}
