/** Cells through the chunk writer into a real DuckDB, beside a plain writer that is surely right. */

import {
  BIGINT,
  BLOB,
  BOOLEAN,
  blobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import { type CellValue, ChunkWriter } from '../../src/engine/vectors.ts';

/** The columns of the tables: each type, and text twice. */
export const COLUMNS = { n: BIGINT, a: VARCHAR, b: VARCHAR, blob: BLOB, i: BIGINT, f: BOOLEAN };

const TYPES = ['BIGINT', 'VARCHAR', 'VARCHAR', 'BLOB', 'BIGINT', 'BOOLEAN'] as const;

/** The cells of a row after its number, in the order of `COLUMNS`. */
export type Cells = readonly [
  a: CellValue,
  b: CellValue,
  blob: CellValue,
  i: CellValue,
  f: CellValue,
];

/** Rows, cut into the chunks that they are to be written in. */
export type Chunks = readonly (readonly Cells[])[];

/** A slice of a buffer as a record, as lines of a file are. */
export function slice(buffer: Buffer, start: number, end: number, isBorrowable = true): SourceRecord {
  const address = { lineNumber: 1, byteOffset: start, byteLength: end - start, ending: null } as const;
  const bytes = { buffer, start, end, isTooLong: false };
  return new SourceRecord({ ...address, ...bytes }, new Work(), { isBorrowable });
}

/** The bytes that a text or blob cell stands for. */
export function bytesOf(cell: CellValue): Buffer | null {
  if (cell === null) return null;
  if (typeof cell === 'string') return Buffer.from(cell, 'latin1');
  if (typeof cell !== 'object') throw new TypeError(`${cell} has no bytes`);
  return cell.buffer.subarray(cell.start, cell.end);
}

/** What must come out of a text column. */
export function textOf(cell: CellValue): string | null {
  return bytesOf(cell)?.toString('utf8') ?? null;
}

/** A row as text: bytes in hexadecimal, so that a difference can be read. */
export type PlainRow = readonly (string | null)[];

/** What must come out of a row. */
function plainRow([a, b, blob, i, f]: Cells, number: number): PlainRow {
  return [
    String(number),
    textHex(a),
    textHex(b),
    bytesOf(blob)?.toString('hex') ?? null,
    i === null ? null : BigInt(Number(i)).toString(),
    f === null ? null : String(f),
  ];
}

function textHex(cell: CellValue): string | null {
  const text = textOf(cell);
  return text === null ? null : Buffer.from(text).toString('hex');
}

/** What must come out of all rows, in their order. */
export function plainRows(chunks: Chunks): PlainRow[] {
  return chunks.flat().map(plainRow);
}

/** A database in which `written()` gives rows through the chunk writer and `plain()` cell by cell. */
export class CellDatabase {
  readonly connection: DuckDBConnection;
  /** What both functions give the next time they are asked. */
  chunks: Chunks = [];

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
    this.#register('written', () => {
      const writer = new ChunkWriter(TYPES);
      return (chunk, columns) => {
        writer.start();
        return (rows, firstNumber) => {
          rows.forEach((row, i) => {
            columns.forEach(column => {
              writer.put(column, column === 0 ? firstNumber + i : (row[column - 1] ?? null));
            });
            writer.endRow();
          });
          writer.flush(chunk.chunk, vectorIndexes(columns));
        };
      };
    });
    this.#register('plain', () => (chunk, columns) => (rows, firstNumber) => {
      setItems(chunk, columns, rows, firstNumber);
    });
  }
}
