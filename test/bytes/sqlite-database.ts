/** Real databases for the tests of the reader, and what it reads from them. */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { SourceRecord } from '../../src/bytes/record.ts';
import { SqliteReader } from '../../src/bytes/sqlite-reader.ts';
import type { SqliteTable } from '../../src/bytes/sqlite-table.ts';
import { Work } from '../../src/bytes/work.ts';

/** A table of texts by key, as editors keep their state. */
export const STATE: SqliteTable = { table: 'state', key: 'key', value: 'value' };

/** Makes a database with statements, and lets `fill` write into it; gives its path. */
export function makeDatabase(
  folder: string,
  name: string,
  statements: string,
  fill: (database: Database.Database) => void = () => undefined,
): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec(statements);
  database.transaction(() => fill(database))();
  database.close();
  return path;
}

/** A database with the table `state` and these rows. */
export function makeState(
  folder: string,
  name: string,
  rows: readonly (readonly [key: unknown, value: unknown])[],
): string {
  return makeDatabase(folder, name, CREATE_STATE, database => {
    const insert = database.prepare('INSERT INTO state VALUES (?, ?)');
    for (const row of rows) insert.run(...row);
  });
}

/** As the state of editors is declared. */
export const CREATE_STATE = 'CREATE TABLE state (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)';

/** The keys and the texts of all records. */
export function readAll(
  path: string,
  tables: readonly SqliteTable[] | null = [STATE],
): (readonly [key: string | null, text: string])[] {
  const reader = new SqliteReader(path, tables, new Work());
  const found: (readonly [string | null, string])[] = [];
  while (reader.next()) {
    const text = new SourceRecord(reader, new Work()).wire;
    found.push([reader.recordKey, Buffer.from(text, 'latin1').toString()]);
  }
  return found;
}
