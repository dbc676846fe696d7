/** The writers of all tables during one transaction. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CellValue } from '../engine/vectors.ts';
import { TableWriter } from './table-writer.ts';
import { type StoreTable, storeTables } from './tables.ts';

/** Takes rows for any table. */
export class Writers {
  /** Rows put so far, of all tables. */
  rows = 0;
  readonly #writers: ReadonlyMap<StoreTable, TableWriter>;
  #isOpen = true;

  /** Use `open`. */
  private constructor(writers: ReadonlyMap<StoreTable, TableWriter>) {
    this.#writers = writers;
  }

  /** Writers for every table of the attached store. */
  static async open(connection: DuckDBConnection): Promise<Writers> {
    const writers = new Map<StoreTable, TableWriter>();
    for (const table of storeTables) writers.set(table, await TableWriter.open(connection, table));
    return new Writers(writers);
  }

  /** Puts a row. */
  readonly put = (table: StoreTable, cells: readonly CellValue[]): void => {
    const writer = this.#writers.get(table);
    if (!writer) throw new RangeError(`no writer for ${table.name}`);
    for (let i = 0; i < cells.length; i++) writer.put(i, cells[i] ?? null);
    writer.endRow();
    this.rows++;
  };

  /** Writes everything; gives the tables that have got rows. */
  close(): readonly StoreTable[] {
    this.#isOpen = false;
    for (const writer of this.#writers.values()) writer.close();
    return [...this.#writers].filter(([, { rows }]) => rows > 0).map(([table]) => table);
  }

  /** Forgets what was not written; to be called before the transaction is rolled back. */
  discard(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const writer of this.#writers.values()) writer.discard();
  }
}
