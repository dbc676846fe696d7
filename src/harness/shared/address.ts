/** The cells that say where a row came from, the same for every harness. */

import type { CellFunction, Unit } from '../harness.ts';

/** Cells by the column names that relations use for addresses. */
export const addressCells = {
  file_name: (_unit, context) => context.source.fileName,
  file_path: (_unit, context) => context.source.path,
  line_number: unit => unit.record.lineNumber,
  byte_offset: unit => unit.record.byteOffset,
  byte_length: unit => unit.record.byteLength,
  ordinal: unit => unit.record.lineNumber - 1,
} as const satisfies Record<string, CellFunction<Unit>>;
