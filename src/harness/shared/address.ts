/** The cells that say where a row came from, the same for every harness. */

import type { CellFunction, Reader, Unit } from '../harness.ts';

/** Cells by the column names that relations use for addresses. */
export const addressCells = {
  file_name: (_unit, context) => context.source.fileName,
  file_path: (_unit, context) => context.source.path,
  line_number: unit => unit.record.lineNumber,
  byte_offset: unit => unit.record.byteOffset,
  byte_length: unit => unit.record.byteLength,
  ordinal: unit => unit.record.lineNumber - 1,
} as const satisfies Record<string, CellFunction<Unit>>;

const byColumn: Readonly<Record<string, CellFunction<Unit> | undefined>> = addressCells;

/**
 * How a reader computes a column: as it says, else as the address; undefined for always NULL. A
 * record that is otherwise in order still tells when bytes of it had to be replaced.
 */
export function cellOf(reader: Reader, column: string): CellFunction<Unit> | undefined {
  const own = reader.cells[column] ?? byColumn[column];
  if (column !== 'parse_error' || !own) return own;
  return (unit, context) => own(unit, context) ?? encodingProblem(unit);
}

function encodingProblem({ record }: Unit): string | null {
  return record.isUtf8 ? null : 'bytes that are not UTF-8 were replaced by U+FFFD';
}
