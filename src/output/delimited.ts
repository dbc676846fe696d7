/**
 * Comma- and tab-separated text by RFC 4180, with LF line ends and a header line.
 *
 * A field is quoted where it holds the delimiter, a quote, a line break or `#` (which may start a
 * comment), just as DuckDB's own COPY does; everything else passes untouched, control characters
 * too. tsv quotes like csv: a tab inside a value stays one. NULL is nothing and the empty string
 * is `""`, which DuckDB tells apart with `read_csv(…, allow_quoted_nulls = false)`. A value that
 * reads like the text for NULL is quoted as well.
 */

import { uniqueNames } from '../engine/names.ts';
import type { ResultColumn, ResultRow } from '../engine/result.ts';
import { isWordType, plainText } from '../engine/values.ts';
import type { Format, FormatOptions } from './format.ts';
import { writeRows } from './stream.ts';

/** Comma-separated values. */
export const csv: Format = delimited(',');

/** Tab-separated values. */
export const tsv: Format = delimited('\t');

function delimited(delimiter: string): Format {
  const unsafe = new RegExp(`[${delimiter}"#\\n\\r]`);
  return async (result, sink, options) => {
    const { columns } = result;
    if (columns.length === 0) return 0;
    const fields = columns.map(column => fieldText(column, unsafe, options));
    const header = uniqueNames(columns).map(name =>
      quotedIf(name === '' || unsafe.test(name), name),
    );
    return writeRows(result, sink, {
      head: `${header.join(delimiter)}\n`,
      row: row => {
        let line = '';
        fields.forEach((field, index) => {
          line += index === 0 ? field(row[index]) : delimiter + field(row[index]);
        });
        return `${line}\n`;
      },
      tail: () => '',
    });
  };
}

/** How the values of one column become fields. */
function fieldText(
  column: ResultColumn,
  unsafe: RegExp,
  { nullText = '', timezone }: FormatOptions,
): (value: ResultRow[number] | undefined) => string {
  const { type } = column;
  const nullField = quotedIf(unsafe.test(nullText), nullText);
  const isSafe = isWordType(type);
  return value => {
    const text = plainText(value ?? null, type, timezone);
    if (text === null) return nullField;
    const isUnsafe = text === '' || text === nullText || (!isSafe && unsafe.test(text));
    return quotedIf(isUnsafe, text);
  };
}

function quotedIf(condition: boolean, text: string): string {
  return condition ? `"${text.replaceAll('"', '""')}"` : text;
}
