/** What is known about a session of Codex: its header, the index, and the state databases. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { lines, meta, record, rolloutPath, rowsIn, said, THREAD } from './codex-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

/** The columns of the first row of a session with this header. */
async function facts(columns: string, header: object = {}): Promise<object> {
  writeFile(home, rolloutPath(), lines([meta(header), said('user', 'u')]));
  return (await rowsIn(home, columns))[0] ?? {};
}

type Row = Readonly<Record<string, string | number | null>>;

/** Writes a state database with a table of threads. */
function writeState(name: string, rows: readonly Row[], table = 'threads'): string {
  const path = writeFile(home, name);
  const database = new Database(path);
  const columns = Object.keys(rows[0] ?? { id: '' });
  database.exec(`CREATE TABLE "${table}" (${columns.map(column => `"${column}"`).join()})`);
  const places = columns.map(column => `@${column}`).join();
  const insert = database.prepare(`INSERT INTO "${table}" VALUES (${places})`);
  for (const row of rows) insert.run(row);
  database.close();
  return path;
}

describe('the header', () => {
  it('is the first with an id: later ones come from forks and from reopening', async () => {
    const copied = meta({ id: 'parent', cwd: '/other', originator: 'codex_exec' });
    const torn = record('session_meta', { id: 7 });
    writeFile(home, rolloutPath(), lines([torn, meta(), copied, said('user', 'u')]));
    const rows = await rowsIn(home, 'session_id, project_path, client, author');
    expect(rows.at(-1)).toEqual({
      ...{ session_id: THREAD, project_path: '/home/mira/tide' },
      ...{ client: 'cli', author: 'user' },
    });
  });

  it('tells version, repository, title and times', async () => {
    const git = { commit_hash: 'c0ffee', branch: 'main', repository_url: 'git@x:y.git' };
    const header = { git, model_provider: 'openai', title: 'Tides', forked_from_id: 'f' };
    const columns = `version, git_commit, git_branch, repository, model_provider, slug,
      forked_from_session_id, session_created_at, session_updated_at, thread_source, originator`;
    expect(await facts(columns, header)).toEqual({
      ...{ version: '0.140.0', git_commit: 'c0ffee', git_branch: 'main', slug: 'Tides' },
      ...{ repository: 'git@x:y.git', model_provider: 'openai', forked_from_session_id: 'f' },
      ...{ session_created_at: '2026-05-12T09:00:00.000Z', session_updated_at: null },
      ...{ thread_source: 'cli', originator: 'codex-tui' },
    });
  });

  it('names the client by the first word that is known', async () => {
    const clients: Record<string, string> = {
      'Codex Desktop': 'desktop',
      codex_exec: 'exec',
      'My Editor': 'editor',
      'browser-plugin': 'browser',
      codex_cli_rs: 'cli',
      'codex-tui': 'cli',
      'WS-Client': 'cli',
      'Some IDE': 'some ide',
    };
    for (const [originator, client] of Object.entries(clients)) {
      expect(await facts('client', { originator })).toEqual({ client });
    }
    expect(await facts('client', { originator: null })).toEqual({ client: null });
    expect(await facts('client', { originator: null, source: { client: 'exec' } })).toEqual({
      client: 'exec',
    });
  });

  it('with members of the wrong type is a row that says so, and the rest counts', async () => {
    writeFile(home, rolloutPath(), lines([meta({ cwd: 7, git: 'main' }), said('user', 'u')]));
    const rows = await rowsIn(home, 'message_type, version, project_path, parse_error');
    expect(rows).toEqual([
      {
        ...{ message_type: 'session_meta', version: '0.140.0', project_path: null },
        parse_error: 'session_meta.cwd is a JSON number; session_meta.git is a JSON string',
      },
      { message_type: 'user', version: '0.140.0', project_path: null, parse_error: null },
    ]);
  });
});

