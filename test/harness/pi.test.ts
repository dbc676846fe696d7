/** pi: its formats, branches, sub-agents, and what each kind of entry becomes. */

import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pi } from '../../src/harness/pi/index.ts';
import type { Environment, ObjectRow } from '../../src/index.ts';
import { locate } from '../../src/scan/locate.ts';
import { ask, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const PROJECT = 'sessions/--home-mira-tide--';
const BASE = '2026-05-04T08-00-00-000Z_0b8e2c44';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const lines = (...records: unknown[]) => records.map(one => `${JSON.stringify(one)}\n`).join('');

const header = (more: object = {}) => ({
  ...{ type: 'session', version: 3, id: 'tide', timestamp: '2026-05-04T08:00:00.000Z' },
  ...{ cwd: '/home/mira/tide' },
  ...more,
});

const message = (message: object, more: object = {}) => ({
  ...{ type: 'message', id: 'e1', parentId: null, timestamp: '2026-05-04T08:00:01.000Z' },
  ...{ message },
  ...more,
});

const answer = (content: unknown[], more: object = {}) =>
  message({ role: 'assistant', content, model: 'm', provider: 'p', ...more });

async function read(columns: string, more = '', at = home): Promise<readonly ObjectRow[]> {
  const sql = `SELECT ${columns} FROM read_conversations(path = $path${more})`;
  return (await ask(sql, { path: at })).rows;
}

/** The rows after the header of a session with these entries. */
async function rowsOf(columns: string, ...entries: unknown[]): Promise<readonly ObjectRow[]> {
  writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header(), ...entries));
  return (await read(columns)).slice(1);
}

describe('the homes of pi', () => {
  const on = (variables: Environment['variables']) =>
    pi.description.homes({ platform: 'linux', home: '/home/mira', variables, path: path.posix });

  it('are moved whole by one variable and joined by another', () => {
    expect(on({})).toEqual(['/home/mira/.pi/agent']);
    expect(on({ PI_CODING_AGENT_DIR: '~/pi' })).toEqual(['~/pi']);
    expect(on({ PI_CODING_AGENT_SESSION_DIR: '/s' })).toEqual(['/home/mira/.pi/agent', '/s']);
  });

  it('on Windows lie below the profile', () => {
    const windows = { platform: 'win32', home: 'C:\\Users\\mira', path: path.win32 } as const;
    expect(pi.description.homes({ ...windows, variables: {} })).toEqual([
      'C:\\Users\\mira\\.pi\\agent',
    ]);
  });

  it('may be a folder of sessions without folders of projects', async () => {
    writeFile(home, `${BASE}.jsonl`, lines(header(), message({ role: 'user', content: 'flat' })));
    const environment = machine('/nobody', { PI_CODING_AGENT_SESSION_DIR: home });
    const sql = `SELECT message_content FROM read_conversations(source = 'pi') OFFSET 1`;
    expect((await ask(sql, [], environment)).rows).toEqual([{ message_content: 'flat' }]);
  });
});

