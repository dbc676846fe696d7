/** The table format: what people see in a terminal, and what never reaches it. */

import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FormatOptions } from '../src/output/format.ts';
import { formats } from '../src/output/index.ts';
import { type Given, openDuckdb, query, written } from './support/duckdb.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await openDuckdb();
});

async function table(sql: string, options?: FormatOptions, given?: Given): Promise<string> {
  const { text } = await written(formats.table, await query(connection, sql, given), options);
  return text;
}

/** The lines of a box, without what is written below it. */
function boxLines(text: string): string[] {
  return text.split('\n').filter(line => /^[┌│├└]/.test(line));
}

/** What can make a terminal do something else than print. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

describe('a table', () => {
  it('has a box, numbers on the right, NULL as a word, nested values as JSON', async () => {
    const sql = `SELECT * FROM (VALUES (1, 'one', 1.5, [1, 2]), (20, NULL, NULL, NULL))
      t(n, name, size, list)`;
    expect(await table(sql)).toBe(
      [
        '┌────┬──────┬──────┬───────┐',
        '│  n │ name │ size │ list  │',
        '├────┼──────┼──────┼───────┤',
        '│  1 │ one  │  1.5 │ [1,2] │',
        '│ 20 │ NULL │ NULL │ NULL  │',
        '└────┴──────┴──────┴───────┘',
        '2 rows',
        '',
      ].join('\n'),
    );
  });

  it('shows the head of a result without rows', async () => {
    expect(await table('SELECT 1 AS a LIMIT 0')).toBe('┌───┐\n│ a │\n├───┤\n└───┘\n0 rows\n');
  });

  it('counts a single row as one', async () => {
    expect(await table('SELECT 1')).toMatch(/\n1 row\n$/);
  });

  it('shows the text asked for instead of NULL, and instants in the zone asked for', async () => {
    const sql = "SELECT NULL AS a, TIMESTAMPTZ '2026-07-01 12:00:00Z' AS ts";
    const text = await table(sql, { nullText: '∅', timezone: 'Europe/Berlin' });
    expect(boxLines(text)[3]).toBe('│ ∅ │ 2026-07-01 14:00:00+02 │');
  });

  it('keeps two columns of one name apart by their place alone', async () => {
    expect(boxLines(await table('SELECT 1 AS a, 2 AS a'))[1]).toBe('│ a │ a │');
  });

  it('aligns wide, combining and joined characters', async () => {
    const given = {
      values: [
        listValue(['plain', '日本語', 'e\u0301te\u0301', '👩‍👩‍👧‍👦', '🇩🇪🦆', '한국', 'นี้', 'हिन्दी']),
      ],
      types: [LIST(VARCHAR)],
    };
    const lines = boxLines(await table('SELECT unnest($1) AS s, 1 AS n', {}, given));
    expect(new Set(lines.map(line => stringWidth(line)))).toEqual(new Set([14]));
    expect(lines[4]).toBe('│ 日本語 │ 1 │');
  });

  it('marks headers and NULL only when colours are wanted', async () => {
    const sql = "SELECT NULL AS a, 'NULL' AS b";
    expect(await table(sql)).not.toContain('\u001b');
    expect(boxLines(await table(sql, { colour: true }))).toEqual([
      '┌──────┬──────┐',
      '│ \u001b[1m   a\u001b[22m │ \u001b[1mb   \u001b[22m │',
      '├──────┼──────┤',
      '│ \u001b[2mNULL\u001b[22m │ NULL │',
      '└──────┴──────┘',
    ]);
  });
});

describe('the width of a table', () => {
  it('leaves short columns alone and shares the rest among the long ones', async () => {
    const sql = "SELECT 7 AS n, repeat('a', 99) AS a, 'short' AS s, repeat('b', 200) AS b";
    const line = boxLines(await table(sql, { width: 60 }))[3];
    expect(line).toBe(`│ 7 │ ${'a'.repeat(19)}… │ short │ ${'b'.repeat(20)}… │`);
    expect(stringWidth(line ?? '')).toBe(60);
  });

  it('cuts texts before it cuts numbers and instants', async () => {
    const sql = `SELECT 9007199254740991 AS n, TIMESTAMPTZ '2026-11-30 20:40:14.123456Z' AS ts,
      repeat('a', 99) AS a`;
    expect(boxLines(await table(sql, { width: 66 }))[3]).toBe(
      '│ 9007199254740991 │ 2026-11-30 20:40:14.123456+00 │ aaaaaaaaaa… │',
    );
  });

  it('finds room for every column that it shows', async () => {
    const sql = `SELECT (2::HUGEINT ** 120)::HUGEINT AS h, repeat('a', 50) AS a,
      repeat('b', 30) AS b, repeat('c', 9) AS c`;
    for (let width = 20; width < 150; width += 1) {
      const lines = boxLines(await table(sql, { width }));
      expect(new Set(lines.map(line => stringWidth(line) <= width))).toEqual(new Set([true]));
    }
    expect(boxLines(await table(sql, { width: 58 }))[3]).toBe(
      '│ 1329227995784915872903807060280… │ aaaaaaa… │ bbbbbbb… │',
    );
  });

  it('cuts between characters as people see them', async () => {
    const sql = "SELECT repeat('👩‍👩‍👧‍👦', 20) AS a";
    expect(boxLines(await table(sql, { width: 20 }))[3]).toBe(`│ ${'👩‍👩‍👧‍👦'.repeat(7)}…  │`);
  });

  it('ends a heap of accents with … too, and cuts no character in two', async () => {
    for (const accents of [300, 317, 318, 319, 320]) {
      const sql = `SELECT 'x' || repeat('\u0301', ${accents}) || repeat('🦆', 9) || 'y' AS a`;
      const line = boxLines(await table(sql, { width: 20 }))[3] ?? '';
      expect(Buffer.from(line).toString()).toBe(line);
      expect(stringWidth(line)).toBeLessThanOrEqual(20);
      expect(line).toContain('…');
    }
  });

  it('names the columns that do not fit', async () => {
    const sql = `SELECT ${Array.from({ length: 9 }, (_, i) => `repeat('x', 20) AS column_${i}`)}`;
    const text = await table(sql, { width: 40 });
    expect(boxLines(text)[1]).toBe('│ column_0   │ column_1   │ column_2   │');
    expect(text.split('\n').slice(5)).toEqual([
      '… 6 more columns (--no-truncate shows',
      'them): column_3, column_4, column_5,',
      'column_6, column_7, column_8',
      '1 row',
      '',
    ]);
  });

  it('does not matter when nothing may be cut', async () => {
    const sql = "SELECT repeat('x', 5000) AS a, repeat('y', 5000) AS b";
    const text = await table(sql, { width: 40, noTruncate: true });
    expect(text).toContain(`│ ${'x'.repeat(5000)} │ ${'y'.repeat(5000)} │`);
    expect(text).not.toContain('…');
    expect(await table(sql)).toBe(text);
  });

  it('is never more than the terminal has, whatever the names and values', async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 80 });
    const rows = fc.array(fc.array(fc.option(anyText), { minLength: 5, maxLength: 5 }));
    const names = fc.array(anyText, { minLength: 5, maxLength: 5 });
    const width = fc.integer({ min: 20, max: 200 });
    const maxRows = fc.integer({ min: 0, max: 5 });
    await fc.assert(
      fc.asyncProperty(rows, names, width, maxRows, async (list, heads, width, maxRows) => {
        const columns = heads.map(
          (head, i) => `x[${i + 1}] AS "${sqlName(head, i)}", ${i}e${i * 9}`,
        );
        const text = await table(
          `SELECT ${columns} FROM (SELECT unnest($1) AS x)`,
          { width, maxRows },
          { values: [listValue(list.map(listValue))], types: [LIST(LIST(VARCHAR))] },
        );
        const lines = text.split('\n');
        expect(lines.filter(line => stringWidth(line) > width)).toEqual([]);
        expect(lines.filter(line => STEERING.test(line))).toEqual([]);
      }),
    );
  });

  it('is the same in all lines for text of characters that stand alone', async () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      'ß',
      '本',
      '語',
      '🦆',
      '🇩🇪',
      '👩‍👩‍👧‍👦',
      'e\u0301',
      ' ',
      '\n',
    );
    const texts = fc.array(fc.string({ unit, maxLength: 60 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 30, max: 120 }), async (list, width) => {
        const given = { values: [listValue(list)], types: [LIST(VARCHAR)] };
        const sql = 'SELECT x, 1 AS n, reverse(x) AS "日本" FROM (SELECT unnest($1) AS x)';
        const lines = boxLines(await table(sql, { width }, given));
        expect(lines).toHaveLength(Math.min(list.length, 100) + 4);
        expect(new Set(lines.map(line => stringWidth(line))).size).toBe(1);
      }),
    );
  });
});

/** A column name in double quotes; DuckDB takes neither an empty one nor a NUL. */
function sqlName(text: string, index: number): string {
  return `${index}${text.replaceAll('"', '""').replaceAll('\u0000', '')}`;
}

