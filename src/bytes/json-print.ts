/**
 * JSON printed: compact, strings as wire text, the keys of each object sorted by their bytes, or in
 * the order in which they were recorded. There names that are whole numbers come first: that is how
 * JavaScript keeps them.
 *
 * Numbers print in their shortest form, except in a part of a record with a number beyond the
 * integers that JavaScript holds exactly: there every number prints as it was written.
 */

import { type JsonObject, parseJson } from './json.ts';

/** A value as compact JSON; null for undefined. */
export function compactJson(root: unknown): string | null {
  return root === undefined ? null : new JsonPrinter('', 'sorted').print(root);
}

/** A value as compact JSON with keys as they were recorded; null for undefined. */
export function recordedJson(root: unknown): string | null {
  return root === undefined ? null : new JsonPrinter('', 'recorded').print(root);
}

/** In which order the keys of an object are printed. */
export type KeyOrder = 'sorted' | 'recorded';

/** JSON text in a buffer, and its decoded value: a record is one. */
export interface JsonSource {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

/** The part of a record that `pick` finds in its decoded value, as compact JSON, or null. */
export function partAsJson(
  record: JsonSource,
  pick: (root: unknown) => unknown,
  order: KeyOrder = 'sorted',
): string | null {
  const part = pick(record.value);
  if (part === undefined) return null;
  const printer = new JsonPrinter('', order);
  const text = printer.print(part);
  return printer.isRounded ? partAsWritten(record, pick, order) : text;
}

/** A byte order mark as wire text. A record that parsed begins with JSON or with this. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** Sends the digits of every number through JSON.parse in strings that begin like no other. */
function partAsWritten(
  { buffer, start, end }: JsonSource,
  pick: (root: unknown) => unknown,
  order: KeyOrder,
): string {
  const wire = buffer.toString('latin1', start, end).replace(BYTE_ORDER_MARK, '');
  const mark = unusedMark(wire);
  const marked = Buffer.from(withMarkedNumbers(wire, mark), 'latin1');
  const printer = new JsonPrinter(JSON.parse(`"${mark}"`), order);
  return printer.print(pick(parseJson(marked, 0, marked.length)));
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
  /** The keys of an object, in the order in which they are printed. */
  readonly keys: readonly string[] | null;
  readonly values: readonly unknown[] | JsonObject;
  readonly length: number;
  /** How many values are printed. */
  done: number;
}

/** Prints one value, without recursion: records nest thousands deep. */
class JsonPrinter {
  /** A number was printed that JavaScript may have rounded. */
  isRounded = false;
  readonly #mark: string;
  readonly #order: KeyOrder;

  /** Strings that begin with `mark`, unless it is empty, print without it and without quotes. */
  constructor(mark: string, order: KeyOrder) {
    this.#mark = mark;
    this.#order = order;
  }

  print(root: unknown): string {
    if (!isContainer(root)) return this.#scalar(root);
    const frames: Frame[] = [];
    let frame = frameOf(root, this.#order);
    let text = frame.keys ? '{' : '[';
    for (;;) {
      const { keys, values, length, done } = frame;
      if (done === length) {
        text += keys ? '}' : ']';
        const parent = frames.pop();
        if (!parent) return text;
        frame = parent;
        continue;
      }
      frame.done++;
      if (done > 0) text += ',';
      const key = keys?.[done];
      if (key !== undefined) text += `${quoted(key)}:`;
      const value = isList(values) ? values[done] : values[key ?? ''];
      if (!isContainer(value)) text += this.#scalar(value);
      else {
        frames.push(frame);
        frame = frameOf(value, this.#order);
        text += frame.keys ? '{' : '[';
      }
    }
  }

  #scalar(value: unknown): string {
    if (typeof value === 'string') {
      const isMarked = this.#mark !== '' && value.startsWith(this.#mark);
      return isMarked ? value.slice(this.#mark.length) : quoted(value);
    }
    if (typeof value !== 'number') return String(value);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.isRounded = true;
    return Number.isFinite(value) ? String(value) : 'null';
  }
}

/** Most keys, and many short texts, need no escapes. */
const PLAIN = /^[\w .:/-]{0,64}$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function isContainer(value: unknown): value is readonly unknown[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

function frameOf(value: readonly unknown[] | JsonObject, order: KeyOrder): Frame {
  if (isList(value)) return { keys: null, values: value, length: value.length, done: 0 };
  const keys = Object.keys(value);
  if (order === 'sorted') keys.sort();
  return { keys, values: value, length: keys.length, done: 0 };
}

function isList(value: readonly unknown[] | JsonObject): value is readonly unknown[] {
  return Array.isArray(value);
}
