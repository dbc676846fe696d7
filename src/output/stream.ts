/** Rows to text in pieces: memory stays the same however many rows there are. */

import type { QueryResult, ResultRow } from '../engine/result.ts';
import type { Sink } from './format.ts';

/** UTF-16 units that make a piece worth writing. */
const PIECE_UNITS = 65_536;

/** The parts of a streamed text. */
export interface RowText {
  /** Stands before the first row. */
  readonly head: string;
  /** One row; `index` counts from 0. */
  readonly row: (row: ResultRow, index: number) => string;
  /** Stands after the last row; `rows` is their number. */
  readonly tail: (rows: number) => string;
}

/** Writes all rows in pieces of about 64 KB and resolves to their number. */
export async function writeRows(result: QueryResult, sink: Sink, text: RowText): Promise<number> {
  let piece = text.head;
  let rows = 0;
  for await (const chunk of result.chunks) {
    for (const row of chunk) {
      piece += text.row(row, rows);
      rows += 1;
      if (piece.length < PIECE_UNITS) continue;
      await sink.write(piece);
      piece = '';
    }
  }
  piece += text.tail(rows);
  if (piece !== '') await sink.write(piece);
  return rows;
}
