/** What is read when no path is given. */

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, machine, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { texts, writeHome, writeSession } from './claude-home.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const configured = (value: string) => machine(folder, { CLAUDE_CONFIG_DIR: value });

describe('without a path', () => {
  it('the home of Claude Code is read, by every function', async () => {
    writeHome(folder);
    for (const name of ['conversations', 'events', 'plans', 'todos', 'history', 'stats']) {
      const { rows, notes } = await ask(`FROM read_${name}()`, [], machine(folder));
      expect(rows, name).not.toEqual([]);
      expect(notes, name).toEqual([]);
    }
  });

  it('~/.claude and ~/.config/claude are read together', async () => {
    writeSession(join(folder, '.config/claude'), '-p', 'newer');
    expect((await texts('', {}, machine(folder))).texts).toEqual(['newer']);
    writeSession(join(folder, '.claude'), '-p', 'older');
    expect((await texts('', {}, machine(folder))).texts).toEqual(['older', 'newer']);
  });

  it("and with the source 'all' every home that there is, of any harness", async () => {
    writeSession(join(folder, '.claude'), '-p', 'one');
    for (const source of ['all', ' ALL ']) {
      const found = await texts('source = $source', { source }, machine(folder));
      expect(found).toEqual({ texts: ['one'], notes: [] });
    }
  });

  it('a home that is a link to the other is read once', async () => {
    writeSession(join(folder, '.config/claude'), '-p', 'one');
    symlinkSync(join(folder, '.config/claude'), join(folder, '.claude'));
    expect((await texts('', {}, machine(folder))).texts).toEqual(['one']);
  });

  it('without any home the places that were tried are named', async () => {
    const { rows, notes } = await ask('FROM read_conversations()', [], machine(folder));
    expect(rows).toEqual([]);
    expect(notes).toEqual([
      `read_conversations: path '${folder}/.claude' does not exist`,
      `read_conversations: path '${folder}/.config/claude' does not exist`,
    ]);
    const error = await refusal('FROM read_events()', [], machine(folder));
    expect(error.message).toBe(`read_events: path '${folder}/.claude' does not exist`);
  });

  it('an empty home has no rows, and that is said', async () => {
    mkdirSync(join(folder, '.claude'));
    const { notes } = await texts('', {}, machine(folder));
    expect(notes).toEqual([
      `read_conversations: no files to read in '${folder}/.claude', '${folder}/.config/claude'`,
    ]);
  });

  it('and without a home folder the working directory is not read instead', async () => {
    writeHome(folder);
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { rows, notes } = await ask('FROM read_conversations()', [], machine(''));
      expect(rows).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(/^read_conversations: no home folder is known/),
      ]);
    } finally {
      process.chdir(before);
    }
  });
});

describe('CLAUDE_CONFIG_DIR', () => {
  it('moves the home', async () => {
    writeHome(folder);
    const moved = join(folder, 'moved');
    writeSession(moved, '-p', 'moved');
    expect((await texts('', {}, configured(moved))).texts).toEqual(['moved']);
  });

  it('may begin with ~, and hold several homes with a comma between them', async () => {
    for (const name of ['a', 'b']) writeSession(join(folder, name), '-p', name);
    const environment = configured(` ~/b , ${join(folder, 'a')},`);
    expect((await texts('', {}, environment)).texts).toEqual(['b', 'a']);
  });

  it('that is empty counts as unset', async () => {
    writeSession(join(folder, '.claude'), '-p', 'one');
    for (const value of ['', ' , ']) {
      expect((await texts('', {}, configured(value))).texts).toEqual(['one']);
    }
  });

  it('that names no folder is said, and nothing else is read instead', async () => {
    writeHome(folder);
    const { rows, notes } = await ask('FROM read_plans()', [], configured('/nowhere'));
    expect([rows, notes]).toEqual([[], ["read_plans: path '/nowhere' does not exist"]]);
    const error = await refusal('FROM read_events()', [], configured('/nowhere'));
    expect([error.code, error.path]).toEqual(['NOT_FOUND', '/nowhere']);
  });

  it('does not matter when a path is given', async () => {
    const path = writeHome(folder);
    const found = await texts('path = $path', { path }, configured('/nowhere'));
    expect(found.texts).toHaveLength(4);
  });
});
