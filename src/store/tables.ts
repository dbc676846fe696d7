/**
 * The tables of the store, derived from the relations.
 *
 * Each relation but `events` has a table `<name>_rows` that holds its rows as each source gives
 * them, and a view by its bare name that makes the copies of a row in several sources one. Beside
 * the columns of the relation a table has:
 * - `key_hash`: 53 bits of a hash of the key; 0 for relations without a key;
 * - `has_copies`: another row with the key may exist. Few rows have it, so that merging on read
 *   costs little; it is never wrong for having been set too often;
 * - `is_provisional`: the row stands for what the end of the source has cut off, and is made anew
 *   when the source grows.
 */

import type { Column, ColumnType } from '../relations/column.ts';
import { type Relation, type RelationName, relations } from '../relations/index.ts';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly compressed: boolean;
}

/** A table of rows by source. */
export interface StoreTable {
  readonly relation: Relation<RelationName>;
  readonly name: string;
  readonly columns: readonly TableColumn[];
}

/** What every table has beside the columns of its relation, in this order and last. */
const EXTRA_COLUMNS: readonly TableColumn[] = [
  { name: 'key_hash', type: 'BIGINT', compressed: false },
  { name: 'has_copies', type: 'BOOLEAN', compressed: false },
  { name: 'is_provisional', type: 'BOOLEAN', compressed: false },
];

/** The rows of a table belong to a source; readers of side files do not say to which. */
const SOURCE_ID: TableColumn = { name: 'source_id', type: 'VARCHAR', compressed: false };

/** Every table of the store. */
export const storeTables: readonly StoreTable[] = relations
  .filter(({ name }) => name !== 'events')
  .map(tableOf);

function tableOf(relation: Relation<RelationName>): StoreTable {
  const columns = Object.entries(relation.columns).map(([name, column]) => columnOf(name, column));
  const hasSource = columns.some(({ name }) => name === SOURCE_ID.name);
  return {
    relation,
    name: `${relation.name}_rows`,
    columns: [...columns, ...(hasSource ? [] : [SOURCE_ID]), ...EXTRA_COLUMNS],
  };
}

function columnOf(name: string, { type, compressed }: Column): TableColumn {
  return { name, type, compressed };
}

/** The DuckDB type of a column; JSON is text there. */
function sqlType(type: ColumnType): string {
  return type === 'JSON' ? 'VARCHAR' : type;
}

/** The statement that makes a table in the current catalogue. */
export function createTable({ name, columns }: StoreTable): string {
  const lines = columns.map(column => {
    const compression = column.compressed ? ' USING COMPRESSION zstd' : '';
    return `  ${quoted(column.name)} ${sqlType(column.type)}${compression}`;
  });
  return `CREATE TABLE ${name} (\n${lines.join(',\n')}\n)`;
}

/** The statements that describe a relation to whoever opens the file. */
export function comments({ relation }: StoreTable): readonly string[] {
  const { name, meaning, columns } = relation;
  return [
    `COMMENT ON VIEW ${name} IS ${text(meaning)}`,
    ...Object.entries(columns).map(
      ([column, about]) => `COMMENT ON COLUMN ${name}.${quoted(column)} IS ${text(about.meaning)}`,
    ),
  ];
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** A text in SQL. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
