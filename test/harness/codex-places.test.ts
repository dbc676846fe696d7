/** Where Codex lies, what of it is recognised, and which files are read. */

import { mkdirSync, renameSync } from 'node:fs';
import path, { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { codex } from '../../src/harness/codex/index.ts';
import type { SourceKind } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import type { Environment } from '../../src/index.ts';
import { ask, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { compress } from '../support/zstd.ts';
import { lines, meta, rolloutPath, rowsIn, said, THREAD } from './codex-home.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const OTHER = '019f0000-0000-7000-8000-00000000bbbb';
const session = (text: string, id = THREAD) => lines([meta({ id }), said('user', text)]);

const entryOf = (place: string) => {
  const entry = entryAt(join(folder, place), basename(join(folder, place)));
  if (!entry) throw new Error(`${place} is not there`);
  return entry;
};

/** The part of Codex that a place is for the first harness that recognises it. */
const partOf = (place: string) => {
  const harness = harnesses.find(({ recognise }) => recognise(entryOf(place)) !== null);
  return harness === codex ? codex.recognise(entryOf(place))?.part : harness?.description.name;
};

async function texts(place: string, more = ''): Promise<unknown[]> {
  const rows = await rowsIn(join(folder, place), 'message_content', more);
  return rows.map(row => row['message_content']);
}

describe('the home of Codex', () => {
  const on = (variables: Environment['variables'], windows = false) => {
    const system = windows
      ? ({ platform: 'win32', home: 'C:\\Users\\mira', path: path.win32 } as const)
      : ({ platform: 'linux', home: '/home/mira', path: path.posix } as const);
    return codex.description.homes({ ...system, variables });
  };

  it('lies below the profile, unless a variable that is not empty moves it', () => {
    expect(on({})).toEqual(['/home/mira/.codex']);
    expect(on({ CODEX_HOME: '' })).toEqual(['/home/mira/.codex']);
    expect(on({ CODEX_HOME: '/data/codex' })).toEqual(['/data/codex']);
    expect(on({}, true)).toEqual(['C:\\Users\\mira\\.codex']);
  });

  it('is read without a path', async () => {
    writeFile(folder, `.codex/${rolloutPath()}`, session('from the home'));
    const sql = "SELECT message_content FROM read_conversations(source = 'Codex')";
    const { rows } = await ask(sql, [], machine(folder));
    expect(rows).toEqual([{ message_content: 'from the home' }]);
  });
});

describe('the databases of a home', () => {
  const title = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path);
    database.exec('CREATE TABLE threads (id TEXT, title TEXT, git_branch TEXT)');
    database.prepare('INSERT INTO threads VALUES (?, ?, NULL)').run(THREAD, text);
    database.close();
  };

  const titleOf = async (home: string, variables: Environment['variables']) => {
    const sql = 'SELECT slug FROM read_conversations(path = $path)';
    const { rows } = await ask(sql, { path: join(folder, home) }, machine(folder, variables));
    return rows[0]?.['slug'];
  };

  it('lie where CODEX_SQLITE_HOME says, for the home of this machine alone', async () => {
    const moved = join(folder, 'moved');
    title(join(moved, 'state_5.sqlite'), 'moved');
    title(join(folder, '.codex/state_5.sqlite'), 'at home');
    title(join(folder, 'copy/sqlite/state_5.sqlite'), 'copied');
    for (const home of ['.codex', 'copy', 'moved/codex']) {
      writeFile(folder, `${home}/${rolloutPath()}`, session('a'));
    }
    expect(await titleOf('.codex', {})).toBe('at home');
    expect(await titleOf('.codex', { CODEX_SQLITE_HOME: moved })).toBe('moved');
    expect(await titleOf(`.codex/${rolloutPath()}`, { CODEX_SQLITE_HOME: moved })).toBe('moved');
    expect(await titleOf('.codex', { CODEX_SQLITE_HOME: 'moved' })).toBe('at home');
    expect(await titleOf('copy', { CODEX_SQLITE_HOME: moved })).toBe('copied');
    const both = { CODEX_HOME: join(folder, 'moved/codex'), CODEX_SQLITE_HOME: moved };
    expect(await titleOf('moved/codex', both)).toBe('moved');
    expect(await titleOf('.codex', both)).toBe('at home');
  });
});

