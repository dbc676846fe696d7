/** Which files of a home are read, and what happens to those that cannot be. */

import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { claude } from '../../src/harness/claude/index.ts';
import type { SourceKind } from '../../src/harness/harness.ts';
import { ask, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { promptLine, texts, writeHome, writeSession } from './claude-home.ts';

const PROJECT = 'projects/-home-mira-tide';

const ALL = ['two', 'one', 'sub', 'flow'];

let folder: string;
let home: string;

beforeEach(() => {
  folder = makeFolder();
  home = writeHome(folder);
});
afterEach(() => removeFolder(folder));

const homeTexts = async () => (await texts('path = $path', { path: home })).texts;

describe('links', () => {
  it('that lead back up do not make a walk endless', async () => {
    symlinkSync(join(home, PROJECT, 'one'), join(home, PROJECT, 'one/subagents/up'));
    symlinkSync(join(home, PROJECT, 'one/subagents'), join(home, PROJECT, 'one/subagents/self'));
    symlinkSync(join(home, PROJECT), join(home, PROJECT, 'two'));
    symlinkSync(join(home, 'projects'), join(home, 'projects/-loop'));
    expect(await homeTexts()).toEqual(ALL);
  });

  it('that go in a circle are a problem of their own', async () => {
    symlinkSync('circle.jsonl', join(home, PROJECT, 'circle.jsonl'));
    const found = await texts('path = $path', { path: home });
    expect(found.texts).toEqual(ALL);
    expect(found.notes).toEqual([expect.stringMatching(/cannot read '.*circle.jsonl'.*ELOOP/)]);
    const error = await refusal('FROM read_events(path = $path)', { path: home });
    expect(error.message).toMatch(/^read_events: failed to list '.*circle.jsonl'.*ELOOP/);
    expect([error.code, error.path]).toEqual(['READ', join(home, PROJECT, 'circle.jsonl')]);
  });

  it('that lead nowhere are passed over', async () => {
    symlinkSync('/nowhere/x.jsonl', join(home, PROJECT, 'gone.jsonl'));
    expect(await homeTexts()).toEqual(ALL);
    expect((await ask('FROM read_events(path = $path)', { path: home })).rows).toHaveLength(4);
  });

  it('to a file that is read already do not bring it twice', async () => {
    linkSync(join(home, PROJECT, 'one.jsonl'), join(home, PROJECT, 'same.jsonl'));
    symlinkSync(join(home, PROJECT), join(home, 'projects/-the-same'));
    expect(await homeTexts()).toEqual(ALL);
  });
});

describe('the files of a home', () => {
  it('are read in the byte order of their names, project by project', async () => {
    for (const name of ['b', 'B', 'é', 'a', '\uffee', '\u{1f30a}'])
      writeSession(home, '-order', name);
    writeSession(home, '-Order', 'Z');
    const found = await homeTexts();
    expect(found).toEqual(['Z', ...ALL, 'B', 'a', 'b', 'é', '\uffee', '\u{1f30a}']);
  });

  it('that are folders are no transcripts, whatever they are called', async () => {
    mkdirSync(join(home, PROJECT, 'folder.jsonl'));
    mkdirSync(join(home, 'plans/folder.md'));
    expect(await homeTexts()).toEqual(ALL);
    expect((await ask('FROM read_plans(path = $path)', { path: home })).rows).toHaveLength(1);
  });

  it('are listed with a reason where no relation reads them', () => {
    writeFile(home, 'projects/stray.jsonl', promptLine('stray', 'stray'));
    writeFile(home, `${PROJECT}/one/kept/deep/stray.jsonl`, promptLine('stray', 'stray'));
    const entry = entryAt(home, '.claude');
    if (!entry) throw new Error('no home');
    const kinds = new Set<SourceKind>(['other']);
    const others = [...claude.discover(claude.assume(entry), kinds, () => {})];
    expect(others.map(({ fileName }) => fileName).sort()).toEqual([
      ...['agent-sub.meta.json', 'stray.jsonl', 'stray.jsonl'],
    ]);
    for (const { kind, skipped } of others)
      expect([kind, skipped]).toEqual(['other', expect.any(String)]);
  });

  it('whose names are not UTF-8 are a problem that is said', async () => {
    const name = Buffer.concat([
      Buffer.from(`${join(home, PROJECT)}/x`),
      Buffer.from('ff2e6a736f6e6c', 'hex'),
    ]);
    writeFileSync(name, promptLine('x', 'x'));
    const found = await texts('path = $path', { path: home });
    expect(found.texts).toEqual(ALL);
    expect(found.notes).toEqual([expect.stringMatching(/the file name is not UTF-8; rename/)]);
    const error = await refusal('FROM read_events(path = $path)', { path: home });
    expect(error.message).toMatch(/^read_events: failed to list '.*the file name is not UTF-8/);
  });
});

describe('a path to a pipe', () => {
  it('is refused at once', async () => {
    const path = join(home, PROJECT, 'pipe.jsonl');
    execFileSync('mkfifo', [path]);
    const error = await refusal('FROM read_events(path = $path)', { path });
    expect(error.message).toMatch(/pipe.jsonl' at byte 0: it is not an ordinary file$/);
    const found = await texts("source = 'claude', path = $path", { path });
    expect([found.texts, found.notes]).toEqual([[], [expect.stringContaining('pipe.jsonl')]]);
  });
});

describe('modified_after', () => {
  const set = (file: string, iso: string) => {
    const time = new Date(iso);
    utimesSync(join(home, PROJECT, file), time, time);
  };
  const changedAfter = async (value: string, timezone?: string) => {
    const zone = timezone === undefined ? '' : `SET TimeZone = '${timezone}'; `;
    const sql = `${zone}FROM read_conversations(path = $path, modified_after = ${value})`;
    const { rows } = await ask(sql, { path: join(home, PROJECT) });
    return rows.map(row => row['message_content']);
  };

  beforeEach(() => {
    set('one.jsonl', '2026-03-01T12:00:00.000Z');
    set('one/subagents/agent-sub.jsonl', '2026-03-01T12:00:00.001Z');
    set('one/subagents/workflows/wf_1/agent-flow.jsonl', '2026-03-02T00:00:00.000Z');
  });

  it('leaves out what was not changed after the instant, itself excluded', async () => {
    expect(await changedAfter("'2026-03-01 11:59:59.999'")).toEqual(['one', 'sub', 'flow']);
    expect(await changedAfter("'2026-03-01 12:00:00'")).toEqual(['sub', 'flow']);
    expect(await changedAfter("TIMESTAMP '2026-03-01 12:00:00.001'")).toEqual(['flow']);
    expect(await changedAfter("DATE '2026-03-02'")).toEqual([]);
    expect(await changedAfter("'infinity'")).toEqual([]);
  });

  it('is read as UTC, whatever the zone of the session', async () => {
    for (const zone of ['America/Los_Angeles', 'Asia/Tokyo']) {
      expect(await changedAfter("'2026-03-01 12:00:00'", zone)).toEqual(['sub', 'flow']);
    }
  });

  it('is absent when it is NULL', async () => {
    expect(await changedAfter('NULL')).toHaveLength(3);
  });

  it('is refused when it is no instant', async () => {
    await expect(changedAfter("'yesterday'")).rejects.toThrow(/invalid timestamp/i);
  });
});

describe('other parameters', () => {
  it('rows takes block or line, in any case', async () => {
    for (const rows of ['block', 'BLOCK', ' line ', 'Line']) {
      expect((await texts('path = $path, rows = $rows', { path: home, rows })).texts).toEqual(ALL);
    }
    const error = await refusal("FROM read_conversations(rows = 'both')");
    expect(error.code).toBe('USAGE');
    expect(error.message).toBe("read_conversations: rows is 'both'; it takes 'block' or 'line'");
  });

  it('rows belongs to conversations alone', async () => {
    const error = await refusal("FROM read_events(rows = 'line')");
    expect(error.code).toBe('SQL');
    expect(error.message).toMatch(/Binder Error.*Invalid named parameter "rows"/s);
  });

  it('include_archived changes nothing for a harness without archive', async () => {
    for (const name of ['conversations', 'events', 'plans', 'todos', 'history', 'stats']) {
      const read = async (value: string) =>
        (await ask(`FROM read_${name}(path = $path, include_archived = ${value})`, { path: home }))
          .rows;
      expect(await read('true')).toEqual(await read('false'));
    }
  });
});
