/** What does not fit into memory goes into ahq's data folder, and only then. */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq, startAhq } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

/** Keeps more rows than fit, then tells what was spilled, and where. */
const SPILLING = `
  set threads = 1; set memory_limit = '60MB';
  create table t as
    select i, md5(i::varchar) || repeat('x', 40) as text from range(1500000) r(i) order by hash(i);
  select count(*) > 0 as spilled, any_value(path) as place from duckdb_temporary_files()`;

let root: string;

beforeAll(() => {
  root = makeFolder();
});

afterAll(() => {
  removeFolder(root);
});

/** An empty home and an empty folder to work in. */
function machine(name: string): { home: string; cwd: string } {
  const [home, cwd] = [path.join(root, name, 'home'), path.join(root, name, 'work')];
  mkdirSync(home, { recursive: true });
  mkdirSync(cwd);
  return { home, cwd };
}

/** The folder that a spilling query used. */
function spillPlace(where: Parameters<typeof ahq>[1]): string {
  const { status, stdout, stderr } = ahq(['--format', 'ndjson', SPILLING], where);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { spilled, place } = JSON.parse(stdout) as { spilled: boolean; place: string };
  expect(spilled).toBe(true);
  return path.dirname(place);
}

describe('a query that spills', () => {
  it('uses a folder of its own in the data folder, and takes it away', () => {
    const { home, cwd } = machine('known');
    const data = path.join(home, '.local/share/ahq');
    mkdirSync(data, { recursive: true });
    expect(path.dirname(spillPlace({ home, cwd }))).toBe(data);
    expect([...readdirSync(cwd), ...readdirSync(data)]).toEqual([]);
  });

  it('uses the folder that a variable names', () => {
    const { home, cwd } = machine('named');
    const data = path.join(root, 'data');
    mkdirSync(data);
    const place = spillPlace({ home, cwd, variables: { AHQ_DATA_DIR: data } });
    expect(path.dirname(place)).toBe(data);
    expect([...readdirSync(cwd), ...readdirSync(home), ...readdirSync(data)]).toEqual([]);
  });

  it('makes no data folder: it uses the nearest one above that is there', () => {
    const { home, cwd } = machine('new');
    expect(path.dirname(spillPlace({ home, cwd }))).toBe(home);
    expect([...readdirSync(cwd), ...readdirSync(home)]).toEqual([]);
  });

  it('is not disturbed by another one', async () => {
    const { home, cwd } = machine('two');
    const other = startAhq([`${SPILLING}; select sleep_ms(600000)`], { home, cwd });
    while (readdirSync(home).length === 0) await pause(20);
    const place = spillPlace({ home, cwd });
    expect(existsSync(place)).toBe(false);
    expect(readdirSync(home)).toHaveLength(1);
    other.kill('SIGKILL');
  });
});

describe('a query that fits into memory', () => {
  it('makes no folder', () => {
    const { home, cwd } = machine('small');
    ahq(['select 1'], { home, cwd });
    expect([...readdirSync(cwd), ...readdirSync(home)]).toEqual([]);
  });
});
