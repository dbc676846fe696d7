/** Cursor's agent on the command line: the stores of its chats. */

import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { cursor } from '../../src/harness/cursor/index.ts';
import type { SourceKind } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const WORKSPACE = '0123456789abcdef0123456789abcdef';
const CHAT = '5f0b7c1e-2d02-4b56-8f43-7be1f1c05f3f';
const STORE = `chats/${WORKSPACE}/${CHAT}/store.db`;

const MESSAGE = '{"role":"user","type":"turn_ended","content":"Łeba?"}';
const BINARY = Buffer.from([0x0a, 0x20, 0xff, 0x00, 0x12]);
const META = Buffer.from('{"agentId":"a","name":"Tide"}').toString('hex');

let folder: string;
let home: string;
let store: string;

beforeAll(() => {
  folder = makeFolder();
  home = join(folder, '.cursor');
  store = join(home, STORE);
  mkdirSync(dirname(store), { recursive: true });
  const database = new Database(store);
  database.exec(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)`);
  const blob = database.prepare('INSERT INTO blobs VALUES (?, ?)');
  blob.run('bb', BINARY);
  blob.run('aa', Buffer.from(MESSAGE));
  database.prepare('INSERT INTO meta VALUES (?, ?)').run('0', META);
  database.close();
  writeFile(home, `chats/${WORKSPACE}/${CHAT}/prompt_history.json`, '[]');
});

afterAll(() => removeFolder(folder));

describe('a store of a chat', () => {
  it('gives each record to events, with its bytes', async () => {
    const { rows } = await ask(
      `SELECT record_key, session_id, raw, raw_is_exact, is_valid_json AS is_json, event_type,
        raw_bytes = unhex($binary) AS is_binary, byte_offset, offset_space
       FROM read_events(path = $path)`,
      { path: home, binary: BINARY.toString('hex') },
    );
    const common = { session_id: CHAT, byte_offset: null, offset_space: 'none', event_type: null };
    expect(rows).toEqual([
      {
        ...{ ...common, record_key: 'blobs:aa', raw: MESSAGE, raw_is_exact: true, is_json: true },
        ...{ event_type: 'turn_ended', is_binary: false },
      },
      {
        ...{ ...common, record_key: 'blobs:bb', raw: '\n \ufffd\0\u0012', raw_is_exact: false },
        ...{ is_json: false, is_binary: true },
      },
      {
        ...{ ...common, record_key: 'meta:0', raw: META, raw_is_exact: true, is_json: false },
        is_binary: false,
      },
    ]);
  });

  it('has no conversation, and a row for each record by line', async () => {
    const columns = 'SELECT session_id AS chat, line_number AS n, message_type AS type, author';
    const from = 'FROM read_conversations(path = $path';
    expect((await ask(`${columns} ${from})`, { path: home })).rows).toEqual([]);
    const { rows } = await ask(`${columns} ${from}, rows = 'line')`, { path: home });
    expect(rows).toEqual([
      { chat: CHAT, n: 1, type: 'blobs', author: 'system' },
      { chat: CHAT, n: 2, type: 'blobs', author: 'system' },
      { chat: CHAT, n: 3, type: 'meta', author: 'system' },
    ]);
  });

  it.each([
    ['', 'cursor home'],
    ['chats', 'cursor stores'],
    [`chats/${WORKSPACE}`, 'cursor stores'],
    [`chats/${WORKSPACE}/${CHAT}`, 'cursor stores'],
    [STORE, 'cursor store'],
    [`chats/${WORKSPACE}/${CHAT}/prompt_history.json`, null],
  ])('is recognised and read at %j', async (part, wanted) => {
    const path = join(home, part);
    const entry = entryAt(path, basename(path));
    if (!entry) throw new Error(`${path} is not there`);
    const found = harnesses.flatMap(({ description, recognise }) => {
      const root = recognise(entry);
      return root ? [`${description.name} ${root.part}`] : [];
    });
    expect(found).toEqual(wanted === null ? [] : [wanted]);
    if (wanted === null) return;
    const { rows } = await ask('SELECT file_path FROM read_events(path = $path)', { path });
    expect(rows).toEqual([store, store, store].map(file_path => ({ file_path })));
  });

  it('is listed, and what lies beside it with a reason', () => {
    const entry = entryAt(home, '.cursor');
    if (!entry) throw new Error('no home');
    const kinds = new Set<SourceKind>(['other', 'journal', 'transcript']);
    const found = [...cursor.discover(cursor.assume(entry), kinds, () => undefined)];
    expect(found.map(({ kind, fileName, skipped }) => [kind, fileName, skipped])).toEqual([
      ['other', 'prompt_history.json', 'side file, no transcript'],
      ['journal', 'store.db', undefined],
    ]);
  });
});
