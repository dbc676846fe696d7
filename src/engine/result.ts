/** What a statement answers: columns, and rows that arrive by chunk. */

import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';

/** One column of an answer. */
export interface ResultColumn {
  /** The name as the statement gives it; two columns may share one. */
  readonly name: string;
  /** DuckDB's type, with its alias (`JSON`) where it has one. */
  readonly type: DuckDBType;
}

/** One row: a value a column. */
export type ResultRow = readonly DuckDBValue[];

/** The answer of one statement; a statement that answers nothing has no columns. */
export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  /** The rows in order, at most 2,048 a chunk. Can be read once. */
  readonly chunks: AsyncIterable<readonly ResultRow[]>;
}
