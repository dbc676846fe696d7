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

/** A record of Claude Code. */
const RECORD = '{"type":"user","sessionId":"one","message":{"content":"hello"}}';

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

  it.each([
    ['csv', 'a\n1\n'],
    ['tsv', 'a\n1\n'],
    ['json', '[\n{"a":1}\n]\n'],
    ['ndjson', '{"a":1}\n'],
    ['jsonl', '{"a":1}\n'],
    ['JSON', '[\n{"a":1}\n]\n'],
    ['txt', 'a\n1\n'],
  ])('has the form that its ending names: .%s', (ending, text) => {
    const file = path.join(folder, `answer.${ending}`);
    expect(ahq(['-o', file, 'select 1 as a'])).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('has the form that is asked for, whatever its ending', () => {
    const file = path.join(folder, 'answer.json');
    expect(ahq(['--format', 'csv', '-o', file, 'select 1 as a']).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
  });

  it.each(['new.csv', 'projects/-a/new.csv', 'projects/-a/one.jsonl'])(
    'is refused inside the home of a harness: %s',
    name => {
      const home = path.join(folder, '.claude');
      mkdirSync(path.join(home, 'projects/-a'), { recursive: true });
      const transcript = path.join(home, 'projects/-a/one.jsonl');
      writeFileSync(transcript, `${RECORD}\n`);
      const file = path.join(home, name);
      const { status, stderr } = ahq(['-o', file, 'select 1 as a'], { home: folder });
      expect(stderr).toMatch(/^ahq: '.*' belongs to Claude Code: ahq writes nothing there/);
      expect(status).toBe(1);
      expect(readFileSync(transcript, 'utf8')).toBe(`${RECORD}\n`);
      expect(readdirSync(home)).toEqual(['projects']);
      expect(readdirSync(path.join(home, 'projects/-a'))).toEqual(['one.jsonl']);
    },
  );

  it('is refused where it would replace a transcript, wherever that lies', () => {
    const file = path.join(folder, 'kept.jsonl');
    writeFileSync(file, `${RECORD}\n`);
    expect(ahq(['-o', file, 'select 1 as a']).status).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(`${RECORD}\n`);
  });
});
