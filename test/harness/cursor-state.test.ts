/** Cursor's editor: what its databases give. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsValue, ObjectRow } from '../../src/index.ts';
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

/** One column of these rows. */
async function chatColumn(chats: StateRows, column: string): Promise<readonly JsValue[]> {
  const rows = await chatRows(chats, `${column} AS it`);
  return rows.map(row => row['it'] ?? null);
}

/** More digits than a JavaScript number has. */
const EXACT = '12345678901234567890';

/** A chat with one bubble. */
function oneBubble(bubble: unknown, type = 2): StateRows {
  const headers = [{ bubbleId: 'b', type }];
  return { 'composerData:c': { fullConversationHeadersOnly: headers }, 'bubbleId:c:b': bubble };
}

describe('a chat', () => {
  it('gives its bubbles in the order of its headers, thought and results behind them', async () => {
    const columns = 'line_number AS n, message_type AS type, message_role AS role, author, uuid';
    expect(await chatRows(TIDE, `${columns}, parent_uuid AS parent`)).toEqual([
      { n: 1, type: 'user', role: 'user', author: 'user', uuid: 'b1', parent: null },
      { n: 2, type: 'assistant', role: 'assistant', author: 'agent', uuid: 'b2', parent: 'b1' },
      { n: 2, type: 'thinking', role: 'assistant', author: 'agent', uuid: 'b2', parent: 'b1' },
      { n: 3, type: 'assistant', role: 'assistant', author: 'agent', uuid: 'b3', parent: 'b2' },
      { n: 3, type: 'tool_result', role: 'tool', author: 'tool', uuid: 'b3', parent: 'b2' },
      { n: 4, type: 'assistant', role: 'assistant', author: 'agent', uuid: 'b4', parent: 'b3' },
      { n: 6, type: 'assistant', role: 'assistant', author: 'agent', uuid: 'gone', parent: 'b4' },
    ]);
  });

  it('names itself in every row', async () => {
    const columns = `DISTINCT source, session_id, slug, git_branch, file_name, archived,
      session_created_at AS created, session_updated_at AS updated`;
    expect(await chatRows(TIDE, columns)).toEqual([
      {
        source: 'cursor',
        session_id: 'tide',
        slug: 'Tide table for Brest',
        git_branch: 'main',
        file_name: 'state.vscdb',
        archived: false,
        created: '2026-01-05T10:00:00Z',
        updated: '2026-01-05T10:01:00Z',
      },
    ]);
  });

  it('has times as ISO text, as milliseconds, of the timing, or none', async () => {
    expect(await chatColumn(TIDE, 'timestamp')).toEqual([
      '2026-01-05T10:00:00.250Z',
      '2026-01-05T10:00:05Z',
      '2026-01-05T10:00:05Z',
      '2026-01-05T10:00:10Z',
      '2026-01-05T10:00:10Z',
      '2026-01-05T10:00:15.000Z',
      null,
    ]);
  });

  it('has tokens where they were counted, once, and knows the model of a bubble', async () => {
    const columns = `line_number AS n, input_tokens AS i, output_tokens AS o, usage_scope AS scope,
      usage_source_line AS line, model, response_id AS response, turn_id AS turn`;
    const rows = await chatRows(TIDE, columns);
    const known = { i: 1200, o: 34, scope: 'response', line: 4, model: 'gpt-5.2-high' };
    const unknown = { i: null, o: null, scope: null, line: null, model: 'gpt-5.2' };
    expect(rows[5]).toEqual({ n: 4, ...known, response: 'u1', turn: 'r1' });
    expect(rows[0]).toEqual({ n: 1, ...unknown, response: null, turn: 'r1' });
    expect(rows[4]).toEqual({ n: 3, ...unknown, response: null, turn: null });
  });

  it('names the tool of a call and of its result, the arguments once', async () => {
    const columns = `message_content AS text, tool_name AS tool, tool_use_id AS id,
      tool_input AS input, status`;
    const rows = await chatRows(TIDE, columns);
    const tool = { tool: 'read_file', id: 'call_1', status: 'completed' };
    expect(rows.slice(3, 5)).toEqual([
      { text: '', ...tool, input: '"{\\"target_file\\":\\"harbours.csv\\"}"' },
      { text: '{"contents":"Brest;04:12"}', ...tool, input: null },
    ]);
  });

  it('carries the record of each bubble, and none for a bubble that is not there', async () => {
    const rows = await chatRows(TIDE, 'record_id AS id, raw_event AS raw, message_content AS text');
    expect(rows[0]).toEqual({
      id: 'cursorDiskKV:bubbleId:tide:b1',
      raw: JSON.stringify(TIDE['bubbleId:tide:b1']),
      text: 'When is high water in Brest? 🌊',
    });
    expect(rows.at(-1)).toEqual({ id: 'cursorDiskKV:bubbleId:tide:gone', raw: null, text: null });
  });

  it('is in the order of the keys, and one without bubbles has no rows', async () => {
    const chats = {
      ...TIDE,
      ...oneBubble({ text: 'first' }),
      'composerData:empty': { composerId: 'empty', fullConversationHeadersOnly: [] },
      'composerData:none': {},
    };
    const sessions = await chatColumn(chats, 'session_id');
    expect(sessions).toEqual(['c', ...Array.from({ length: 7 }, () => 'tide')]);
  });
});

