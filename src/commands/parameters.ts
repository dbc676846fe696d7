/** Values that are bound to the parameters of the SQL, never pasted into it. */

import type { Parameters } from '../engine/engine.ts';
import { tokens } from '../engine/sql.ts';
import { AhqError } from '../errors.ts';

/**
 * The values by parameter, from texts such as `name=value`. A value that is exactly how JavaScript
 * writes a whole number (up to 2^53) or another decimal is bound as BIGINT or DOUBLE, anything
 * else as VARCHAR. Throws USAGE for a text without `=`, and for a name that comes twice or that no
 * statement has.
 */
export function parametersFor(sql: string, texts: readonly string[]): Parameters {
  const given = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = parted(text);
    if (given.has(name)) throw new AhqError('USAGE', `parameter $${name} is given twice`);
    given.set(name, value);
  }
  const used = parametersIn(sql);
  refuseUnused([...given.keys()], used);
  return Object.fromEntries(
    used.flatMap(name => {
      const value = given.get(name.toLowerCase());
      return value === undefined ? [] : [[name, parameterValue(value)]];
    }),
  );
}

/** DuckDB does not tell `$Name` from `$name`. */
function parted(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) {
    throw new AhqError('USAGE', `parameter '${text}' has no name; it takes name=value`);
  }
  return [text.slice(0, equals).replace(/^\$/, '').toLowerCase(), text.slice(equals + 1)];
}

function parameterValue(text: string): bigint | number | string {
  const number = Number(text);
  if (String(number) !== text) return text;
  if (Number.isSafeInteger(number)) return BigInt(number);
  return Number.isFinite(number) && !Number.isInteger(number) ? number : text;
}

/** The names in the SQL, as written there; a `?` counts from 1 in each statement. */
function parametersIn(sql: string): string[] {
  const names = new Set<string>();
  let position = 0;
  for (const { kind, start, end } of tokens(sql)) {
    const text = sql.slice(start, end);
    if (text === ';') position = 0;
    if (kind === 'parameter') names.add(text.slice(1) || String(++position));
  }
  return [...names];
}

function refuseUnused(given: readonly string[], used: readonly string[]): void {
  const known = new Set(used.map(name => name.toLowerCase()));
  const unused = given.find(name => !known.has(name));
  if (unused === undefined) return;
  const names = used.map(name => `$${name}`).join(', ');
  const what = names === '' ? 'it has none' : `it has ${names}`;
  throw new AhqError('USAGE', `the SQL has no parameter $${unused}; ${what}`);
}

/** Whether there is a statement in the SQL: more than comments and semicolons. */
export function hasStatement(sql: string): boolean {
  for (const { kind, start } of tokens(sql)) {
    if (kind !== 'space' && kind !== 'comment' && sql[start] !== ';') return true;
  }
  return false;
}
