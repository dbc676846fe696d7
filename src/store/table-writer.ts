/**
 * Rows into a table: the arena writer of the engine and one appender.
 *
 * On failure `discard` must come before the transaction ends: an appender that is closed after a
 * rollback would write what it still holds outside of any transaction.
 */

import { type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { type CellValue, ChunkWriter } from '../engine/vectors.ts';
import { CATALOG } from './store.ts';
import type { StoreTable } from './tables.ts';

/** A chunk is written at about this much text: the memory of all tables adds up. */
const CHUNK_BYTES = 512 * 1024;

/** Writes rows into one table. */
export class TableWriter {
  /** Rows put so far. */
  rows = 0;
  readonly #appender: DuckDBAppender;
  readonly #columns: number;
  readonly #writer: ChunkWriter;
  readonly #vectors: readonly number[];

  /** Use `open`. */
  private constructor(appender: DuckDBAppender, { columns }: StoreTable) {
    this.#appender = appender;
    this.#columns = columns.length;
    this.#writer = new ChunkWriter(columns.map(({ type }) => type));
    this.#vectors = columns.map((_, index) => index);
    this.#writer.start();
  }

  /** A writer for a table of the attached store. */
  static async open(connection: DuckDBConnection, table: StoreTable): Promise<TableWriter> {
    return new TableWriter(await connection.createAppender(table.name, 'main', CATALOG), table);
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
    this.#appender.closeSync();
  }

  /** Forgets what was not written and ends. */
  discard(): void {
    this.#appender.clear();
    this.#appender.closeSync();
  }

  #append(): void {
    if (this.#writer.rows === 0) return;
    const types = Array.from({ length: this.#columns }, (_, column) =>
      this.#appender.columnType(column),
    );
    const chunk = DuckDBDataChunk.create(types);
    this.#writer.flush(chunk.chunk, this.#vectors);
    this.#appender.appendDataChunk(chunk);
    this.#writer.start();
  }
}