describe('a table of what a program printed', () => {
  it('shows every control character as a symbol', async () => {
    const sql = "SELECT string_agg(chr(i::INTEGER), '' ORDER BY i) AS s FROM range(160) t(i)";
    const line = boxLines(await table(sql))[3] ?? '';
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('');
    const c1 = Array.from({ length: 32 }, (_, i) => `\\x${(0x80 + i).toString(16)}`).join('');
    expect(line).toBe(`│ ␀␁␂␃␄␅␆␇␈→↵␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟${printable}␡${c1} │`);
  });

  it('shows marks that would turn the direction of writing', async () => {
    const marks =
      '\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    const text = await table('SELECT $1 AS s', {}, { values: [marks] });
    const codes = Array.from(
      marks,
      mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(boxLines(text)[3]).toBe(`│ ${codes.join('')} │`);
  });

  it('shows them in names, nested values and the text for NULL as well', async () => {
    const sql = `SELECT [chr(27) || '[31m'] AS "a\u001b[2J", NULL AS "${'b\u202e'.repeat(9)}"`;
    for (const width of [20, 200]) {
      const text = await table(sql, { width, nullText: '\u009b1m' });
      expect(text).toContain('a␛[2J');
      expect(STEERING.test(text.replaceAll('\n', ''))).toBe(false);
    }
  });

  it('lets no value write over the frame', async () => {
    const sql = "SELECT 'safe' || chr(13) || chr(27) || '[1A' || chr(8) AS s, 'x' AS t";
    expect(boxLines(await table(sql))[3]).toBe('│ safe␍␛[1A␈ │ x │');
  });
});

describe('the rows of a table', () => {
  it('are the first 100, and the rest is counted', async () => {
    const result = await query(connection, 'SELECT i FROM range(5421) t(i)');
    const { text, rows } = await written(formats.table, result);
    expect(rows).toBe(5421);
    expect(boxLines(text)).toHaveLength(104);
    expect(text.split('\n').slice(-3)).toEqual([
      '… 5,321 more rows (--max-rows N or -o FILE shows them)',
      '5,421 rows',
      '',
    ]);
  });

  it.each([
    [0, 0, '… 7 more rows'],
    [6, 6, '… 1 more row ('],
    [7, 7, null],
    [8, 7, null],
    [Number.POSITIVE_INFINITY, 7, null],
  ])('are at most %d', async (maxRows, shown, note) => {
    const text = await table('SELECT i FROM range(7) t(i)', { maxRows });
    expect(boxLines(text)).toHaveLength(shown + 4);
    if (note === null) expect(text).not.toContain('…');
    else expect(text).toContain(note);
    expect(text).toMatch(/\n7 rows\n$/);
  });

  it('may be more than a chunk holds', async () => {
    const text = await table('SELECT i FROM range(9000) t(i)', { maxRows: 2049 });
    expect(boxLines(text)).toHaveLength(2049 + 4);
    expect(boxLines(text).at(-2)).toBe('│ 2048 │');
  });

  it('are drawn before the rest is counted', async () => {
    const { columns, chunks } = await query(connection, 'SELECT i FROM range(9000) t(i)');
    const events: string[] = [];
    async function* watched() {
      for await (const chunk of chunks) {
        events.push('rows');
        yield chunk;
      }
    }
    const write = async (text: string): Promise<void> => {
      events.push(text.startsWith('┌') ? 'box' : 'notes');
    };
    await formats.table({ columns, chunks: watched() }, { write }, { maxRows: 3000 });
    expect(events).toEqual(['rows', 'rows', 'box', 'rows', 'rows', 'rows', 'notes']);
  });

  it('can be many, and long, without being kept whole', async () => {
    const sql = "SELECT repeat('x', 1000000) AS s FROM range(300)";
    const text = await table(sql, { width: 50 });
    expect(boxLines(text)[3]).toBe(`│ ${'x'.repeat(45)}… │`);
    expect(text).toContain('… 200 more rows');
  });
});
