/** One JSON array of objects, each on a line of its own; `[]` when there is no row. */

import type { Format } from './format.ts';
import { objectText } from './object.ts';
import { writeRows } from './stream.ts';

/** A JSON array. */
export const json: Format = async (result, sink, { timezone }) => {
  if (result.columns.length === 0) return 0;
  const object = objectText(result.columns, timezone);
  return writeRows(result, sink, {
    head: '[',
    row: (row, index) => `${index === 0 ? '\n' : ',\n'}${object(row)}`,
    tail: rows => (rows === 0 ? ']\n' : '\n]\n'),
  });
};
