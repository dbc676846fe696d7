/** The plain text of DuckDB values, against DuckDB's own casts. */

import {
  BIGINT,
  blobValue,
  DOUBLE,
  type DuckDBConnection,
  FLOAT,
  LIST,
  listValue,
} from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isNumberType, isWordType, plainText } from '../src/engine/values.ts';
import { openDuckdb, query, rendered } from './support/duckdb.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await openDuckdb();
});

const texts = (sql: string) => rendered(connection, sql, plainText);

/** Compares plain texts with DuckDB's casts for lists of random `xs`, called x in `expression`. */
async function expectCasts(
  expression: string,
  xs: fc.Arbitrary<number | bigint>,
  zone = 'UTC',
): Promise<void> {
  const lists = fc.array(xs, { minLength: 50, maxLength: 200 });
  const from = 'FROM (SELECT unnest($1) AS x)';
  await fc.assert(
    fc.asyncProperty(lists, async list => {
      const isWhole = list.every(x => typeof x === 'bigint');
      const given = { values: [listValue(list)], types: [LIST(isWhole ? BIGINT : DOUBLE)] };
      const cast = `SELECT CAST(${expression} AS VARCHAR) ${from}`;
      const theirs = await rendered(connection, cast, plainText, given);
      const ours = await rendered(
        connection,
        `SELECT ${expression} ${from}`,
        (value, type) => plainText(value, type, zone),
        given,
      );
      expect(ours).toEqual(theirs);
    }),
    { numRuns: 20 },
  );
}

const MONEY = fc.integer({ min: -1e9, max: 1e9 }).map(n => n / 1000);

/** Columns of DuckDB's table of all types whose plain text is not the cast. */
const NOT_CAST = /array|struct|map|union|list|geometry/;

