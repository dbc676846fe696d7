/** Qwen Code: where it lies, what its records and the files beside them give. */

import { basename, join, posix, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { harnesses } from '../../src/harness/index.ts';
import { qwen } from '../../src/harness/qwen/index.ts';
import type { ObjectRow } from '../../src/index.ts';
import type { Environment } from '../../src/places.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const homes = (machine: Partial<Environment>) =>
  qwen.description.homes({
    ...{ platform: 'linux', home: '/home/mira', path: posix, variables: {} },
    ...machine,
  });

describe('the default homes', () => {
  it('are .qwen in the home folder, on every system', () => {
    expect(homes({})).toEqual(['/home/mira/.qwen']);
    const windows = { platform: 'win32', home: 'C:\\Users\\mira', path: win32 } as const;
    expect(homes(windows)).toEqual(['C:\\Users\\mira\\.qwen']);
    expect(homes({ home: '' })).toEqual([]);
  });

  it('are moved by QWEN_HOME, and QWEN_RUNTIME_DIR comes before', () => {
    expect(homes({ variables: { QWEN_HOME: '/q' } })).toEqual(['/q']);
    expect(homes({ variables: { QWEN_RUNTIME_DIR: '/r' } })).toEqual(['/r', '/home/mira/.qwen']);
    const both = { QWEN_RUNTIME_DIR: '/r', QWEN_HOME: '/q' };
    expect(homes({ variables: both })).toEqual(['/r', '/q']);
    expect(homes({ variables: { ...both, QWEN_HOME: '/r' } })).toEqual(['/r']);
    expect(homes({ variables: { QWEN_RUNTIME_DIR: '', QWEN_HOME: '' } })).toHaveLength(1);
  });
});

const PROJECT = 'q/projects/-home-mira-tide';
const base = { uuid: 'u', parentUuid: 'p', sessionId: 's1', timestamp: 't', cwd: '/home/mira' };
const parts = (...given: unknown[]) => ({ message: { role: 'user', parts: given } });
const record = (type: string, more: object = {}) => ({ ...base, type, ...more });
const lines = (...records: unknown[]) => records.map(one => `${JSON.stringify(one)}\n`).join('');
const PROMPT = record('user', parts({ text: 'hi' }));

function placeOf(path: string): string | null {
  const full = join(folder, path);
  const entry = entryAt(full, basename(full));
  if (!entry) throw new Error(`${full} is not there`);
  for (const { recognise, description } of harnesses) {
    const root = recognise(entry);
    if (root) return `${description.name} ${root.part}`;
  }
  return null;
}

describe('a place', () => {
  it('is recognised at every level, and not taken for Claude Code’s', () => {
    writeFile(folder, `${PROJECT}/chats/s1.jsonl`, lines(PROMPT));
    writeFile(folder, `${PROJECT}/subagents/s1/agent-a.jsonl`, lines(PROMPT));
    writeFile(folder, 'q/tmp/abc/chats/session-x.json', '{"messages":[]}');
    expect(placeOf('q')).toBe('qwen home');
    expect(placeOf('q/projects')).toBe('qwen projects');
    expect(placeOf(PROJECT)).toBe('qwen project');
    expect(placeOf(`${PROJECT}/chats`)).toBe('qwen folder');
    expect(placeOf(`${PROJECT}/subagents/s1`)).toBe('qwen folder');
    expect(placeOf(`${PROJECT}/chats/s1.jsonl`)).toBe('qwen file');
    expect(placeOf('q/tmp')).toBe('qwen old-tmp');
    expect(placeOf('q/tmp/abc/chats')).toBe('qwen old-chats');
    expect(placeOf('q/tmp/abc/chats/session-x.json')).toBe('qwen old-file');
  });

  it('is a home by its name where it has only chats of 2025', () => {
    writeFile(folder, '.qwen/tmp/abc/chats/session-x.json', '{"messages":[]}');
    writeFile(folder, 'empty/.qwen/settings.json', '{}');
    expect(placeOf('.qwen')).toBe('qwen home');
    expect(placeOf('empty/.qwen')).toBeNull();
  });

  it('is not Qwen Code’s by a folder projects/ alone', () => {
    writeFile(folder, 'c/projects/p/s.jsonl', '{"type":"user","sessionId":"s","uuid":"u"}\n');
    writeFile(folder, 'd/projects/p/chats/s.jsonl', '{"type":"user","uuid":"u"}\n');
    expect(placeOf('c')).toBe('claude home');
    expect(placeOf('d/projects/p/chats')).toBeNull();
  });

  it('is read when the caller says whose it is', async () => {
    const path = writeFile(folder, 'x/anything.jsonl', lines(record('user', parts({ text: 'a' }))));
    for (const at of [path, join(folder, 'x')]) {
      const sql = `FROM read_conversations(path = $path, source = 'qwen')`;
      expect((await ask(sql, { path: at })).rows).toMatchObject([{ message_content: 'a' }]);
    }
  });
});

async function rowsAt(path: string, more = '', from = 'read_conversations') {
  return (await ask(`FROM ${from}(path = $path${more})`, { path: join(folder, path) })).rows;
}

async function rowsOf(...records: unknown[]): Promise<readonly ObjectRow[]> {
  writeFile(folder, `${PROJECT}/chats/s1.jsonl`, lines(PROMPT, ...records));
  return (await rowsAt('q')).slice(1);
}

describe('an answer', () => {
  const answer = record('assistant', {
    ...parts(
      { text: 'thinking', thought: true },
      { text: 'one' },
      { functionCall: { id: 'c1', name: 'ls', args: { b: 1, a: 2 } } },
      { text: 'two' },
      { functionCall: { id: 'c2', name: 'cat', args: {} } },
      { text: '', thought: true },
    ),
    model: 'coder',
    usageMetadata: {
      ...{ promptTokenCount: 10, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
      cachedContentTokenCount: 7,
    },
  });

  it('is a row with all the text and the usage, then its thoughts, then its calls', async () => {
    const none = { input_tokens: null, usage_scope: null, model: 'coder', author: 'agent' };
    expect(await rowsOf(answer)).toMatchObject([
      {
        ...{ message_type: 'assistant', message_content: 'one\ntwo', tool_name: null },
        ...{ input_tokens: 10, output_tokens: 2, reasoning_tokens: 3, cache_read_tokens: 7 },
        ...{ response_id: 'u', usage_scope: 'response', usage_source_line: 2, author: 'agent' },
      },
      { ...none, message_type: 'thinking', message_content: 'thinking', tool_name: null },
      {
        ...{ ...none, message_type: 'tool_call', tool_name: 'ls', tool_use_id: 'c1' },
        ...{ tool_input: '{"a":2,"b":1}', message_content: null },
      },
      { ...none, message_type: 'tool_call', tool_name: 'cat', tool_use_id: 'c2', tool_input: '{}' },
    ]);
  });

  it('by line is one row, which names its first call', async () => {
    await rowsOf(answer);
    const rows = await rowsAt('q', `, rows = 'line'`);
    expect(rows.slice(1)).toMatchObject([
      {
        ...{ message_type: 'assistant', message_content: 'one\ntwo', tool_use_id: 'c1' },
        ...{ tool_input: '{"a":2,"b":1}', input_tokens: 10 },
      },
    ]);
  });
});

describe('the result of a tool', () => {
  const result = (response: unknown, more: object = {}) =>
    record('tool_result', {
      ...parts({ functionResponse: { id: 'c1', name: 'ls', response } }),
      ...more,
    });

  it('is what the tool gave back: output, error, or anything else as JSON', async () => {
    const rows = await rowsOf(
      result({ output: 'fine' }, { toolCallResult: { status: 'success' } }),
      result({ error: 'broken' }, { toolCallResult: { status: 'error' } }),
      result({ z: 1, a: [] }, { toolCallResult: { status: 'cancelled' } }),
      result(null),
    );
    const common = { message_type: 'tool_result', message_role: 'tool', author: 'tool' };
    expect(rows).toMatchObject([
      { ...common, message_content: 'fine', status: 'completed', tool_use_id: 'c1' },
      { ...common, message_content: 'broken', status: 'failed', tool_name: 'ls' },
      { ...common, message_content: '{"a":[],"z":1}', status: 'cancelled' },
      { ...common, message_content: null, status: null },
    ]);
  });

  it('is a row for each response of a record, and one for a record without any', async () => {
    const two = parts({ functionResponse: { id: 'a' } }, { functionResponse: { id: 'b' } });
    const none = { ...parts({ text: 'x' }), toolCallResult: { callId: 'c' } };
    const rows = await rowsOf(record('tool_result', two), record('tool_result', none));
    expect(rows.map(row => row['tool_use_id'])).toEqual(['a', 'b', 'c']);
  });
});

describe('the user’s slot', () => {
  it.each([
    [{}, 'user'],
    [{ provenance: 'real_user', subtype: 'mid_turn_user_message' }, 'user'],
    [{ provenance: 'system' }, 'system'],
    [{ provenance: 'goal_runtime' }, 'system'],
    [{ subtype: 'notification' }, 'system'],
    [{ subtype: 'cron' }, 'system'],
  ])('with %j is written by %s', async (more, author) => {
    const prompt = record('user', { ...parts({ text: 'x' }), ...more });
    expect(await rowsOf(prompt)).toMatchObject([{ author, message_role: 'user' }]);
  });

  it('of a sub-agent is written by the caller', async () => {
    const path = `${PROJECT}/subagents/s1/agent-a.jsonl`;
    writeFile(
      folder,
      path,
      lines(record('user', { ...parts({ text: 'x' }), agentName: 'Explore' })),
    );
    writeFile(folder, path.replace('.jsonl', '.meta.json'), '{"agentType":"explore"}');
    expect(await rowsAt('q')).toMatchObject([
      {
        ...{ author: 'caller', is_agent: true, parent_session_id: 's1', session_id: 's1' },
        ...{ agent_path: 'subagents/s1/agent-a.jsonl', agent_nickname: 'Explore' },
        ...{ agent_role: 'explore', project_dir: '-home-mira-tide' },
      },
    ]);
  });
});

describe('a record of the harness', () => {
  it.each([
    [{ subtype: 'slash_command', systemPayload: { rawCommand: '/model' } }, '/model'],
    [{ subtype: 'custom_title', systemPayload: { customTitle: 'Title' } }, 'Title'],
    [{ subtype: 'ui_telemetry', systemPayload: { uiEvent: { 'event.name': 'e' } } }, 'e'],
    [{ subtype: 'rewind', systemPayload: { truncatedCount: 1 } }, null],
    [{}, null],
  ])('%j says %j', async (more, message_content) => {
    expect(await rowsOf(record('system', more))).toMatchObject([
      { message_type: 'system', message_role: null, author: 'system', message_content },
    ]);
  });

  it('names the session that opened this one, in every row', async () => {
    const opened = record('system', {
      ...{ subtype: 'parent_session', systemPayload: { parentSessionId: 's0' } },
    });
    await rowsOf(opened);
    const parents = (await rowsAt('q')).map(row => row['parent_session_id']);
    expect(parents).toEqual(['s0', 's0']);
  });

  it('of a type that nobody knows is a row of that type', async () => {
    const [row] = await rowsOf(record('of_tomorrow', parts({ text: 'x' })));
    expect(row).toMatchObject({ message_type: 'of_tomorrow', message_content: 'x' });
    const events = await rowsAt('q', '', 'read_events');
    expect(events.map(event => event['is_known_type'])).toEqual([true, false]);
  });
});

describe('the identity of a record', () => {
  it('is its own, else what its file tells', async () => {
    const { cwd: _cwd, sessionId: _sessionId, ...bare } = PROMPT;
    const rows = await rowsOf({ ...PROMPT, sessionId: 'other', cwd: '/x', gitBranch: 'b' }, bare);
    expect(rows).toMatchObject([
      { session_id: 'other', project_path: '/x', cwd: '/x', git_branch: 'b' },
      { session_id: 's1', project_path: '/home/mira', cwd: null },
    ]);
  });
});

describe('the files beside the sessions', () => {
  it('are read as chats where they are of 2025', async () => {
    await rowsOf();
    const answer = { id: 'm', type: 'gemini', content: 'Yes.', toolCalls: [{ id: 'c' }] };
    const chat = JSON.stringify({ sessionId: 'old', messages: [answer] });
    writeFile(folder, 'q/tmp/abc/chats/session-x.json', chat);
    expect(await rowsAt('q')).toMatchObject([
      { session_id: 's1' },
      { source: 'qwen', session_id: 'old', message_type: 'assistant', byte_offset: 31 },
      { source: 'qwen', session_id: 'old', message_type: 'tool_call', tool_use_id: 'c' },
    ]);
    const events = await rowsAt('q', '', 'read_events');
    expect(events.map(event => event['session_id'])).toEqual(['s1', 'old', 'old']);
  });

  it('give todo lists, with a diagnosis for what is none', async () => {
    await rowsOf();
    const todos = [{ id: '1', content: 'a', status: 'pending' }, 7];
    writeFile(folder, 'q/todos/s1.json', JSON.stringify({ todos, sessionId: 's9' }));
    writeFile(folder, 'q/todos/torn.json', '{"todos":[');
    expect(await rowsAt('q', '', 'read_todos')).toMatchObject([
      { session_id: 's9', item_index: 0, content: 'a', status: 'pending', agent_id: null },
      { session_id: 's9', item_index: 1, status: '_parse_error' },
      { session_id: 'torn', item_index: -1, status: '_parse_error' },
    ]);
  });

  it('give the prompts', async () => {
    await rowsOf();
    const entry = { sessionId: 's1', message: 'hi', timestamp: '2026-02-08T15:13:27.141Z' };
    writeFile(folder, 'q/tmp/abc/logs.json', JSON.stringify([entry]));
    expect(await rowsAt('q', '', 'read_history')).toMatchObject([
      { source: 'qwen', display: 'hi', session_id: 's1', timestamp_ms: 1770563607141 },
    ]);
  });
});
