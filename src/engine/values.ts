/**
 * DuckDB values as text, as JSON and as JavaScript values.
 *
 * Text is what `CAST(x AS VARCHAR)` gives, except that nested values (LIST, ARRAY, STRUCT, MAP,
 * UNION) are JSON, a GEOMETRY is its WKB, written as a BLOB is, and a FLOAT has the fewest digits
 * that name it, where DuckDB sometimes has one more. In JSON nothing is rounded:
 * - a whole number or DECIMAL that a double cannot hold is a string of its digits;
 * - NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity";
 * - a TIMESTAMPTZ is ISO 8601, other days and times are as DuckDB writes them, which is also what
 *   `read_json` recognises;
 * - a BLOB is the text DuckDB casts it to (`\xAA`), so that it reads the same in every format;
 * - a JSON column is embedded as it is, or as a string where it is not valid JSON;
 * - a MAP with text keys and a UNION are objects; another MAP is an array of {key, value}.
 */

import type {
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBType,
  DuckDBUnionType,
  DuckDBUnionValue,
  DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api';
import { DuckDBTypeId } from '@duckdb/node-api';
import { AhqError } from '../errors.ts';
import { blobText } from './blob.ts';
import * as instant from './instant.ts';
import { doubleJson, doubleText, shortestFloat } from './number.ts';

/** What `jsValue` gives. */
export type JsValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | JsValue[]
  | { [name: string]: JsValue }
  | Map<JsValue, JsValue>;

/** Treats the values of one type; `never` because the type id vouches for their class. */
type Rule<T> = (value: never, type: never, zone: string) => T;
type ByType<T> = Readonly<Partial<Record<DuckDBTypeId, T>>>;

/** How the instants of one type count: units of 10^-digits seconds, in a time zone or none. */
interface InstantRule {
  readonly units: (value: never) => bigint;
  readonly digits: instant.UnitDigits;
  readonly zoned: boolean;
}

const microsOf = (value: { readonly micros: bigint }): bigint => value.micros;
const secondsOf = (value: { readonly seconds: bigint }): bigint => value.seconds;
const millisOf = (value: { readonly millis: bigint }): bigint => value.millis;
const nanosOf = (value: { readonly nanos: bigint }): bigint => value.nanos;

const INSTANTS: ByType<InstantRule> = {
  [DuckDBTypeId.TIMESTAMP_S]: { units: secondsOf, digits: 0, zoned: false },
  [DuckDBTypeId.TIMESTAMP_MS]: { units: millisOf, digits: 3, zoned: false },
  [DuckDBTypeId.TIMESTAMP]: { units: microsOf, digits: 6, zoned: false },
  [DuckDBTypeId.TIMESTAMP_NS]: { units: nanosOf, digits: 9, zoned: false },
  [DuckDBTypeId.TIMESTAMP_TZ]: { units: microsOf, digits: 6, zoned: true },
};

/** Where the binding's own `toString` is not DuckDB's cast, or not what we want. */
const PLAIN: ByType<Rule<string>> = {
  [DuckDBTypeId.FLOAT]: (value: number) => doubleText(shortestFloat(value)),
  [DuckDBTypeId.DOUBLE]: doubleText,
  [DuckDBTypeId.DATE]: (value: { readonly days: number }) => instant.dateText(value.days),
  [DuckDBTypeId.TIME]: (value: { readonly micros: bigint }) => instant.timeText(value.micros, 6),
  [DuckDBTypeId.TIME_NS]: (value: { readonly nanos: bigint }) => instant.timeText(value.nanos, 9),
  [DuckDBTypeId.BLOB]: (value: { readonly bytes: Uint8Array }) => blobText(value.bytes),
  [DuckDBTypeId.GEOMETRY]: (value: { readonly bytes: Uint8Array }) => blobText(value.bytes),
  [DuckDBTypeId.LIST]: jsonText,
  [DuckDBTypeId.ARRAY]: jsonText,
  [DuckDBTypeId.STRUCT]: jsonText,
  [DuckDBTypeId.MAP]: jsonText,
  [DuckDBTypeId.UNION]: jsonText,
  [DuckDBTypeId.VARIANT]: (value: DuckDBVariantValue, type: DuckDBType, zone: string) =>
    plainText(value.value, value.type ?? type, zone) ?? 'NULL',
};

/** Where JSON is not the string of the plain text. */
const JSON_RULES: ByType<Rule<string>> = {
  [DuckDBTypeId.BOOLEAN]: String,
  [DuckDBTypeId.TINYINT]: String,
  [DuckDBTypeId.SMALLINT]: String,
  [DuckDBTypeId.INTEGER]: String,
  [DuckDBTypeId.UTINYINT]: String,
  [DuckDBTypeId.USMALLINT]: String,
  [DuckDBTypeId.UINTEGER]: String,
  [DuckDBTypeId.BIGINT]: wholeJson,
  [DuckDBTypeId.UBIGINT]: wholeJson,
  [DuckDBTypeId.HUGEINT]: wholeJson,
  [DuckDBTypeId.UHUGEINT]: wholeJson,
  [DuckDBTypeId.BIGNUM]: wholeJson,
  [DuckDBTypeId.FLOAT]: (value: number) => doubleJson(shortestFloat(value)),
  [DuckDBTypeId.DOUBLE]: doubleJson,
  [DuckDBTypeId.DECIMAL]: decimalJson,
  [DuckDBTypeId.TIMESTAMP_TZ]: (value: { readonly micros: bigint }, _: DuckDBType, zone: string) =>
    `"${instant.isoTimestampText(value.micros, zone)}"`,
  [DuckDBTypeId.LIST]: listJson,
  [DuckDBTypeId.ARRAY]: listJson,
  [DuckDBTypeId.STRUCT]: structJson,
  [DuckDBTypeId.MAP]: mapJson,
  [DuckDBTypeId.UNION]: unionJson,
  [DuckDBTypeId.VARIANT]: (value: DuckDBVariantValue, type: DuckDBType, zone: string) =>
    jsonText(value.value, value.type ?? type, zone),
};

/** Where a JavaScript value is not the plain text. */
const JS_RULES: ByType<Rule<JsValue>> = {
  [DuckDBTypeId.DECIMAL]: Number,
  [DuckDBTypeId.DATE]: (value: { readonly days: number }) =>
    instant.dayDate(value.days) ?? instant.dateText(value.days),
  [DuckDBTypeId.BLOB]: (value: { readonly bytes: Uint8Array }) => Uint8Array.from(value.bytes),
  [DuckDBTypeId.LIST]: listJs,
  [DuckDBTypeId.ARRAY]: listJs,
  [DuckDBTypeId.STRUCT]: structJs,
  [DuckDBTypeId.MAP]: mapJs,
  [DuckDBTypeId.UNION]: unionJs,
  [DuckDBTypeId.VARIANT]: (value: DuckDBVariantValue, type: DuckDBType) =>
    jsValue(value.value, value.type ?? type),
};

const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.BIGNUM,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);