describe('plain text', () => {
  it('is what DuckDB casts to, for the edges of every scalar type', async () => {
    const all = await query(connection, 'SELECT * FROM test_all_types()');
    const names = all.columns.map(({ name }) => name).filter(name => !NOT_CAST.test(name));
    expect(names).toHaveLength(35);
    for (const name of names) {
      // DuckDB's cast of the very last TIMESTAMPTZ is a millisecond late.
      const rows = name === 'timestamp_tz' ? 'LIMIT 1' : '';
      const from = `FROM (SELECT "${name}" AS x FROM test_all_types() ${rows})`;
      const cast = await texts(`SELECT CAST(x AS VARCHAR) ${from}`);
      expect(await texts(`SELECT x ${from}`), name).toEqual(cast);
    }
  });

  it('is what DuckDB casts to, for any DOUBLE', async () => {
    const edges = fc.constantFrom(0, -0, 1e15, 1e16, 1e-4, 1e-5, 9999999999999998, Number.NaN);
    await expectCasts('x::DOUBLE', fc.oneof(fc.double(), edges, MONEY));
  });

  it('is the same FLOAT to DuckDB, in at most as many digits as it would use', async () => {
    const floats = fc.array(fc.oneof(fc.float(), MONEY), { minLength: 50 });
    await fc.assert(
      fc.asyncProperty(floats, async list => {
        const given = { values: [listValue(list)], types: [LIST(FLOAT)] };
        const cast = await rendered(connection, 'SELECT unnest($1)::VARCHAR', String, given);
        const ours = await rendered(connection, 'SELECT unnest($1)', plainText, given);
        const back = await rendered(connection, 'SELECT unnest($1)::FLOAT', value => value, {
          values: [listValue(ours)],
        });
        expect(back).toEqual(list.map(Math.fround));
        expect(ours.filter((text, row) => String(text).length > String(cast[row]).length)).toEqual(
          [],
        );
      }),
      { numRuns: 20 },
    );
  });

  it('is what DuckDB casts to, for any day, clock time and instant', async () => {
    const any = fc.bigInt({ min: -9223372022400000000n, max: 9223372036854775806n });
    const recent = fc.bigInt({ min: 0n, max: 2n ** 51n });
    const nanos = fc.bigInt({ min: -9223286400000000000n, max: 9223372036854775806n });
    const millis = fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n });
    const days = fc.integer({ min: -1e6, max: 1e8 });
    const firstYears = fc.integer({ min: -720_000, max: -718_000 });
    await expectCasts("DATE '1970-01-01' + x::INTEGER", fc.oneof(days, firstYears));
    await expectCasts('make_timestamp(x::BIGINT)', fc.oneof(any, recent));
    await expectCasts('make_timestamp_ms(x::BIGINT)', millis);
    await expectCasts('make_timestamp_ns(x::BIGINT)', nanos);
    await expectCasts('make_timestamp(x::BIGINT)::TIMESTAMP_S', recent);
    await expectCasts('make_timestamp(x::BIGINT)::TIME', recent);
    await expectCasts('make_timestamp(x::BIGINT)::TIMESTAMPTZ', recent);
  });

  it('is what DuckDB casts to, for every byte of a BLOB', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const given = { values: [blobValue(bytes)] };
    const [text, cast] = await rendered(connection, 'SELECT $1, $1::VARCHAR', plainText, given);
    expect(text).toBe(cast);
  });

  it('is what DuckDB casts to, for any interval', async () => {
    const calendar = 'to_months(x::INTEGER % 100) + to_days(-x::INTEGER % 70)';
    const clock = 'to_microseconds(x::BIGINT * 7919)';
    await expectCasts(`${calendar} + ${clock}`, fc.integer({ min: -1e9, max: 1e9 }));
    await expectCasts('to_months(x::INTEGER)', fc.integer({ min: -30, max: 30 }));
    await expectCasts('to_days(x::INTEGER)', fc.integer({ min: -2, max: 2 }));
  });

  it.each([
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Africa/Monrovia',
    'Pacific/Apia',
  ])('reads TIMESTAMPTZ in %s as DuckDB does', async zone => {
    const centuries = fc.bigInt({ min: -6_000_000_000_000_000n, max: 4_000_000_000_000_000n });
    await connection.run(`SET TimeZone = '${zone}'`);
    try {
      await expectCasts("make_timestamp(x::BIGINT) AT TIME ZONE 'UTC'", centuries, zone);
    } finally {
      await connection.run("SET TimeZone = 'UTC'");
    }
  });

  it.each([
    ['Asia/Kathmandu', -1_577_943_676],
    ['Africa/Monrovia', 63_593_070],
    ['Europe/Berlin', 1_774_746_000],
  ])('knows the second in which %s changes its offset', async (zone, second) => {
    await connection.run(`SET TimeZone = '${zone}'`);
    try {
      const around = [-2, -1, 0, 1, -1].map(step => BigInt(second + step) * 1_000_000n);
      const instants = fc.constantFrom(...around);
      await expectCasts("make_timestamp(x::BIGINT) AT TIME ZONE 'UTC'", instants, zone);
    } finally {
      await connection.run("SET TimeZone = 'UTC'");
    }
  });

  it.each(['DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])(
    'has the infinities of %s as words',
    async type => {
      expect(await texts(`SELECT 'infinity'::${type}, '-infinity'::${type}`)).toEqual([
        'infinity',
        '-infinity',
      ]);
    },
  );

  it('is null for NULL of any type', async () => {
    const nulls = 'SELECT NULL, NULL::VARCHAR, NULL::TIMESTAMP, NULL::INTEGER[], NULL::VARIANT';
    expect(await texts(nulls)).toEqual([null, null, null, null, null]);
  });

  it('is JSON for nested values', async () => {
    expect(await texts("SELECT ['a', NULL, ''], {'a': 1, 'b': DATE '2026-11-30'}")).toEqual([
      '["a",null,""]',
      '{"a":1,"b":"2026-11-30"}',
    ]);
  });

  it('is the text itself for a JSON column, its spaces and line breaks too', async () => {
    expect(await texts(`SELECT ('{"a":' || chr(10) || ' 1}')::JSON`)).toEqual(['{"a":\n 1}']);
  });

  it('is the WKB of a GEOMETRY, written as a BLOB is', async () => {
    const [wkb] = await texts("SELECT 'POINT EMPTY'::GEOMETRY");
    expect(wkb).toMatch(/^\\x01\\x01(\\x[0-9A-F]{2})+$/);
  });

  it('is that of the value inside a VARIANT', async () => {
    const variants = `SELECT 42::VARIANT, TIMESTAMP '2026-11-30 20:40:14'::VARIANT,
      '[1, "x", {"a": null}]'::JSON::VARIANT`;
    expect(await texts(variants)).toEqual(['42', '2026-11-30 20:40:14', '[1,"x",{"a":null}]']);
  });
});

describe('types', () => {
  it('are numbers or words by what every value of them looks like', async () => {
    const { columns } = await query(connection, 'SELECT * FROM test_all_types()');
    for (const { name, type } of columns) {
      const from = `FROM test_all_types() WHERE "${name}" IS NOT NULL`;
      const values = await texts(`SELECT "${name}" ${from}`);
      const isNumeric = values.every(text => Number.isFinite(Number(text)));
      if (isNumberType(type)) expect(isNumeric, name).toBe(true);
      if (isWordType(type)) expect(values.join(' '), name).not.toMatch(/["',#\t\r\n]/);
    }
    const named = (is: typeof isWordType) =>
      columns.filter(({ type }) => is(type)).map(({ name }) => name);
    expect(named(isNumberType)).toHaveLength(17);
    expect(named(isWordType)).toHaveLength(25);
  });
});
