/** A store is an ordinary DuckDB file: the stock shell and Python read all of it. */

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude } from '../../src/harness/claude/index.ts';
import { relations } from '../../src/relations/index.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';
import { run } from '../support/run.ts';
import { refreshFrom, rowsIn } from './store.ts';

const FOLDER = makeFolder();
const STORE = path.join(FOLDER, 'a store.duckdb');
const VIEWS = relations.map(({ name }) => name).filter(name => name !== 'events');

beforeAll(async () => {
  await refreshFrom(STORE, claude, path.join(projectRoot, 'fixtures/claude/demo/.claude'));
});

afterAll(() => removeFolder(FOLDER));

/** Runs Python with the duckdb package, wherever the check has put it. */
function python(script: string): string {
  const packages = process.env['AHQ_TEST_STOCK'] ?? '';
  const variables = { PYTHONPATH: packages };
  const ended = run('python3', ['-c', script, STORE], { cwd: FOLDER, variables });
  expect(ended.stderr).toBe('');
  return ended.stdout;
}

/** Runs the stock shell. */
function shell(sql: string): string {
  const packages = process.env['AHQ_TEST_STOCK'] ?? '';
  const args = ['-m', 'duckdb_cli', '-readonly', '-csv', '-noheader', STORE, '-c', sql];
  const ended = run('python3', args, { cwd: FOLDER, variables: { PYTHONPATH: packages } });
  expect(ended.stderr).toBe('');
  return ended.stdout;
}

describe('the stock shell', () => {
  it('counts the rows of every view as ahq does', async () => {
    const wanted = await rowsIn(STORE);
    const sql = VIEWS.map(name => `SELECT '${name}', count(*) FROM ${name}`).join(' UNION ALL ');
    const found = shell(`FROM (${sql})`).trim().split(/\r?\n/);
    expect(found.sort()).toEqual(VIEWS.map(name => `${name},${wanted.get(name)?.length}`).sort());
  });

  it('reads what a relation and its columns mean', () => {
    const sql = `SELECT comment FROM duckdb_columns()
      WHERE table_name = 'llm_call' AND column_name = 'output'`;
    expect(shell(sql).trim()).toBe('"Output tokens, reasoning included"');
  });
});

describe('Python', () => {
  it('selects from every view of a store that is attached under another name', () => {
    const script = `
import duckdb, sys
c = duckdb.connect()
c.execute("ATTACH '" + sys.argv[1].replace("'", "''") + "' AS other (READ_ONLY)")
sql = "SELECT view_name FROM duckdb_views() WHERE database_name = 'other' AND NOT internal"
names = [n for (n,) in c.execute(sql).fetchall()]
for n in names: c.execute(f'SELECT * FROM other.{n}').fetchall()
print(','.join(sorted(names)))`;
    expect(python(script).trim()).toBe([...VIEWS].sort().join());
  });

  it('sums the tokens as ahq does', () => {
    const script = `
import duckdb, sys
c = duckdb.connect(sys.argv[1], read_only=True)
print(c.execute('SELECT sum(output) FROM llm_call').fetchone()[0])`;
    expect(python(script).trim()).toBe('15721');
  });
});