describe('a sub-agent', () => {
  const columns = 'is_agent, parent_session_id, agent_path, agent_nickname, agent_role, author';

  it('is told by the thread that spawned it', async () => {
    const thread_spawn = {
      ...{ parent_thread_id: 'p', agent_path: '/root/a' },
      ...{ agent_nickname: 'Heron', agent_role: 'scout' },
    };
    expect(await facts(columns, { source: { subagent: { thread_spawn } } })).toEqual({
      ...{ is_agent: true, parent_session_id: 'p', agent_path: '/root/a' },
      ...{ agent_nickname: 'Heron', agent_role: 'scout', author: 'caller' },
    });
  });

  it('may be known by less', async () => {
    for (const header of [
      { source: { subagent: 'review' } },
      { thread_source: 'subagent' },
      { parent_thread_id: 'p' },
      { agent_path: '/root/a' },
    ]) {
      expect(await facts('is_agent, author', header)).toEqual({ is_agent: true, author: 'caller' });
    }
    expect(await facts('is_agent', { source: 'vscode' })).toEqual({ is_agent: false });
  });
});

describe('the author of the user slot', () => {
  it('is the caller for codex exec, and Codex itself for what it puts there', async () => {
    expect(await facts('author', { originator: 'codex_exec' })).toEqual({ author: 'caller' });
    const injected = ['<environment_context>\n', '  # AGENTS.md instructions for /', '<heartbeat>'];
    const records = [...injected, 'a <heartbeat> inside'].map(text => said('user', text));
    writeFile(home, rolloutPath(), lines([meta(), ...records]));
    const authors = (await rowsIn(home, 'author')).map(row => row['author']);
    expect(authors).toEqual(['system', 'system', 'system', 'user']);
  });
});

describe('the index beside the sessions', () => {
  const columns = 'slug, session_updated_at, parse_error, metadata';

  it('names sessions, the last line of each', async () => {
    const line = (name: string) => ({ id: THREAD, thread_name: name, updated_at: `${name} day` });
    writeFile(home, 'session_index.jsonl', lines([line('one'), { id: 'x' }, line('two'), '']));
    expect(await facts(columns, { title: 'from the header' })).toEqual({
      ...{ slug: 'two', session_updated_at: 'two day', parse_error: null, metadata: null },
    });
  });

  it('that is damaged is a diagnosis in the first row, and its other lines count', async () => {
    const good = { id: THREAD, thread_name: 'Good' };
    writeFile(home, 'session_index.jsonl', lines([good, '{"id":', { id: 5 }]));
    writeFile(home, rolloutPath(), lines([meta(), said('user', 'u'), said('assistant', 'a')]));
    const problem = 'session_index.jsonl:2 has no string id, and 1 more such lines';
    expect(await rowsIn(home, columns)).toEqual([
      {
        ...{ slug: 'Good', session_updated_at: null, parse_error: problem },
        metadata: JSON.stringify({ diagnostics: [problem] }),
      },
      { slug: 'Good', session_updated_at: null, parse_error: null, metadata: null },
    ]);
  });
});

