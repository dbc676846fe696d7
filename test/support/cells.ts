/** Cells through the chunk writer into a real DuckDB, beside a plain writer that must be right. */

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
import { lineOf } from './record.ts';

/** The columns of the tables: each type, and text twice. */
const COLUMNS = { n: BIGINT, a: VARCHAR, b: VARCHAR, blob: BLOB, i: BIGINT, f: BOOLEAN };

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
export function slice(
  buffer: Buffer,
  start: number,
  end: number,
  isBorrowable = true,
): SourceRecord {
  return new SourceRecord(lineOf(buffer, start, end), new Work(), { isBorrowable });
}

/** The bytes that a text or blob cell stands for. */
function bytesOf(cell: CellValue): Buffer | null {
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
type PlainRow = readonly (string | null)[];

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

/** A row that is not as it should be. */
interface Difference {
  readonly row: number;
  readonly found: PlainRow | undefined;
  readonly expected: PlainRow | undefined;
}

/** The first row that differs, or null. The differences of all rows would take minutes to print. */
export function difference(
  found: readonly PlainRow[],
  expected: readonly PlainRow[],
): Difference | null {
  for (let row = 0; row < Math.max(found.length, expected.length); row++) {
    const [left, right] = [found[row], expected[row]];
    if (!left?.every((cell, i) => cell === right?.[i])) {
      return { row, found: left?.map(cut), expected: right?.map(cut) };
    }
  }
  return null;
}

function cut(cell: string | null): string | null {
  return cell !== null && cell.length > 200 ? `${cell.slice(0, 200)}… ${cell.length}` : cell;
}

/** Writes the rows of one chunk. */
type FillChunk = (chunk: DuckDBDataChunk, rows: readonly Cells[], firstNumber: number) => void;

/** A database in which `written()` gives rows through the chunk writer, `plain()` cell by cell. */
export class CellDatabase {
  readonly connection: DuckDBConnection;
  /** What both functions give the next time they are asked; no chunk is empty. */
  chunks: Chunks = [];

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
    this.#register('written', () => {
      const writer = new ChunkWriter(TYPES);
      return (chunk, rows, firstNumber) => writeChunk(writer, chunk, rows, firstNumber);
    });
    this.#register('plain', () => setItems);
  }

  /** The rows of a query that has the columns of `COLUMNS`, by their numbers. */
  async rows(sql: string): Promise<PlainRow[]> {
    const reader = await this.connection.runAndReadAll(`${PLAIN_ROWS} FROM (${sql})`);
    const rows = reader.getRows() as (string | null)[][];
    return rows.sort(([a], [b]) => Number(a) - Number(b));
  }

  #register(name: string, start: () => FillChunk): void {
    this.connection.registerTableFunction(
      DuckDBTableFunction.create({
        name,
        bindFunction: info => {
          for (const [column, type] of Object.entries(COLUMNS)) info.addResultColumn(column, type);
        },
        initFunction: info => {
          info.setMaxThreads(1);
          info.setInitData({ fill: start(), chunks: this.chunks, next: 0, rows: 0 });
        },
        mainFunction: (info, chunk) => {
          const scan = info.getInitData() as CellScan;
          const rows = scan.chunks[scan.next++] ?? [];
          scan.fill(chunk, rows, scan.rows);
          scan.rows += rows.length;
        },
      }),
    );
  }
}

interface CellScan {
  readonly fill: FillChunk;
  readonly chunks: Chunks;
  next: number;
  rows: number;
}

const PLAIN_ROWS =
  'SELECT n::VARCHAR, lower(hex(a)), lower(hex(b)), lower(hex(blob)), i::VARCHAR, f::VARCHAR';

/** A new database in memory. */
export async function openCells(): Promise<CellDatabase> {
  const instance = await DuckDBInstance.create(':memory:');
  return new CellDatabase(await instance.connect());
}

/** The buffers are overwritten afterwards, as blocks of files are. */
function writeChunk(
  writer: ChunkWriter,
  chunk: DuckDBDataChunk,
  rows: readonly Cells[],
  firstNumber: number,
): void {
  const copies = new Map<Buffer, Buffer>();
  writer.start();
  rows.forEach((cells, row) => {
    writer.put(0, firstNumber + row);
    cells.forEach((cell, column) => {
      writer.put(column + 1, ofCopy(cell, copies));
    });
    writer.endRow();
  });
  writer.flush(chunk.chunk, [0, 1, 2, 3, 4, 5]);
  for (const copy of copies.values()) copy.fill(0xaa);
}

function ofCopy(cell: CellValue, copies: Map<Buffer, Buffer>): CellValue {
  if (cell === null || typeof cell !== 'object') return cell;
  const copy = copies.get(cell.buffer) ?? Buffer.from(cell.buffer);
  copies.set(cell.buffer, copy);
  return slice(copy, cell.start, cell.end, cell.isBorrowable);
}

const setItems: FillChunk = (chunk, rows, firstNumber) => {
  chunk.rowCount = rows.length;
  const cells = rows.map(([a, b, blob, i, f], row): DuckDBValue[] => {
    const bytes = bytesOf(blob);
    return [
      BigInt(firstNumber + row),
      textOf(a),
      textOf(b),
      bytes && blobValue(bytes),
      i === null ? null : BigInt(Number(i)),
      f === null ? null : f === true,
    ];
  });
  for (let column = 0; column < chunk.columnCount; column++) {
    const vector = chunk.getColumnVector(column);
    cells.forEach((row, index) => {
      vector.setItem(index, row[column] ?? null);
    });
    vector.flush();
  }
};
