/** A row as a JSON object on one line. */

import { uniqueNames } from '../engine/names.ts';
import type { ResultColumn, ResultRow } from '../engine/result.ts';
import { jsonText } from '../engine/values.ts';

/** Makes rows of `columns` into JSON objects with one key a column, in the order of the columns. */
export function objectText(
  columns: readonly ResultColumn[],
  timezone: string | undefined,
): (row: ResultRow) => string {
  const keys = uniqueNames(columns).map(name => `${JSON.stringify(name)}:`);
  return row => {
    let text = '{';
    columns.forEach(({ type }, index) => {
      const separator = index === 0 ? '' : ',';
      text += `${separator}${keys[index]}${jsonText(row[index] ?? null, type, timezone)}`;
    });
    return `${text}}`;
  };
}
