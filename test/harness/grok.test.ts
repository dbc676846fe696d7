/** Grok Build: times and tokens from beside the chat, sub-agents, and what each line becomes. */

import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grok } from '../../src/harness/grok/index.ts';
import type { ObjectRow } from '../../src/index.ts';
import { locate } from '../../src/scan/locate.ts';
import { ask, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { lines, PROJECT, time, update } from './grok-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

/** Writes a file of the session `s1`, or of another. */
function write(name: string, content: unknown, session = 's1'): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return writeFile(home, `${PROJECT}/${session}/${name}`, text);
}

async function read(columns: string, more = '', at = home): Promise<readonly ObjectRow[]> {
  const sql = `SELECT ${columns} FROM read_conversations(path = $path${more})`;
  return (await ask(sql, { path: at })).rows;
}

/** The rows of a session with these lines, as lists. */
async function rowsOf(columns: string, ...chat: unknown[]): Promise<unknown[][]> {
  write('chat_history.jsonl', lines(...chat));
  return (await read(columns)).map(row => Object.values(row));
}

describe('the home of Grok', () => {
  it('is moved by a variable, and on Windows lies below the profile', () => {
    const linux = { platform: 'linux', home: '/home/mira', path: path.posix } as const;
    const windows = { platform: 'win32', home: 'C:\\Users\\mira', path: path.win32 } as const;
    const { homes } = grok.description;
    expect(homes({ ...linux, variables: {} })).toEqual(['/home/mira/.grok']);
    expect(homes({ ...linux, variables: { GROK_HOME: '/g' } })).toEqual(['/g']);
    expect(homes({ ...windows, variables: {} })).toEqual(['C:\\Users\\mira\\.grok']);
  });
});

describe('a path', () => {
  const partOf = (name: string): string | null => {
    const request = { path: path.join(home, name), source: null };
    const [place] = locate(request, machine(home), () => {}).places;
    return place?.harness === grok ? place.root.part : null;
  };

  it('is recognised as the part of the tree that it is', () => {
    write('chat_history.jsonl', lines({ type: 'user', content: 'x' }));
    write('summary.json', {});
    const names = ['', 'sessions', PROJECT, `${PROJECT}/s1`, `${PROJECT}/s1/chat_history.jsonl`];
    expect(names.map(partOf)).toEqual(['home', 'sessions', 'project', 'session', 'file']);
  });

  it('is not Grok by a folder of sessions or a chat alone', () => {
    writeFile(home, 'a/sessions/x/chat_history.jsonl', '{"role":"user"}\n');
    expect(['a', 'a/sessions/x', 'a/sessions/x/chat_history.jsonl'].map(partOf)).toEqual([
      ...[null, null, null],
    ]);
  });

  it('gives the same rows whatever part of the tree it names', async () => {
    write('chat_history.jsonl', lines({ type: 'user', content: 'x' }));
    write('summary.json', { generated_title: 'Tide' });
    write('subagents/s1/meta.json', { subagent_type: 'explore' }, 'parent');
    const whole = await read('*');
    expect(whole).toMatchObject([{ slug: 'Tide', parent_session_id: 'parent' }]);
    for (const part of ['sessions', PROJECT, `${PROJECT}/s1`]) {
      expect(await read('*', '', path.join(home, part))).toEqual(whole);
    }
    const file = path.join(home, PROJECT, 's1/chat_history.jsonl');
    expect(await read('*', '', file)).toEqual(whole);
  });
});

