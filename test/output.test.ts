/** The streaming formats: csv, tsv, json and ndjson, read back by DuckDB and by JSON.parse. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormatOptions } from '../src/output/format.ts';
import { type FormatName, formats } from '../src/output/index.ts';
import { type Given, openDuckdb, query, rendered, written } from './support/duckdb.ts';

let connection: DuckDBConnection;
const folder = mkdtempSync(path.join(tmpdir(), 'ahq-output-'));
const file = path.join(folder, 'answer');

beforeAll(async () => {
  connection = await openDuckdb();
});

afterAll(() => rmSync(folder, { recursive: true }));

async function write(
  format: FormatName,
  sql: string,
  options?: FormatOptions,
  given?: Given,
): Promise<string> {
  const { text } = await written(formats[format], await query(connection, sql, given), options);
  return text;
}

/** Every value of a delimited text, as DuckDB reads it with the columns given. */
async function readBack(text: string, columns: string, options = ''): Promise<unknown[]> {
  writeFileSync(file, text);
  const csv = `read_csv('${file}', header = true, columns = ${columns}, auto_detect = false,
    quote = '"', escape = '"', allow_quoted_nulls = false ${options})`;
  return rendered(connection, `SELECT * FROM ${csv}`, value => value);
}

/** Two rows, with and without values, of types that read differently. */
const SAMPLE = `SELECT * FROM (VALUES
  (1, 'a', 1.5, TIMESTAMPTZ '2026-11-30 20:40:14Z', [1, 2]),
  (NULL, NULL, NULL, NULL, NULL)) t(n, s, d, ts, l)`;

/** Text of any characters, often with those that mean something in a format. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\t', '#', "'", ';', '\\', ' ', 'a') }),
    // The binding swallows a byte order mark at the start of a text.
  )
  .filter(text => !text.startsWith('\ufeff'));

/** A list of texts and NULLs as the parameter of a statement. */
function texts(list: readonly (string | null)[]): Given {
  return { values: [listValue(list)], types: [LIST(VARCHAR)] };
}

const STREAMS = ['csv', 'tsv', 'json', 'ndjson'] as const;

describe('csv and tsv', () => {
  it('have a header, LF line ends, and quotes only where they are needed', async () => {
    expect(await write('csv', SAMPLE)).toBe(
      'n,s,d,ts,l\n1,a,1.5,2026-11-30 20:40:14+00,"[1,2]"\n,,,,\n',
    );
    expect(await write('tsv', SAMPLE)).toBe(
      'n\ts\td\tts\tl\n1\ta\t1.5\t2026-11-30 20:40:14+00\t[1,2]\n\t\t\t\t\n',
    );
  });

  it('quote the delimiter, quotes, line breaks and #, and double a quote', async () => {
    const fields = `SELECT 'a,b', 'a"b', 'a' || chr(10) || 'b', chr(13), '#', 'a' || chr(9),
      '', ' '`;
    const rows = async (format: FormatName) => (await write(format, fields)).replace(/^.*\n/, '');
    expect(await rows('csv')).toBe('"a,b","a""b","a\nb","\r","#",a\t,"", \n');
    expect(await rows('tsv')).toBe('a,b\t"a""b"\t"a\nb"\t"\r"\t"#"\t"a\t"\t""\t \n');
  });

  it('quote header fields by the same rule and tell equal names apart', async () => {
    expect(await write('csv', 'SELECT 1 AS "a,b", 2 AS a, 3 AS a, 4 AS "x""y"')).toBe(
      '"a,b",a,a_1,"x""y"\n1,2,3,4\n',
    );
  });

  it('write NULL as the text asked for, and quote a value that reads like it', async () => {
    const sql = "SELECT NULL AS a, 'NA' AS b, '' AS c, 7 AS d";
    expect(await write('csv', sql, { nullText: 'NA' })).toBe('a,b,c,d\nNA,"NA","",7\n');
    expect(await write('csv', sql, { nullText: '7' })).toBe('a,b,c,d\n7,NA,"","7"\n');
    expect(await write('tsv', sql, { nullText: '\\N' })).toBe('a\tb\tc\td\n\\N\tNA\t""\t7\n');
  });

  it('write what COPY of DuckDB writes, for every scalar type', async () => {
    const { columns } = await query(connection, 'SELECT * FROM test_all_types()');
    const names = columns
      .map(({ name }) => name)
      .filter(name => !/array|struct|map|union|list|geometry|timestamp_tz/.test(name));
    const sql = `SELECT ${names.map(name => `"${name}"`).join()} FROM test_all_types()`;
    await connection.run(`COPY (${sql}) TO '${file}' (FORMAT csv, HEADER)`);
    expect(await write('csv', sql)).toBe(readFileSync(file, 'utf8'));
    await connection.run(`COPY (${sql}) TO '${file}' (FORMAT csv, HEADER, DELIMITER '\t')`);
    expect(await write('tsv', sql)).toBe(readFileSync(file, 'utf8'));
  });

  it.each([
    ['csv', ", delim = ','"],
    ['tsv', ", delim = '\t'"],
  ] as const)(
    '%s reads back as it was: NULL, empty text, quotes, line breaks',
    async (format, delim) => {
      const lists = fc.array(fc.option(anyText), { minLength: 1, maxLength: 50 });
      await fc.assert(
        fc.asyncProperty(lists, async list => {
          const sql = 'SELECT x AS a, 1 AS b, x AS c FROM (SELECT unnest($1) AS x)';
          const text = await write(format, sql, {}, texts(list));
          const columns = "{'a': 'VARCHAR', 'b': 'INTEGER', 'c': 'VARCHAR'}";
          const expected = list.flatMap(value => [value, 1, value]);
          expect(await readBack(text, columns, delim)).toEqual(expected);
        }),
      );
    },
  );

  it('reads back as it was with a single column and with another text for NULL', async () => {
    const lists = fc.array(fc.option(anyText), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(lists, async list => {
        const given = texts(list);
        const text = await write('csv', 'SELECT unnest($1)', { nullText: 'a' }, given);
        expect(await readBack(text, "{'x': 'VARCHAR'}", ", nullstr = 'a'")).toEqual(list);
      }),
    );
  });
});

