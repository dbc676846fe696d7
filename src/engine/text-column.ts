/**
 * A column of texts or blobs, written with two native calls for each segment of memory.
 *
 * A text cell in DuckDB is 16 bytes: the length, then up to 12 bytes of text, or 4 bytes of text
 * and an 8-byte address. Long texts lie in segments: one arena of our own, and blocks of files that
 * lines are borrowed from. At the end of a chunk each segment is handed over whole by an assignment
 * to row 0 of the vector, which copies it into the vector's own memory; the address of that copy is
 * read back from the cell and added to the offsets of the long cells; then all cells are written.
 *
 * No invalid UTF-8 may pass. DuckDB checks a segment that it is assigned, and when it is invalid
 * says nothing, marks row 0 NULL and leaves its cell alone. It does not check short texts, which
 * fail much later, nor the borders: a segment can be valid while texts in it are not, when one ends
 * amid a character that the bytes after it complete. So short texts are checked here, and texts
 * that have a continuation byte where a character should begin, at their start or after their end,
 * are noticed when they are put. A column that holds anything invalid is put anew, text by text,
 * with U+FFFD for what is not UTF-8. Blobs are exempt.
 */

import { isUtf8 } from 'node:buffer';
import duckdb from '@duckdb/node-bindings';
import { CHUNK_ROWS, type ColumnBuffer, Validity, type Value } from './validity.ts';

/** Texts up to this length lie in their cell. */
const INLINE_BYTES = 12;

const CELL_BYTES = 16;

const CELL_WORDS = CELL_BYTES / 4;

const FIRST_ARENA_BYTES = 64 * 1024;

/** An arena that grew beyond this for one chunk is given back. */
const KEPT_ARENA_BYTES = 8 * 1024 * 1024;

/** A range of a buffer that is handed to DuckDB in one assignment. */
interface Segment {
  readonly buffer: Buffer;
  start: number;
  end: number;
}

/** Gathers the cells of one chunk. A long cell holds an offset and a segment until the flush. */
export class TextColumn implements ColumnBuffer {
  readonly #isText: boolean;
  readonly #validity = new Validity();
  readonly #words = new Uint32Array(CHUNK_ROWS * CELL_WORDS);
  readonly #cells = Buffer.from(this.#words.buffer);
  #arena = newArena(FIRST_ARENA_BYTES);
  #arenaUsed = 0;
  /** What is borrowed: segments 1, 2 …; the arena is segment 0. */
  #borrowed: Segment[] = [];
  /** The last text that was put and its row: equal neighbours share their bytes. */
  #last = '';
  #lastRow = -1;
  /** Some text begins with a continuation byte, or one follows it in a borrowed buffer. */
  #isSuspect = false;
  /** All chars of the texts that lie in their cells, or-ed: below 0x80 when they are ASCII. */
  #inlineBits = 0;
  /** Rows up to this one hold something. */
  #usedRows = 0;

  constructor(isText: boolean) {
    this.#isText = isText;
  }

