/** What the columns of a chunk have in common: their size, their interface and their NULLs. */

import duckdb from '@duckdb/node-bindings';
import type { SourceRecord } from '../bytes/record.ts';

/** Rows in a chunk of DuckDB. */
export const CHUNK_ROWS = 2048;

/** A value that is not NULL. */
export type Value = string | number | boolean | SourceRecord;

/** One column of a chunk in the making. */
export interface ColumnBuffer {
  /** Begins a chunk. */
  start(): void;
  /** Puts a value that is not NULL; returns the bytes of text that it adds to the chunk. */
  put(row: number, value: Value): number;
  flush(vector: duckdb.Vector, rows: number): void;
}

/** Which rows of a column hold a value. */
export class Validity {
  readonly #words = new Uint32Array(CHUNK_ROWS / 32);
  #values = 0;
  #mustWrite = false;

  start(): void {
    this.#words.fill(0);
    this.#values = 0;
    this.#mustWrite = false;
  }

  /** The vector's own validity is not to be trusted: write all of it. */
  mustWrite(): void {
    this.#mustWrite = true;
  }

  set(row: number): void {
    this.#words[row >> 5] = (this.#words[row >> 5] ?? 0) | (1 << (row & 31));
    this.#values++;
  }

  has(row: number): boolean {
    return ((this.#words[row >> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  flush(vector: duckdb.Vector, rows: number): void {
    if (this.#values === rows && !this.#mustWrite) return;
    duckdb.vector_ensure_validity_writable(vector);
    const byteLength = Math.ceil(rows / 64) * 8;
    duckdb.copy_data_to_vector_validity(vector, 0, this.#words.buffer, 0, byteLength);
  }
}
