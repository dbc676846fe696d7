/**
 * JSON decoded, with strings as wire text (see `text.ts`).
 *
 * A line that holds an escape above U+007F (`\u00e9`) does not parse to bytes that way; it is
 * decoded as UTF-8 and its strings are turned into wire text afterwards.
 */

import { toWire } from './text.ts';

/** An escape above U+007F, or what looks like one; a false alarm costs time only. */
const HIGH_ESCAPE = /\\u(?!00[0-7])/;

/** Parses JSON text held in `buffer` from `start` to `end`. Throws SyntaxError. */
export function parseJson(buffer: Buffer, start: number, end: number): unknown {
  const wire = buffer.toString('latin1', start, end);
  if (!wire.includes('\\u') || !HIGH_ESCAPE.test(wire)) return JSON.parse(wire);
  return valueToWire(JSON.parse(buffer.toString('utf8', start, end)));
}

/**
 * Parses like `parseJson` for callers that count and compare but pass no text on: escapes above
 * U+007F are left as JavaScript decodes them. Throws SyntaxError.
 */
export function parseJsonStructure(buffer: Buffer, start: number, end: number): unknown {
  return JSON.parse(buffer.toString('latin1', start, end));
}

/** Turns every string of a parsed value into wire text, in place where it can. */
function valueToWire(root: unknown): unknown {
  if (typeof root === 'string') return toWire(root);
  // A list of what is still to do instead of recursion: records nest thousands deep.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const parent = open.pop();
    if (Array.isArray(parent)) {
      parent.forEach((value, index) => {
        if (typeof value === 'string') parent[index] = toWire(value);
        else if (value !== null && typeof value === 'object') open.push(value);
      });
    } else if (isObject(parent)) {
      objectToWire(parent, open);
    }
  }
  return root;
}

function objectToWire(parent: JsonObject, open: unknown[]): void {
  for (const key of Object.keys(parent)) {
    const value = parent[key];
    const wireKey = toWire(key);
    if (typeof value === 'string') setOwn(parent, wireKey, toWire(value));
    else if (wireKey !== key) setOwn(parent, wireKey, value);
    if (wireKey !== key) delete parent[key];
    if (value !== null && typeof value === 'object') open.push(value);
  }
}

/** Plain assignment to `__proto__` would set the prototype instead of the member. */
function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

/** A parsed JSON object. */
export type JsonObject = Record<string, unknown>;

/** Whether a parsed value is an object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * The member `key` of an object; undefined for anything else. `key` is a name that a format
 * defines: none of them is a name that every JavaScript object or array has.
 */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
}

/** The value when it is a string, else null: fields are decoded one by one, odd ones are NULL. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value when it is an integer that JavaScript holds exactly, else null. */
export function integerOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** The value when it is a boolean, else null. */
export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
