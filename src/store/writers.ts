/** The writers of all tables during one transaction, made when a table gets its first row. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CellValue } from '../engine/vectors.ts';
import { CATALOG } from './store.ts';
import { TableWriter } from './table-writer.ts';
import type { StoreTable } from './tables.ts';

/** Takes rows for any table. */
export class Writers {
  /** Rows put so far, of all tables. */
  rows = 0;
  readonly #connection: DuckDBConnection;
  readonly #writers = new Map<StoreTable, TableWriter>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Puts a row. */
  readonly put = (table: StoreTable, cells: readonly CellValue[]): void => {
    const writer = this.#writers.get(table) ?? this.#open(table);
    for (let i = 0; i < cells.length; i++) writer.put(i, cells[i] ?? null);
    writer.endRow();
    this.rows++;
  };

  #open(table: StoreTable): TableWriter {
    const writer = new TableWriter(this.#connection, CATALOG, table);
    this.#writers.set(table, writer);
    return writer;
  }

  /** Writes everything; gives the tables that have got rows. */
  close(): readonly StoreTable[] {
    for (const writer of this.#writers.values()) writer.close();
    const tables = [...this.#writers.keys()];
    this.#writers.clear();
    return tables;
  }

  /** Forgets what was not written; to be called before the transaction is rolled back. */
  discard(): void {
    for (const writer of this.#writers.values()) writer.discard();
    this.#writers.clear();
  }
}
