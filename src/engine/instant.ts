/**
 * Days, clock times and instants as text.
 *
 * Two forms: DuckDB's (`2026-11-30 20:40:14.5+00`, years before 1 marked `(BC)`), which casts back,
 * and ISO 8601 (`2026-11-30T20:40:14.500Z`, years as ECMAScript writes them), which JSON readers
 * expect. Instants come as DuckDB holds them: whole units of 10^-digits seconds since 1970, UTC.
 */

/** Decimal digits of an instant's unit: seconds, milli-, micro- or nanoseconds. */
export type UnitDigits = 0 | 3 | 6 | 9;

const DAY_S = 86_400;
const DAY_MS = 86_400_000;
/** Days in 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;
/** ISO text has at least these, as `Date.prototype.toISOString` and transcripts have. */
const MILLI_DIGITS = 3;
const MICRO_DIGITS = 6;

const DATE_INFINITY = 2 ** 31 - 1;
const INSTANT_INFINITY = 2n ** 63n - 1n;

/** Farthest second from 1970 that a JavaScript `Date` can hold. */
const DATE_S_MAX = 8.64e12;
/** Since 1973 every zone changes its offset at a full quarter of an hour UTC. */
const QUARTERS_FROM_S = 94_694_400;
const QUARTER_S = 900;

const PAIRS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

/** `value` modulo `size`, never negative. */
function modulo(value: number, size: number): number {
  const rest = value % size;
  return rest < 0 ? rest + size : rest;
}

/** Neighbouring rows mostly share a day and a zone offset, so the last answer is kept. */
function rememberLast<T>(compute: (key: number) => T): (key: number) => T {
  let last: { readonly key: number; readonly value: T } | null = null;
  return key => {
    if (last === null || last.key !== key) last = { key, value: compute(key) };
    return last.value;
  };
}

/** The calendar day `days` after 1970-01-01; year 0 is 1 BC. */
function calendarDay(days: number): { year: number; monthDay: string } {
  const era = Math.floor(days / ERA_DAYS);
  const date = new Date((days - era * ERA_DAYS) * DAY_MS);
  return { year: date.getUTCFullYear() + era * 400, monthDay: date.toISOString().slice(4, 10) };
}

const duckdbDay = rememberLast(days => {
  const { year, monthDay } = calendarDay(days);
  if (year > 0) return `${String(year).padStart(4, '0')}${monthDay}`;
  return `${String(1 - year).padStart(4, '0')}${monthDay} (BC)`;
});