describe('a path', () => {
  const partOf = (name: string): string | null => {
    const request = { path: path.join(home, name), source: null };
    const [place] = locate(request, machine(home), () => {}).places;
    return place?.harness === pi ? place.root.part : null;
  };

  it('is recognised as the part of the tree that it is', () => {
    writeFile(home, `agent/${PROJECT}/${BASE}.jsonl`, lines(header()));
    const names = ['', 'agent', 'agent/sessions', `agent/${PROJECT}`];
    expect([...names, `agent/${PROJECT}/${BASE}.jsonl`].map(partOf)).toEqual([
      ...['above', 'home', 'sessions', 'folder'],
      'file',
    ]);
  });

  it('is recognised by what a transcript begins with where no name tells', () => {
    writeFile(home, 'a/sessions/bot/chat/x.jsonl', lines(header()));
    expect(partOf('a')).toBe('home');
    writeFile(home, 'b/sessions/bot/chat/x.jsonl', lines({ type: 'session', id: 'other' }));
    expect(partOf('b')).toBeNull();
    writeFile(home, 'c/x.jsonl', lines({ type: 'user', sessionId: 's' }));
    expect(partOf('c/x.jsonl')).toBeNull();
  });

  it('is a new home, not a folder of sessions, while it has none', async () => {
    writeFile(home, 'run-history.jsonl', lines({ agent: 'a' }));
    writeFile(home, 'extensions/x/log.jsonl', lines({ type: 'log' }));
    expect(await read('*', `, source = 'pi'`)).toEqual([]);
  });

  it('gives the same rows whatever part of the tree it names', async () => {
    const child = `${PROJECT}/${BASE}/run/run-0`;
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header()));
    writeFile(home, `${child}/session.jsonl`, lines(header({ id: 'child' })));
    const columns = 'session_id, project_dir, is_agent, parent_session_id, agent_path';
    const whole = await read(columns);
    expect(whole).toHaveLength(2);
    expect(await read(columns, '', path.join(home, PROJECT))).toEqual(whole);
    for (const part of [`${PROJECT}/${BASE}`, child, `${child}/session.jsonl`]) {
      expect(await read(columns, '', path.join(home, part))).toEqual(whole.slice(1));
    }
  });
});

describe('the message of an assistant', () => {
  const blocks = [
    { type: 'thinking', thinking: 'hm', thinkingSignature: 'c2VjcmV0' },
    { type: 'thinking', thinking: '', thinkingSignature: 'c2VjcmV0' },
    { type: 'text', text: 'one' },
    { type: 'toolCall', id: 't1', name: 'read', arguments: { b: 1, a: 2 } },
    { type: 'text', text: 'two' },
    { type: 'toolCall', id: 't2', name: 'bash', arguments: { command: 'ls' } },
  ];

  it('is its text with the first call, then thinking and further calls', async () => {
    const columns = 'message_type, message_content, tool_name, tool_use_id, tool_input, author';
    const row = (message_type: string, message_content: string | null, tool: unknown[] = []) => {
      const [tool_name = null, tool_use_id = null, tool_input = null] = tool;
      return {
        ...{ message_type, message_content, tool_name, tool_use_id, tool_input },
        author: 'agent',
      };
    };
    expect(await rowsOf(columns, answer(blocks))).toEqual([
      row('assistant', 'one\ntwo', ['read', 't1', '{"a":2,"b":1}']),
      row('thinking', 'hm'),
      row('tool_call', null, ['bash', 't2', '{"command":"ls"}']),
    ]);
  });

  it('is one row by line', async () => {
    await rowsOf('1', answer(blocks));
    const rows = await read('message_type, tool_use_id', `, rows = 'line'`);
    expect(rows.slice(1)).toEqual([{ message_type: 'assistant', tool_use_id: 't1' }]);
  });

  it('carries usage once, its cost in metadata, and input without the cache', async () => {
    const usage = { input: 4, output: 36, cacheRead: 100, cacheWrite: 200, cost: { total: 0.002 } };
    const columns = `message_type, input_tokens, output_tokens, cache_read_tokens,
      cache_creation_tokens, usage_scope, usage_source_line, metadata`;
    const [first, second] = await rowsOf(columns, answer(blocks, { usage }));
    expect(first).toEqual({
      ...{ message_type: 'assistant', input_tokens: 4, output_tokens: 36 },
      ...{ cache_read_tokens: 100, cache_creation_tokens: 200 },
      ...{ usage_scope: 'response', usage_source_line: 2, metadata: '{"cost":{"total":0.002}}' },
    });
    expect(second).toMatchObject({ message_type: 'thinking', input_tokens: null, metadata: null });
  });

  it('never shows a signature outside the raw record', async () => {
    const rows = await rowsOf('* EXCLUDE raw_event', answer(blocks));
    expect(JSON.stringify(rows)).not.toContain('c2VjcmV0');
  });

  it.each([
    ['stop', 'completed'],
    ['toolUse', 'completed'],
    ['error', 'failed'],
    ['aborted', 'interrupted'],
    ['tomorrow', null],
  ])('that stopped with %s has the status %s', async (stopReason, status) => {
    const rows = await rowsOf('stop_reason, status', answer([], { stopReason }));
    expect(rows).toEqual([{ stop_reason: stopReason, status }]);
  });

  it('that failed without a word says why', async () => {
    const failed = { stopReason: 'error', errorMessage: '529 overloaded' };
    const rows = await rowsOf('message_content, metadata', answer([], failed));
    const metadata = '{"errorMessage":"529 overloaded"}';
    expect(rows).toEqual([{ message_content: '529 overloaded', metadata }]);
  });
});