describe('the working folder', () => {
  const cwdOf = async (project: string) => {
    writeFile(home, `sessions/${project}/s1/chat_history.jsonl`, '{"type":"user"}\n');
    return await read('cwd, project_path, project_dir');
  };

  it.each([
    ['%2Fhome%2Fmira%2Fmy-app', '/home/mira/my-app'],
    ['%2F%E6%BD%AE', '/潮'],
    ['%2Fa%zz%4', '/a%zz%4'],
    ['C%3A%5CUsers%5Cmira', 'C:\\Users\\mira'],
  ])('is the decoded name %s', async (name, cwd) => {
    expect(await cwdOf(name)).toEqual([{ cwd, project_path: cwd, project_dir: name }]);
  });

  it('is in a file where the path is too long to be a name', async () => {
    writeFile(home, 'sessions/home-mira-0a1b/.cwd', '/home/mira/潮\n');
    expect(await cwdOf('home-mira-0a1b')).toMatchObject([{ cwd: '/home/mira/潮' }]);
  });

  it('is not the project where the summary names the root of the repository', async () => {
    write('summary.json', { git_root_dir: '/home/mira' });
    expect(await rowsOf('cwd, project_path', { type: 'user' })).toEqual([
      ['/home/mira/tide', '/home/mira'],
    ]);
  });

  it('was another before the session moved', async () => {
    write('summary.json', { cwd_generation: 1, previous_cwd: '/old' });
    expect(await rowsOf('metadata', { type: 'user' })).toEqual([
      ['{"cwd_generation":1,"previous_cwd":"/old"}'],
    ]);
  });
});

describe('a line', () => {
  const COLUMNS = 'message_type, message_role, author, message_content, uuid';

  it('of every type is a row, known or not', async () => {
    const rows = await rowsOf(
      COLUMNS,
      { type: 'system', content: 'be brief' },
      { type: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
      { type: 'user', content: 'policy', synthetic_reason: 'project_instructions' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'tool_result', tool_call_id: 't1', content: 'out' },
      { type: 'backend_tool_call', kind: { tool_type: 'web_search' } },
      { type: 'surprise', content: 'tomorrow' },
    );
    expect(rows).toEqual([
      ['system', null, 'system', 'be brief', 's1:1'],
      ['user', 'user', 'user', 'hi', 's1:2'],
      ['user', 'user', 'system', 'policy', 's1:3'],
      ['reasoning', 'assistant', 'agent', 'hm', 'rs_1'],
      ['tool_result', 'tool', 'tool', 'out', 's1:5'],
      ['backend_tool_call', 'tool', 'agent', null, 's1:6'],
      ['surprise', null, 'system', 'tomorrow', 's1:7'],
    ]);
  });

  const calls = [
    { id: 't1', name: 'read', arguments: '{"b": 1}' },
    { id: 't2', name: 'run', arguments: { b: 1, a: 2 } },
  ];

  it('of an assistant is its text and each call, told apart by record_id', async () => {
    const columns = 'message_type, message_content, tool_name, tool_input, uuid, record_id';
    expect(await rowsOf(columns, { type: 'assistant', content: 'I', tool_calls: calls })).toEqual([
      ['assistant', 'I', null, null, 's1:1', 's1:1'],
      ['tool_call', null, 'read', '{"b": 1}', 's1:1', 's1:1:tool:t1'],
      ['tool_call', null, 'run', '{"a":2,"b":1}', 's1:1', 's1:1:tool:t2'],
    ]);
  });

  it('of an assistant has no row for a text that is empty beside calls', async () => {
    const types = async (content: unknown, tool_calls: unknown) =>
      (await rowsOf('message_type', { type: 'assistant', content, tool_calls })).flat();
    expect(await types('', calls)).toEqual(['tool_call', 'tool_call']);
    expect(await types('', [])).toEqual(['assistant']);
    expect(await types(null, 'none')).toEqual(['assistant']);
  });

  it('is one row by line, with the first call', async () => {
    await rowsOf('1', { type: 'assistant', content: '', tool_calls: calls });
    expect(await read('message_type, tool_use_id', `, rows = 'line'`)).toEqual([
      { message_type: 'assistant', tool_use_id: 't1' },
    ]);
  });

  it('of format 0 has a role instead of a type, and calls one level deeper', async () => {
    const call = { id: 't1', type: 'function', function: { name: 'read', arguments: '{}' } };
    const rows = await rowsOf(
      'message_type, message_content, tool_name, tool_use_id, event_type',
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call] },
      { role: 'tool', tool_call_id: 't1', content: 'out' },
    );
    expect(rows).toEqual([
      ['user', 'hi', null, null, null],
      ['reasoning', 'hm', null, null, null],
      ['tool_call', null, 'read', 't1', null],
      ['tool_result', 'out', null, 't1', null],
    ]);
  });

  it('of the model has its own model and effort, else those of the summary', async () => {
    write('summary.json', { current_model_id: 'grok-4.5', reasoning_effort: 'high' });
    const rows = await rowsOf(
      'model, reasoning_effort',
      { type: 'user', content: 'x' },
      { type: 'reasoning', summary: [] },
      { type: 'assistant', content: 'x', model_id: 'grok-5', reasoning_effort: 'low' },
    );
    expect(rows).toEqual([
      [null, null],
      ['grok-4.5', 'high'],
      ['grok-5', 'low'],
    ]);
  });

  it('never shows encrypted reasoning outside the raw record', async () => {
    const secret = { type: 'reasoning', summary: [], encrypted_content: 'c2VjcmV0' };
    expect(JSON.stringify(await rowsOf('* EXCLUDE raw_event', secret))).not.toContain('c2VjcmV0');
  });
});

