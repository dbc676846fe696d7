/**
 * Rows into DuckDB's vectors: the one writer of ahq.
 *
 * Values are gathered a column at a time in memory of our own and written when the chunk ends, with
 * a handful of native calls a column instead of one a cell (see `text-column.ts` for texts).
 */

import duckdb from '@duckdb/node-bindings';
import type { ColumnType } from '../relations/index.ts';
import { TextColumn } from './text-column.ts';
import { CHUNK_ROWS, type ColumnBuffer, Validity, type Value } from './validity.ts';

/** A chunk ends at about this much text: fresh memory beyond it costs page faults. */
export const CHUNK_BYTES = 2 * 1024 * 1024;

/** The value of a cell; texts are wire text, a record stands for its bytes. */
export type CellValue = Value | null;

/** Gathers the rows of one chunk and writes them into DuckDB's data chunk. */
export class ChunkWriter {
  /** Rows put so far. */
  rows = 0;
  /** Bytes of text put so far. */
  byteLength = 0;
  /** Some cell borrows the block that its line lies in. */
  borrows = false;
  readonly #columns: readonly ColumnBuffer[];

  constructor(types: readonly ColumnType[]) {
    this.#columns = types.map(type => columnBuffer(type));
  }

  /** No more rows should be put before `flush`. */
  get isFull(): boolean {
    return this.rows >= CHUNK_ROWS || this.byteLength >= CHUNK_BYTES;
  }

  /** Begins a chunk. */
  start(): void {
    this.rows = 0;
    this.byteLength = 0;
    this.borrows = false;
    for (const column of this.#columns) column.start();
  }

  /** Puts a value into a column of the current row; what is not put is NULL. */
  put(column: number, value: CellValue): void {
    if (value === null) return;
    const buffer = this.#columns[column];
    if (!buffer) throw new RangeError(`no column ${column}`);
    this.byteLength += buffer.put(this.rows, value);
    if (typeof value === 'object') this.borrows ||= value.isBorrowable;
  }

  /** Puts a value into a column of all rows from one on. */
  putFrom(firstRow: number, column: number, value: CellValue): void {
    if (value === null) return;
    const buffer = this.#columns[column];
    if (!buffer) throw new RangeError(`no column ${column}`);
    for (let row = firstRow; row < this.rows; row++) this.byteLength += buffer.put(row, value);
    if (typeof value === 'object') this.borrows ||= value.isBorrowable;
  }

  /** Ends the current row. */
  endRow(): void {
    this.rows++;
  }

  /** Writes the rows into the vectors, in the order of the columns; sets the size of the chunk. */
  flush(chunk: duckdb.DataChunk, vectorIndexes: readonly number[]): void {
    duckdb.data_chunk_set_size(chunk, this.rows);
    if (this.rows === 0) return;
    this.#columns.forEach((column, i) => {
      const index = vectorIndexes[i];
      if (index === undefined) throw new RangeError(`no vector for column ${i}`);
      column.flush(duckdb.data_chunk_get_vector(chunk, index), this.rows);
    });
  }
}

function columnBuffer(type: ColumnType): ColumnBuffer {
  switch (type) {
    case 'VARCHAR':
    case 'JSON':
      return new TextColumn(true);
    case 'BLOB':
      return new TextColumn(false);
    case 'BIGINT':
    case 'TIMESTAMPTZ':
      return new IntegerColumn();
    case 'DOUBLE':
      return new RealColumn();
    case 'BOOLEAN':
      return new BooleanColumn();
  }
}

class IntegerColumn implements ColumnBuffer {
  readonly #validity = new Validity();
  readonly #words = new Uint32Array(CHUNK_ROWS * 2);

  start(): void {
    this.#validity.start();
  }

  put(row: number, value: Value): number {
    if (!isBigint(value)) throw new TypeError(`an integer cell cannot hold ${describe(value)}`);
    this.#words[row * 2] = value;
    this.#words[row * 2 + 1] = Math.floor(value / 0x1_0000_0000);
    this.#validity.set(row);
    return 0;
  }

  flush(vector: duckdb.Vector, rows: number): void {
    duckdb.copy_data_to_vector(vector, 0, this.#words.buffer, 0, rows * 8);
    this.#validity.flush(vector, rows);
  }
}

class RealColumn implements ColumnBuffer {
  readonly #validity = new Validity();
  readonly #numbers = new Float64Array(CHUNK_ROWS);

  start(): void {
    this.#validity.start();
  }

  put(row: number, value: Value): number {
    if (typeof value !== 'number') {
      throw new TypeError(`a DOUBLE cell cannot hold ${describe(value)}`);
    }
    this.#numbers[row] = value;
    this.#validity.set(row);
    return 0;
  }

  flush(vector: duckdb.Vector, rows: number): void {
    duckdb.copy_data_to_vector(vector, 0, this.#numbers.buffer, 0, rows * 8);
    this.#validity.flush(vector, rows);
  }
}

class BooleanColumn implements ColumnBuffer {
  readonly #validity = new Validity();
  readonly #bytes = new Uint8Array(CHUNK_ROWS);

  start(): void {
    this.#validity.start();
  }

  put(row: number, value: Value): number {
    if (typeof value !== 'boolean') {
      throw new TypeError(`a BOOLEAN cell cannot hold ${describe(value)}`);
    }
    this.#bytes[row] = value ? 1 : 0;
    this.#validity.set(row);
    return 0;
  }

  flush(vector: duckdb.Vector, rows: number): void {
    duckdb.copy_data_to_vector(vector, 0, this.#bytes.buffer, 0, rows);
    this.#validity.flush(vector, rows);
  }
}

/** Whether a value is a number that 64 bits with a sign can hold. */
function isBigint(value: Value): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

function describe(value: Value): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}