describe('the other messages', () => {
  it('are tool results, commands of the user, and what extensions and summaries say', async () => {
    const rows = await rowsOf(
      'message_type, message_role, author, message_content, status',
      message({ role: 'toolResult', toolCallId: 't1', content: [], isError: true }),
      message({ role: 'bashExecution', command: 'ls', output: 'a\n', exitCode: 0 }),
      message({ role: 'custom', customType: 'x', content: 'note' }),
      message({ role: 'hookMessage', customType: 'x', content: 'old note' }),
      message({ role: 'branchSummary', summary: 'branch' }),
      message({ role: 'compactionSummary', summary: 'short' }),
      message({ role: 'soothsayer', content: 'tomorrow' }),
    );
    expect(rows.map(row => Object.values(row))).toEqual([
      ['tool_result', 'tool', 'tool', '', 'failed'],
      ['bash_execution', 'user', 'user', 'a\n', 'completed'],
      ['custom_message', 'user', 'system', 'note', null],
      ['custom_message', 'user', 'system', 'old note', null],
      ['branch_summary', null, 'system', 'branch', null],
      ['compaction', null, 'system', 'short', null],
      ['soothsayer', null, 'system', 'tomorrow', null],
    ]);
  });

  it('show an image by its kind', async () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image', mimeType: 'image/png', data: 'x' },
    ];
    expect(await rowsOf('message_content', message({ role: 'user', content }))).toEqual([
      { message_content: 'see\n[image: image/png]' },
    ]);
  });
});

describe('a session', () => {
  it('keeps every branch, in the order of the file', async () => {
    const entry = (id: string, parentId: string | null) =>
      message({ role: 'user', content: id }, { id, parentId });
    const rows = await rowsOf(
      'uuid, parent_uuid, record_id',
      ...[entry('a', null), entry('b', 'a'), entry('c', 'a'), entry('d', 'nowhere')],
    );
    expect(rows.map(row => Object.values(row))).toEqual([
      ['a', null, 'tide:a'],
      ['b', 'a', 'tide:b'],
      ['c', 'a', 'tide:c'],
      ['d', 'nowhere', 'tide:d'],
    ]);
  });

  it('of format 1 has no ids, and records of its own by offset', async () => {
    const old = header({ version: undefined, thinkingLevel: 'low' });
    const text = lines(old, { type: 'message', message: { role: 'assistant', content: [] } });
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, text);
    const offset = Buffer.byteLength(lines(old));
    expect(await read('version, uuid, record_id, reasoning_effort')).toEqual([
      { version: '1', uuid: null, record_id: 'tide:o0', reasoning_effort: 'low' },
      { version: '1', uuid: null, record_id: `tide:o${offset}`, reasoning_effort: 'low' },
    ]);
  });

  it('says the thinking level and its name until they change, by block only', async () => {
    const entries = [
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'session_info', name: 'Tide' },
      answer([]),
      message({ role: 'user', content: 'x' }),
    ];
    const columns = 'message_type, reasoning_effort, slug';
    expect((await rowsOf(columns, ...entries)).map(row => Object.values(row))).toEqual([
      ['thinking_level_change', 'high', null],
      ['session_info', null, 'Tide'],
      ['assistant', 'high', 'Tide'],
      ['user', null, 'Tide'],
    ]);
    const byLine = (await read(columns, `, rows = 'line'`)).slice(1);
    expect(byLine.map(row => Object.values(row))).toEqual([
      ['thinking_level_change', 'high', null],
      ['session_info', null, null],
      ['assistant', null, null],
      ['user', null, null],
    ]);
  });

  it.each([
    ['parentSession', '/home/mira/.pi/agent/sessions/--x--/2026-01-01T00-00-00-000Z_old.jsonl'],
    ['parentSession', 'C:\\sessions\\2026-01-01T00-00-00-000Z_old.jsonl'],
    ['branchedFrom', '/tmp/old.jsonl'],
  ])('names the session it was forked from by %s, %s', async (member, origin) => {
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header({ [member]: origin })));
    expect(await read('forked_from_session_id, parent_session_id')).toEqual([
      { forked_from_session_id: 'old', parent_session_id: null },
    ]);
  });

  it('has its first header, and before it the id in the name of the file', async () => {
    const late = header({ id: 'second', cwd: '/elsewhere' });
    const text = lines(message({ role: 'user', content: 'early' }), header(), late);
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, text);
    expect(await read('session_id, cwd')).toEqual([
      { session_id: '0b8e2c44', cwd: null },
      { session_id: 'tide', cwd: '/home/mira/tide' },
      { session_id: 'tide', cwd: '/home/mira/tide' },
    ]);
  });
});

