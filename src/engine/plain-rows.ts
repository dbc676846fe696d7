/** Answers that no statement gives: plain values as a result that every format can write. */

import {
  BIGINT,
  BOOLEAN,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import type { QueryResult } from './result.ts';

/** A value of a plain row; a number is whole, a Date is an instant. */
export type PlainValue = string | number | boolean | Date | null;

const TYPES = { text: VARCHAR, integer: BIGINT, flag: BOOLEAN, instant: TIMESTAMPTZ } as const;

/** What the columns of plain rows may hold: each is a type of DuckDB. */
export type PlainType = keyof typeof TYPES;

/** The rows as a result with the columns of `types`, in their order. */
export function resultOfRows<Name extends string>(
  types: Readonly<Record<Name, PlainType>>,
  rows: readonly Readonly<Record<Name, PlainValue>>[],
): QueryResult {
  const names = Object.keys(types) as Name[];
  const columns = names.map(name => ({ name, type: TYPES[types[name]] as DuckDBType }));
  const values = rows.map(row => names.map(name => duckdbValue(row[name])));
  return { columns, chunks: once(values) };
}

function duckdbValue(value: PlainValue): DuckDBValue {
  if (typeof value === 'number') return BigInt(value);
  if (!(value instanceof Date)) return value;
  return new DuckDBTimestampTZValue(BigInt(value.getTime()) * 1000n);
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
