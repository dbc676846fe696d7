/**
 * Instants of records as whole microseconds since 1970 in UTC.
 *
 * A text is ISO 8601: a date, or a date and a time after `T` or a space, with or without seconds,
 * with a fraction of any length (cut, not rounded), and `Z`, an offset or no zone, which means
 * UTC. A number above 10,000,000,000 is milliseconds, any other is seconds. Everything else,
 * dates that no calendar has, and instants whose microseconds JavaScript does not hold exactly
 * (before 1684 and after 2255) are null.
 */

const MS_ABOVE = 10_000_000_000;

/** The instant that a value of a record names, or null. */
export function instantMicros(value: unknown): number | null {
  if (typeof value === 'string') return textMicros(value);
  if (typeof value !== 'number') return null;
  return exact(Math.round(value > MS_ABOVE ? value * 1e3 : value * 1e6));
}

function exact(micros: number): number | null {
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(micros) ? micros + 0 : null;
}

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DATE_LENGTH = 10;

function textMicros(text: string): number | null {
  const day = dayOf(text);
  if (day === null) return null;
  if (text.length === DATE_LENGTH) return exact(day * DAY);
  const separator = text.charCodeAt(DATE_LENGTH);
  const isSeparator = separator === CHAR_T || separator === CHAR_SMALL_T || separator === SPACE;
  const time = isSeparator ? timeOf(text) : null;
  return time === null ? null : exact(day * DAY + time);
}

const CHAR_0 = 0x30;
const CHAR_T = 0x54;
const CHAR_SMALL_T = 0x74;
const CHAR_Z = 0x5a;
const CHAR_SMALL_Z = 0x7a;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;

/** The digit at `at`; NaN when there is none, which makes everything computed from it NaN. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - CHAR_0;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** Two digits that are at most `max`; NaN for others. */
function upTo(max: number, text: string, at: number): number {
  const value = twoDigits(text, at);
  return value <= max ? value : Number.NaN;
}

/** Days since 1970 of the date at the start, `YYYY-MM-DD`; null when there is none. */
function dayOf(text: string): number | null {
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const isDate = month >= 1 && month <= 12 && day >= 1;
  return isDate && day <= daysIn(year, month) ? daysSinceEpoch(year, month, day) : null;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from 0000-03-01, where every year ends with its leap day, to 1970-01-01. */
const EPOCH_DAY = 719_468;

function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const fromMarch = month > 2 ? month - 3 : month + 9;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
  return shifted * 365 + leaps + dayOfYear - EPOCH_DAY;
}

/** Microseconds since midnight in UTC of what follows the date; null when it is no time. */
function timeOf(text: string): number | null {
  if (text.charCodeAt(13) !== COLON) return null;
  let micros = upTo(23, text, 11) * HOUR + upTo(59, text, 14) * MINUTE;
  let at = 16;
  if (text.charCodeAt(at) === COLON) {
    micros += upTo(59, text, 17) * SECOND;
    at = 19;
    const mark = text.charCodeAt(at);
    if (mark === DOT || mark === COMMA) {
      const end = digitsEnd(text, at + 1);
      if (end === at + 1) return null;
      micros += fraction(text, at + 1, end);
      at = end;
    }
  }
  const result = micros - offset(text, at);
  return Number.isNaN(result) ? null : result;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (!Number.isNaN(digit(text, at))) at++;
  return at;
}

const MICRO_DIGITS = 6;

function fraction(text: string, start: number, end: number): number {
  let micros = 0;
  for (let at = start; at < start + MICRO_DIGITS; at++) {
    micros = micros * 10 + (at < end ? digit(text, at) : 0);
  }
  return micros;
}

/** Microseconds that the zone at `at` is ahead of UTC; NaN when it is no zone. */
function offset(text: string, at: number): number {
  if (at === text.length) return 0;
  const sign = text.charCodeAt(at);
  if (sign === CHAR_Z || sign === CHAR_SMALL_Z) return at + 1 === text.length ? 0 : Number.NaN;
  if (sign !== PLUS && sign !== MINUS) return Number.NaN;
  let ahead = upTo(23, text, at + 1) * HOUR;
  let next = at + 3;
  if (next < text.length) {
    if (text.charCodeAt(next) === COLON) next++;
    ahead += upTo(59, text, next) * MINUTE;
    next += 2;
  }
  if (next !== text.length) return Number.NaN;
  return sign === PLUS ? ahead : -ahead;
}
