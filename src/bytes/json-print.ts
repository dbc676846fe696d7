/**
 * JSON printed: compact, the keys of each object sorted by their bytes, strings as wire text.
 *
 * Numbers print in their shortest form, except in a part of a record with a number beyond the
 * integers that JavaScript holds exactly: there every number prints as it was written.
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

/** A byte order mark as wire text. A record that parsed begins with JSON or with this. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Sends the digits of every number through JSON.parse in strings that begin like no other. */
function partAsWritten(
  { buffer, start, end }: JsonSource,
  pick: (root: unknown) => unknown,
): string {
  const wire = buffer.toString('latin1', start, end).replace(BYTE_ORDER_MARK, '');
  const mark = unusedMark(wire);
  const marked = Buffer.from(withMarkedNumbers(wire, mark), 'latin1');
  return new JsonPrinter(JSON.parse(`"${mark}"`)).print(pick(parseJson(marked, 0, marked.length)));
}

/**
 * Escapes that no text of a record has, as they stand in JSON. Each of the characters below 8 can
 * be written in one way only, so a text that holds the mark shows it.
 */
function unusedMark(wire: string): string {
  for (let number = 0; ; number++) {
    const mark = number.toString(8).replaceAll(/./g, '\\u000$&');
    if (!wire.includes(mark)) return mark;
  }
}

/** Valid JSON with `mark` before every number, and both in quotes. */
function withMarkedNumbers(wire: string, mark: string): string {
  let marked = '';
  let copied = 0;
  for (let at = 0; at < wire.length; ) {
    const char = wire.charAt(at);
    if (char === '"') {
      at = endOfString(wire, at);
    } else if (NUMBER_START.includes(char)) {
      const end = endOfNumber(wire, at);
      marked += `${wire.slice(copied, at)}"${mark}${wire.slice(at, end)}"`;
      at = copied = end;
    } else {
      at++;
    }
  }
  return marked + wire.slice(copied);
}

const NUMBER_START = '-0123456789';
const NUMBER = `${NUMBER_START}+.eE`;

function endOfString(wire: string, start: number): number {
  let at = start + 1;
  while (at < wire.length && wire.charAt(at) !== '"') at += wire.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function endOfNumber(wire: string, start: number): number {
  let at = start;
  while (at < wire.length && NUMBER.includes(wire.charAt(at))) at++;
  return at;
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
