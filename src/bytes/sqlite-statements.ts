/**
 * Every statement that is sent to a SQLite database. The names in them come from the declarations
 * of tables and from the database itself, the values are bound.
 *
 * Keys that are text are compared as the bytes that they are on the disk, so that a key which is
 * not UTF-8 neither hides rows nor repeats them.
 */

import { MAX_LINE_BYTES } from './lines.ts';
import type { SqliteTable, TableLayout } from './sqlite-table.ts';
import type { SqliteValue } from './sqlite-values.ts';
import { fromWire } from './text.ts';

/** A statement with the values for its parameters. */
export interface Statement {
  readonly sql: string;
  readonly bound: readonly SqliteValue[];
}

/** A value of an ordering column, with what SQLite says that it is. */
export interface Place {
  readonly value: SqliteValue;
  readonly type: string;
}

/**
 * The first rows after a place, or of all. Their columns: the ordering columns, then their
 * types, then the bytes of the value and its length, or the columns of the whole row.
 */
export function nextStatement(
  layout: TableLayout,
  asked: SqliteTable,
  after: readonly Place[] | null,
  limit: number,
): Statement {
  const conditions = [within(layout, asked), ...(after ? [behind(layout, after)] : [])];
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const order = layout.order.map(quoted).join(', ');
  const sql = `SELECT ${rowColumns(layout, asked)} FROM ${quoted(layout.table)}
    WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  return { sql, bound: conditions.flatMap(({ bound }) => bound) };
}

/** The row of one key, bound by `boundKey`; its columns are those of `nextStatement`. */
export function followerStatement(layout: TableLayout, asked: SqliteTable): string {
  return `SELECT ${rowColumns(layout, asked)} FROM ${quoted(layout.table)}
    WHERE ${keyOf(layout)} = CAST(? AS TEXT) LIMIT 1`;
}

/** The whole rows of one key, bound by `boundKey`, in the order of the table. */
export function rowsStatement(layout: TableLayout): string {
  const order = layout.order.map(quoted).join(', ');
  return `SELECT ${layout.columns.map(quoted).join(', ')} FROM ${quoted(layout.table)}
    WHERE ${keyOf(layout)} = CAST(? AS TEXT) ORDER BY ${order}`;
}

/** What a key that is wire text is bound as. */
export function boundKey({ isUtf8 }: TableLayout, key: string): string | Buffer {
  return isUtf8 ? Buffer.from(key, 'latin1') : fromWire(key);
}

/** The keys that a declaration selects, in their order or in that in which rows were written. */
export function keysStatement(
  layout: TableLayout,
  asked: SqliteTable,
  order: 'by key' | 'as written' = 'by key',
): Statement {
  const { sql: where, bound } = within(layout, asked);
  const key = keyOf(layout);
  const identity = layout.order.slice(layout.keys.length).map(quoted);
  const by = order === 'by key' ? [key] : [...identity, key];
  const sql = `SELECT ${exact(layout, key)} FROM ${quoted(layout.table)}
    WHERE ${where} ORDER BY ${by.join(', ')}`;
  return { sql, bound };
}

function rowColumns(layout: TableLayout, asked: SqliteTable): string {
  const order = layout.order.map(quoted);
  const places = [
    ...order.map(column => exact(layout, column)),
    ...order.map(column => `typeof(${column})`),
  ];
  if (asked.value === null) return [...places, ...layout.columns.map(quoted)].join(', ');
  const value = quoted(asked.value);
  // The length is known without reading the value: what is too long never comes into memory.
  const kept = `iif(octet_length(${value}) > ${MAX_LINE_BYTES}, NULL, ${exact(layout, value)})`;
  return [...places, kept, `octet_length(${value})`].join(', ');
}

/** A text as its bytes, any other value as it is. */
function exact({ isUtf8 }: TableLayout, column: string): string {
  return isUtf8 ? `iif(typeof(${column}) = 'text', CAST(${column} AS BLOB), ${column})` : column;
}

function within(layout: TableLayout, { prefix, without = [] }: SqliteTable): Statement {
  const key = keyOf(layout);
  const isPrefixed = `(${key} >= ? AND ${key} < ?)`;
  const conditions = [
    `${key} IS NOT NULL`,
    ...(prefix === undefined ? [] : [isPrefixed]),
    ...without.map(() => `NOT ${isPrefixed}`),
  ];
  const prefixes = [...(prefix === undefined ? [] : [prefix]), ...without];
  return {
    sql: conditions.join(' AND '),
    bound: prefixes.flatMap(text => [text, behindAll(text)]),
  };
}

/** The first text after all that begin with `prefix`, whose last character is an ASCII one. */
function behindAll(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

function behind(layout: TableLayout, after: readonly Place[]): Statement {
  const columns = layout.order.map(quoted).join(', ');
  const values = after.map(({ value, type }) =>
    type === 'text' && Buffer.isBuffer(value) ? 'CAST(? AS TEXT)' : '?',
  );
  return { sql: `(${columns}) > (${values.join(', ')})`, bound: after.map(({ value }) => value) };
}

function keyOf({ keys }: TableLayout): string {
  return quoted(keys[0] ?? '');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
