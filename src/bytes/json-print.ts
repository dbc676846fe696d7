/**
 * JSON printed: compact, the keys of each object sorted by their bytes, strings as wire text.
 *
 * Numbers print in their shortest form, except in records with a number that JavaScript would
 * round: there every number prints as it was written.
 */

import { isObject, type JsonObject, parseJson } from './json.ts';

/** A value as compact JSON; null for undefined. */
export function compactJson(root: unknown): string | null {
  return root === undefined ? null : new JsonPrinter('').print(root);
}

/** JSON text in a buffer, and its decoded value: a record is one. */
export interface JsonSource {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

/** The part of a record that `pick` finds in its decoded value, as compact JSON, or null. */
export function partAsJson(record: JsonSource, pick: (root: unknown) => unknown): string | null {
  const part = pick(record.value);
  if (part === undefined) return null;
  const printer = new JsonPrinter('');
  const text = printer.print(part);
  return printer.isRounded ? partAsWritten(record, pick) : text;
}

/** A string or a number; strings are matched so that digits inside them are left alone. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Sends the digits of every number through JSON.parse in strings that begin like no other. */
function partAsWritten(
  { buffer, start, end }: JsonSource,
  pick: (root: unknown) => unknown,
): string {
  const wire = buffer.toString('latin1', start, end);
  let mark = '#';
  while (wire.includes(`\\u0000${mark}`)) mark += '#';
  const marked = wire.replace(STRING_OR_NUMBER, token =>
    token.startsWith('"') ? token : `"\\u0000${mark}${token}"`,
  );
  const bytes = Buffer.from(marked, 'latin1');
  return new JsonPrinter(`\0${mark}`).print(pick(parseJson(bytes, 0, bytes.length)));
}

/** An array or object that is being printed. */
interface Frame {
  /** The sorted keys of an object. */
  readonly keys: readonly string[] | null;
  readonly values: readonly unknown[];
  /** How many values are printed. */
  done: number;
}

/** Prints one value, without recursion: records nest thousands deep. */
class JsonPrinter {
  /** A number was printed that JavaScript may have rounded. */
  isRounded = false;
  readonly #mark: string;

  /** Strings that begin with `mark`, unless it is empty, print without it and without quotes. */
  constructor(mark: string) {
    this.#mark = mark;
  }

  print(root: unknown): string {
    if (!isContainer(root)) return this.#scalar(root);
    const frames = [frameOf(root)];
    let text = openingOf(root);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const { keys, values, done } = frame;
      if (done === values.length) {
        text += keys ? '}' : ']';
        frames.pop();
        continue;
      }
      frame.done++;
      if (done > 0) text += ',';
      if (keys) text += `${JSON.stringify(keys[done])}:`;
      const value = values[done];
      if (!isContainer(value)) text += this.#scalar(value);
      else {
        text += openingOf(value);
        frames.push(frameOf(value));
      }
    }
    return text;
  }

  #scalar(value: unknown): string {
    if (typeof value === 'number') {
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.isRounded = true;
    } else if (this.#mark !== '' && typeof value === 'string' && value.startsWith(this.#mark)) {
      return value.slice(this.#mark.length);
    }
    return JSON.stringify(value);
  }
}

function isContainer(value: unknown): value is readonly unknown[] | JsonObject {
  return Array.isArray(value) || isObject(value);
}

function openingOf(value: readonly unknown[] | JsonObject): string {
  return isList(value) ? '[' : '{';
}

function frameOf(value: readonly unknown[] | JsonObject): Frame {
  if (isList(value)) return { keys: null, values: value, done: 0 };
  const keys = Object.keys(value).sort();
  return { keys, values: keys.map(key => value[key]), done: 0 };
}

function isList(value: readonly unknown[] | JsonObject): value is readonly unknown[] {
  return Array.isArray(value);
}
