/** The chunk writer by itself: when a chunk is full, what it refuses, where it writes. */

import duckdb from '@duckdb/node-bindings';
import { describe, expect, it } from 'vitest';
import { CHUNK_ROWS } from '../../src/engine/validity.ts';
import { type CellValue, CHUNK_BYTES, ChunkWriter } from '../../src/engine/vectors.ts';
import type { ColumnType } from '../../src/relations/index.ts';
import { slice } from '../support/cells.ts';

const LONG = 'a text of more than twelve bytes ';

/** A data chunk of our own: what flush writes can be looked at. */
function chunkOf(types: readonly number[]): duckdb.DataChunk {
  return duckdb.create_data_chunk(types.map(type => duckdb.create_logical_type(type)));
}

describe('a chunk writer', () => {
  const types: readonly ColumnType[] = ['VARCHAR', 'BIGINT', 'BLOB', 'BOOLEAN'];

  it('is full at 2,048 rows', () => {
    const writer = new ChunkWriter(types);
    writer.start();
    for (let i = 0; i < CHUNK_ROWS - 1; i++) writer.endRow();
    expect([writer.rows, writer.isFull]).toEqual([2047, false]);
    writer.endRow();
    expect([writer.rows, writer.isFull]).toEqual([2048, true]);
    writer.start();
    expect([writer.rows, writer.isFull]).toEqual([0, false]);
  });

  it('is full at 2 MB of text', () => {
    const writer = new ChunkWriter(types);
    writer.start();
    writer.put(0, 'x'.repeat(CHUNK_BYTES - 1));
    expect([writer.byteLength, writer.isFull]).toEqual([CHUNK_BYTES - 1, false]);
    writer.put(2, 'x');
    expect(writer.isFull).toBe(true);
    writer.start();
    expect([writer.byteLength, writer.isFull]).toEqual([0, false]);
  });

  it('counts equal neighbours and borrowed bytes once, other values not at all', () => {
    const writer = new ChunkWriter(types);
    const buffer = Buffer.from(LONG.repeat(4));
    const counted = (value: CellValue, column = 0): number => {
      const before = writer.byteLength;
      writer.put(column, value);
      writer.endRow();
      return writer.byteLength - before;
    };
    writer.start();
    expect([LONG, LONG, 'x', 'x', LONG, null].map(value => counted(value))).toEqual([
      LONG.length,
      0,
      1,
      0,
      LONG.length,
      0,
    ]);
    const ranges = [
      [10, 30],
      [30, 60],
      [20, 50],
      [70, 90],
      [90, 91],
    ];
    const slices = ranges.map(([start = 0, end = 0]) => slice(buffer, start, end));
    expect(slices.map(value => counted(value))).toEqual([20, 30, 0, 30, 1]);
    expect(counted(slice(buffer, 0, 20, false))).toBe(20);
    expect([counted(7, 1), counted(true, 3)]).toEqual([0, 0]);
  });

  it('says whether it borrows a block', () => {
    const writer = new ChunkWriter(types);
    const buffer = Buffer.from(LONG);
    writer.start();
    writer.put(0, LONG);
    writer.put(2, slice(buffer, 0, 20, false));
    expect(writer.borrows).toBe(false);
    writer.endRow();
    writer.put(2, slice(buffer, 0, 20));
    writer.endRow();
    writer.put(2, slice(buffer, 0, 20, false));
    expect(writer.borrows).toBe(true);
    writer.start();
    expect(writer.borrows).toBe(false);
  });

  it('refuses values of another type', () => {
    const writer = new ChunkWriter(types);
    writer.start();
    const wrong: [number, CellValue][] = [
      ...[1, true].map((value): [number, CellValue] => [0, value]),
      ...['1', true, 1.5, Number.NaN, Infinity, 2 ** 63].map((value): [number, CellValue] => [
        1,
        value,
      ]),
      ...[1, false].map((value): [number, CellValue] => [2, value]),
      ...['true', 1, slice(Buffer.from(LONG), 0, 1)].map((value): [number, CellValue] => [
        3,
        value,
      ]),
    ];
    for (const [column, value] of wrong) expect(() => writer.put(column, value)).toThrow(TypeError);
    expect(() => writer.put(4, 'x')).toThrow('no column 4');
  });

  it('writes the columns to the vectors that it is told', () => {
    const writer = new ChunkWriter(['BIGINT', 'BOOLEAN']);
    const chunk = chunkOf([duckdb.Type.BOOLEAN, duckdb.Type.VARCHAR, duckdb.Type.BIGINT]);
    writer.start();
    writer.put(0, 258);
    writer.put(1, true);
    writer.endRow();
    writer.flush(chunk, [2, 0]);
    expect(duckdb.data_chunk_get_size(chunk)).toBe(1);
    const first = (vector: number, length: number) => [
      ...duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, vector), length),
    ];
    expect([first(2, 8), first(0, 1)]).toEqual([[2, 1, 0, 0, 0, 0, 0, 0], [1]]);
    expect(() => writer.flush(chunk, [2])).toThrow('no vector for column 1');
  });

  it('writes nothing but the size when it has no rows or no columns', () => {
    const chunk = chunkOf([duckdb.Type.BIGINT]);
    const empty = new ChunkWriter(['BIGINT']);
    empty.start();
    empty.flush(chunk, []);
    expect(duckdb.data_chunk_get_size(chunk)).toBe(0);
    const counting = new ChunkWriter([]);
    counting.start();
    for (let i = 0; i < 5; i++) counting.endRow();
    counting.flush(chunk, []);
    expect(duckdb.data_chunk_get_size(chunk)).toBe(5);
  });
});