describe('a state database', () => {
  it('adds what the header lacks, and its title and provider win', async () => {
    const row = {
      ...{ id: THREAD, title: 'Gauges – Brest', model_provider: 'azure', cwd: '/from/state' },
      ...{ created_at: 1778576400, updated_at: 1778576400123, archived: 1, git_branch: null },
      ...{ git_sha: 'abc', git_origin_url: 'https://x/y', agent_nickname: 'Tern' },
    };
    writeState('state_5.sqlite', [row, { ...row, id: 'other' }]);
    writeFile(home, 'session_index.jsonl', lines([{ id: THREAD, thread_name: 'Index' }]));
    const columns = `slug, model_provider, project_path, session_created_at, session_updated_at,
      archived, git_commit, git_branch, repository, agent_nickname`;
    expect(await facts(columns, { cwd: null, model_provider: 'openai', timestamp: null })).toEqual({
      ...{ slug: 'Gauges – Brest', model_provider: 'azure', project_path: '/from/state' },
      ...{ session_created_at: '2026-05-12T09:00:00.000Z' },
      ...{ session_updated_at: '2026-05-12T09:00:00.123Z', archived: true, git_commit: 'abc' },
      ...{ git_branch: null, repository: 'https://x/y', agent_nickname: 'Tern' },
    });
  });

  it('tells which thread spawned another', async () => {
    const edge = { parent_thread_id: 'p', child_thread_id: THREAD, status: 'open' };
    writeState('state_5.sqlite', [edge], 'thread_spawn_edges');
    const columns = 'is_agent, parent_session_id';
    expect(await facts(columns)).toEqual({ is_agent: true, parent_session_id: 'p' });
  });

  it('may lie in the folder sqlite; the last of several counts where it knows more', async () => {
    writeState('a.db', [{ id: THREAD, title: 'A', git_branch: 'kept' }]);
    writeState('sqlite/state_9.sqlite', [{ id: THREAD, title: 'B', git_branch: null }]);
    expect(await facts('slug, git_branch')).toEqual({ slug: 'B', git_branch: 'kept' });
  });

  it('is read with its write-ahead log', async () => {
    const path = writeState('state_5.sqlite', [{ id: THREAD, title: 'old' }]);
    const writer = new Database(path);
    writer.pragma('journal_mode = WAL');
    writer.exec("UPDATE threads SET title = 'new'");
    try {
      expect(await facts('slug')).toEqual({ slug: 'new' });
    } finally {
      writer.close();
    }
  });

  it('that cannot be read is a diagnosis in the first row, and nothing else', async () => {
    const path = writeState('state_5.sqlite', [{ id: THREAD, title: 'lost' }]);
    writeFileSync(path, readFileSync(path).fill(0x5a, 0, 64));
    const found = (await facts('slug, parse_error')) as Row;
    expect(found['slug']).toBeNull();
    expect(found['parse_error']).toContain(
      `Codex SQLite enrichment unavailable for ${join(home, 'state_5.sqlite')}: `,
    );
  });

  it('without threads is a diagnosis, but other databases need none', async () => {
    writeState('logs_2.sqlite', [{ id: 1 }], 'logs');
    expect(await facts('parse_error')).toEqual({ parse_error: null });
    writeState('state_5.sqlite', [{ id: 1 }], 'jobs');
    const problem = `${join(home, 'state_5.sqlite')} has no threads table`;
    expect(await facts('parse_error')).toEqual({ parse_error: problem });
  });
});

describe('the identifier of a record', () => {
  it('is a hash of session, type, identifier and line', async () => {
    const rows = [meta(), said('user', 'u', { id: 'msg_1' })];
    writeFile(home, rolloutPath(), lines(rows));
    const [row] = await rowsIn(home, 'record_id');
    expect(row).toEqual({ record_id: hashed(THREAD, 'response_item', 'msg_1', 2) });
  });

  it('takes the payload as it is written where there is no identifier', async () => {
    writeFile(home, rolloutPath(), lines([meta(), record('odd', { b: 1, a: 'é' })]));
    const [row] = await rowsIn(home, 'record_id');
    expect(row).toEqual({ record_id: hashed(THREAD, 'odd', '{"b":1,"a":"é"}', 2) });
  });

  it('moves with the record to another file', async () => {
    writeFile(home, rolloutPath(), lines([meta(), said('user', 'u')]));
    writeFile(home, rolloutPath(THREAD, 'archived_sessions'), lines([meta(), said('user', 'u')]));
    const rows = await rowsIn(home, 'record_id', ', include_archived = true');
    expect(new Set(rows.map(row => row['record_id'])).size).toBe(1);
    expect(rows).toHaveLength(2);
  });

  function hashed(...parts: readonly (string | number)[]): string {
    const prime = 0x100000001b3n;
    let hash = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(parts.join('\x1f'))) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
    }
    return `codex:${hash.toString(16).padStart(16, '0')}`;
  }
});