const isoDay = rememberLast(days => {
  const { year, monthDay } = calendarDay(days);
  if (year >= 0 && year <= 9999) return `${String(year).padStart(4, '0')}${monthDay}`;
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}${monthDay}`;
});

/** `infinity` or `-infinity`, or null for a day that the calendar has. */
function infiniteDay(days: number): string | null {
  if (Math.abs(days) !== DATE_INFINITY) return null;
  return days > 0 ? 'infinity' : '-infinity';
}

/** `infinity` or `-infinity`, or null for an instant that the calendar has. */
function infiniteInstant(value: bigint): string | null {
  if (value === INSTANT_INFINITY) return 'infinity';
  return value === -INSTANT_INFINITY ? '-infinity' : null;
}

function clockText(second: number): string {
  const minute = Math.floor(second / 60);
  return `${PAIRS[Math.floor(minute / 60)]}:${PAIRS[minute % 60]}:${PAIRS[second % 60]}`;
}

/** `.5` for 500 of 3 digits: trailing zeros go, except for the first `digitsMin` digits. */
function fractionText(fraction: number, digits: UnitDigits, digitsMin: number): string {
  if (fraction === 0 && digitsMin === 0) return '';
  const text = String(fraction).padStart(digits, '0');
  let end = text.length;
  while (end > digitsMin && text.charCodeAt(end - 1) === 48) end -= 1;
  return `.${text.slice(0, end)}`;
}

/** Whole seconds since 1970, and the rest in units. */
function splitSeconds(value: bigint, digits: UnitDigits): { seconds: number; fraction: number } {
  const scale = 10 ** digits;
  const near = Number(value);
  if (Number.isSafeInteger(near)) {
    const fraction = modulo(near, scale);
    return { seconds: (near - fraction) / scale, fraction };
  }
  const scaleBig = BigInt(scale);
  const rest = value % scaleBig;
  const fraction = rest < 0n ? rest + scaleBig : rest;
  return { seconds: Number((value - fraction) / scaleBig), fraction: Number(fraction) };
}

/** How to ask for the offset of one zone, by the second since 1970. */
function zoneReader(zone: string): (second: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const read = (second: number): number => {
    const within = Math.max(-DATE_S_MAX, Math.min(DATE_S_MAX, second));
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(within * 1000));
    if (match === null) return 0;
    const size = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
    return match[1] === '-' ? -size : size;
  };
  const readQuarter = rememberLast(quarter => read(quarter * QUARTER_S));
  return second =>
    second >= QUARTERS_FROM_S ? readQuarter(Math.floor(second / QUARTER_S)) : read(second);
}

const zoneReaders = new Map<string, (second: number) => number>();

/** Seconds that `zone` is ahead of UTC. */
function zoneOffset(zone: string, second: number): number {
  if (zone === 'UTC') return 0;
  let reader = zoneReaders.get(zone);
  if (reader === undefined) {
    reader = zoneReader(zone);
    zoneReaders.set(zone, reader);
  }
  return reader(second);
}

/** Sign, hours and minutes of an offset, whose seconds neither form can write. */
function offsetParts(offset: number): { hours: string; minutes: string } {
  const minute = Math.floor(Math.abs(offset) / 60);
  const hours = `${offset < 0 ? '-' : '+'}${PAIRS[Math.floor(minute / 60)]}`;
  return { hours, minutes: PAIRS[minute % 60] ?? '' };
}

/** A DATE as DuckDB casts it to text; `days` since 1970-01-01. */
export function dateText(days: number): string {
  return infiniteDay(days) ?? duckdbDay(days);
}

/** A TIME as DuckDB casts it to text, from units since midnight; `24:00:00` is the largest. */
export function timeText(value: bigint, digits: UnitDigits): string {
  const { seconds, fraction } = splitSeconds(value, digits);
  return `${clockText(seconds)}${fractionText(fraction, digits, 0)}`;
}

/** An instant as DuckDB casts it to text; `zone` is null for a type without time zone. */
export function timestampText(value: bigint, digits: UnitDigits, zone: string | null): string {
  const infinite = infiniteInstant(value);
  if (infinite !== null) return infinite;
  const { seconds, fraction } = splitSeconds(value, digits);
  const offset = zone === null ? 0 : zoneOffset(zone, seconds);
  const second = modulo(seconds + offset, DAY_S);
  const day = duckdbDay((seconds + offset - second) / DAY_S);
  const text = `${day} ${clockText(second)}${fractionText(fraction, digits, 0)}`;
  if (zone === null) return text;
  const { hours, minutes } = offsetParts(offset);
  return minutes === '00' ? `${text}${hours}` : `${text}${hours}:${minutes}`;
}

/**
 * A TIMESTAMPTZ in ISO 8601 with 3 to 6 fraction digits, and `Z` for UTC or the offset of another
 * zone. `infinity` and `-infinity` stay words.
 */
export function isoTimestampText(micros: bigint, zone: string): string {
  const infinite = infiniteInstant(micros);
  if (infinite !== null) return infinite;
  const { seconds, fraction } = splitSeconds(micros, MICRO_DIGITS);
  // Cut to minutes, so that clock and offset together still name the instant.
  const offset = Math.trunc(zoneOffset(zone, seconds) / 60) * 60;
  const second = modulo(seconds + offset, DAY_S);
  const day = isoDay((seconds + offset - second) / DAY_S);
  const text = `${day}T${clockText(second)}${fractionText(fraction, MICRO_DIGITS, MILLI_DIGITS)}`;
  if (zone === 'UTC') return `${text}Z`;
  const { hours, minutes } = offsetParts(offset);
  return `${text}${hours}:${minutes}`;
}

/** A DATE at midnight UTC, or null when a JavaScript `Date` cannot hold it. */
export function dayDate(days: number): Date | null {
  return validDate(days * DAY_MS);
}

/** An instant cut to its millisecond, or null when a JavaScript `Date` cannot hold it. */
export function instantDate(value: bigint, digits: UnitDigits): Date | null {
  if (infiniteInstant(value) !== null) return null;
  const { seconds, fraction } = splitSeconds(value, digits);
  return validDate(seconds * 1000 + Math.floor(fraction / 10 ** (digits - 3)));
}

function validDate(millisecond: number): Date | null {
  const date = new Date(millisecond);
  return Number.isNaN(date.getTime()) ? null : date;
}
