/** Reading single members of decoded records; one of the wrong type is NULL, never an error. */

import { integerOf, member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import type { Cell, CellFunction, Unit } from '../harness.ts';

/** A cell that is the top-level member `key` of the record when it is a string. */
export function topLevelText(key: string): CellFunction<Unit> {
  return unit => textOf(member(unit.record.value, key));
}

/** The member of a member of a record. */
export function at(value: unknown, first: string, second: string): unknown {
  return member(member(value, first), second);
}

/** The string when it holds something, else null. */
export function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The array as it is; none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a table has under a name of its own, never what all objects inherit. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The last instant that a JavaScript date holds, in milliseconds since 1970. */
const LAST_MS = 8.64e15;

/** Whole milliseconds since 1970 as ISO 8601 in UTC, else null. */
export function isoOfMs(value: unknown): string | null {
  const ms = integerOf(value);
  return ms === null || Math.abs(ms) > LAST_MS ? null : new Date(ms).toISOString();
}

/**
 * The text of a message's content: a string as it is; of an array the `text` members of its items,
 * one a line; anything else as compact JSON; null for nothing.
 */
export function contentText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return null;
  if (!Array.isArray(content)) return compactJson(content);
  return content
    .map(item => member(item, 'text'))
    .filter(text => typeof text === 'string')
    .join('\n');
}

/** What a value is, for diagnoses: `array`, `null`, `string` … */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A cell that never changes. */
export function constant(value: Cell): CellFunction<Unit> {
  return () => value;
}
