/** The relations as table functions: parameters, plans, statements that are run again. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, open, relations } from '../../src/index.ts';
import { promptLine, writeHome, writeSession } from '../scan/claude-home.ts';
import { all, ask, machine, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

let folder: string;
let home: string;

beforeEach(() => {
  folder = makeFolder();
  home = writeHome(folder);
});
afterEach(() => removeFolder(folder));

describe('the path', () => {
  const plans = async (args: string, given: Parameters<typeof ask>[1] = []) =>
    (await ask(`SELECT plan_name FROM read_plans(${args})`, given)).rows;

  const PLAN = [{ plan_name: 'quiet-fox' }];

  it.each(['path = $p', 'path := $p', 'path => $p', '"path" = $p', 'PATH = $p', '$p'])(
    'may be given as %s',
    async args => {
      expect(await plans(args, { p: home })).toEqual(PLAN);
    },
  );

  it('may stand in the text, by name and by position', async () => {
    for (const args of [`'${home}'`, `path = '${home}'`, `path = '${folder}' || '/.claude'`]) {
      expect(await plans(args)).toEqual(PLAN);
    }
  });

  it('may be a parameter by position', async () => {
    for (const args of ['?', 'path = ?', '$1', 'path = $1', 'path = ?, source = ?']) {
      expect(await plans(args, [home, 'claude'])).toEqual(PLAN);
    }
  });

  it('may be the value of a variable', async () => {
    for (const args of ["path = getvariable('home')", "getvariable('home')"]) {
      const sql = `SET VARIABLE home = '${home}'; SELECT plan_name FROM read_plans(${args})`;
      expect((await ask(sql)).rows).toEqual(PLAN);
    }
  });

  it('by position goes together with other parameters by name', async () => {
    const sql = `FROM read_conversations('${home}', source = 'claude', rows = 'line')`;
    expect((await ask(sql)).rows).toHaveLength(4);
  });

  it('is a text: anything else is taken as one', async () => {
    const { notes } = await ask('FROM read_plans(path = 5)');
    expect(notes).toEqual(["read_plans: path '5' does not exist"]);
  });
});

describe('a parameter', () => {
  it.each(relations)('that $functionName does not know is refused by DuckDB', async relation => {
    const error = await refusal(`FROM ${relation.functionName}(pth = 'x')`);
    expect(error.code).toBe('SQL');
    expect(error.message).toMatch(/Binder Error.*Invalid named parameter "pth"/s);
  });

  it('must be constant: another table cannot give it', async () => {
    const sql = `FROM (VALUES ('${home}')) t(p), read_plans(path = t.p)`;
    expect((await refusal(sql)).code).toBe('SQL');
  });
});

describe('EXPLAIN', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await open({ environment: machine() });
  });
  afterEach(() => engine.close());

  const planOf = async (sql: string) => {
    const [row] = await all(engine.query(`EXPLAIN ${sql}`, { p: home }));
    return String(row?.['explain_value']);
  };

  it.each(relations)('opens no file for $functionName', async ({ functionName }) => {
    expect(await planOf(`FROM ${functionName}(path = $p)`)).toContain(functionName.toUpperCase());
    expect(engine.work).toMatchObject({ filesOpened: 0, bytesRead: 0, recordsParsed: 0 });
  });

  it('estimates the rows from the size of the files', async () => {
    const estimate = async () =>
      Number(
        /~([\d,]+) rows?/
          .exec(await planOf('FROM read_events(path = $p)'))?.[1]
          ?.replaceAll(',', ''),
      );
    const small = await estimate();
    writeFile(home, 'projects/-p/large.jsonl', promptLine('large', 'x'.repeat(2000)).repeat(1000));
    const large = await estimate();
    expect(small).toBeLessThan(10);
    expect(large).toBeGreaterThan(500);
    expect(large).toBeLessThan(2000);
    expect(engine.work.bytesRead).toBe(0);
  });

  it('says what is wrong with the parameters, and passes over missing files', async () => {
    await expect(planOf("FROM read_plans(source = 'x')")).rejects.toThrow("unknown source 'x'");
    expect(await planOf("FROM read_events(path = '/nowhere')")).toContain('READ_EVENTS');
  });
});

describe('a connection of the caller', () => {
  let connection: DuckDBConnection;
  let engine: Engine;

  beforeAll(async () => {
    engine = await open({ environment: machine() });
    connection = await (await DuckDBInstance.create(':memory:')).connect();
    engine.register(connection);
  });
  afterAll(() => {
    connection.disconnectSync();
    engine.close();
  });

  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();

  it('knows every function, with parameters by name', async () => {
    const demo = join(projectRoot, 'fixtures/claude/demo/.claude');
    const empty: string[] = [];
    for (const { name, functionName, columns } of relations) {
      const found = await connection.runAndReadAll(`FROM ${functionName}(path = '${demo}')`);
      expect(found.columnNames()).toEqual(Object.keys(columns));
      if (found.currentRowCount === 0) empty.push(name);
    }
    // What the sessions of the demo have nothing of.
    const absent = ['tool_op', 'session_continuation', 'rate_limit_sample', 'cost_state'];
    expect(empty).toEqual(absent);
  });

  it('counts what it reads with the engine', async () => {
    const before = engine.work.filesOpened;
    await rows(`SELECT count(*) FROM read_events(path = '${home}')`);
    expect(engine.work.filesOpened - before).toBe(4);
  });

  it('sees in a prepared statement what came after it was prepared', async () => {
    await connection.run(
      `PREPARE texts AS SELECT message_content FROM read_conversations(path = $1) ORDER BY ALL`,
    );
    const texts = async () => (await rows(`EXECUTE texts('${home}')`)).flat();
    expect(await texts()).toEqual(['flow', 'one', 'sub', 'two']);
    writeSession(home, '-p', 'three');
    expect(await texts()).toEqual(['flow', 'one', 'sub', 'three', 'two']);
    removeFolder(join(home, 'projects/-home-mira-tide'));
    expect(await texts()).toEqual(['three', 'two']);
  });

  it('sees it also where the path stands in the statement', async () => {
    await connection.run(`PREPARE n AS SELECT count(*) FROM read_events(path = '${home}')`);
    expect(await rows('EXECUTE n')).toEqual([[4n]]);
    writeSession(home, '-p', 'three');
    expect(await rows('EXECUTE n')).toEqual([[5n]]);
  });

  it('gives errors that begin with the name of the function', async () => {
    await expect(rows("FROM read_events(path = '/nowhere')")).rejects.toThrow(
      "read_events: path '/nowhere' does not exist",
    );
  });
});

describe('an error of a table function', () => {
  it('keeps code and path on its way through DuckDB', async () => {
    const error = await refusal("SELECT count(*) FROM read_events(path = '/nowhere')");
    const { code, path, offset, message } = error;
    expect([code, path, offset]).toEqual(['NOT_FOUND', '/nowhere', null]);
    expect(message).toBe("read_events: path '/nowhere' does not exist");
  });

  it('is not taken for that of a later statement', async () => {
    const engine = await open({ environment: machine() });
    await expect(all(engine.query("FROM read_events(path = '/nowhere')"))).rejects.toThrow();
    await expect(all(engine.query('SELECT nothing'))).rejects.toMatchObject({
      code: 'SQL',
      path: null,
    });
    engine.close();
  });
});

describe('a query that is abandoned', () => {
  it('leaves no descriptor open', async () => {
    writeFile(home, 'projects/-p/large.jsonl', promptLine('large', 'x'.repeat(500)).repeat(4000));
    const engine = await open({ environment: machine() });
    const openFiles = () => readdirSync('/proc/self/fd').length;
    for await (const _ of engine.query('SELECT 1'));
    const before = openFiles();
    for (let i = 0; i < 50; i++) {
      const name = i % 2 ? 'conversations' : 'events';
      for await (const _ of engine.query(`FROM read_${name}(path = $p) LIMIT 3`, { p: home }));
      for await (const _ of engine.query(`FROM read_${name}(path = $p)`, { p: home })) break;
    }
    expect(openFiles()).toBe(before);
    engine.close();
  });
});
