/** DuckDB values as JSON and as JavaScript values. */

import { blobValue, DOUBLE, type DuckDBConnection, LIST, listValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonText, jsValue } from '../src/engine/values.ts';
import { type Given, openDuckdb, query, rendered } from './support/duckdb.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await openDuckdb();
});

const jsons = (expressions: string, given?: Given) =>
  rendered(connection, `SELECT ${expressions}`, jsonText, given);
const values = (expressions: string) => rendered(connection, `SELECT ${expressions}`, jsValue);

const SAFE_MAX = 2n ** 53n - 1n;

/** A decimal number without the zeros at its ends. */
function digitsOf(number: string): string {
  return number.replace(/^-?0*\.?0*|\./g, '').replace(/0+$/, '');
}

describe('JSON text', () => {
  it.each(['BIGINT', 'HUGEINT', 'BIGNUM'])(
    'has a %s up to 2^53 - 1 as a number and beyond as a string',
    async type => {
      const edges = [SAFE_MAX, SAFE_MAX + 1n, -SAFE_MAX, -SAFE_MAX - 1n];
      expect(await jsons(edges.map(edge => `'${edge}'::${type}`).join())).toEqual([
        '9007199254740991',
        '"9007199254740992"',
        '-9007199254740991',
        '"-9007199254740992"',
      ]);
    },
  );

  it('has unsigned whole numbers and sums by the same rule', async () => {
    const sum = '(SELECT sum(i) FROM range(10) t(i))';
    expect(await jsons(`18446744073709551615::UBIGINT, 7::UBIGINT, 4::UHUGEINT, ${sum}`)).toEqual([
      '"18446744073709551615"',
      '7',
      '4',
      '45',
    ]);
  });

  it('has a DECIMAL as a number only when a double keeps all its digits', async () => {
    expect(await jsons("'1.50'::DECIMAL(10, 2), '-0.05'::DECIMAL(10, 2)")).toEqual([
      '1.50',
      '-0.05',
    ]);
    expect(await jsons("'999999999999.999'::DECIMAL(18, 3)")).toEqual(['999999999999.999']);
    expect(await jsons("'9007199254740.991'::DECIMAL(18, 3)")).toEqual(['"9007199254740.991"']);
    expect(await jsons("'999999999999.999999'::DECIMAL(18, 6)")).toEqual(['"999999999999.999999"']);
    expect(await jsons("'0.1'::DECIMAL(38, 37)")).toEqual([`0.1${'0'.repeat(36)}`]);
    expect(await jsons("'1e30'::DECIMAL(38, 0)")).toEqual([`1${'0'.repeat(30)}`]);
  });

  it('has every digit of any DECIMAL', async () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.nat({ max: 999_999 }))
      .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(decimal, { minLength: 50 }), async list => {
        const texts = await jsons('unnest($1)::DECIMAL(38, 6)', { values: [listValue(list)] });
        const read = texts.map(text => String(JSON.parse(text)));
        expect(read.map(digitsOf)).toEqual(list.map(digitsOf));
      }),
      { numRuns: 20 },
    );
  });

  it('reads back as the same DOUBLE', async () => {
    const doubles = fc.array(fc.double({ noNaN: true }), { minLength: 50 });
    await fc.assert(
      fc.asyncProperty(doubles, async list => {
        const given = { values: [listValue(list)], types: [LIST(DOUBLE)] };
        const texts = await jsons('unnest($1)', given);
        expect(texts.map(text => Number(JSON.parse(text)))).toEqual(list);
      }),
      { numRuns: 20 },
    );
  });

  it('has no number for what JSON cannot say, and few digits for a FLOAT', async () => {
    expect(await jsons("'nan'::DOUBLE, 'inf'::DOUBLE, '-inf'::FLOAT, 0.1::FLOAT")).toEqual([
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
      '0.1',
    ]);
  });

  it('has a TIMESTAMPTZ in ISO 8601 with milliseconds or finer', async () => {
    const clock = '2026-11-30 20:40:14';
    expect(
      await jsons(`TIMESTAMPTZ '${clock}Z', TIMESTAMPTZ '${clock}.120Z',
        TIMESTAMPTZ '${clock}.123450Z', TIMESTAMPTZ '0002-03-04 (BC) 05:06:07Z',
        TIMESTAMPTZ '0001-01-01 (BC) 00:00:00Z', TIMESTAMPTZ '12345-01-01 00:00:00Z'`),
    ).toEqual([
      '"2026-11-30T20:40:14.000Z"',
      '"2026-11-30T20:40:14.120Z"',
      '"2026-11-30T20:40:14.12345Z"',
      '"-000001-03-04T05:06:07.000Z"',
      '"0000-01-01T00:00:00.000Z"',
      '"+012345-01-01T00:00:00.000Z"',
    ]);
  });

  it('has days and times without a zone as DuckDB writes them', async () => {
    const clock = '2026-11-30 20:40:14';
    expect(
      await jsons(`TIMESTAMP '${clock}.500', TIMESTAMP_S '${clock}', TIMESTAMP_MS '${clock}.120',
        '${clock}.123456789'::TIMESTAMP_NS, DATE '2026-11-30', TIME '20:40:14.5'`),
    ).toEqual([
      '"2026-11-30 20:40:14.5"',
      '"2026-11-30 20:40:14"',
      '"2026-11-30 20:40:14.12"',
      '"2026-11-30 20:40:14.123456789"',
      '"2026-11-30"',
      '"20:40:14.5"',
    ]);
  });

  it('names the same instant in every zone', async () => {
    const micros = fc.bigInt({ min: -6_000_000_000_000_000n, max: 4_000_000_000_000_000n });
    const zones = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin');
    await fc.assert(
      fc.asyncProperty(fc.array(micros, { minLength: 50 }), zones, async (list, zone) => {
        const millis = await rendered(
          connection,
          "SELECT make_timestamp(unnest($1)::BIGINT) AT TIME ZONE 'UTC'",
          (value, type) => Date.parse(JSON.parse(jsonText(value, type, zone))),
          { values: [listValue(list)] },
        );
        expect(millis).toEqual(list.map(micro => Math.floor(Number(micro) / 1000)));
      }),
      { numRuns: 20 },
    );
    const summer = "SELECT TIMESTAMPTZ '2026-07-01 12:00:00Z'";
    const inBerlin = await rendered(connection, summer, (value, type) =>
      jsonText(value, type, 'Europe/Berlin'),
    );
    expect(inBerlin).toEqual(['"2026-07-01T14:00:00.000+02:00"']);
  });

  it('has the infinities of days and instants as words', async () => {
    expect(
      await jsons("'infinity'::DATE, '-infinity'::TIMESTAMPTZ, 'infinity'::TIMESTAMP_NS"),
    ).toEqual(['"infinity"', '"-infinity"', '"infinity"']);
  });

  it('has the text of DuckDB for intervals, ids, bits and blobs', async () => {
    expect(
      await jsons(`'20:40:14+01'::TIMETZ, INTERVAL '1 month 2 hours',
        '0d0e1f20-0000-4000-8000-000000000001'::UUID, '0101'::BIT, '\\xAA\\x00a"'::BLOB,
        'b'::ENUM ('a', 'b')`),
    ).toEqual([
      '"20:40:14+01"',
      '"1 month 02:00:00"',
      '"0d0e1f20-0000-4000-8000-000000000001"',
      '"0101"',
      '"\\\\xAA\\\\x00a\\\\x22"',
      '"b"',
    ]);
  });

  it('has a BLOB as a text that DuckDB casts back', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const [json = ''] = await jsons('$1', { values: [blobValue(bytes)] });
    const back = await jsons('hex($1::BLOB)', { values: [JSON.parse(json)] });
    expect(back).toEqual([`"${bytes.toString('hex').toUpperCase()}"`]);
  });

  it('embeds a JSON column on one line, its digits and order unchanged', async () => {
    const json = '{"b": 12345678901234567890,\r\n "2": [1e400],\n "1": "a\\nb"}';
    expect(await jsons('$1::JSON', { values: [json] })).toEqual([
      '{"b": 12345678901234567890, "2": [1e400], "1": "a\\nb"}',
    ]);
    expect(await jsons("'null'::JSON, ['1'::JSON], {'a': '[]'::JSON}")).toEqual([
      'null',
      '[1]',
      '{"a":[]}',
    ]);
  });

  it('has a JSON column that is not valid JSON as a string', async () => {
    const { columns } = await query(connection, "SELECT '1'::JSON");
    const type = columns[0]?.type ?? DOUBLE;
    expect(jsonText('{"a":', type)).toBe('"{\\"a\\":"');
    expect(jsonText('', type)).toBe('""');
  });

  it('has text with JSON inside as a string', async () => {
    expect(await jsons(`'{"a":1}'`)).toEqual(['"{\\"a\\":1}"']);
  });

  it('has nested values as arrays and objects', async () => {
    expect(
      await jsons(`[1, NULL], ['a']::VARCHAR[1], {'a': {'b"': [DATE '2026-11-30']}},
        MAP {'k': 1}, MAP {'b'::ENUM ('a', 'b'): NULL}, MAP {1: 'x'},
        union_value(n := 2::BIGINT), []`),
    ).toEqual([
      '[1,null]',
      '["a"]',
      '{"a":{"b\\"":["2026-11-30"]}}',
      '{"k":1}',
      '{"b":null}',
      '[{"key":1,"value":"x"}]',
      '{"n":2}',
      '[]',
    ]);
  });

  it('keeps the order of fields that look like numbers', async () => {
    expect(await jsons("{'2': 'a', '1': 'b'}, MAP {'2': 'a', '1': 'b'}")).toEqual([
      '{"2":"a","1":"b"}',
      '{"2":"a","1":"b"}',
    ]);
  });

  it('is that of the value inside a VARIANT', async () => {
    expect(await jsons(`'[1, "x", {"a": null}]'::JSON::VARIANT, 1.5::VARIANT`)).toEqual([
      '[1,"x",{"a":null}]',
      '1.5',
    ]);
  });

  it.each(['row(1, 2)', "{'__proto__': 1, 'a': 2}"])(
    'is refused for the struct %s, whose fields do not all arrive',
    async struct => {
      const refusal = { code: 'UNSUPPORTED', message: expect.stringContaining('STRUCT(') };
      await expect(jsons(struct)).rejects.toMatchObject(refusal);
      await expect(values(struct)).rejects.toMatchObject(refusal);
    },
  );
});

