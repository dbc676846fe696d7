/** The output formats, by the name people type. */

import { csv, tsv } from './delimited.ts';
import type { Format } from './format.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';

/** Measuring text takes tables of Unicode, so the table format is loaded when it is used. */
const table: Format = async (...given) => (await import('./table.ts')).table(...given);

/** All formats, in the order in which help lists them. */
export const formats = { table, json, ndjson, csv, tsv } as const satisfies Record<string, Format>;

/** The name of a format. */
export type FormatName = keyof typeof formats;
