/** Queries as a whole: several at once, several statements, failures amid the rows, joins. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AhqError, type Engine, open } from '../../src/index.ts';
import { promptLine, writeSession } from '../scan/claude-home.ts';
import { all, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

const DEMO = join(projectRoot, 'fixtures/claude/demo/.claude');

/** Enough for several chunks. */
const LINES = 20_000;

let folder: string;
let large: string;
let engine: Engine;

beforeAll(async () => {
  folder = makeFolder();
  const lines = Array.from({ length: LINES }, (_, n) => promptLine('large', `prompt ${n}`));
  large = writeFile(folder, 'large/projects/-p/large.jsonl', lines.join(''));
  engine = await open({ environment: machine() });
});
afterAll(() => {
  engine.close();
  removeFolder(folder);
});

const NUMBERS = 'SELECT line_number AS n FROM read_conversations(path = $p)';

describe('two queries on one engine', () => {
  it('give their own rows while they overlap', async () => {
    const queries = [engine.query(NUMBERS, { p: large }), engine.query(NUMBERS, { p: large })];
    const found: unknown[][] = [[], []];
    for (let row = 0; row < LINES; row++) {
      for (const [index, query] of queries.entries()) {
        const { value } = await query.next();
        found[index]?.push(value?.n);
      }
    }
    const wanted = Array.from({ length: LINES }, (_, index) => index + 1);
    expect(found).toEqual([wanted, wanted]);
    expect(await Promise.all(queries.map(query => query.next()))).toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
  });

  it('may both be started before either is read', async () => {
    const counts = `SELECT count(*)::INT AS n FROM read_events(path = $p)`;
    const both = await Promise.all([1, 2].map(() => all(engine.query(counts, { p: large }))));
    expect(both).toEqual([[{ n: LINES }], [{ n: LINES }]]);
  });

  it('do not share their errors', async () => {
    const bad = all(engine.query("FROM read_events(path = '/nowhere')"));
    const good = all(engine.query('SELECT count(*)::INT AS n FROM read_events($p)', { p: large }));
    await expect(bad).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await good).toEqual([{ n: LINES }]);
  });
});

describe('rows', () => {
  it('as arrays keep columns of one name apart, as objects number them', async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS b, 4 AS a';
    expect(await all(engine.query(sql, [], { rows: 'array' }))).toEqual([[1, 2, 3, 4]]);
    expect(await all(engine.query(sql))).toEqual([{ a: 1, a_1: 2, b: 3, a_2: 4 }]);
  });

  it('are those of the last statement', async () => {
    const sql = `CREATE OR REPLACE TEMP TABLE t AS ${NUMBERS};
      SELECT 'not this one'; SELECT count(*)::INT AS n FROM t; -- end`;
    expect(await all(engine.query(sql, { p: large }))).toEqual([{ n: LINES }]);
  });

  it('are none where the last statement answers nothing', async () => {
    expect(await all(engine.query('SELECT 1; CREATE OR REPLACE TEMP TABLE u (a INT)'))).toEqual([]);
  });
});

describe('a stream that fails amid its rows', () => {
  it("throws with DuckDB's reason", async () => {
    const sql = `SELECT CASE WHEN n = ${LINES} THEN error('too far') ELSE n END AS n
      FROM (${NUMBERS})`;
    const rows: unknown[] = [];
    const reading = (async () => {
      for await (const row of engine.query(sql, { p: large })) rows.push(row['n']);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'SQL' });
    await expect(reading).rejects.toThrow('too far');
    expect(rows.length).toBeLessThan(LINES);
  });

  it('leaves the engine usable', async () => {
    await expect(all(engine.query("SELECT error('no')"))).rejects.toBeInstanceOf(AhqError);
    expect(await all(engine.query('SELECT 1 AS a'))).toEqual([{ a: 1 }]);
  });
});

describe('an AbortSignal', () => {
  it('ends a query between two chunks', async () => {
    const controller = new AbortController();
    const rows: unknown[] = [];
    const reading = (async () => {
      const options = { signal: controller.signal };
      for await (const row of engine.query(NUMBERS, { p: large }, options)) {
        rows.push(row);
        if (rows.length === 10) controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(rows.length).toBeLessThan(LINES);
    expect(await all(engine.query('SELECT 1 AS a'))).toEqual([{ a: 1 }]);
  });

  it('that is aborted already lets nothing begin', async () => {
    const before = engine.work.filesOpened;
    const options = { signal: AbortSignal.abort() };
    const reading = all(engine.query(NUMBERS, { p: large }, options));
    await expect(reading).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(engine.work.filesOpened).toBe(before);
  });
});

describe('relations in one statement', () => {
  const one = async (sql: string) => (await all(engine.query(sql, { p: DEMO })))[0];

  it('may be the same one several times', async () => {
    const sql = `SELECT count(*)::INT AS n, count(*) FILTER (result.author = 'tool')::INT AS results
      FROM read_conversations(path = $p) call
      JOIN read_conversations(path = $p) result USING (tool_use_id)
      WHERE call.tool_name IS NOT NULL AND result.message_type = 'tool_result'`;
    const row = await one(sql);
    expect(row?.['n']).toBeGreaterThan(50);
    expect(row?.['results']).toBe(row?.['n']);
  });

  it('may be those of several homes, one after the other', async () => {
    for (const name of ['a', 'b']) writeSession(join(folder, name), '-p', name);
    const part = (name: string) => `FROM read_conversations(path = '${join(folder, name)}')`;
    const sql = `SELECT message_content AS c FROM (${part('a')} UNION ALL ${part('b')})`;
    expect(await all(engine.query(sql))).toEqual([{ c: 'a' }, { c: 'b' }]);
  });

  it('may be materialised and used twice', async () => {
    const sql = `WITH x AS MATERIALIZED (FROM read_conversations(path = $p))
      SELECT (SELECT count(*) FROM x)::INT AS "rows",
             (SELECT count(DISTINCT (file_path, line_number)) FROM x)::INT AS lines`;
    const row = await one(sql);
    expect(row).toEqual({ rows: 515, lines: 489 });
  });

  it.each([
    ['history', 'c.session_id = o.session_id', 'c.session_id'],
    ['history', 'c.project_path = o.project', 'c.project_path'],
    ['todos', 'c.session_id = o.session_id', 'o.item_index'],
    ['plans', 'c.slug = o.plan_name', 'o.plan_name'],
  ])('join: conversations and %s on %s', async (relation, condition, key) => {
    const sql = `SELECT count(*)::INT AS n, count(DISTINCT ${key})::INT AS keys
      FROM read_conversations(path = $p) c JOIN read_${relation}(path = $p) o ON ${condition}`;
    const row = await one(sql);
    expect(row?.['n']).toBeGreaterThan(10);
    expect(row?.['keys']).toBeGreaterThan(1);
  });
});
