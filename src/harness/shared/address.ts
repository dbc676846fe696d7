/** The cells that say where a row came from, the same for every harness. */

import type { SourceRecord } from '../../bytes/record.ts';
import type { Cell, CellFunction, Reader, SourceContext, Unit } from '../harness.ts';

/** The exact bytes of a row's record; null where they are too many to be kept. */
export function rawOf({ record }: Unit): SourceRecord | null {
  return record.isTooLong ? null : record;
}

/** Whether the file is a sub-agent's, by its place. */
export function isAgentFile(context: SourceContext): boolean {
  return typeof context.source.facts['agentPath'] === 'string';
}

/** A cell that is the same for all units of a source. */
export function ofSource(cell: (context: SourceContext) => Cell): CellFunction<Unit> {
  const ofUnit = (_unit: Unit, context: SourceContext) => cell(context);
  return Object.assign(ofUnit, { isOfSource: true } as const);
}

/** Cells by column name; readers have them without naming them. */
export const addressCells = {
  file_name: ofSource(context => context.source.fileName),
  file_path: ofSource(context => context.source.path),
  line_number: unit => unit.record.lineNumber,
  byte_offset: unit => unit.record.byteOffset,
  byte_length: unit => unit.record.byteLength,
  // The rest of a document is no element: it has a number, 0, and no place among them.
  ordinal: unit => (unit.record.lineNumber > 0 ? unit.record.lineNumber - 1 : null),
  raw_event: rawOf,
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