describe('a sub-agent', () => {
  const CHILD = `${BASE}/run/run-0`;

  it('lies in the folder of its session and has its prompts from it', async () => {
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header({ id: 'parent' })));
    const brief = message({ role: 'user', content: 'brief' });
    writeFile(home, `${PROJECT}/${CHILD}/x.jsonl`, lines(header({ id: 'child' }), brief));
    const columns = 'session_id, is_agent, parent_session_id, agent_path, author';
    expect((await read(columns)).map(row => Object.values(row))).toEqual([
      ['parent', false, null, null, 'system'],
      ['child', true, 'parent', `${CHILD}/x.jsonl`, 'system'],
      ['child', true, 'parent', `${CHILD}/x.jsonl`, 'caller'],
    ]);
  });

  it('of a sub-agent names the one above it', async () => {
    writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header({ id: 'root' })));
    writeFile(home, `${PROJECT}/${CHILD}/session.jsonl`, lines(header({ id: 'middle' })));
    const deep = `${PROJECT}/${CHILD}/session/run/run-0/session.jsonl`;
    writeFile(home, deep, lines(header({ id: 'leaf' })));
    expect((await read('parent_session_id')).map(row => row['parent_session_id'])).toEqual([
      ...[null, 'root', 'middle'],
    ]);
  });

  it('knows its parent by the name of the folder when the transcript is gone', async () => {
    writeFile(home, `${PROJECT}/${CHILD}/x.jsonl`, lines(header({ parentSession: '/gone.jsonl' })));
    expect(await read('parent_session_id, forked_from_session_id')).toEqual([
      { parent_session_id: '0b8e2c44', forked_from_session_id: null },
    ]);
  });

  it('is copied to artifacts, which events reads and conversations does not', async () => {
    const copy = { version: 1, recordType: 'message', message: { role: 'assistant' } };
    writeFile(home, `${PROJECT}/subagent-artifacts/r_a_transcript.jsonl`, lines(copy));
    writeFile(home, `${PROJECT}/subagent-artifacts/r_a_input.md`, 'brief');
    writeFile(home, 'run-history.jsonl', lines({ agent: 'a' }));
    expect(await read('*')).toEqual([]);
    const sql = 'SELECT file_name, event_type, record_subtype FROM read_events(path = $path)';
    expect((await ask(sql, { path: home })).rows.map(row => Object.values(row))).toEqual([
      ['r_a_transcript.jsonl', 'message', 'assistant'],
      ['run-history.jsonl', null, null],
    ]);
  });
});
