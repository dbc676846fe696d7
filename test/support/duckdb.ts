/** Results of a real DuckDB, as the engine hands them to a format, and what the format writes. */

import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { QueryResult, ResultColumn, ResultRow } from '../../src/engine/result.ts';
import type { Format, FormatOptions } from '../../src/output/format.ts';

/** A connection to a new database in memory, whose time zone is UTC. */
export async function openDuckdb(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return connection;
}

/** Values for the parameters of a statement; DuckDB guesses the types that are not given. */
export interface Given {
  readonly values: DuckDBValue[];
  readonly types?: DuckDBType[];
}

/** The streamed result of one statement. */
export async function query(
  connection: DuckDBConnection,
  sql: string,
  given: Given = { values: [] },
): Promise<QueryResult> {
  const result = await connection.stream(sql, given.values, given.types);
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, index) => {
    const type = types[index];
    if (type === undefined) throw new Error(`${name} has no type`);
    return { name, type };
  });
  return { columns, chunks: chunksOf(result) };
}

/** The binding ends a stream that fails as if it were complete; only `isStreaming` tells. */
async function* chunksOf(result: DuckDBResult): AsyncGenerator<ResultRow[]> {
  yield* result.yieldRows();
  if (!result.isStreaming) throw new Error('the query failed after its first rows');
}

async function rowsOf(result: QueryResult): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for await (const chunk of result.chunks) rows.push(...chunk);
  return rows;
}

/** What `render` makes of every value of a statement's answer, row after row. */
export async function rendered<T>(
  connection: DuckDBConnection,
  sql: string,
  render: (value: DuckDBValue, type: ResultColumn['type']) => T,
  given?: Given,
): Promise<T[]> {
  const result = await query(connection, sql, given);
  const rows = await rowsOf(result);
  return rows.flatMap(row =>
    result.columns.map(({ type }, column) => render(row[column] ?? null, type)),
  );
}

/** What `format` writes: the whole text, and the pieces it came in. */
export async function written(
  format: Format,
  result: QueryResult,
  options: FormatOptions = {},
): Promise<{ text: string; pieces: string[]; rows: number }> {
  const pieces: string[] = [];
  const write = async (piece: string): Promise<void> => void pieces.push(piece);
  const rows = await format(result, { write }, options);
  return { text: pieces.join(''), pieces, rows };
}
