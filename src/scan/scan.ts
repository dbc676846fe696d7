/**
 * One pass over the sources of a relation: a cursor over rows in the making.
 *
 * Files are listed when the scan begins and opened one after the other, a block at a time, so that
 * a scan can be abandoned at any row. What cannot be read is a note, and for `events` an error.
 */

import { readDocument } from '../bytes/document.ts';
import { BLOCK_BYTES, LineReader } from '../bytes/lines.ts';
import { type RecordBytes, type RecordOptions, SourceRecord } from '../bytes/record.ts';
import type { Work } from '../bytes/work.ts';
import { AhqError, systemCode } from '../errors.ts';
import type { Source, SourceContext, Unit } from '../harness/harness.ts';
import { ScanContext } from './context.ts';
import { Notes, type OnNote, reasonOf } from './notes.ts';
import { type Reading, readings, type ScanRequest } from './readings.ts';

/** A file this small is copied into a chunk: borrowing its block would end the chunk with it. */
const BORROW_BYTES = 256 * 1024;

/** Counters and listeners of whoever scans. */
export interface ScanHost {
  readonly work: Work;
  readonly onNote: OnNote;
}

/** How far a scan is. */
export interface Progress {
  readonly files: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** A cursor: after `next()` gave true, `unit` is the current row, `reading` its file and reader. */
export class Scan {
  /** The row in the making; null before the first call and after the last. */
  unit: Unit | null = null;
  /** The file that is being read and the reader whose cells the row has. */
  reading: Reading | null = null;
  /** What the cells of the row may ask about their file. */
  context: SourceContext | null = null;

  readonly #request: ScanRequest;
  readonly #work: Work;
  readonly #notes: Notes;
  readonly #readings: readonly Reading[];
  readonly #totalBytes: number;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  readonly #pending: Unit[] = [];
  #pendingIndex = 0;
  #readingIndex = -1;
  #doneBytes = 0;
  #lines: LineReader | null = null;
  #document: RecordBytes | null = null;
  #state: unknown = null;
  #recordOptions: RecordOptions = {};
  readonly #isStructureOnly: boolean;

  /**
   * Lists the files. `wantsText` is false when the caller takes no text cells. Throws what
   * `readings` throws.
   */
  constructor(request: ScanRequest, host: ScanHost, wantsText = true) {
    this.#request = request;
    this.#isStructureOnly = !wantsText;
    this.#work = host.work;
    this.#notes = new Notes(request.relation.functionName, host.onNote);
    this.#readings = [...readings(request, this.#notes)];
    this.#totalBytes = this.#readings.reduce((sum, { source }) => sum + source.byteLength, 0);
  }

  /** How far the scan is. */
  get progress(): Progress {
    const doneBytes = this.#doneBytes + (this.#lines?.nextByteOffset ?? 0);
    return { files: this.#readings.length, doneBytes, totalBytes: this.#totalBytes };
  }

  /**
   * Moves to the next row; false at the end. A caller that holds slices of the current block says
   * so, and gets false before the block would be overwritten. Throws READ for `events`.
   */
  next(holdsBlock = false): boolean {
    while (this.#pendingIndex >= this.#pending.length) {
      if (holdsBlock && this.#lines?.blockDone) return false;
      this.#pending.length = 0;
      this.#pendingIndex = 0;
      if (!this.#readRecord() && !this.#openNext()) return false;
    }
    this.unit = this.#pending[this.#pendingIndex++] ?? null;
    return true;
  }

  readonly #emit = (unit: Unit): void => {
    this.#pending.push(unit);
  };

  /** Reads one record of the current file; false when there is none left. */
  #readRecord(): boolean {
    if (!this.reading) return false;
    const { reader } = this.reading;
    const record = this.#nextRecord();
    if (!record) return false;
    if (reader.readsBlankLines || !record.isBlank) reader.read(this.#state, record, this.#emit);
    return true;
  }

  #nextRecord(): SourceRecord | null {
    if (this.#document) {
      const record = new SourceRecord(this.#document, this.#work, this.#recordOptions);
      this.#document = null;
      return record;
    }
    if (!this.#lines || !this.#nextLine(this.#lines)) return null;
    return new SourceRecord(this.#lines, this.#work, this.#recordOptions);
  }

  #nextLine(lines: LineReader): boolean {
    try {
      const isLine = lines.next();
      if (!isLine && lines.problem !== null) this.#report(lines.problem, lines.nextByteOffset);
      return isLine;
    } catch (error) {
      if (error instanceof AhqError) throw error;
      this.#report(reasonOf(error), lines.nextByteOffset, error);
      return false;
    }
  }

  /** Opens the next file; false when there is none left. */
  #openNext(): boolean {
    this.#doneBytes += this.reading?.source.byteLength ?? 0;
    this.#lines = null;
    this.#document = null;
    this.reading = this.#readings[++this.#readingIndex] ?? null;
    if (!this.reading) return false;
    const { source, reader } = this.reading;
    const context = new ScanContext(source, this.#work);
    this.context = context;
    this.#state = reader.start(context.source);
    this.#recordOptions = {
      isBorrowable: source.form === 'lines' && source.byteLength > BORROW_BYTES,
      isStructureOnly: this.#isStructureOnly,
    };
    if (source.form === 'document') this.#openDocument(source);
    else this.#lines = new LineReader(source.path, { block: this.#block, work: this.#work });
    return true;
  }

  #openDocument(source: Source): void {
    try {
      this.#document = readDocument(source.path, this.#work);
    } catch (error) {
      this.#report(reasonOf(error), 0, error);
    }
  }

  #report(reason: string, offset: number, cause?: unknown): void {
    const path = this.reading?.source.path ?? '';
    // A file that is gone before its first byte was read is no loss of this scan.
    const isGone = systemCode(cause) === 'ENOENT' && offset === 0;
    if (this.#request.relation.name !== 'events' || isGone) {
      this.#notes.add(`cannot read '${path}' from byte ${offset}: ${reason}`);
      return;
    }
    const message = `failed to read '${path}' at byte ${offset}: ${reason}`;
    throw new AhqError('READ', message, { path, offset, cause });
  }
}
