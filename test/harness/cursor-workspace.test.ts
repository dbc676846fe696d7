/** Cursor's editor: older chats, workspaces, and what lies beside the chats. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../src/index.ts';
import {
  type StateRows,
  TIDE,
  USER,
  writeGlobal,
  writeWorkspace,
} from '../fixtures/cursor-state.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

let folder: string;
let homes = 0;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

/** A home of its own. */
function newHome(): string {
  const home = join(folder, `home-${++homes}`);
  mkdirSync(home);
  return home;
}

/** Rows of a function of ours over a path. */
async function rowsOf(path: string, columns: string, call = 'conversations(path = $path)') {
  const { rows } = await ask(`SELECT ${columns} FROM read_${call}`, { path });
  return rows;
}

/** Rows of the chats in a database that holds nothing else. */
function chatRows(chats: StateRows, columns: string): Promise<readonly ObjectRow[]> {
  return rowsOf(writeGlobal(newHome(), { chats }), columns);
}

describe('an older chat', () => {
  const inline = {
    composerId: 'old',
    name: 'Old one',
    conversation: [
      { type: 1, bubbleId: 'o1', text: 'Question' },
      {
        type: 2,
        bubbleId: 'o2',
        text: 'Answer',
        toolFormerData: { name: 'grep', params: { q: 1 } },
      },
    ],
  };
  const columns = `session_id AS session, line_number AS n, message_type AS type, uuid, slug,
    parent_uuid AS parent, message_content AS text, tool_input AS input, raw_event IS NULL AS bare`;
  const [first, second] = [
    {
      session: 'old',
      n: 1,
      type: 'user',
      uuid: 'o1',
      slug: 'Old one',
      parent: null,
      text: 'Question',
    },
    {
      session: 'old',
      n: 2,
      type: 'assistant',
      uuid: 'o2',
      slug: 'Old one',
      parent: 'o1',
      text: 'Answer',
    },
  ];
  const rows = [
    { ...first, input: null, bare: false },
    { ...second, input: '{"q":1}', bare: true },
  ];

  it('holds its bubbles itself; only its first row carries the record', async () => {
    expect(await chatRows({ 'composerData:old': inline }, columns)).toEqual(rows);
  });

  it('lies in the list of its workspace, unless it has moved to the global state', async () => {
    const home = newHome();
    const items = { 'composer.composerData': { allComposers: [{ composerId: 'x' }, inline] } };
    writeWorkspace(home, 'ab12', 'file:///home/mira/tide', { items });
    expect(await rowsOf(join(home, USER), columns)).toEqual(rows);
    writeGlobal(home, { chats: { 'composerData:old': inline } });
    expect(await rowsOf(join(home, USER), columns)).toEqual(rows);
  });

  it('of 2024 is a tab among others in one record of its workspace', async () => {
    const home = newHome();
    const tabs = [
      {
        tabId: 't1',
        chatTitle: 'One',
        lastSendTime: 1725000000000,
        bubbles: [{ type: 'user', text: 'Hi' }],
      },
      { chatTitle: '', bubbles: [{ type: 'ai', id: 'a', rawText: 'Hello', modelType: 'gpt-4' }] },
      { tabId: 't3' },
    ];
    const items = { 'workbench.panel.aichat.view.aichat.chatdata': { tabs } };
    writeWorkspace(home, 'ab12', 'file:///home/mira/tide%20%C3%A9', { items });
    const wanted = `session_id AS s, line_number AS n, message_type AS type,
      message_content AS text, model, slug, session_updated_at AS updated,
      project_path AS path, project_dir AS dir`;
    const place = { path: '/home/mira/tide é', dir: 'ab12' };
    expect(await rowsOf(join(home, USER), wanted)).toEqual([
      {
        s: 't1',
        n: 1,
        type: 'user',
        text: 'Hi',
        model: null,
        slug: 'One',
        updated: '2024-08-30T06:40:00Z',
        ...place,
      },
      {
        s: 'tab-2',
        n: 1,
        type: 'assistant',
        text: 'Hello',
        model: 'gpt-4',
        slug: null,
        updated: null,
        ...place,
      },
    ]);
  });

  it('that does not parse is a row with a diagnosis', async () => {
    const home = newHome();
    const items = { 'workbench.panel.aichat.view.aichat.chatdata': '{"tabs":[' };
    writeWorkspace(home, 'ab12', 'file:///x', { items });
    expect(await rowsOf(join(home, USER), 'session_id, message_type')).toEqual([
      { session_id: '', message_type: '_parse_error' },
    ]);
  });
});

