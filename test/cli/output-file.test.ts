/** `-o FILE`: an answer in a file, complete or not there at all. */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ahq } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

let root: string;
let folder: string;
let tests = 0;

beforeAll(() => {
  root = makeFolder();
});

beforeEach(() => {
  folder = path.join(root, String(++tests));
  mkdirSync(folder);
});

afterAll(() => {
  removeFolder(root);
});

const FAILING =
  "select 1 as a union all select error('no') from range(100000) t(i) where i = 99999";

describe('-o FILE', () => {
  it('gets all answers, as csv unless told otherwise, and stdout gets nothing', () => {
    const file = path.join(folder, 'answer');
    const { status, stdout, stderr } = ahq(['-o', file, 'select 1 as a; select 2 as b']);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('a\n1\nb\n2\n');
    ahq(['-o', file, '--format', 'json', 'select 3 as c']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([{ c: 3 }]);
    expect(readdirSync(folder)).toEqual(['answer']);
  });

  it('is stdout when it is -', () => {
    expect(ahq(['-o', '-', 'select 1 as a']).stdout).toBe('a\n1\n');
  });

  it('may be what the query itself reads', () => {
    const file = path.join(folder, 'a.csv');
    writeFileSync(file, 'a\n1\n2\n');
    ahq(['-o', file, `select sum(a) as a from '${file}'`]);
    expect(readFileSync(file, 'utf8')).toBe('a\n3\n');
  });

  it('stays as it was when the query fails, and nothing lies beside it', () => {
    const file = path.join(folder, 'a.csv');
    writeFileSync(file, 'before');
    expect(ahq(['-o', file, FAILING]).status).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(ahq(['-o', path.join(folder, 'new.csv'), FAILING]).status).toBe(2);
    expect(readdirSync(folder)).toEqual(['a.csv']);
  });

  it('is as private as the file that it replaces', () => {
    const file = path.join(folder, 'a.csv');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    ahq(['-o', file, 'select 1']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is written through a link, which stays one', () => {
    const file = path.join(folder, 'a.csv');
    const link = path.join(folder, 'link.csv');
    writeFileSync(file, '');
    symlinkSync(file, link);
    ahq(['-o', link, 'select 1 as a']);
    expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
    expect(readdirSync(folder, { withFileTypes: true }).map(entry => entry.isFile())).toEqual([
      true,
      false,
    ]);
  });

  it('may be a device, which is not replaced', () => {
    expect(ahq(['-o', '/dev/null', 'select 1'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(ahq(['-o', '/dev/full', 'select 1'])).toEqual({
      status: 1,
      stdout: '',
      stderr: "ahq: cannot write '/dev/full': the disk is full (ENOSPC)\n",
    });
  });

  it('fails with 1 before the query runs when it cannot be written', () => {
    const refused = (file: string) => ahq(['-o', file, "select error('ran')"]);
    expect(refused(folder)).toMatchObject({
      status: 1,
      stderr: `ahq: cannot write '${folder}': it is a folder (EISDIR)\n`,
    });
    const nowhere = path.join(folder, 'none', 'a.csv');
    expect(refused(nowhere)).toMatchObject({
      status: 1,
      stderr: `ahq: cannot write '${nowhere}': there is no such folder (ENOENT)\n`,
    });
  });
});