  start(): void {
    this.#validity.start();
    this.#words.fill(0, 0, this.#usedRows * CELL_WORDS);
    this.#usedRows = 0;
    this.#arenaUsed = 0;
    this.#borrowed = [];
    this.#lastRow = -1;
    this.#isSuspect = false;
    this.#inlineBits = 0;
    if (this.#arena.length > KEPT_ARENA_BYTES) this.#arena = newArena(FIRST_ARENA_BYTES);
  }

  put(row: number, value: Value): number {
    this.#validity.set(row);
    this.#usedRows = row + 1;
    if (typeof value === 'string') return this.#putText(row, value);
    if (typeof value !== 'object') throw new TypeError(`a text cell cannot hold a ${typeof value}`);
    const { buffer, start, end, isBorrowable } = value;
    if (isBorrowable && end - start > INLINE_BYTES) return this.#borrow(row, buffer, start, end);
    return this.#putBytes(row, buffer.subarray(start, end));
  }

  flush(vector: duckdb.Vector, rows: number): void {
    if (this.#isText && this.#mayHoldInvalid(rows)) this.#repair(rows);
    let bases = this.#assignSegments(vector);
    if (bases.includes(REFUSED)) {
      this.#repair(rows);
      bases = this.#assignSegments(vector);
      // Cells that point to nowhere would end the process; an error here is only an error.
      if (bases.includes(REFUSED)) throw new Error('DuckDB did not take a segment of text');
      this.#validity.mustWrite();
    }
    if (bases.length > 0) this.#resolve(bases, rows);
    duckdb.copy_data_to_vector(vector, 0, this.#words.buffer, 0, rows * CELL_BYTES);
    this.#validity.flush(vector, rows);
  }

  /** The addresses of the segments in the memory of the vector; none without long texts. */
  #assignSegments(vector: duckdb.Vector): bigint[] {
    if (this.#arenaUsed === 0 && this.#borrowed.length === 0) return [];
    const arena = { buffer: this.#arena, start: 0, end: this.#arenaUsed };
    return [arena, ...this.#borrowed].map(segment => assign(vector, segment));
  }

  #putText(row: number, text: string): number {
    const word = row * CELL_WORDS;
    if (this.#lastRow >= 0 && text === this.#last) {
      this.#copyCell(this.#lastRow * CELL_WORDS, word);
      return 0;
    }
    this.#last = text;
    this.#lastRow = row;
    const { length } = text;
    this.#words[word] = length;
    if (length <= INLINE_BYTES) {
      const at = row * CELL_BYTES + 4;
      for (let i = 0; i < length; i++) {
        const char = text.charCodeAt(i);
        this.#cells[at + i] = char;
        this.#inlineBits |= char;
      }
    } else {
      const offset = this.#reserve(length);
      this.#arena.write(text, offset, 'latin1');
      this.#point(word, this.#arena, offset, offset, 0);
    }
    if (isContinuation(text.charCodeAt(0) & 0xff)) this.#isSuspect = true;
    return length;
  }

  #copyCell(from: number, to: number): void {
    const words = this.#words;
    words[to] = words[from] ?? 0;
    words[to + 1] = words[from + 1] ?? 0;
    words[to + 2] = words[from + 2] ?? 0;
    words[to + 3] = words[from + 3] ?? 0;
  }

  #putBytes(row: number, bytes: Buffer): number {
    const word = row * CELL_WORDS;
    this.#words[word] = bytes.length;
    if (bytes.length <= INLINE_BYTES) {
      bytes.copy(this.#cells, row * CELL_BYTES + 4);
      for (const byte of bytes) this.#inlineBits |= byte;
    } else {
      const offset = this.#reserve(bytes.length);
      bytes.copy(this.#arena, offset);
      this.#point(word, this.#arena, offset, offset, 0);
    }
    if (isContinuation(bytes[0] ?? 0)) this.#isSuspect = true;
    return bytes.length;
  }

  #borrow(row: number, buffer: Buffer, start: number, end: number): number {
    let segment = this.#borrowed.at(-1);
    if (segment?.buffer !== buffer || start < segment.start) {
      segment = { buffer, start, end: start };
      this.#borrowed.push(segment);
    }
    const added = Math.max(0, end - segment.end);
    segment.end = Math.max(segment.end, end);
    const word = row * CELL_WORDS;
    this.#words[word] = end - start;
    this.#point(word, buffer, start, start - segment.start, this.#borrowed.length);
    if (isContinuation(buffer[start] ?? 0) || isContinuation(buffer[end] ?? 0)) {
      this.#isSuspect = true;
    }
    return added;
  }

  /** Fills the rest of a long cell: its first bytes, its offset in the segment, the segment. */
  #point(word: number, buffer: Buffer, at: number, offset: number, segment: number): void {
    this.#words[word + 1] = buffer.readUInt32LE(at);
    this.#words[word + 2] = offset;
    this.#words[word + 3] = segment;
  }

  /** Makes room in the arena; gives the offset. */
  #reserve(length: number): number {
    const offset = this.#arenaUsed;
    const needed = offset + length;
    if (needed > this.#arena.length) {
      const grown = newArena(Math.max(this.#arena.length * 2, needed));
      this.#arena.copy(grown, 0, 0, offset);
      this.#arena = grown;
    }
    this.#arenaUsed = needed;
    return offset;
  }

  /** Whether some text may be invalid in a way that DuckDB would not notice. */
  #mayHoldInvalid(rows: number): boolean {
    if (this.#isSuspect) return true;
    if (this.#inlineBits < 0x80) return false;
    for (let row = 0; row < rows; row++) {
      const isInline = (this.#words[row * CELL_WORDS] ?? 0) <= INLINE_BYTES;
      if (isInline && !isUtf8(this.#bytesOf(row))) return true;
    }
    return false;
  }

  /** The bytes of a row before the flush. */
  #bytesOf(row: number): Buffer {
    const word = row * CELL_WORDS;
    const length = this.#words[word] ?? 0;
    const at = row * CELL_BYTES + 4;
    if (length <= INLINE_BYTES) return this.#cells.subarray(at, at + length);
    const offset = this.#words[word + 2] ?? 0;
    const segment = this.#borrowed[(this.#words[word + 3] ?? 0) - 1];
    const { buffer, start } = segment ?? { buffer: this.#arena, start: 0 };
    return buffer.subarray(start + offset, start + offset + length);
  }

  /** Puts every row anew, with U+FFFD for what is not UTF-8. */
  #repair(rows: number): void {
    const texts: (Buffer | null)[] = [];
    for (let row = 0; row < rows; row++) {
      texts.push(this.#validity.has(row) ? Buffer.from(this.#bytesOf(row)) : null);
    }
    this.start();
    this.#usedRows = rows;
    texts.forEach((bytes, row) => {
      if (!bytes) return;
      this.#validity.set(row);
      this.#putBytes(row, isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')));
    });
  }

  /** Turns offsets into addresses. */
  #resolve(bases: readonly bigint[], rows: number): void {
    const low = bases.map(base => Number(base & 0xffffffffn));
    const high = bases.map(base => Number(base >> 32n));
    const words = this.#words;
    for (let word = 0; word < rows * CELL_WORDS; word += CELL_WORDS) {
      if ((words[word] ?? 0) <= INLINE_BYTES) continue;
      const segment = words[word + 3] ?? 0;
      const sum = (low[segment] ?? 0) + (words[word + 2] ?? 0);
      words[word + 2] = sum;
      words[word + 3] = (high[segment] ?? 0) + (sum > 0xffffffff ? 1 : 0);
    }
  }
}

/** What `assign` gives for a segment that is not valid UTF-8. */
const REFUSED = 0n;

/** What `assign` gives for a segment without bytes: no cell points there. */
const NOTHING = 1n;

/** Copies a segment into the memory of a vector; gives the address of the copy. */
function assign(vector: duckdb.Vector, { buffer, start, end }: Segment): bigint {
  if (end === start) return NOTHING;
  // A segment that is refused leaves the cell as it is, and that may be one of the chunk before.
  duckdb.copy_data_to_vector(vector, 0, EMPTY_CELL, 0, CELL_BYTES);
  duckdb.vector_assign_string_element_len(vector, 0, buffer.subarray(start, end));
  const cell = duckdb.vector_get_data(vector, CELL_BYTES);
  return new DataView(cell.buffer, cell.byteOffset, CELL_BYTES).getBigUint64(8, true);
}

const EMPTY_CELL = new ArrayBuffer(CELL_BYTES);

function newArena(byteLength: number): Buffer {
  return Buffer.from(new ArrayBuffer(byteLength));
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
