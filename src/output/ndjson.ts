/** One JSON object a line, LF after each. */

import type { Format } from './format.ts';
import { objectText } from './object.ts';
import { writeRows } from './stream.ts';

/** Newline-delimited JSON. */
export const ndjson: Format = async (result, sink, { timezone }) => {
  if (result.columns.length === 0) return 0;
  const object = objectText(result.columns, timezone);
  return writeRows(result, sink, { head: '', row: row => `${object(row)}\n`, tail: () => '' });
};
