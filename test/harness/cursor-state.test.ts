/** Cursor's editor: the chats of its database. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsValue, ObjectRow } from '../../src/index.ts';
import { type StateRows, TIDE, writeGlobal } from '../fixtures/cursor-state.ts';
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
const ROUNDED = `{"toolFormerData":{"params":{"n":${EXACT}}}}`;

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

  it('gives a bubble that it lists several times once, where it is listed first', async () => {
    const headers = ['a', 'b', 'a', 'b', 'b'].map(bubbleId => ({ bubbleId, type: 2 }));
    const chats = {
      'composerData:c': { fullConversationHeadersOnly: headers },
      'bubbleId:c:a': { text: 'High water.' },
      'bubbleId:c:b': { text: 'Low water.' },
    };
    expect(await chatRows(chats, 'line_number AS n, message_content AS text')).toEqual([
      { n: 1, text: 'High water.' },
      { n: 2, text: 'Low water.' },
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
    ['a number that JavaScript rounds', ROUNDED, 'tool_input', `{"n":${EXACT}}`],
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

  it.each([
    ['that does not parse', '{"full'],
    ['that is no object', '[]'],
    ['that is null', null],
  ])('of a chat %s follows its diagnosis, as it was written', async (_title, composer) => {
    const path = writeGlobal(newHome(), {
      chats: {
        'composerData:c': composer,
        'bubbleId:c:z': { type: 1, text: 'first' },
        'bubbleId:c:a': { type: 2, text: 'second' },
        'bubbleId:cd:x': { type: 2, text: "another chat's" },
      },
    });
    const columns = `session_id AS chat, line_number AS n, message_type AS type, author, uuid,
      parent_uuid AS parent, left(message_content, 6) AS text, parse_error IS NULL AS is_well`;
    const common = { chat: 'c', parent: null };
    expect(await rowsOf(path, columns)).toEqual([
      {
        ...{ ...common, n: 1, type: '_parse_error', author: 'system', uuid: null },
        ...{ text: 'Parse ', is_well: false },
      },
      { ...common, n: 1, type: 'user', author: 'user', uuid: 'z', text: 'first', is_well: true },
      {
        ...common,
        n: 2,
        type: 'assistant',
        author: 'agent',
        uuid: 'a',
        text: 'second',
        is_well: true,
      },
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
