/** Rows of an open SQLite database: the next ones in order, or the one of a key. */

import type { Database } from './optional.ts';
import { layoutOf } from './sqlite.ts';
import {
  boundKey,
  followerStatement,
  keysStatement,
  nextStatement,
  type Place,
} from './sqlite-statements.ts';
import type { Followers, SqliteTable, TableLayout } from './sqlite-table.ts';
import { bytesOfValue, rowAsJson, type SqliteValue, textOfKey } from './sqlite-values.ts';
import { fromWire } from './text.ts';

const EMPTY = Buffer.alloc(0);
const NULL = Buffer.from('null');

/** A row that was read. */
export interface Row {
  readonly buffer: Buffer;
  readonly byteLength: number;
  /** As wire text, without the table. */
  readonly key: string;
  /** Where the row lies in the order of its table. */
  readonly places: readonly Place[];
}

/** Reads rows of one open database. */
export class Pager {
  readonly #database: Database;
  readonly #layouts = new Map<SqliteTable, TableLayout | null>();
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Up to `limit` rows after a place, or from the first; none without such a table. */
  *rowsAfter(
    table: SqliteTable,
    after: readonly Place[] | null,
    limit: number,
  ): Generator<Row, void> {
    const layout = this.#layout(table);
    if (!layout) return;
    const { sql, bound } = nextStatement(layout, table, after, limit);
    for (const values of this.#prepared(sql).iterate([...bound])) {
      yield rowFrom(values as SqliteValue[], table, layout);
    }
  }

  /** The keys of rows that follow another row, as wire text. */
  keysOf(table: SqliteTable, followers: Followers): readonly string[] {
    if (!('prefix' in followers)) return followers;
    const layout = this.#layout(table);
    if (!layout) return [];
    const asked = { ...table, prefix: fromWire(followers.prefix) };
    const { sql, bound } = keysStatement(layout, asked, 'as written');
    const rows = this.#prepared(sql).all(...bound) as SqliteValue[][];
    return rows.map(([key = null]) => textOfKey(key));
  }

  /** The row of a key, with the value null where there is none. */
  rowOf(table: SqliteTable, key: string): Row {
    const layout = this.#layout(table);
    if (layout) {
      const values = this.#prepared(followerStatement(layout, table)).get(boundKey(layout, key));
      if (values !== undefined) return rowFrom(values as SqliteValue[], table, layout);
    }
    return { buffer: NULL, byteLength: NULL.length, key, places: [] };
  }

  #layout(table: SqliteTable): TableLayout | null {
    let layout = this.#layouts.get(table);
    if (layout === undefined) {
      layout = layoutOf(this.#database, table);
      this.#layouts.set(table, layout);
    }
    return layout;
  }

  #prepared(sql: string): ReturnType<Database['prepare']> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql).raw();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** A row from the columns that `nextStatement` selects. */
function rowFrom(values: readonly SqliteValue[], { value }: SqliteTable, layout: TableLayout): Row {
  const { order, keys, columns } = layout;
  const places = order.map((_column, index) => ({
    value: values[index] ?? null,
    type: String(values[order.length + index]),
  }));
  const key = places.slice(0, keys.length).map(place => textOfKey(place.value));
  const content = values.slice(2 * order.length);
  const at = { key: key.join(','), places };
  if (value === null) {
    const buffer = rowAsJson(columns, content);
    return { ...at, buffer, byteLength: buffer.length };
  }
  const [kept = null, length = null] = content;
  const isTooLong = kept === null && length !== null;
  const buffer = isTooLong ? EMPTY : bytesOfValue(kept);
  return { ...at, buffer, byteLength: isTooLong ? Number(length) : buffer.length };
}