describe('recognition', () => {
  it('takes a home by its years, its rollouts, its archive, or its name and files', () => {
    writeFile(folder, 'by-year/sessions/2026/05/12/empty.txt');
    writeFile(folder, 'flat/sessions/rollout-2025-07-01T00-00-00-x.jsonl');
    writeFile(folder, 'archive/archived_sessions/rollout-x.jsonl');
    writeFile(folder, 'named/.codex/history.jsonl');
    for (const place of ['by-year', 'flat', 'archive', 'named/.codex']) {
      expect([place, partOf(place)]).toEqual([place, 'home']);
    }
  });

  it('takes parts of a home, down to one file', () => {
    writeFile(folder, `h/${rolloutPath()}`, session('a'));
    writeFile(folder, `h/${rolloutPath(OTHER, 'archived_sessions')}`, session('b', OTHER));
    expect(partOf('h/sessions')).toBe('sessions');
    expect(partOf('h/sessions/2026')).toBe('folder');
    expect(partOf('h/sessions/2026/05/12')).toBe('folder');
    expect(partOf('h/archived_sessions')).toBe('archived');
    expect(partOf(`h/${rolloutPath()}`)).toBe('file');
  });

  it('takes a renamed rollout by its header, however long that is', () => {
    const instructions = { base_instructions: { text: 'x'.repeat(200_000) } };
    writeFile(folder, 'renamed.jsonl', lines([meta(instructions)]));
    expect(partOf('renamed.jsonl')).toBe('file');
  });

  it('leaves alone what belongs to others', () => {
    writeFile(folder, 'grok/sessions/%2Fhome%2Fmira/1/chat_history.jsonl');
    writeFile(folder, 'empty/sessions/readme.md');
    writeFile(folder, 'plain.jsonl', '{"type":"session_meta"}\n{"type":"event"}\n');
    for (const place of ['grok', 'empty', 'plain.jsonl']) {
      expect([place, codex.recognise(entryOf(place))]).toEqual([place, null]);
    }
  });
});

describe('the files that are read', () => {
  it('come in the order of their paths, each by the thread in its header or its name', async () => {
    writeFile(folder, rolloutPath(OTHER, 'sessions/2026/05/13'), lines([said('user', 'late')]));
    writeFile(folder, rolloutPath(THREAD, 'sessions/2025/12/31'), session('early', 'in-header'));
    const document = '{"session":{"id":"doc"},"items":[]}';
    writeFile(folder, 'sessions/rollout-2025-04-22-doc.json', document);
    const rows = await rowsIn(folder, 'session_id, message_content');
    expect(rows).toEqual([
      { session_id: 'in-header', message_content: 'early' },
      { session_id: OTHER, message_content: 'late' },
    ]);
  });

  it('do not include the archive, unless it is asked for or the file is named', async () => {
    const archived = rolloutPath(OTHER, 'archived_sessions');
    writeFile(folder, rolloutPath(), session('live'));
    writeFile(folder, archived, session('cold', OTHER));
    expect(await texts('')).toEqual(['live']);
    expect(await texts('', ', include_archived = true')).toEqual(['cold', 'live']);
    expect(await texts('archived_sessions')).toEqual([]);
    expect(await texts('archived_sessions', ', include_archived = true')).toEqual(['cold']);
    expect(await texts(archived)).toEqual(['cold']);
    const flags = await rowsIn(folder, 'archived', ', include_archived = true');
    expect(flags.map(row => row['archived'])).toEqual([true, false]);
  });

  it('may be compressed; the plain file beside one wins', async () => {
    const cold = writeFile(folder, rolloutPath(), '');
    renameSync(cold, `${cold}.zst`);
    writeFile(folder, `${rolloutPath()}.zst`, compress(Buffer.from(session('compressed'))));
    expect(await texts('')).toEqual(['compressed']);
    expect(await texts(`${rolloutPath()}.zst`)).toEqual(['compressed']);
    const { rows } = await ask('SELECT offset_space, byte_offset FROM read_events(path = $path)', {
      path: folder,
    });
    expect(rows.map(row => row['offset_space'])).toEqual(['decompressed', 'decompressed']);
    expect(rows[1]?.['byte_offset']).toBe(lines([meta()]).length);
    writeFile(folder, rolloutPath(), session('plain'));
    expect(await texts('')).toEqual(['plain']);
  });

  it('that are compressed and damaged give what can be read, and a note', async () => {
    const packed = compress(Buffer.from(session('whole')));
    writeFile(folder, `${rolloutPath()}.zst`, Buffer.concat([packed, Buffer.from('garbage')]));
    const sql = 'SELECT message_content FROM read_conversations(path = $path)';
    const { rows, notes } = await ask(sql, { path: folder });
    expect(rows).toEqual([{ message_content: 'whole' }]);
    expect(notes.join()).toContain('the zstd stream is damaged');
  });

  it('are all listed, those that are not read with the reason', () => {
    writeFile(folder, rolloutPath(), session('live'));
    writeFile(folder, `${rolloutPath()}.zst`, compress(Buffer.from('x')));
    writeFile(folder, rolloutPath(OTHER, 'archived_sessions'), session('cold', OTHER));
    writeFile(folder, 'sessions/2026/05/12/notes.jsonl', '{}');
    writeFile(folder, 'session_index.jsonl', '{}');
    writeFile(folder, 'history.jsonl', '{}');
    const kinds = new Set<SourceKind>(['transcript', 'history', 'other']);
    const sources = [...codex.discover(codex.assume(entryOf('')), kinds, () => {})];
    expect(sources.map(({ fileName, kind, skipped }) => [fileName, kind, skipped])).toEqual([
      [basename(rolloutPath(OTHER)), 'other', 'archived; include_archived = true reads it'],
      ['notes.jsonl', 'other', 'no rollout'],
      [basename(rolloutPath()), 'transcript', undefined],
      [
        `${basename(rolloutPath())}.zst`,
        'other',
        'the file beside it holds the same, uncompressed',
      ],
      ['history.jsonl', 'history', undefined],
      ['session_index.jsonl', 'other', 'read beside the sessions'],
    ]);
  });
});
