/**
 * Rows of a SQLite database as records.
 *
 * Rules:
 * - The live file is opened read-only, with its write-ahead log, and closed again after each page of
 *   rows: no handle outlives a call. A database that is busy is retried for two seconds, and then
 *   an error: never an empty answer.
 * - A record is the value column of a row, or the whole row as a JSON object. BLOBs that are UTF-8
 *   are text, others are written as `\x` and hexadecimal digits.
 * - A record has no offset; its key is the table and the key of the row, `table:key`.
 * - A table that is not there has no rows. A file that is no database is an error.
 * - The native package is loaded when the first database is opened. Where it is missing, that is an
 *   error with advice, and everything else works.
 */

import { createRequire } from 'node:module';
import type { JsonObject } from './json.ts';

/** Rows that are records. */
export interface SqliteTable {
  readonly table: string;
  /** The column that identifies a row, ordered by it; `rowid` when there is none better. */
  readonly key: string;
  /** The column that holds the record as JSON text; null for the whole row. */
  readonly value: string | null;
  /** Only rows whose key begins so. */
  readonly prefix?: string;
  /** Keys of rows of the same table that follow a row, given its decoded value, in their order. */
  readonly followedBy?: (value: unknown) => readonly string[];
}

type Sqlite = typeof import('better-sqlite3');

/** An open database of better-sqlite3. */
export type Database = import('better-sqlite3').Database;

/** Two seconds: longer than any write of an agent. */
const BUSY_MS = 2000;

/**
 * Opens a database read-only for the length of `use`. Throws an error that says what to do when the
 * package is missing, and SQLite's own errors.
 */
export function withDatabase<T>(path: string, use: (database: Database) => T): T {
  const Database = loadSqlite();
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

let loaded: Sqlite | undefined;

function loadSqlite(): Sqlite {
  try {
    loaded ??= createRequire(import.meta.url)('better-sqlite3') as Sqlite;
    return loaded;
  } catch (error) {
    const advice = 'reading SQLite needs the package better-sqlite3: npm install better-sqlite3';
    throw new Error(advice, { cause: error });
  }
}

/** Every row of a table by the text of a column; empty when there is no such table or column. */
export function rowsByKey(path: string, table: string, key: string): Map<string, JsonObject> {
  return withDatabase(path, database => {
    const columns = columnsOf(database, table);
    if (!columns.includes(key)) return new Map();
    const rows = database.prepare(`select * from ${quoted(table)}`).all() as JsonObject[];
    return new Map(rows.map(row => [String(row[key]), row]));
  });
}

/** The tables of a database that are not SQLite's own, as whole rows by their rowid. */
export function allTables(path: string): readonly SqliteTable[] {
  return withDatabase(path, database =>
    (database.pragma('table_list') as { name: string; type: string }[])
      .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
      .map(({ name }) => name)
      .sort()
      .map(table => ({ table, key: 'rowid', value: null })),
  );
}

function columnsOf(database: Database, table: string): readonly string[] {
  const rows = database.pragma(`table_info(${quoted(table)})`) as { name: string }[];
  return rows.map(({ name }) => name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
