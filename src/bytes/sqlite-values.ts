/**
 * Values of a SQLite database as text.
 *
 * - A whole row is a JSON object with its columns in their order. Integers are written with all
 *   their digits, other numbers as SQLite's own JSON functions write them.
 * - A BLOB that is UTF-8 is text; any other is `\x` and hexadecimal digits.
 */

import { isUtf8 } from 'node:buffer';
import { toWire } from './text.ts';

/** What a column can hold. Integers come as bigint, other numbers as number. */
export type SqliteValue = string | number | bigint | Buffer | null;

/** A row as the bytes of a JSON object. */
export function rowAsJson(columns: readonly string[], values: readonly SqliteValue[]): Buffer {
  const members = columns.map(
    (name, index) => `${JSON.stringify(name)}:${valueAsJson(values[index] ?? null)}`,
  );
  return Buffer.from(`{${members.join(',')}}`);
}

function valueAsJson(value: SqliteValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return realAsJson(value);
  return JSON.stringify(Buffer.isBuffer(value) ? textOfBlob(value) : value);
}

function realAsJson(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}

function textOfBlob(blob: Buffer): string {
  return isUtf8(blob) ? blob.toString() : hexadecimal(blob);
}

function hexadecimal(blob: Buffer): string {
  return `\\x${blob.toString('hex')}`;
}

/** The value of a key column as wire text. */
export function textOfKey(value: SqliteValue): string {
  if (!Buffer.isBuffer(value)) return toWire(String(value ?? ''));
  return isUtf8(value) ? value.toString('latin1') : hexadecimal(value);
}

/** The bytes of a value as SQLite would turn it into text; NULL is the word of JSON. */
export function bytesOfValue(value: SqliteValue): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (value === null) return Buffer.from('null');
  return Buffer.from(typeof value === 'number' ? realAsJson(value) : String(value));
}