describe('json and ndjson', () => {
  it('write an object a row, each on a line', async () => {
    const full = '{"n":1,"s":"a","d":1.5,"ts":"2026-11-30T20:40:14.000Z","l":[1,2]}';
    const empty = '{"n":null,"s":null,"d":null,"ts":null,"l":null}';
    expect(await write('json', SAMPLE)).toBe(`[\n${full},\n${empty}\n]\n`);
    expect(await write('ndjson', SAMPLE)).toBe(`${full}\n${empty}\n`);
  });

  it('keep both of two columns of one name, named as DuckDB names them in a table', async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS a, 4 AS a_1, 5 AS b, 6 AS "2", 7 AS "1"';
    await connection.run(`CREATE OR REPLACE TABLE named AS ${sql}`);
    const described = 'SELECT column_name FROM (DESCRIBE named)';
    const names = await rendered(connection, described, value => value);
    const object = names.map((name, index) => `"${name}":${index + 1}`).join();
    expect(await write('ndjson', sql)).toBe(`{${object}}\n`);
  });

  it('read back as they were, with any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(anyText)), async list => {
        const sql = 'SELECT x AS "a""b" FROM (SELECT unnest($1) AS x)';
        const given = texts(list);
        const expected = list.map(value => ({ 'a"b': value }));
        expect(JSON.parse(await write('json', sql, {}, given))).toEqual(expected);
        const lines = (await write('ndjson', sql, {}, given)).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map(line => JSON.parse(line))).toEqual(expected);
      }),
    );
  });

  it('read back by DuckDB as the rows they came from', async () => {
    const sql = `SELECT i, i / 7 AS d, 'x' || i AS s, [i] AS l, {'k': i} AS st,
      TIMESTAMP '2026-11-30' + to_seconds(i) AS ts FROM range(5000) t(i)`;
    for (const format of ['json', 'ndjson'] as const) {
      writeFileSync(file, await write(format, sql));
      const rows = `SELECT count(*) FROM (FROM read_json('${file}') INTERSECT ALL ${sql})`;
      expect(await rendered(connection, rows, Number), format).toEqual([5000]);
    }
  });
});

