/** JSON values and texts as strange as the format allows, and what text they hold when decoded. */

import fc from 'fast-check';
import { fromWire } from '../../src/bytes/text.ts';

/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { [key: string]: Json };

/** Code units that matter: ASCII, syntax, controls, all lengths of UTF-8, halves of pairs. */
const unit = fc.oneof(
  fc.constantFrom(
    ...'aZ0 "\\/#:,[]{}\0\n\r\t\b\f\u001f\u007f\u0080\u00a0\u00e9\u00ff\u0100\u07ff\u0800\u2028',
    ...['\u20ac', '\ud83e\udd86', '\ud83e', '\udd86', '\ud800', '\udfff', '\ufffd', '\uffff'],
    ...['\u00c3\u00a9', '\ufeff', '__proto__', '\u0000#', '\u0000\u0000'],
  ),
  fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)),
);

const text = fc.string({ unit, maxLength: 8 });

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 2 ** 53, -(2 ** 53) - 2),
);

/** Any JSON value, with strings and keys of any UTF-16 code units. */
export const jsonValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 5 })
      .map(members => Object.fromEntries(members)),
  ),
})).value;

/** How a JSON text is written: which chars are escaped, where white space stands. */
export interface Style {
  /** Chars to escape as `\uXXXX`, one in so many; 0 for none beyond the necessary. */
  readonly escapeEvery: number;
  readonly space: string;
}

/** Any way to write a JSON text. */
export const jsonStyle: fc.Arbitrary<Style> = fc.record({
  escapeEvery: fc.constantFrom(0, 0, 1, 2, 3),
  space: fc.constantFrom('', '', ' ', '\t', '\n', '\r\n '),
});

/** JSON text of a value. Members keep their order; a lone surrogate that is not escaped stays. */
export function jsonText(value: Json, style: Style): string {
  const { space } = style;
  if (typeof value === 'string') return stringText(value, style);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map(item => jsonText(item, style))
    : Object.entries(value).map(
        ([key, item]) => `${stringText(key, style)}${space}:${space}${jsonText(item, style)}`,
      );
  const inside = items.join(`${space},${space}`);
  return Array.isArray(value) ? `[${space}${inside}${space}]` : `{${space}${inside}${space}}`;
}

function stringText(text: string, { escapeEvery }: Style): string {
  let escaped = '';
  for (let i = 0; i < text.length; i++) {
    const isChosen = escapeEvery > 0 && i % escapeEvery === 0;
    const char = text.charAt(i);
    if (isChosen) escaped += escapeOf(char, i);
    else escaped += /[\ud800-\udfff]/.test(char) ? char : JSON.stringify(char).slice(1, -1);
  }
  return `"${escaped}"`;
}

/** Hexadecimal digits are written in both cases. */
function escapeOf(char: string, index: number): string {
  const hex = char.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${index % 2 === 0 ? hex : hex.toUpperCase()}`;
}

/** The value with every string, keys too, turned by `convert`; members keep their order. */
function mapStrings(value: Json, convert: (text: string) => string): Json {
  if (typeof value === 'string') return convert(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(item => mapStrings(item, convert));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [convert(key), mapStrings(item, convert)]),
  );
}

/** A value of wire texts with its texts decoded. */
export function decoded(value: unknown): Json {
  return mapStrings(value as Json, fromWire);
}

/** A value with U+FFFD for lone surrogates. */
export function wellFormed(value: Json): Json {
  return mapStrings(value, text => text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
