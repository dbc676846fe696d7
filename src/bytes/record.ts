/** A record: one line or one whole document, with its address, decoded when somebody asks. */

import { isUtf8 } from 'node:buffer';
import { parseJson, parseJsonStructure } from './json.ts';
import type { LineEnding } from './lines.ts';
import type { Work } from './work.ts';

/** The first bytes of a file that some editors put before UTF-8 text. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What the offset of a record counts in; `none` for rows of a database. */
export type OffsetSpace = 'file' | 'decompressed' | 'element' | 'none';

/** Where a record lies; `byteLength` is without the line ending. */
export interface Address {
  /** Line in the file or element of the array, from 1; 0 for the rest of a document. */
  readonly lineNumber: number;
  /** Null for rows of a database. */
  readonly byteOffset: number | null;
  readonly byteLength: number;
  readonly ending: LineEnding;
  readonly offsetSpace: OffsetSpace;
  /** Table and key of a row of a database, else null. */
  readonly recordKey: string | null;
}

/** The bytes of a record with their address; a `LineReader` at a line is one. */
export interface RecordBytes extends Address {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly isTooLong: boolean;
}

/**
 * A cursor over the records of one source. After `next()` gave true its fields describe the current
 * record, whose bytes are valid until the next call.
 */
export interface RecordCursor extends RecordBytes {
  /** Moves to the next record; false at the end. Throws the operating system's error. */
  next(): boolean;
  /** The next call overwrites the memory that the current record lies in. */
  readonly blockDone: boolean;
  /** Why the scan ended before the end of the source, or null. */
  readonly problem: string | null;
  /** How far the source has been read, in bytes of the file. */
  readonly doneBytes: number;
  /** Offset of the next record, for diagnoses. */
  readonly nextByteOffset: number;
}

/** How records are decoded and kept; both parts default to the safe choice. */
export interface RecordOptions {
  /** The buffer will not be overwritten while a chunk that borrows from it is being filled. */
  readonly isBorrowable?: boolean;
  /** No text of the record is passed on: escapes need no care. */
  readonly isStructureOnly?: boolean;
}

/** One record. `buffer` from `start` to `end` holds its bytes, unless it is over the limit. */
export class SourceRecord implements RecordBytes {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly lineNumber: number;
  readonly byteOffset: number | null;
  readonly byteLength: number;
  readonly ending: LineEnding;
  readonly offsetSpace: OffsetSpace;
  readonly recordKey: string | null;
  /** Over the limit for one line: there are no bytes, only an address. */
  readonly isTooLong: boolean;
  /** The buffer will not be overwritten while a chunk that borrows from it is being filled. */
  readonly isBorrowable: boolean;
  readonly #work: Work;
  readonly #isStructureOnly: boolean;
  #isDecoded = false;
  #value: unknown;
  #error: string | null = null;

  constructor(line: RecordBytes, work: Work, options: RecordOptions = {}) {
    this.buffer = line.buffer;
    this.start = line.start;
    this.end = line.end;
    this.lineNumber = line.lineNumber;
    this.byteOffset = line.byteOffset;
    this.byteLength = line.byteLength;
    this.ending = line.ending;
    this.offsetSpace = line.offsetSpace;
    this.recordKey = line.recordKey;
    this.isTooLong = line.isTooLong;
    this.isBorrowable = options.isBorrowable ?? false;
    this.#isStructureOnly = options.isStructureOnly ?? false;
    this.#work = work;
  }

  /** Whether the record holds nothing but white space. */
  get isBlank(): boolean {
    if (this.isTooLong) return false;
    for (let i = this.start; i < this.end; i++) if (!isSpace(this.buffer[i])) return false;
    return true;
  }

  /** The decoded JSON value with wire text in it; undefined when it does not parse. */
  get value(): unknown {
    if (!this.#isDecoded) this.#decode();
    return this.#value;
  }

  /** Why it does not parse, as wire text, or null. Counts bytes, without a byte order mark. */
  get error(): string | null {
    if (!this.#isDecoded) this.#decode();
    return this.#error;
  }

  /** Whether the bytes are valid UTF-8. */
  get isUtf8(): boolean {
    return isUtf8(this.buffer.subarray(this.start, this.end));
  }

  /** Whether the record begins the file with a byte order mark. */
  get hasByteOrderMark(): boolean {
    if (this.byteOffset !== 0 || this.end - this.start < BYTE_ORDER_MARK.length) return false;
    return BYTE_ORDER_MARK.equals(this.buffer.subarray(this.start, this.start + 3));
  }

  /** The record as wire text. */
  get wire(): string {
    return this.buffer.toString('latin1', this.start, this.end);
  }

  #decode(): void {
    this.#isDecoded = true;
    if (this.isTooLong) {
      this.#error = `line of ${this.byteLength} bytes is over the limit of 256 MiB`;
      return;
    }
    this.#work.recordsParsed++;
    try {
      const start = this.hasByteOrderMark ? this.start + BYTE_ORDER_MARK.length : this.start;
      const parse = this.#isStructureOnly ? parseJsonStructure : parseJson;
      this.#value = parse(this.buffer, start, this.end);
    } catch (error) {
      this.#error = error instanceof Error ? error.message : String(error);
    }
  }
}

/** JSON's white space, and the CR of a broken line ending. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