describe('the time of a line', () => {
  const user = { type: 'user', content: 'x' };
  const reasoning = { type: 'reasoning', summary: [] };
  const assistant = { type: 'assistant', content: 'x' };

  it('is that of the next update of its kind', async () => {
    const updates = [
      update(1, 'user_message_chunk'),
      update(2, 'agent_message_chunk'),
      update(3, 'agent_thought_chunk'),
      update(4, 'agent_message_chunk'),
    ];
    write('updates.jsonl', lines(...updates));
    const rows = await rowsOf('timestamp', user, reasoning, assistant);
    expect(rows).toEqual([[time(1)], [time(3)], [time(4)]]);
  });

  it('does not use up the updates when its kind never comes', async () => {
    write('updates.jsonl', lines(update(1, 'user_message_chunk'), update(2, 'tool_call')));
    write('summary.json', { last_active_at: 'late', created_at: 'early' });
    const odd = [{ type: 'surprise' }, 'no record', { type: 'system' }];
    const rows = await rowsOf('timestamp', reasoning, ...odd, user, reasoning, assistant);
    expect(rows.flat()).toEqual(['late', 'late', 'late', 'early', time(1), 'late', time(2)]);
  });

  it('is that of the summary without updates, and NULL without either', async () => {
    expect(await rowsOf('timestamp', user)).toEqual([[null]]);
    write('summary.json', { updated_at: 'u', created_at: 'c' });
    expect(await rowsOf('timestamp', user)).toEqual([['u']]);
  });
});

describe('the tokens', () => {
  const usage = (inputTokens: number) => ({
    ...{ inputTokens, outputTokens: 2, cachedReadTokens: 3, reasoningTokens: 4 },
  });

  it('are those of the last completed turn, on every row, for the session', async () => {
    const turn = (second: number, more: object) => update(second, 'turn_completed', more);
    const turns = [turn(1, { usage: usage(1) }), turn(2, { usage: usage(9) }), turn(3, {})];
    write('updates.jsonl', lines(...turns));
    const columns = `input_tokens, output_tokens, cache_read_tokens, cache_creation_tokens,
      reasoning_tokens, usage_scope, usage_source_line`;
    const row = [9, 2, 3, null, 4, 'session', null];
    expect(await rowsOf(columns, { type: 'user' }, { type: 'system' })).toEqual([row, row]);
  });

  it('are NULL where no turn tells', async () => {
    expect(await rowsOf('input_tokens, usage_scope', { type: 'user' })).toEqual([[null, null]]);
  });
});

