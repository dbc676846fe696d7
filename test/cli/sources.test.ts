/** `ahq sources`: where ahq looks, what it finds there, and what it leaves out. */

import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { harnesses } from '../../src/harness/index.ts';
import { ahq, type Surroundings, writeHome } from '../support/ahq.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

type Row = Readonly<Record<string, unknown>>;

/** All rows, and what was said beside them. */
function census(args: readonly string[], where: Surroundings = {}) {
  const { status, stdout, stderr } = ahq(['sources', '--format', 'json', ...args], where);
  expect(status).toBe(0);
  return { rows: JSON.parse(stdout) as readonly Row[], stderr };
}

/** The rows of Claude Code's homes, and what was said beside all rows. */
function claudeCensus(where: Surroundings): ReturnType<typeof census> {
  const { rows, stderr } = census([], where);
  return { rows: rows.filter(row => row['source'] === 'claude'), stderr };
}

const NOTHING = {
  source: 'claude',
  found: false,
  transcripts: 0,
  side_files: 0,
  bytes: 0,
  oldest_change: null,
  newest_change: null,
  skipped: 0,
  skipped_because: null,
};

describe('ahq sources', () => {
  it('names the homes where it looked, also those that are not there', () => {
    const { rows, stderr } = claudeCensus({ home: '/nowhere' });
    expect(rows).toEqual([
      { ...NOTHING, path: '/nowhere/.claude' },
      { ...NOTHING, path: '/nowhere/.config/claude' },
    ]);
    expect(stderr).toBe('');
  });

  it('has at least one row for each harness', () => {
    const named = new Set(census([]).rows.map(row => row['source']));
    expect([...named]).toEqual(harnesses.map(({ description }) => description.name));
  });

  it('counts files and bytes, dates them, and says what it skips and why', () => {
    const home = writeHome(path.join(folder, 'counted'), 2);
    const plan = writeFile(home, 'plans/tide.md', '# Tide\n');
    const todos = writeFile(home, 'todos/a-agent-a.json', '[]');
    writeFile(home, 'projects/-home-ada-tide/memory/MEMORY.md', 'remember');
    writeFile(home, 'projects/-home-ada-tide/sessions-index.json', '{}');
    utimesSync(plan, 0, new Date('2020-01-01T00:00:00.750Z'));
    utimesSync(todos, 0, new Date('2030-01-01T00:00:00Z'));
    const { rows } = claudeCensus({ variables: { CLAUDE_CONFIG_DIR: home } });
    const transcript_bytes = Number(
      ahq([`select sum(byte_length + 1)::int from read_events('${home}')`]).stdout.split('\n')[1],
    );
    expect(rows).toEqual([
      {
        source: 'claude',
        path: home,
        found: true,
        transcripts: 1,
        side_files: 2,
        bytes: transcript_bytes + '# Tide\n'.length + '[]'.length,
        oldest_change: '2020-01-01T00:00:00.000Z',
        newest_change: '2030-01-01T00:00:00.000Z',
        skipped: 2,
        skipped_because: 'side file, no transcript: 2',
      },
    ]);
  });

  it('counts a file once, however many paths lead to it', () => {
    const home = path.join(folder, 'linked');
    writeHome(home, 2);
    mkdirSync(path.join(home, '.config'));
    symlinkSync(path.join(home, '.claude'), path.join(home, '.config/claude'));
    const { rows } = claudeCensus({ home });
    expect(rows.map(row => row['transcripts'])).toEqual([1, 0]);
    expect(rows[1]).toMatchObject({
      found: true,
      skipped: 1,
      skipped_because: 'counted above under another path: 1',
    });
  });

  it('says what it could not read', () => {
    const home = writeHome(path.join(folder, 'loop'), 2);
    const loop = path.join(home, 'projects/loop');
    symlinkSync(loop, loop);
    const { rows, stderr } = claudeCensus({ variables: { CLAUDE_CONFIG_DIR: home } });
    const reason = 'its links go in a circle (ELOOP)';
    expect(rows[0]).toMatchObject({ transcripts: 1, skipped: 1, skipped_because: `${reason}: 1` });
    expect(stderr).toBe(`ahq: note: cannot read '${loop}': ${reason}\n`);
  });

  it('shows instants in the zone that is asked for', () => {
    const home = writeHome(path.join(folder, 'zone'), 2);
    const session = 'projects/-home-ada-tide/5b2f6c1e-0000-4000-8000-0123456789ab.jsonl';
    utimesSync(path.join(home, session), 0, new Date('2026-07-01T12:00:00Z'));
    const args = ['--path', home, '--timezone', 'Asia/Kolkata'];
    const { rows } = census(args);
    expect(rows[0]).toMatchObject({ newest_change: '2026-07-01T17:30:00.000+05:30' });
  });
});

describe('ahq sources --path', () => {
  it('looks at one place, or at each that a pattern names', () => {
    const one = writeHome(path.join(folder, 'path/one'), 2);
    const two = writeHome(path.join(folder, 'path/two'), 2);
    const { rows } = census(['--path', `${folder}/path/*/.claude`]);
    expect(rows.map(row => row['path'])).toEqual([one, two]);
    expect(census(['--path', path.join(one, 'projects')]).rows).toMatchObject([
      { path: path.join(one, 'projects'), transcripts: 1 },
    ]);
  });

  it('fails with 1 where there is nothing, or nothing that is known', () => {
    expect(ahq(['sources', '--path', '/nowhere'])).toEqual({
      status: 1,
      stdout: '',
      stderr: "ahq: path '/nowhere' does not exist\n",
    });
    const { status, stderr } = ahq(['sources', '--path', 'sql']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ahq: no harness recognises '.*sql'; /);
  });

  it('fails with 2 for a time zone that is not known', () => {
    const { status, stderr } = ahq(['sources', '--path', 'fixtures', '--timezone', 'Nope']);
    expect(status).not.toBe(0);
    expect(stderr).not.toContain('RangeError');
  });
});