describe('the folder of a chat', () => {
  const chat = (parts: object = {}) => ({
    'composerData:c': { ...parts, fullConversationHeadersOnly: [{ bubbleId: 'b', type: 1 }] },
  });
  const listed = { 'composer.composerData': { allComposers: [{ composerId: 'c' }] } };

  it('comes from the list of the workspace that has it', async () => {
    const home = newHome();
    writeGlobal(home, { chats: chat() });
    writeWorkspace(home, 'aa', 'file:///home/mira/other', { items: {} });
    writeWorkspace(home, 'bb', 'file:///c%3A/Users/mira/tide', { items: listed });
    expect(await rowsOf(join(home, USER), 'project_path AS p, project_dir AS d')).toEqual([
      { p: 'c:\\Users\\mira\\tide', d: 'bb' },
    ]);
  });

  it('comes from the list of all chats where there is one', async () => {
    const uri = { fsPath: '/home/mira/new', scheme: 'file' };
    const headers = [{ composerId: 'c', workspaceIdentifier: { id: 'cc', uri } }];
    const items = { 'composer.composerHeaders': { allComposers: headers } };
    const path = writeGlobal(newHome(), { chats: chat(), items });
    expect(await rowsOf(path, 'project_path AS p, project_dir AS d')).toEqual([
      { p: '/home/mira/new', d: 'cc' },
    ]);
  });

  it('comes from the chat itself before all others', async () => {
    const home = newHome();
    writeGlobal(home, { chats: chat({ workspaceIdentifier: { uri: 'file:///home/mira/own' } }) });
    writeWorkspace(home, 'bb', 'file:///home/mira/list', { items: listed });
    expect(await rowsOf(join(home, USER), 'project_path AS p')).toEqual([{ p: '/home/mira/own' }]);
  });

  it('is empty where nothing tells, and an address on another machine as it is', async () => {
    expect(await chatRows(chat(), 'project_path AS p, project_dir AS d')).toEqual([
      { p: '', d: '' },
    ]);
    const remote = 'vscode-remote://ssh-remote+tide/home/mira';
    const chats = chat({ workspaceIdentifier: { uri: remote } });
    expect(await chatRows(chats, 'project_path AS p')).toEqual([{ p: remote }]);
  });
});

describe('every row of a database', () => {
  const chats = { ...TIDE, 'agentKv:blob:ab': Buffer.from([0xff, 0x01]), 'checkpointId:x': {} };
  const items = {
    'cursorAuth/accessToken': 'hidden',
    'secret://x': 'hidden',
    'workbench.sideBar': 'left',
    'composer.composerData': { allComposers: [] },
  };

  it('is an event with its key, without an offset; credentials are none', async () => {
    const path = writeGlobal(newHome(), { chats, items });
    const columns = `record_key AS key, session_id AS session, byte_offset AS at,
      offset_space AS space, record_subtype AS subtype, raw_is_exact AS exact`;
    const rows = await rowsOf(path, columns, 'events(path = $path)');
    const plain = { at: null, space: 'none' };
    expect(rows).toEqual([
      { key: 'cursorDiskKV:agentKv:blob:ab', session: null, ...plain, subtype: null, exact: false },
      ...['b1', 'b2', 'b3', 'b4'].map((bubble, index) => ({
        key: `cursorDiskKV:bubbleId:tide:${bubble}`,
        session: 'tide',
        ...plain,
        subtype: index === 0 ? 'user' : 'assistant',
        exact: true,
      })),
      { key: 'cursorDiskKV:checkpointId:x', session: null, ...plain, subtype: null, exact: true },
      {
        key: 'cursorDiskKV:composerData:tide',
        session: 'tide',
        ...plain,
        subtype: null,
        exact: true,
      },
      {
        key: 'ItemTable:composer.composerData',
        session: null,
        ...plain,
        subtype: null,
        exact: true,
      },
      { key: 'ItemTable:workbench.sideBar', session: null, ...plain, subtype: null, exact: true },
    ]);
  });

  it('is a row by line, and none is malformed that the editor writes so', async () => {
    const path = writeGlobal(newHome(), { chats, items });
    const call = "conversations(path = $path, rows = 'line')";
    const columns = 'line_number AS n, message_type AS type, session_id AS s, parse_error AS error';
    const rows = await rowsOf(path, columns, call);
    expect(rows.map(row => row['type'])).toEqual([
      ...['agentKv', 'user', 'assistant', 'assistant', 'assistant', 'checkpointId', 'composer'],
      ...['composer.composerData', 'workbench.sideBar'],
    ]);
    expect(rows.map(row => row['n'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const [binary, ...others] = rows.map(row => row['error']);
    expect(binary).toBe('bytes that are not UTF-8 were replaced by U+FFFD');
    expect(others).toEqual(others.map(() => null));
  });
});

describe('what lies beside the chats', () => {
  it('is a todo list with its chat', async () => {
    const path = writeGlobal(newHome(), {
      chats: { ...TIDE, 'composerData:bad': '{', 'composerData:x': { todos: [1] } },
    });
    const columns = 'session_id AS s, item_index AS i, content, status';
    const rows = await rowsOf(path, columns, 'todos(path = $path)');
    expect(rows).toEqual([
      { s: 'bad', i: -1, content: expect.stringMatching(/^Parse error: /), status: '_parse_error' },
      { s: 'tide', i: 0, content: 'Read the harbour file', status: 'completed' },
      { s: 'tide', i: 1, content: 'Draw the curve', status: 'pending' },
      {
        s: 'x',
        i: 0,
        content: 'Parse error: the item is a JSON number, not an object',
        status: '_parse_error',
      },
    ]);
  });

  it('is what was typed in a workspace', async () => {
    const home = newHome();
    const items = { 'aiService.prompts': [{ text: 'one', commandType: 4 }, { text: 'two' }] };
    writeWorkspace(home, 'ab', 'file:///home/mira/tide', { items });
    const rows = await rowsOf(
      join(home, USER),
      'line_number, project, display',
      'history(path = $path)',
    );
    expect(rows).toEqual([
      { line_number: 1, project: '/home/mira/tide', display: 'one' },
      { line_number: 2, project: '/home/mira/tide', display: 'two' },
    ]);
  });
});
