/**
 * One pass over the sources of a relation: a cursor over rows in the making.
 *
 * Files are listed when the scan begins and opened one after the other, a block at a time, so that
 * a scan can be abandoned at any row. What cannot be read is a note, and for `events` an error.
 */

import { BLOCK_BYTES } from '../bytes/blocks.ts';
import { MissingPackageError } from '../bytes/optional.ts';
import { type RecordCursor, type RecordOptions, SourceRecord } from '../bytes/record.ts';
import type { Work } from '../bytes/work.ts';
import { AhqError, systemCode } from '../errors.ts';
import type { Reader, SourceContext, SourceForm, Unit } from '../harness/harness.ts';
import { CompanionLines } from './companion-lines.ts';
import { CompanionTables } from './companion-tables.ts';
import { ScanContext } from './context.ts';
import { KeySet } from './key-set.ts';
import { Notes, type OnNote, reasonOf } from './notes.ts';
import { openRecords } from './open-records.ts';
import { type Reading, readings, type ScanRequest } from './readings.ts';

/** A file this small is copied into a chunk: borrowing its block would end the chunk with it. */
const BORROW_BYTES = 256 * 1024;

/** Records of these forms are slices of a block. */
const BORROWED_FORMS: ReadonlySet<SourceForm> = new Set<SourceForm>(['lines', 'zstd']);

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
  /** The keys of the rows that left, where the relation has copies to drop. */
  readonly #seen = new KeySet();
  /** What a reader that combines has given so far. */
  #uncombined: Unit[] = [];
  #pendingIndex = 0;
  #readingIndex = -1;
  #doneBytes = 0;
  #records: RecordCursor | null = null;
  readonly #tables = new CompanionTables();
  readonly #lines = new CompanionLines();
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
    const doneBytes = this.#doneBytes + (this.#records?.doneBytes ?? 0);
    return { files: this.#readings.length, doneBytes, totalBytes: this.#totalBytes };
  }

  /**
   * Moves to the next row; false at the end. A caller that holds slices of the current block says
   * so, and gets false before the block would be overwritten. Throws READ for `events`.
   */
  next(holdsBlock = false): boolean {
    while (this.#pendingIndex >= this.#pending.length) {
      if (holdsBlock && this.#records?.blockDone) return false;
      this.#pending.length = 0;
      this.#pendingIndex = 0;
      if (!this.#readRecord() && !this.#openNext()) return false;
    }
    this.unit = this.#pending[this.#pendingIndex++] ?? null;
    return true;
  }

  readonly #emit = (unit: Unit): void => {
    const identity = this.reading?.reader.identityOf?.(unit);
    if (identity !== undefined && !this.#seen.add(identity)) return;
    if (this.reading?.reader.combine) this.#uncombined.push(unit);
    else this.#pending.push(unit);
  };

  /** Reads one record of the current file; false when there is none left. */
  #readRecord(): boolean {
    if (!this.reading || !this.context || !this.#records) return false;
    const { reader } = this.reading;
    if (!this.#nextRecord(this.#records)) {
      this.#records = null;
      reader.finish?.(this.#state, this.#emit, this.context);
      this.#combine(reader);
      return this.#pending.length > 0;
    }
    const record = new SourceRecord(this.#records, this.#work, this.#recordOptions);
    if (reader.readsBlankLines || !record.isBlank) {
      reader.read(this.#state, record, this.#emit, this.context);
    }
    return true;
  }

  /** After the last file of a reader that combines: its rows. */
  #combine(reader: Reader): void {
    const isLast = this.#readings[this.#readingIndex + 1]?.reader !== reader;
    if (!reader.combine || !isLast) return;
    this.#pending.push(...reader.combine(this.#uncombined));
    this.#uncombined = [];
  }

  #nextRecord(records: RecordCursor): boolean {
    try {
      const isRecord = records.next();
      if (!isRecord && records.problem !== null) {
        this.#report(records.problem, records.nextByteOffset);
      }
      return isRecord;
    } catch (error) {
      if (error instanceof AhqError) throw error;
      this.#report(reasonOf(error), records.nextByteOffset, error);
      return false;
    }
  }

  /** Opens the next file; false when there is none left. */
  #openNext(): boolean {
    this.#doneBytes += this.reading?.source.byteLength ?? 0;
    this.reading = this.#readings[++this.#readingIndex] ?? null;
    if (!this.reading) return false;
    const { source, reader } = this.reading;
    const context = new ScanContext(source, this.#work, this.#tables, this.#lines);
    this.context = context;
    this.#state = reader.start(context.source, context);
    this.#recordOptions = {
      isBorrowable: BORROWED_FORMS.has(source.form) && source.byteLength > BORROW_BYTES,
      isStructureOnly: this.#isStructureOnly,
    };
    this.#records = openRecords(source, reader, this.#block, this.#work);
    return true;
  }

  #report(reason: string, offset: number, cause?: unknown): void {
    const path = this.reading?.source.path ?? '';
    // A file that is gone before its first byte was read is no loss of this scan; one that needs a
    // package leaves all others to be read.
    const isGone = systemCode(cause) === 'ENOENT' && offset === 0;
    const isNote = isGone || cause instanceof MissingPackageError;
    if (this.#request.relation.name !== 'events' || isNote) {
      this.#notes.add(`cannot read '${path}' from byte ${offset}: ${reason}`);
      return;
    }
    const message = `failed to read '${path}' at byte ${offset}: ${reason}`;
    throw new AhqError('READ', message, { path, offset, cause });
  }
}
