/** The records of a home, decoded by nothing but `JSON.parse`, for scripts that count in them. */

import { isDeepStrictEqual } from 'node:util';
import type { ObjectRow } from '../../src/index.ts';
import { type Home, sourcesOf } from './home.ts';
import { type HomeRows, rowsOf } from './rows.ts';

/** A record that is a JSON object; empty for the rest of a document. */
export interface RawRecord {
  readonly value: object;
  /** Its row of `events`. */
  readonly event: ObjectRow;
}

/** The member of an object that `names` lead to; undefined where there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    const isHolder = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    found = isHolder ? Reflect.get(Object(found), name) : undefined;
  }
  return found;
}

/** The items of a list; none of anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty, or null. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The JSON objects among the records of transcripts, by file, in order. */
export function transcriptRecords(home: Home, rows: HomeRows): Map<string, readonly RawRecord[]> {
  const sources = sourcesOf(home, 'events').filter(({ kind }) => kind === 'transcript');
  return recordsIn(new Set(sources.map(({ path }) => path)), rows);
}

/** The JSON objects among the records of some files, by file, in order. */
export function recordsIn(
  paths: ReadonlySet<string>,
  rows: HomeRows,
): Map<string, readonly RawRecord[]> {
  const files = new Map<string, RawRecord[]>();
  for (const event of rowsOf(rows, 'events')) {
    const path = String(event['file_path']);
    const value = paths.has(path) ? objectIn(event) : null;
    if (value === null) continue;
    const list = files.get(path);
    if (list) list.push({ value, event });
    else files.set(path, [{ value, event }]);
  }
  return files;
}

function objectIn({ raw, byte_offset, line_number, is_valid_json }: ObjectRow): object | null {
  const text = byte_offset === 0 ? String(raw).replace(/^\ufeff/, '') : String(raw);
  // The rest of a document is no JSON without its elements. A torn one counts from its array on.
  if (line_number === 0) {
    const isRead = is_valid_json === true || text.includes('[');
    return isRead && /^\s*\{/.test(text) ? {} : null;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether two values are the same to the last member. */
export const isSame = isDeepStrictEqual;
