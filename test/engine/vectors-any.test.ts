/** Any bytes, in any cells, through any statement: the chunk writer against a plain one. */

import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellValue } from '../../src/engine/vectors.ts';
import {
  type CellDatabase,
  type Cells,
  type Chunks,
  difference,
  openCells,
  plainRows,
  slice,
  textOf,
} from '../support/cells.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

let database: CellDatabase;
let folder: string;

beforeAll(async () => {
  folder = makeFolder();
  database = await openCells();
  await database.connection.run(`ATTACH '${join(folder, 'kept.duckdb')}' AS disk`);
});

afterAll(() => {
  database.connection.disconnectSync();
  removeFolder(folder);
});

/** What texts and their borders are made of, in Latin-1. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 20 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '\xc3\xa9',
      '\xe2\x82\xac',
      '\xf0\x9f\xa6\x86',
      '\0',
      '\xef\xbf\xbd',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\xc3',
      '\xe2',
      '\xe2\x82',
      '\xf0\x9f',
      '\xf0\x9f\xa6',
      '\xa9',
      '\x82\xac',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\xff', '\xc0\x80', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\x80'),
  },
  { weight: 1, arbitrary: fc.constant('x'.repeat(13)) },
);

const wire = fc.array(piece, { maxLength: 5 }).map(pieces => pieces.join(''));

const validWire = wire.map(text =>
  Buffer.from(Buffer.from(text, 'latin1').toString()).toString('latin1'),
);

/** A cell before its chunk has buffers: a text, or a slice of one of them. */
type CellPlan =
  | null
  | string
  | { buffer: number; at: number; length: number; isBorrowable: boolean };

const slicePlan = fc.record({
  buffer: fc.nat({ max: 2 }),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 40 }),
  isBorrowable: fc.boolean(),
});

const bytesPlan: fc.Arbitrary<CellPlan> = fc.oneof(
  fc.constant(null),
  wire,
  validWire,
  slicePlan,
  slicePlan,
);

const integer = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, 2 ** 53 - 1),
);

const rowPlan = fc.tuple(
  bytesPlan,
  bytesPlan,
  bytesPlan,
  fc.option(integer),
  fc.option(fc.boolean()),
);

/** A chunk: its rows, some of them many times in a row, sliced from buffers of its own. */
const chunk = fc
  .record({
    buffers: fc.array(fc.oneof(wire, validWire, validWire), { minLength: 3, maxLength: 3 }),
    rows: fc.array(fc.tuple(rowPlan, fc.constantFrom(1, 1, 1, 2, 70)), {
      minLength: 1,
      maxLength: 12,
    }),
  })
  .map(({ buffers, rows }): readonly Cells[] => {
    const blocks = buffers.map(text => Buffer.from(text.repeat(4), 'latin1'));
    return rows.flatMap(([[a, b, blob, i, f], times]) => {
      const cells: Cells = [cell(a, blocks), cell(b, blocks), cell(blob, blocks), i, f];
      return Array<Cells>(times).fill(cells);
    });
  });

function cell(plan: CellPlan, blocks: readonly Buffer[]): CellValue {
  if (plan === null || typeof plan === 'string') return plan;
  const block = blocks[plan.buffer] ?? Buffer.alloc(0);
  const start = Math.floor(plan.at * block.length);
  const end = Math.min(block.length, start + plan.length);
  return slice(block, start, end, plan.isBorrowable);
}

const chunks: fc.Arbitrary<Chunks> = fc.array(chunk, { minLength: 1, maxLength: 4 });

/** Statements that give every row of `source` again. */
const WAYS = {
  'read once': (source: string) => `FROM ${source}`,
  sorted: (source: string) => `FROM ${source} ORDER BY a DESC, b, blob, i, f, n`,
  grouped: (source: string) =>
    `SELECT unnest(list(n)) AS n, a, b, blob, i, f FROM ${source} GROUP BY a, b, blob, i, f`,
  'in a union': (source: string) => `(FROM ${source}) UNION (FROM ${source})`,
  'in windows': (source: string) =>
    `SELECT n, first_value(a) OVER (PARTITION BY a ORDER BY n) AS a,
      lag(b, 0) OVER (ORDER BY blob, n) AS b, last_value(blob) OVER (PARTITION BY blob) AS blob,
      max(i) OVER (PARTITION BY i) AS i, f FROM ${source}`,
  'joined to itself': (source: string) =>
    `SELECT l.n, l.a, r.b, l.blob, r.i, l.f FROM ${source} l JOIN ${source} r
      ON l.n = r.n AND l.a IS NOT DISTINCT FROM r.a AND l.blob IS NOT DISTINCT FROM r.blob`,
  'in a CTE': (source: string) => `WITH kept AS MATERIALIZED (FROM ${source}) FROM kept`,
  'as lists': (source: string) => `SELECT unnest(l, recursive := true)
    FROM (SELECT list({n: n, a: a, b: b, blob: blob, i: i, f: f}) AS l FROM ${source})`,
};

