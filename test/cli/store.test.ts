/** Bare names ask the store; everything else leaves it alone. */

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ahq } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

const FOLDER = makeFolder();
const STORE = '.local/share/ahq/ahq.duckdb';
afterAll(() => removeFolder(FOLDER));

function homeWithDemo(name: string): string {
  const home = path.join(FOLDER, name);
  mkdirSync(home);
  symlinkSync(path.join(projectRoot, 'fixtures/claude/demo/.claude'), path.join(home, '.claude'));
  return home;
}

describe('a bare name', () => {
  it('asks a store that is made for it', () => {
    const home = homeWithDemo('bare');
    const ended = ahq(['select count(*) from message'], { home });
    expect(ended).toEqual({ status: 0, stdout: 'count_star()\n164\n', stderr: '' });
    expect(existsSync(path.join(home, STORE))).toBe(true);
  });

  it('says where to look when no home of a harness was found', () => {
    const home = path.join(FOLDER, 'empty');
    mkdirSync(home);
    const ended = ahq(['select count(*) from message'], { home });
    expect(ended.stdout).toBe('count_star()\n0\n');
    expect(ended.stderr).toContain('no home of any harness was found; `ahq sources` shows');
  });

  it('is no reason to make a store where it is only an alias', () => {
    const home = homeWithDemo('alias');
    const ended = ahq(['select count(*) as session from read_sessions()'], { home });
    expect(ended).toEqual({ status: 0, stdout: 'session\n17\n', stderr: '' });
    expect(existsSync(path.join(home, STORE))).toBe(false);
  });

  it('without a store and without a refresh is an error that says what to do', () => {
    const home = homeWithDemo('none');
    const ended = ahq(['--no-refresh', 'from message'], { home });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain('leave out --no-refresh to make it');
  });
});
