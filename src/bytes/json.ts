/**
 * JSON decoded, with strings as wire text (see `text.ts`).
 *
 * A line that holds an escape above U+007F (`\u00e9`) does not parse to bytes that way; it is
 * decoded as UTF-8 and its strings are turned into wire text afterwards.
 */

import { toWire } from './text.ts';

/**
 * Parses JSON text held in `buffer` from `start` to `end`. Throws SyntaxError, whose message is
 * wire text and counts bytes.
 */
export function parseJson(buffer: Buffer, start: number, end: number): unknown {
  const wire = buffer.toString('latin1', start, end);
  if (!mayHoldHighEscape(wire)) return JSON.parse(wire);
  let value: unknown;
  try {
    value = JSON.parse(buffer.toString('utf8', start, end));
  } catch {
    // Both forms fail at the same place; this one throws the message that is promised.
    return JSON.parse(wire);
  }
  return valueToWire(value);
}

/** Whether there is an escape above U+007F, or what looks like one: a false alarm costs time. */
function mayHoldHighEscape(wire: string): boolean {
  for (let at = wire.indexOf('\\u'); at >= 0; at = wire.indexOf('\\u', at + 2)) {
    const isLow = wire.startsWith('00', at + 2) && wire.charCodeAt(at + 4) < DIGIT_8;
    if (!isLow) return true;
  }
  return false;
}

const DIGIT_8 = 0x38;

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
  const members = Object.entries(parent);
  // All members go before the first comes back: they keep their order, and a key whose wire text
  // is the name of another member does not meet it.
  if (members.some(([key]) => toWire(key) !== key)) {
    for (const [key] of members) delete parent[key];
  }
  for (const [key, value] of members) {
    setOwn(parent, toWire(key), typeof value === 'string' ? toWire(value) : value);
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
