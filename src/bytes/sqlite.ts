/**
 * SQLite databases, read as they lie on the disk, while other programs use them.
 *
 * Rules:
 * - The live file is opened read-only, with its write-ahead log, and closed again before a call
 *   returns: no copy is made and no handle is left. As every reader does, SQLite may create the
 *   `-wal` and `-shm` files beside a database in that mode when they are not there.
 * - A database that is busy is waited for, two seconds, and then an error: never an empty answer.
 * - A table that is not there has no rows. An empty file is a database without tables; a file that
 *   is no database is an error. Views and virtual tables are not read.
 * - The native package is loaded when the first database is opened (see `optional.ts`).
 */

import { statSync } from 'node:fs';
import { type JsonObject, parseJson } from './json.ts';
import { NO_FILE } from './open-file.ts';
import { type Database, loadSqlite } from './optional.ts';
import { boundKey, keysStatement, rowsStatement } from './sqlite-statements.ts';
import type { SqliteTable, TableLayout } from './sqlite-table.ts';
import { rowAsJson, type SqliteValue, textOfKey } from './sqlite-values.ts';

/** The header of every database; SQLite itself takes a shorter file for an empty one. */
const HEADER_BYTES = 100;

/** Two seconds: longer than any write of an agent. */
const BUSY_MS = 2000;

/**
 * Opens a database read-only for the length of `use`. Throws an error that says what to do when the
 * package is missing, the operating system's error for a file that is not there, and SQLite's own.
 */
export function withDatabase<T>(path: string, use: (database: Database) => T): T {
  const Database = loadSqlite();
  // SQLite says of a file that is not there only that it cannot open it.
  const stat = statSync(path);
  const { size } = stat;
  if (!stat.isFile() && !stat.isDirectory()) throw new Error(NO_FILE);
  if (size > 0 && size < HEADER_BYTES) throw new Error('file is not a database: it is too short');
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    database.defaultSafeIntegers(true);
    return use(database);
  } finally {
    database.close();
  }
}

/**
 * The rows of `table` where the column `key` is the wire text `value`, in the order of the table,
 * decoded as JSON would hold them; none without such a table or column. Throws SQLite's errors.
 */
export function rowsWithKey(
  path: string,
  table: string,
  key: string,
  value: string,
): readonly JsonObject[] {
  return withDatabase(path, database => {
    const layout = layoutOf(database, { table, key, value: null });
    if (!layout) return [];
    const rows = database.prepare(rowsStatement(layout)).raw().all(boundKey(layout, value));
    return rows.map(row => decodedRow(layout.columns, row as SqliteValue[]));
  });
}

function decodedRow(columns: readonly string[], row: readonly SqliteValue[]): JsonObject {
  const json = rowAsJson(columns, row);
  return parseJson(json, 0, json.length) as JsonObject;
}

/**
 * The keys that begin with a table's prefix, as wire text, in order; none where there is no such
 * table. Throws SQLite's errors.
 */
export function keysOf(path: string, table: SqliteTable): readonly string[] {
  return withDatabase(path, database => {
    const layout = layoutOf(database, table);
    if (!layout) return [];
    const { sql, bound } = keysStatement(layout, table);
    const rows = database.prepare(sql).raw().all(bound) as SqliteValue[][];
    return rows.map(([key = null]) => textOfKey(key));
  });
}

/** Whole tables in the order of their names, without those of SQLite itself. */
export function allTables(database: Database): readonly SqliteTable[] {
  return listed(database)
    .map(({ name }) => name)
    .filter(name => !name.startsWith('sqlite_'))
    .sort()
    .map(table => ({ table, key: 'rowid', value: null }));
}

interface ListedTable {
  readonly name: string;
  readonly type: string;
  /** 1 for a table without row ids. */
  readonly wr: bigint;
}

function listed(database: Database): readonly ListedTable[] {
  const rows = database.pragma('main.table_list') as ListedTable[];
  return rows.filter(({ type }) => type === 'table');
}

interface ListedColumn {
  readonly name: string;
  /** Place in the primary key, from 1; 0 for other columns. */
  readonly pk: bigint;
}

/** Names that SQLite gives the row id, unless a column has them. */
const ROW_IDS = ['rowid', '_rowid_', 'oid'];

/** How a table is read, or null when it is not there, or lacks a column that is asked for. */
export function layoutOf(database: Database, asked: SqliteTable): TableLayout | null {
  const found = listed(database).find(({ name }) => name === asked.table);
  if (!found) return null;
  const name = `"${asked.table.replaceAll('"', '""')}"`;
  const info = database.pragma(`main.table_info(${name})`) as ListedColumn[];
  const columns = info.map(column => column.name);
  const identity = found.wr === 1n ? primaryKey(info) : rowId(columns);
  const keys = asked.key === 'rowid' ? identity : [asked.key];
  const needed = [...keys, ...(asked.value === null ? [] : [asked.value])];
  if (!needed.every(column => columns.includes(column) || identity.includes(column))) return null;
  const isUtf8 = database.pragma('encoding', { simple: true }) === 'UTF-8';
  const order = [...new Set([...keys, ...identity])];
  return { table: asked.table, keys, order, columns, isUtf8 };
}

function primaryKey(info: readonly ListedColumn[]): readonly string[] {
  return info
    .filter(({ pk }) => pk > 0n)
    .sort((a, b) => Number(a.pk - b.pk))
    .map(({ name }) => name);
}

function rowId(columns: readonly string[]): readonly string[] {
  const taken = new Set(columns.map(column => column.toLowerCase()));
  return ROW_IDS.filter(name => !taken.has(name)).slice(0, 1);
}
