/** A record: one line or one whole document, with its address, decoded when somebody asks. */

import { isUtf8 } from 'node:buffer';
import { parseJson, parseJsonStructure } from './json.ts';
import { Work } from './work.ts';

/** The first bytes of a file that some editors put before UTF-8 text. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** How a line ends; null for a last line without an ending. */
export type LineEnding = 'LF' | 'CRLF' | null;

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

/** Where the elements of a document were cut out, as offsets in what is left of it. */
export interface Gap {
  /** Behind the bracket that opens the array. */
  readonly start: number;
  /** Behind the last comma between the elements. */
  readonly end: number;
  /** The brackets that close a document which ends at the gap. */
  readonly closing: string;
}

/** The bytes of a record with their address; a `LineReader` at a line is one. */
export interface RecordBytes extends Address {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly isTooLong: boolean;
  /** For the rest of a document, where elements were found. */
  readonly gap?: Gap | null;
  /** Why the record is not whole, where its reader knows. */
  readonly diagnosis?: string | null;
  /** Where to say that a record must outlive the memory it lies in; none: it owns its memory. */
  readonly held?: HeldRecords;
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

/**
 * The records of a block that are still needed when it is about to be overwritten. Copying them
 * then, and not when they are held, leaves alone all those that were released before.
 */
export class HeldRecords {
  #records: SourceRecord[] = [];

  /** Remembers a record until the block is overwritten. */
  add(record: SourceRecord): void {
    this.#records.push(record);
  }

  /** Copies what is still held of `block` to memory that lasts. */
  moveOut(block: Buffer): void {
    if (this.#records.length === 0) return;
    const held = this.#records.filter(record => record.isHeld && record.buffer === block);
    this.#records = [];
    const byteLength = held.reduce((sum, { start, end }) => sum + end - start, 0);
    const memory = Buffer.allocUnsafeSlow(byteLength);
    let at = 0;
    for (const record of held) at = record.moveTo(memory, at);
  }
}

/** One record. `buffer` from `start` to `end` holds its bytes, unless it is over the limit. */
export class SourceRecord implements RecordBytes {
  /** Changes, with `start` and `end`, when a record that is held is moved. */
  buffer: Buffer;
  start: number;
  end: number;
  /** Somebody needs the record beyond the next one. */
  isHeld = false;
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
  readonly gap: Gap | null;
  readonly diagnosis: string | null;
  readonly #held: HeldRecords | undefined;
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
    this.gap = line.gap ?? null;
    this.diagnosis = line.diagnosis ?? null;
    this.#held = line.held;
    this.isBorrowable = options.isBorrowable ?? false;
    this.#isStructureOnly = options.isStructureOnly ?? false;
    this.#work = work;
  }

  /** Whether the record is what is left of a document without its elements. */
  get isRest(): boolean {
    return this.offsetSpace === 'element' && this.lineNumber === 0;
  }

  /** Whether the record holds nothing but white space. */
  get isBlank(): boolean {
    if (this.isTooLong) return false;
    for (let i = this.start; i < this.end; i++) if (!isSpace(this.buffer[i])) return false;
    return true;
  }

  /**
   * The decoded JSON value with wire text in it; undefined when it does not parse. The rest of a
   * document decodes to the document with an empty array; when the document is cut short or wrong
   * behind the array, to what stands before it.
   */
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

  /** Keeps the bytes valid beyond the next record, until `release`. */
  hold(): void {
    this.isHeld = true;
    this.#held?.add(this);
  }

  /** From the next record on the bytes are not needed. */
  release(): void {
    this.isHeld = false;
  }

  /** Copies the bytes to `memory` at `at`, where they are from now on; gives the place behind. */
  moveTo(memory: Buffer, at: number): number {
    this.buffer.copy(memory, at, this.start, this.end);
    const end = at + this.end - this.start;
    this.buffer = memory;
    this.start = at;
    this.end = end;
    return end;
  }

  /** The same record over a copy of its bytes, which lasts; a value that is decoded is kept. */
  retain(): SourceRecord {
    const buffer = Buffer.from(this.buffer.subarray(this.start, this.end));
    const bytes = { ...this, buffer, start: 0, end: buffer.length };
    const kept = new SourceRecord(bytes, this.#work, { isStructureOnly: this.#isStructureOnly });
    kept.#isDecoded = this.#isDecoded;
    kept.#value = this.#value;
    kept.#error = this.#error;
    return kept;
  }

  #decode(): void {
    this.#isDecoded = true;
    if (this.isTooLong) {
      this.#error = `line of ${this.byteLength} bytes is over the limit of 256 MiB`;
      return;
    }
    this.#work.recordsParsed++;
    this.#error = this.diagnosis;
    if (this.diagnosis !== null && this.gap === null) return;
    try {
      this.#value = this.#parse(this.diagnosis !== null);
    } catch (error) {
      this.#error ??= error instanceof Error ? error.message : String(error);
      if (this.gap !== null) this.#value = this.#parseHead();
    }
  }

  #parseHead(): unknown {
    try {
      return this.#parse(true);
    } catch {
      return undefined;
    }
  }

  /** `isHead`: only what stands before the gap. */
  #parse(isHead: boolean): unknown {
    const { buffer, end, gap } = this;
    const start = this.hasByteOrderMark ? this.start + BYTE_ORDER_MARK.length : this.start;
    const parse = this.#isStructureOnly ? parseJsonStructure : parseJson;
    if (gap === null) return parse(buffer, start, end);
    const head = buffer.subarray(start, this.start + gap.start);
    const tail = isHead ? Buffer.from(gap.closing) : buffer.subarray(this.start + gap.end, end);
    return parse(Buffer.concat([head, tail]), 0, head.length + tail.length);
  }
}

/** JSON's white space, and the CR of a broken line ending. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

/** The record of a row that sums up many: it has no bytes and no place. */
export const NO_RECORD = new SourceRecord(
  {
    buffer: Buffer.alloc(0),
    start: 0,
    end: 0,
    lineNumber: 0,
    byteOffset: null,
    byteLength: 0,
    ending: null,
    offsetSpace: 'none',
    recordKey: null,
    isTooLong: false,
  },
  new Work(),
);