/** True for a type whose values are numbers. */
export function isNumberType(type: DuckDBType): boolean {
  return NUMBERS.has(type.typeId);
}

/** True for a type whose plain text has no quote, comma, `#`, tab or line break in any value. */
export function isWordType(type: DuckDBType): boolean {
  return (
    NUMBERS.has(type.typeId) ||
    type.typeId in INSTANTS ||
    type.typeId === DuckDBTypeId.BOOLEAN ||
    type.typeId === DuckDBTypeId.DATE ||
    type.typeId === DuckDBTypeId.UUID
  );
}

/** A value as text, or null for NULL; a TIMESTAMPTZ reads in `zone`, an IANA name. */
export function plainText(value: DuckDBValue, type: DuckDBType, zone = 'UTC'): string | null {
  if (value === null || typeof value === 'string') return value;
  const rule = INSTANTS[type.typeId];
  if (rule !== undefined) {
    const units = rule.units(value as never);
    return instant.timestampText(units, rule.digits, rule.zoned ? zone : null);
  }
  const render = PLAIN[type.typeId];
  return render === undefined ? String(value) : render(value as never, type as never, zone);
}

/** A value as JSON on one line, `null` for NULL; a TIMESTAMPTZ reads in `zone`, an IANA name. */
export function jsonText(value: DuckDBValue, type: DuckDBType, zone = 'UTC'): string {
  if (value === null) return 'null';
  if (typeof value === 'string') {
    return type.alias === 'JSON' ? embeddedJson(value) : JSON.stringify(value);
  }
  const render = JSON_RULES[type.typeId];
  return render === undefined
    ? JSON.stringify(plainText(value, type, zone))
    : render(value as never, type as never, zone);
}

/**
 * A value as JavaScript has it: BLOB as bytes, LIST and ARRAY as arrays, STRUCT and UNION as
 * objects, MAP as a Map, other types without an equal as their plain text.
 * A whole number beyond 2^53 - 1 is a bigint. A DECIMAL is rounded to a double. DATE and TIMESTAMP
 * are a Date (read as UTC, cut to the millisecond), or text where a Date cannot hold them.
 */