describe('the streaming formats', () => {
  it.each(STREAMS)('%s passes every control character through', async format => {
    const sql = `SELECT i AS code, 'a' || chr(i::INTEGER) || 'b' AS s FROM range(160) t(i)`;
    const text = await write(format, sql);
    const expected = Array.from({ length: 160 }, (_, code) => `a${String.fromCharCode(code)}b`);
    if (format === 'json' || format === 'ndjson') {
      const rows = format === 'json' ? text : `[${text.trimEnd().replaceAll('\n', ',')}]`;
      expect(JSON.parse(rows).map((row: { s: string }) => row.s)).toEqual(expected);
      return;
    }
    const delimiter = format === 'csv' ? ',' : '\t';
    const lines = expected.map((value, code) => {
      const isQuoted = ['"', '#', '\n', '\r', delimiter].some(special => value.includes(special));
      return `${code}${delimiter}${isQuoted ? `"${value.replace('"', '""')}"` : value}\n`;
    });
    expect(text).toBe(`code${delimiter}s\n${lines.join('')}`);
  });

  it.each(STREAMS)('%s shows instants in the time zone asked for', async format => {
    const sql = "SELECT TIMESTAMPTZ '2026-07-01 12:00:00Z' AS ts";
    const text = await write(format, sql, { timezone: 'Europe/Berlin' });
    expect(text).toMatch(/2026-07-01[ T]14:00:00(\.000\+02:00|\+02)/);
  });

  it.each(STREAMS)(
    '%s gives the number of rows, and writes them in pieces of 64 KB',
    async format => {
      const result = await query(
        connection,
        "SELECT i, 'some text ' || i AS s FROM range(50000) t(i)",
      );
      const { rows, text, pieces } = await written(formats[format], result);
      expect(rows).toBe(50_000);
      const longest = Math.max(...pieces.map(piece => piece.length));
      expect(longest).toBeLessThan(65_536 + 100);
      expect(pieces.length).toBeLessThanOrEqual(Math.ceil(text.length / 65_536));
    },
  );

  it.each(STREAMS)('%s asks for rows only after what it wrote has been taken', async format => {
    const result = await query(connection, "SELECT repeat('x', 1000) AS s FROM range(20000)");
    const events: string[] = [];
    async function* chunks() {
      for await (const chunk of result.chunks) {
        events.push('rows');
        yield chunk;
      }
    }
    const write = async (): Promise<void> => {
      events.push('begin');
      await new Promise(resolve => setImmediate(resolve));
      events.push('end');
    };
    await formats[format]({ columns: result.columns, chunks: chunks() }, { write }, {});
    const isAlone = events.every((event, at) => event !== 'begin' || events[at + 1] === 'end');
    expect(isAlone).toBe(true);
    expect(events.filter(event => event === 'begin').length).toBeGreaterThan(100);
    expect(events.lastIndexOf('rows')).toBeGreaterThan(events.indexOf('end'));
  });

  it.each(STREAMS)(
    '%s passes on an error of the query and does not end the answer',
    async format => {
      const result = await query(connection, "SELECT repeat('x', 50) AS s FROM range(9000)");
      async function* failing() {
        let chunks = 0;
        for await (const chunk of result.chunks) {
          if (chunks === 3) throw new Error('no more');
          yield chunk;
          chunks += 1;
        }
      }
      const pieces: string[] = [];
      const write = async (piece: string): Promise<void> => void pieces.push(piece);
      const failed = { columns: result.columns, chunks: failing() };
      await expect(formats[format](failed, { write }, {})).rejects.toThrow('no more');
      expect(pieces.join('')).not.toContain(']');
      expect(pieces.length).toBeGreaterThan(2);
    },
  );

  it.each([
    ['csv', 'a,b\n'],
    ['tsv', 'a\tb\n'],
    ['json', '[]\n'],
    ['ndjson', ''],
  ] as const)('%s has its own way to say that there are no rows', async (format, expected) => {
    const result = await query(connection, 'SELECT 1 AS a, 2 AS b LIMIT 0');
    expect(await written(formats[format], result)).toMatchObject({ text: expected, rows: 0 });
  });
});

describe('every format', () => {
  it('writes nothing for a statement that answers nothing', async () => {
    for (const [name, format] of Object.entries(formats)) {
      const { chunks } = await query(connection, 'SELECT 1 LIMIT 0');
      const nothing = { columns: [], chunks };
      expect(await written(format, nothing), name).toEqual({ text: '', pieces: [], rows: 0 });
    }
  });

  it('is known by its name, the table first', () => {
    expect(Object.keys(formats)).toEqual(['table', 'json', 'ndjson', 'csv', 'tsv']);
  });
});