describe('a session', () => {
  it('is a sub-agent by the folder of its parent, whose names yield to its meta file', async () => {
    write('subagents/dir-1/meta.json', { child_session_id: 'c1', parent_session_id: 'p1' }, 'p');
    write('subagents/c2/meta.json', '{"torn', 'p');
    for (const child of ['c1', 'c2']) {
      write('chat_history.jsonl', lines({ type: 'user', content: 'brief' }), child);
    }
    const columns = 'session_id, is_agent, parent_session_id, parent_uuid, agent_path, author';
    expect((await read(columns)).map(row => Object.values(row))).toEqual([
      ['c1', true, 'p1', 'p1', 'p/subagents/dir-1', 'caller'],
      ['c2', true, 'p', 'p', 'p/subagents/c2', 'caller'],
    ]);
  });

  it('is a sub-agent by its own word, else a fork with lines of its parent', async () => {
    const columns = 'is_agent, parent_session_id, forked_from_session_id, metadata';
    write('summary.json', { parent_session_id: 'p', session_kind: 'subagent' });
    expect(await rowsOf(columns, { type: 'user' })).toEqual([[true, 'p', null, null]]);
    write('summary.json', { parent_session_id: 'p', inherited_prefix_len: 1 });
    expect(await rowsOf(columns, { type: 'user' }, { type: 'user' })).toEqual([
      [false, null, 'p', '{"inherited":true}'],
      [false, null, 'p', null],
    ]);
  });

  it('tells on its first row that its summary is torn, wherever it was cut', async () => {
    const whole = '{"generated_title":"潮","git_remotes":["a"]}';
    for (let length = 0; length < Buffer.byteLength(whole); length++) {
      write('summary.json', Buffer.from(whole).subarray(0, length).toString('latin1'));
      const rows = await rowsOf(
        'slug, repository, parse_error',
        { type: 'user' },
        { type: 'user' },
      );
      expect(rows).toEqual([
        [null, null, expect.stringMatching(/^summary: ./)],
        [null, null, null],
      ]);
    }
  });
});

describe('the files beside the chat', () => {
  it('are a plan, named by the title of its session or by the session', async () => {
    write('plan.md', '# Tide');
    write('summary.json', { generated_title: 'The tide' });
    write('plan.md', '# Ebb', 's2');
    const sql = 'SELECT session_id, plan_name, content FROM read_plans(path = $path)';
    expect((await ask(sql, { path: home })).rows.map(row => Object.values(row))).toEqual([
      ['s1', 'The tide', '# Tide'],
      ['s2', 's2', '# Ebb'],
    ]);
  });

  it('are journals, which events reads and conversations does not', async () => {
    write('updates.jsonl', lines(update(1, 'tool_call'), update(2, 'tomorrow')));
    write('rewind_points.jsonl', lines({ prompt_index: 0 }));
    expect(await read('*')).toEqual([]);
    const sql = 'SELECT event_type, record_subtype, is_known_type FROM read_events(path = $path)';
    expect((await ask(sql, { path: home })).rows.map(row => Object.values(row))).toEqual([
      [null, null, null],
      ['session/update', 'tool_call', true],
      ['session/update', 'tomorrow', false],
    ]);
  });

  it('count by day, the days in order, each session on the day it began', async () => {
    const day = (created_at: unknown, num_messages = 5) => ({ created_at, num_messages });
    write('summary.json', day('2026-07-31T23:59:59Z'), 'a');
    write('signals.json', { userMessageCount: 2, assistantMessageCount: 1, toolCallCount: 7 }, 'a');
    write('summary.json', day('2026-07-31T00:00:00Z'), 'b');
    write('signals.json', { turnCount: 3, toolCallCount: -1 }, 'b');
    write('summary.json', day('2026-07-30'), 'c');
    write('summary.json', day(7, -2), 'd');
    write('summary.json', '{"torn', 'e');
    const sql = `SELECT date, message_count, session_count, tool_call_count
                 FROM read_stats(path = $path)`;
    expect((await ask(sql, { path: home })).rows.map(row => Object.values(row))).toEqual([
      ['2026-07-30', 5, 1, 0],
      ['2026-07-31', 6, 2, 7],
      ['unknown', 0, 1, 0],
    ]);
  });
});