export function jsValue(value: DuckDBValue, type: DuckDBType): JsValue {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : value;
  if (value === null || typeof value !== 'object') return value;
  const rule = INSTANTS[type.typeId];
  if (rule !== undefined) {
    const date = instant.instantDate(rule.units(value as never), rule.digits);
    return date ?? plainText(value, type);
  }
  const convert = JS_RULES[type.typeId];
  return convert === undefined
    ? plainText(value, type)
    : convert(value as never, type as never, 'UTC');
}

function isSafe(value: bigint): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
}

function wholeJson(value: bigint): string {
  return isSafe(value) ? String(value) : `"${value}"`;
}

/** A number when the double nearest to it has the same digits. */
function decimalJson(value: { readonly value: bigint }): string {
  const text = String(value);
  if (isSafe(value.value) && Math.abs(Number(value.value)) < 1e15) return text;
  const [nearest = ''] = Number(text).toExponential().split('e');
  const isExact = significantDigits(nearest) === significantDigits(String(value.value));
  return isExact ? text : `"${text}"`;
}

function significantDigits(number: string): string {
  return number.replace(/[-.]/g, '').replace(/0+$/, '');
}

/** Line breaks in valid JSON stand between tokens only, so leaving them out changes nothing. */
function embeddedJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return JSON.stringify(text);
  }
  return text.replace(/[\r\n]+/g, '');
}

function listJson(value: DuckDBListValue, type: DuckDBListType, zone: string): string {
  return `[${value.items.map(item => jsonText(item, type.valueType, zone)).join(',')}]`;
}

function structJson(value: DuckDBStructValue, type: DuckDBStructType, zone: string): string {
  const fields = structFields(value, type);
  return objectJson(fields.map(([name, item, itemType]) => [name, jsonText(item, itemType, zone)]));
}

function mapJson(value: DuckDBMapValue, type: DuckDBMapType, zone: string): string {
  const entries = value.entries.map(({ key, value }) => ({
    key,
    json: jsonText(value, type.valueType, zone),
  }));
  if (isTextType(type.keyType)) {
    return objectJson(entries.map(({ key, json }) => [String(key), json]));
  }
  const pairs = entries.map(
    ({ key, json }) => `{"key":${jsonText(key, type.keyType, zone)},"value":${json}}`,
  );
  return `[${pairs.join(',')}]`;
}

function isTextType(type: DuckDBType): boolean {
  return type.typeId === DuckDBTypeId.VARCHAR || type.typeId === DuckDBTypeId.ENUM;
}

function unionJson(value: DuckDBUnionValue, type: DuckDBUnionType, zone: string): string {
  const member = jsonText(value.value, type.memberTypeForTag(value.tag), zone);
  return objectJson([[value.tag, member]]);
}

function objectJson(fields: readonly (readonly [name: string, json: string])[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function listJs(value: DuckDBListValue, type: DuckDBListType): JsValue {
  return value.items.map(item => jsValue(item, type.valueType));
}

function structJs(value: DuckDBStructValue, type: DuckDBStructType): JsValue {
  const fields = structFields(value, type);
  return Object.fromEntries(
    fields.map(([name, item, itemType]) => [name, jsValue(item, itemType)]),
  );
}

function mapJs(value: DuckDBMapValue, type: DuckDBMapType): JsValue {
  const { keyType, valueType } = type;
  return new Map(
    value.entries.map(entry => [jsValue(entry.key, keyType), jsValue(entry.value, valueType)]),
  );
}

function unionJs(value: DuckDBUnionValue, type: DuckDBUnionType): JsValue {
  const member = jsValue(value.value, type.memberTypeForTag(value.tag));
  return Object.fromEntries([[value.tag, member]]);
}

/**
 * The fields of a struct in the order of its type. The binding keeps them by name in a plain
 * object, which loses all but the last of `row(1, 2)` and the field `__proto__`.
 */
function structFields(
  value: DuckDBStructValue,
  type: DuckDBStructType,
): (readonly [name: string, value: DuckDBValue, type: DuckDBType])[] {
  if (Object.keys(value.entries).length !== type.entryCount) {
    throw new AhqError(
      'UNSUPPORTED',
      `${type} cannot be read: its fields need names of their own, as in {'a': 1, 'b': 2}`,
    );
  }
  return type.entryNames.map(name => [name, value.entries[name] ?? null, type.typeForEntry(name)]);
}
