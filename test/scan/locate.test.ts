/** Which files a path stands for: a home, any part of it, a pattern, and how it is spelled. */

import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../src/index.ts';
import { ask, machine, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { everythingAt, promptLine, texts, writeHome, writeSession } from './claude-home.ts';

const ALL = ['two', 'one', 'sub', 'flow'];

const PROJECT = 'projects/-home-mira-tide';

let folder: string;
let home: string;

beforeEach(() => {
  folder = makeFolder();
  home = writeHome(folder);
});
afterEach(() => removeFolder(folder));

describe('a path', () => {
  it('may be a home', async () => {
    expect((await texts('path = $path', { path: home })).texts).toEqual(ALL);
  });

  it.each([
    ['the folder of projects', 'projects', ALL],
    ['a project', PROJECT, ['one', 'sub', 'flow']],
    ['the folder of a session', `${PROJECT}/one`, ['sub', 'flow']],
    ['the sub-agents of a session', `${PROJECT}/one/subagents`, ['sub', 'flow']],
    ['a workflow', `${PROJECT}/one/subagents/workflows/wf_1`, ['flow']],
    ['a transcript', `${PROJECT}/one.jsonl`, ['one']],
    ['the transcript of a sub-agent', `${PROJECT}/one/subagents/agent-sub.jsonl`, ['sub']],
  ])('may be %s, whose rows are those that the home gives', async (_, part, wanted) => {
    const path = join(home, part);
    expect((await texts('path = $path', { path })).texts).toEqual(wanted);
    const isPart = (row: ObjectRow) => `${row['file_path']}/`.startsWith(`${path}/`);
    expect(await everythingAt(path)).toEqual((await everythingAt(home)).filter(isPart));
  });

  it('may be a transcript that was copied out of its home', async () => {
    const path = writeFile(folder, 'copy/one.jsonl', promptLine('one', 'copied'));
    expect((await texts('path = $path', { path })).texts).toEqual(['copied']);
  });

  it('may be a transcript that nothing but its place tells', async () => {
    const path = writeFile(home, `${PROJECT}/torn.jsonl`, '{"type":"us');
    const { rows } = await ask('FROM read_events(path = $path)', {
      path: relative(process.cwd(), path),
    });
    expect(rows).toMatchObject([{ file_path: path, session_id: 'torn', is_valid_json: false }]);
  });

  it('may end with a slash', async () => {
    for (const part of ['', PROJECT]) {
      const path = `${join(home, part)}/`;
      expect(await everythingAt(path)).toEqual(await everythingAt(path.slice(0, -1)));
    }
  });

  it('may be relative to the working directory', async () => {
    const path = relative(process.cwd(), join(home, PROJECT));
    expect(path).toMatch(/^\.\./);
    expect(await everythingAt(path)).toEqual(await everythingAt(join(home, PROJECT)));
  });

  it('may be the working directory itself, which keeps its name', async () => {
    const before = process.cwd();
    process.chdir(join(home, PROJECT));
    try {
      expect(await everythingAt('.')).toEqual(await everythingAt(join(home, PROJECT)));
      process.chdir(join(home, 'projects'));
      expect(await everythingAt('.')).toEqual(await everythingAt(home));
    } finally {
      process.chdir(before);
    }
  });

  it('may begin with ~', async () => {
    const environment = machine(folder);
    expect((await texts("path = '~/.claude'", {}, environment)).texts).toEqual(ALL);
    expect((await texts("path = '~'", {}, machine(home))).texts).toEqual(ALL);
  });

  it('is absent when it is NULL, and so is every other parameter', async () => {
    const args = 'path = NULL, source = NULL, include_archived = NULL, modified_after = NULL';
    const found = await texts(`${args}, rows = NULL`, {}, machine(folder));
    expect(found).toEqual({ texts: ALL, notes: [] });
  });

  it('that is empty is a path that does not exist', async () => {
    const found = await texts("path = ''");
    expect(found).toEqual({ texts: [], notes: ["read_conversations: path '' does not exist"] });
  });

  it('that is a list is refused with a hint', async () => {
    const error = await refusal("FROM read_conversations(path = ['~/.claude', '~/.codex'])");
    expect(error.code).toBe('USAGE');
    expect(error.message).toMatch(/^read_conversations: path takes one text, not a list; use a/);
  });
});

describe('a pattern', () => {
  it('reads every home that it matches, in the order of their paths', async () => {
    for (const name of ['b', 'a']) writeSession(join(folder, name, '.claude'), '-p', name);
    expect((await texts('path = $path', { path: `${folder}/?/.claude` })).texts).toEqual([
      'a',
      'b',
    ]);
    const path = `${folder}/{a,b}/.claude/projects/*/*.jsonl`;
    expect((await texts('path = $path', { path })).texts).toEqual(['a', 'b']);
  });

  it('crosses folders with two stars, and leaves out what no harness wrote', async () => {
    writeFile(folder, '.claude.json', '{}');
    const path = `${folder}/**/*.json*`;
    expect((await texts('path = $path', { path })).texts).toEqual(ALL);
    const { rows } = await ask('FROM read_events(path = $path)', { path });
    expect(rows.map(row => row['file_name'])).toEqual([
      ...['two.jsonl', 'one.jsonl', 'agent-sub.jsonl', 'agent-flow.jsonl'],
    ]);
  });

  it('that matches nothing says so', async () => {
    const path = `${folder}/none-*`;
    const { notes } = await texts('path = $path', { path });
    expect(notes).toEqual([`read_conversations: path '${path}' matches nothing`]);
    const error = await refusal('FROM read_events(path = $path)', { path });
    expect([error.code, error.path]).toEqual(['NOT_FOUND', path]);
  });

  it('is a path where a file has that very name', async () => {
    for (const name of ['home[ab]', 'homea']) writeSession(join(folder, name), '-p', name);
    const path = join(folder, 'home[ab]');
    expect((await texts('path = $path', { path })).texts).toEqual(['home[ab]']);
  });

  it('reads a file once, however often it matches', async () => {
    const path = `${folder}/.claude{,/projects,/projects/*}`;
    expect((await texts('path = $path', { path })).texts).toEqual(ALL);
  });
});

describe('a link', () => {
  it('to a home is read as the home that it leads to', async () => {
    const link = join(folder, 'link');
    symlinkSync(home, link);
    expect(await everythingAt(link)).toEqual(await everythingAt(home));
  });

  it('to a project is read under the name of the project', async () => {
    const link = join(folder, 'link');
    symlinkSync(join(home, PROJECT), link);
    expect(await everythingAt(link)).toEqual(await everythingAt(join(home, PROJECT)));
  });

  it('inside a home is followed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFile(elsewhere, 'three.jsonl', promptLine('three', 'three'));
    symlinkSync(elsewhere, join(home, 'projects/-linked'));
    expect((await texts('path = $path', { path: home })).texts).toEqual([...ALL, 'three']);
  });
});
