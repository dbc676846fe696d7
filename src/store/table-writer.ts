/**
 * Rows into a table: the arena writer of the engine and one appender.
 *
 * On failure `discard` must come before the transaction ends: an appender that is closed after a
 * rollback would write what it still holds outside of any transaction.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { type CellValue, ChunkWriter } from '../engine/vectors.ts';
import type { StoreTable } from './tables.ts';

/** A chunk is written at about this much text: the memory of all tables adds up. */
const CHUNK_BYTES = 512 * 1024;

/** Writes rows into one table. */
export class TableWriter {
  /** Rows put so far. */
  rows = 0;
  readonly #appender: duckdb.Appender;
  readonly #types: readonly duckdb.LogicalType[];
  readonly #writer: ChunkWriter;
  readonly #vectors: readonly number[];

  /** `catalog` is the attached store. The table must exist. */
  constructor(connection: DuckDBConnection, catalog: string, { name, columns }: StoreTable) {
    this.#appender = duckdb.appender_create_ext(nativeOf(connection), catalog, 'main', name);
    this.#types = columns.map((_, index) => duckdb.appender_column_type(this.#appender, index));
    this.#writer = new ChunkWriter(columns.map(({ type }) => type));
    this.#vectors = columns.map((_, index) => index);
    this.#writer.start();
  }

  /** Puts a value into a column of the current row; what is not put is NULL. */
  put(column: number, value: CellValue): void {
    this.#writer.put(column, value);
  }

  /** Ends the current row. */
  endRow(): void {
    this.#writer.endRow();
    this.rows++;
    if (this.#writer.isFull || this.#writer.byteLength >= CHUNK_BYTES) this.#append();
  }

  /** Writes everything and ends. */
  close(): void {
    this.#append();
    duckdb.appender_close_sync(this.#appender);
  }

  /** Forgets what was not written and ends. */
  discard(): void {
    duckdb.appender_clear(this.#appender);
    duckdb.appender_close_sync(this.#appender);
  }

  #append(): void {
    if (this.#writer.rows === 0) return;
    const chunk = duckdb.create_data_chunk(this.#types);
    this.#writer.flush(chunk, this.#vectors);
    duckdb.append_data_chunk(this.#appender, chunk);
    this.#writer.start();
  }
}

/** The binding's own connection, which the package keeps to itself. */
function nativeOf(connection: DuckDBConnection): duckdb.Connection {
  return (connection as unknown as { readonly connection: duckdb.Connection }).connection;
}