describe('a bubble', () => {
  it.each([
    ['a number for its tool', { toolFormerData: { tool: 38 } }, 'tool_name', '38'],
    ['a word for its tool', { toolFormerData: { tool: 'grep' } }, 'tool_name', 'grep'],
    [
      'params without rawArgs',
      { toolFormerData: { params: { b: 1, a: 2 } } },
      'tool_input',
      '{"a":2,"b":1}',
    ],
    ['a number that JavaScript rounds', `{"toolFormerData":{"params":{"n":${EXACT}}}}`, 'tool_input', `{"n":${EXACT}}`],
    ['a call that failed', { toolFormerData: { status: 'error' } }, 'status', 'failed'],
    ['a text of another type', { text: 7 }, 'message_content', null],
    ['a time that is none', { createdAt: 1e300 }, 'timestamp', null],
    ['a time of another type', { createdAt: {} }, 'timestamp', null],
    ['an agent', { isAgentic: true }, 'is_agent', true],
    ['no agent', {}, 'is_agent', false],
  ])('with %s', async (_title, bubble, column, wanted) => {
    expect(await chatColumn(oneBubble(bubble), column)).toEqual([wanted]);
  });

  it('of neither the user nor the assistant is unknown, and by the system', async () => {
    const rows = await chatRows(oneBubble({ text: 'x' }, 3), 'message_type, message_role, author');
    expect(rows).toEqual([{ message_type: 'unknown', message_role: null, author: 'system' }]);
  });

  it.each([
    ['is no JSON', '{"text":', /^Unexpected end of JSON/],
    ['is an array', '[1]', /^the bubble is a JSON array, not an object$/],
    ['is no UTF-8 text', Buffer.from([0xff, 0xfe]), /^Unexpected token/],
  ])('that %s is a row with a diagnosis', async (_title, bubble, diagnosis) => {
    const [row] = await chatRows(oneBubble(bubble), 'message_type, uuid, parse_error, author');
    expect(row).toMatchObject({ message_type: '_parse_error', uuid: 'b', author: 'system' });
    expect(row?.['parse_error']).toMatch(diagnosis);
  });

  it('of a chat that does not parse is left out, and the chat is a row with a diagnosis', async () => {
    const chats = { 'composerData:c': '{"full', 'bubbleId:c:b': { text: 'x' } };
    const columns =
      'session_id, line_number, message_type, message_content LIKE $$Parse%$$ AS said';
    expect(await chatRows(chats, columns)).toEqual([
      { session_id: 'c', line_number: 1, message_type: '_parse_error', said: true },
    ]);
  });
});

describe('a chat that another one launched', () => {
  it('is an agent, names its parent, and its prompt is a caller’s', async () => {
    const chats = {
      'composerData:child': {
        subagentInfo: { parentComposerId: 'tide', subagentTypeName: 'explore' },
        fullConversationHeadersOnly: [{ bubbleId: 'b', type: 1 }],
      },
      'bubbleId:child:b': { text: 'Find the file' },
    };
    const columns = 'is_agent, parent_session_id, agent_role, author';
    expect(await chatRows(chats, columns)).toEqual([
      { is_agent: true, parent_session_id: 'tide', agent_role: 'explore', author: 'caller' },
    ]);
  });
});

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

  it('lies in the list of its workspace, unless it has moved to the state of the editor', async () => {
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
    const wanted = `session_id AS s, line_number AS n, message_type AS type, message_content AS text,
      model, slug, session_updated_at AS updated, project_path AS path, project_dir AS dir`;
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

  it('is an empty text where nothing tells, and stays the address it is on another machine', async () => {
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
    const columns = `record_key AS key, session_id AS session, byte_offset AS at, offset_space AS space,
      record_subtype AS subtype, raw_is_exact AS exact`;
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
