/**
 * Rows of a SQLite database as records, a page at a time.
 *
 * Rules:
 * - A page is at most 512 rows or about 2 MB, and one consistent look at the database. It is opened
 *   for each page and closed after it; what changes between two pages is seen as it is then, and
 *   no row comes twice, as rows come in the order of their keys.
 * - A record is the bytes of the value column (JSON text as a rule; a BLOB comes as it is), or the
 *   whole row as a JSON object. A value that is NULL is the record `null`.
 * - A record has no offset; its key is the table and the key of the row, `table:key`. Several key
 *   columns are joined by commas.
 * - A database that is replaced by another file, or vanishes, ends the records with a problem.
 */

import { statSync } from 'node:fs';
import { parseJson } from './json.ts';
import type { Database } from './optional.ts';
import type { RecordCursor } from './record.ts';
import { allTables, withDatabase } from './sqlite.ts';
import { Pager, type Row } from './sqlite-pager.ts';
import type { Place } from './sqlite-statements.ts';
import type { SqliteTable } from './sqlite-table.ts';
import { toWire } from './text.ts';
import type { Work } from './work.ts';

const PAGE_ROWS = 512;
const PAGE_BYTES = 2 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** A cursor over the rows of some tables, or of all. Each record owns its bytes. */
export class SqliteReader implements RecordCursor {
  buffer: Buffer = EMPTY;
  readonly start = 0;
  end = 0;
  /** Running number of the record, from 1. */
  lineNumber = 0;
  readonly byteOffset = null;
  byteLength = 0;
  readonly ending = null;
  readonly offsetSpace = 'none';
  recordKey: string | null = null;
  isTooLong = false;
  /** Records own their bytes: nothing is overwritten. */
  readonly blockDone = false;
  problem: string | null = null;
  /** Rows have no offset. */
  readonly nextByteOffset = 0;
  /** Bytes of the values that were read. */
  doneBytes = 0;

  readonly #path: string;
  readonly #work: Work;
  #tables: readonly SqliteTable[] | null;
  #tableIndex = 0;
  /** The last row of the table that was given; null before its first. */
  #after: readonly Place[] | null = null;
  /** Keys of the rows that come before the next in order. */
  #followers: readonly string[] = [];
  #followerIndex = 0;
  #page: Page['rows'] = [];
  #pageIndex = 0;
  #isDone = false;
  #identity: string | null = null;

  /** `tables` is null for all tables, as whole rows. */
  constructor(path: string, tables: readonly SqliteTable[] | null, work: Work) {
    this.#path = path;
    this.#tables = tables;
    this.#work = work;
  }

  /**
   * Moves to the next row; false at the end. Throws the operating system's and SQLite's errors; the
   * call after an error tries again from the same row.
   */
  next(): boolean {
    while (this.#pageIndex >= this.#page.length) {
      if (this.#isDone || this.problem !== null) return false;
      this.#readPage();
    }
    const entry = this.#page[this.#pageIndex++];
    if (entry) this.#take(...entry);
    return true;
  }

  #take(table: string, row: Row): void {
    this.isTooLong = row.buffer.length !== row.byteLength;
    this.buffer = row.buffer;
    this.end = row.buffer.length;
    this.byteLength = row.byteLength;
    this.recordKey = `${toWire(table)}:${row.key}`;
    this.lineNumber++;
    this.#work.linesRead++;
  }

  #readPage(): void {
    const isFirst = this.#identity === null;
    const page = new Page();
    try {
      withDatabase(this.#path, database => {
        if (this.#isSameFile()) database.transaction(() => this.#fill(database, page))();
      });
    } catch (error) {
      if (!isFirst && isMissing(error)) this.problem = 'the database vanished while it was read';
      // What was read before the error is given first; the next page meets it again.
      else if (page.rows.length === 0) throw error;
    }
    this.#page = page.rows;
    this.#pageIndex = 0;
    if (isFirst) this.#work.filesOpened++;
    this.#work.bytesRead += page.byteLength;
    this.doneBytes += page.byteLength;
  }

  /** Asked when the file is open: what is read is what was looked at, or an older file. */
  #isSameFile(): boolean {
    const { dev, ino } = statSync(this.#path);
    const identity = `${dev}:${ino}`;
    this.#identity ??= identity;
    if (identity === this.#identity) return true;
    this.problem = 'the database was replaced while it was read';
    return false;
  }

  #fill(database: Database, page: Page): void {
    this.#tables ??= allTables(database);
    const pager = new Pager(database);
    while (!page.isFull) {
      const table = this.#tables[this.#tableIndex];
      if (!table) {
        this.#isDone = true;
        return;
      }
      const follower = this.#followers[this.#followerIndex];
      if (follower !== undefined) {
        page.add(table, pager.rowOf(table, follower));
        this.#followerIndex++;
      } else if (!this.#fillInOrder(pager, table, page)) {
        this.#tableIndex++;
        this.#after = null;
      }
    }
  }

  /** Adds rows in the table's order, one where others may follow it; false when none is left. */
  #fillInOrder(pager: Pager, table: SqliteTable, page: Page): boolean {
    const { followedBy } = table;
    const before = page.rows.length;
    const limit = followedBy ? 1 : PAGE_ROWS - before;
    for (const row of pager.rowsAfter(table, this.#after, limit)) {
      page.add(table, row);
      this.#after = row.places;
      if (followedBy) {
        this.#followers = pager.keysOf(table, followedBy(decoded(row.buffer), row.key));
      }
      this.#followerIndex = 0;
      if (page.isFull) break;
    }
    return page.rows.length > before;
  }
}

/** The rows that are read at one opening of the database. */
class Page {
  readonly rows: (readonly [table: string, row: Row])[] = [];
  byteLength = 0;

  get isFull(): boolean {
    return this.rows.length >= PAGE_ROWS || this.byteLength >= PAGE_BYTES;
  }

  add({ table }: SqliteTable, row: Row): void {
    this.rows.push([table, row]);
    this.byteLength += row.buffer.length;
  }
}

function decoded(buffer: Buffer): unknown {
  try {
    return parseJson(buffer, 0, buffer.length);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