describe('any cells', () => {
  it.each(Object.entries(WAYS))('come out as from the plain writer: %s', async (_, way) => {
    await fc.assert(
      fc.asyncProperty(chunks, async given => {
        database.chunks = given;
        expect(difference(await database.rows(way('written()')), plainRows(given))).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('are the same for DuckDB as those of the plain writer', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async given => {
        database.chunks = given;
        expect(await database.rows('(FROM written()) EXCEPT ALL (FROM plain())')).toEqual([]);
        expect(await database.rows('(FROM plain()) EXCEPT ALL (FROM written())')).toEqual([]);
        expect(difference(await database.rows('FROM plain()'), plainRows(given))).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it.each(['memory.main', 'disk.main'])('can be kept in tables: %s', async schema => {
    const { connection } = database;
    await fc.assert(
      fc.asyncProperty(chunks, async given => {
        database.chunks = given;
        await connection.run(`CREATE OR REPLACE TABLE ${schema}.kept AS FROM written()`);
        await connection.run(`CHECKPOINT ${schema.split('.')[0]}`);
        expect(difference(await database.rows(`FROM ${schema}.kept`), plainRows(given))).toBeNull();
        const filtered = (source: string) =>
          `FROM ${source} WHERE (a >= '' OR a IS NULL) AND (b < 'b' OR b IS NULL)`;
        const kept = await database.rows(filtered(`${schema}.kept`));
        expect(difference(kept, await database.rows(filtered('plain()')))).toBeNull();
        await connection.run(`SUMMARIZE ${schema}.kept`);
      }),
      { numRuns: 30 },
    );
  });

  it('stay in streamed chunks that are held to the end', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async given => {
        database.chunks = given;
        const result = await database.connection.stream('SELECT a, b FROM written()');
        const held = [];
        for (
          let part = await result.fetchChunk();
          part?.rowCount;
          part = await result.fetchChunk()
        ) {
          held.push(part);
        }
        const expected = given.flat().map(([a, b]) => [textOf(a), textOf(b)]);
        expect(held.flatMap(part => part.getRows())).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('pure garbage', () => {
  /** Numbers below `max`, the same for the same seed. */
  function generator(seed: number): (max: number) => number {
    let state = seed;
    return max => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * max);
    };
  }

  function garbage(below: (max: number) => number): readonly Cells[] {
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
    const blocks = [bytes(4000), bytes(4000)];
    const any = (): CellValue => {
      const kind = below(5);
      if (kind === 0) return null;
      if (kind === 1) return bytes(below(60)).toString('latin1');
      if (kind === 2) return bytes(below(16)).toString('latin1');
      const start = below(3900);
      return slice(blocks[below(2)] ?? Buffer.alloc(0), start, start + below(100), kind === 3);
    };
    const row = (): Cells => [
      any(),
      any(),
      any(),
      below(2) ? below(2 ** 31) : null,
      below(2) === 1,
    ];
    return Array.from({ length: 1 + below(200) }, row);
  }

  it('of 300 chunks neither ends the process nor changes a byte', async () => {
    const below = generator(20);
    database.chunks = Array.from({ length: 300 }, () => garbage(below));
    const expected = plainRows(database.chunks);
    expect(difference(await database.rows('FROM written()'), expected)).toBeNull();
    expect(difference(await database.rows('FROM written() ORDER BY b, a'), expected)).toBeNull();
    await database.connection.run('CREATE OR REPLACE TABLE kept AS FROM written()');
    expect(difference(await database.rows('FROM kept'), expected)).toBeNull();
  });

  it('between valid chunks leaves them as they are', async () => {
    const below = generator(21);
    const valid = (text: string): readonly Cells[] =>
      Array.from({ length: 50 }, (_, row) => [`${text} ${row}`, text, null, row, true]);
    database.chunks = Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0 ? valid('valid text of some length') : garbage(below),
    );
    expect(
      difference(await database.rows('FROM written()'), plainRows(database.chunks)),
    ).toBeNull();
  });
});