describe('a JavaScript value', () => {
  it('is a number for a whole number that is safe, else a bigint', async () => {
    expect(
      await values(`1, ${SAFE_MAX}, ${SAFE_MAX + 1n}, '-5'::HUGEINT, 2.50, 'nan'::FLOAT`),
    ).toEqual([1, Number(SAFE_MAX), SAFE_MAX + 1n, -5, 2.5, Number.NaN]);
  });

  it('is a Date for days and instants, cut to the millisecond', async () => {
    const clock = '2026-11-30 20:40:14.123999';
    expect(
      await values(`TIMESTAMPTZ '${clock}Z', TIMESTAMP '${clock}', '${clock}999'::TIMESTAMP_NS,
        TIMESTAMP_S '2026-11-30 20:40:14', DATE '2026-11-30',
        TIMESTAMP '1969-12-31 23:59:59.9999'`),
    ).toEqual([
      new Date('2026-11-30T20:40:14.123Z'),
      new Date('2026-11-30T20:40:14.123Z'),
      new Date('2026-11-30T20:40:14.123Z'),
      new Date('2026-11-30T20:40:14.000Z'),
      new Date('2026-11-30T00:00:00.000Z'),
      new Date(-1),
    ]);
  });

  it('is text for a day or instant that a Date cannot hold', async () => {
    expect(
      await values(
        `'infinity'::DATE, '-infinity'::TIMESTAMP_NS, DATE '300000-01-01',
          TIMESTAMP '290000-01-01'`,
      ),
    ).toEqual(['infinity', '-infinity', '300000-01-01', '290000-01-01 00:00:00']);
  });

  it('is bytes, an array, an object or a Map where JavaScript has them', async () => {
    expect(
      await values(`'\\xAAb'::BLOB, [1, NULL], {'a': [DATE '1970-01-01']}, MAP {1: 'x'},
        union_value(n := 2), [1.5::VARIANT]`),
    ).toEqual([
      new Uint8Array([0xaa, 0x62]),
      [1, null],
      { a: [new Date(0)] },
      new Map([[1, 'x']]),
      { n: 2 },
      [1.5],
    ]);
  });

  it('is the plain text for everything else, true, false and null', async () => {
    const others = `TIME '20:40:14', INTERVAL 1 DAY, '01'::BIT, '{"a":1}'::JSON, true, NULL`;
    expect(await values(others)).toEqual(['20:40:14', '1 day', '01', '{"a":1}', true, null]);
    expect(await rendered(connection, 'SELECT uuid()', jsValue)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });
});
