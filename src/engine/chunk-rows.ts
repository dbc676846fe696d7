/**
 * The rows of a chunk that DuckDB answers with.
 *
 * Columns of text are read here: the binding decodes text with a decoder that swallows a leading
 * byte order mark, and raw lines must come out as they are. The binding reads everything else.
 */

import { type DuckDBDataChunk, DuckDBTypeId, type DuckDBValue } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ResultColumn, ResultRow } from './result.ts';

const CELL_BYTES = 16;

/** Texts up to this length lie in their cell, longer ones behind an address in it. */
const INLINE_BYTES = 12;

/** All rows of a chunk. */
export function rowsOf(chunk: DuckDBDataChunk, columns: readonly ResultColumn[]): ResultRow[] {
  const values = columns.map(({ type }, index) =>
    type.typeId === DuckDBTypeId.VARCHAR
      ? textsOf(duckdb.data_chunk_get_vector(chunk.chunk, index), chunk.rowCount)
      : chunk.getColumnValues(index),
  );
  return Array.from({ length: chunk.rowCount }, (_, row) =>
    values.map(column => column[row] ?? null),
  );
}

function textsOf(vector: duckdb.Vector, rows: number): DuckDBValue[] {
  const data = duckdb.vector_get_data(vector, rows * CELL_BYTES);
  const cells = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  // Absent where every row has a value, which the types of the binding do not say.
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8);
  return Array.from({ length: rows }, (_, row) => {
    const isNull = validity !== null && ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
    return isNull ? null : textAt(cells, row * CELL_BYTES);
  });
}

function textAt(cells: Buffer, offset: number): string {
  const byteLength = cells.readUInt32LE(offset);
  const start = offset + 4;
  if (byteLength <= INLINE_BYTES) return cells.toString('utf8', start, start + byteLength);
  const address = cells.byteOffset + offset + 8;
  const { buffer, byteOffset } = duckdb.get_data_from_pointer(
    cells.buffer as ArrayBuffer,
    address,
    byteLength,
  );
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
