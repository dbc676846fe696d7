/** The Copilot CLI: what its events, side files and databases become. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../src/index.ts';
import { type UsageEvent, writeStore, writeTodos } from '../fixtures/copilot-databases.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const SESSION = 'a2c1';
const EVENTS = `session-state/${SESSION}/events.jsonl`;

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

type Event = readonly [type: string, data: unknown, envelope?: object];

function writeEvents(events: readonly Event[], name = EVENTS): void {
  const lines = events.map(([type, data, envelope], index) =>
    JSON.stringify({ type, data, id: `e${index + 1}`, timestamp: 'now', ...envelope }),
  );
  writeFile(home, name, lines.map(line => `${line}\n`).join(''));
}

async function read(relation = 'conversations', more = ''): Promise<readonly ObjectRow[]> {
  return (await ask(`FROM read_${relation}(path = $path${more})`, { path: home })).rows;
}

/** The rows of these events, by block. */
async function rowsOf(...events: Event[]): Promise<readonly ObjectRow[]> {
  writeEvents(events);
  return await read();
}

describe('the state of a session', () => {
  it('begins with workspace.yaml and is corrected by session.start', async () => {
    writeFile(
      home,
      `session-state/${SESSION}/workspace.yaml`,
      'id: from-yaml\ncwd: /yaml\nbranch: yaml\nrepository: mira/yaml\n',
    );
    const context = { cwd: '/start', repository: 'mira/start' };
    const rows = await rowsOf(
      ['session.info', { message: 'before' }],
      ['session.start', { sessionId: 'from-start', copilotVersion: '1.0', context }],
    );
    expect(rows).toMatchObject([
      { session_id: 'from-yaml', project_path: '/yaml', git_branch: 'yaml', version: null },
      {
        ...{ session_id: 'from-start', project_path: '/start', cwd: '/start', version: '1.0' },
        ...{ git_branch: 'yaml', repository: 'mira/start' },
      },
    ]);
  });

  it('is the name of the folder when nothing else tells the session', async () => {
    const [row] = await rowsOf(['user.message', { content: 'x' }]);
    expect(row).toMatchObject({ session_id: SESSION, project_path: '', cwd: null });
  });

  it('shows the new model in the row of the change already', async () => {
    const rows = await rowsOf(
      ['user.message', { content: 'x' }],
      ['session.model_change', { newModel: 'm2' }],
      ['assistant.message', { content: 'y' }],
      ['assistant.message', { content: 'z', model: 'm3' }],
      ['assistant.turn_end', {}],
    );
    expect(rows.map(row => row['model'])).toEqual([null, 'm2', 'm2', 'm3', 'm2']);
  });

  it('moves with the folder, and forgets the commit of the one before', async () => {
    const rows = await rowsOf(
      ['session.start', { context: { cwd: '/a', headCommit: 'c0' } }],
      ['session.context_changed', { cwd: '/b', branch: 'next' }],
      ['session.resume', { context: { cwd: '/c', headCommit: 'c1' } }],
    );
    const seen = rows.map(row => [row['cwd'], row['git_branch'], row['git_commit']]);
    expect(seen).toEqual([
      ['/a', null, 'c0'],
      ['/b', 'next', null],
      ['/c', 'next', 'c1'],
    ]);
  });

  it('keeps the model of a sub-agent apart from the model of its session', async () => {
    const agent = { agentId: 'child' };
    const rows = await rowsOf(
      ['session.start', { selectedModel: 'big' }],
      ['subagent.started', { agentName: 'explore', agentDisplayName: 'Explore' }, agent],
      ['tool.execution_start', { toolName: 'view' }, agent],
    );
    expect(rows[2]).toMatchObject({
      ...{ model: null, is_agent: true, agent_path: 'child' },
      ...{ agent_role: 'explore', agent_nickname: 'Explore' },
    });
  });
});

describe('an event', () => {
  it.each([
    ['user.message', 'user', 'user', 'user'],
    ['assistant.message', 'assistant', 'assistant', 'agent'],
    ['assistant.reasoning', 'reasoning', 'assistant', 'agent'],
    ['assistant.turn_start', 'turn_start', 'assistant', 'agent'],
    ['assistant.turn_end', 'turn_end', 'assistant', 'agent'],
    ['tool.execution_start', 'tool_start', 'tool', 'agent'],
    ['tool.execution_complete', 'tool_result', 'tool', 'tool'],
    ['session.start', 'session_start', null, 'system'],
    ['session.resume', 'session_resume', null, 'system'],
    ['session.info', 'session_info', null, 'system'],
    ['session.error', 'session_error', null, 'system'],
    ['session.shutdown', 'session_shutdown', null, 'system'],
    ['session.truncation', 'truncation', null, 'system'],
    ['session.model_change', 'model_change', null, 'system'],
    ['session.compaction_start', 'compaction_start', null, 'system'],
    ['session.compaction_complete', 'compaction_complete', null, 'system'],
    ['abort', 'abort', null, 'system'],
    ['hook.start', 'unknown', null, 'system'],
    ['from.the_future', 'unknown', null, 'system'],
  ])('%s is %s, by %s, written by %s', async (type, message_type, message_role, author) => {
    const rows = await rowsOf([type, {}]);
    expect(rows).toMatchObject([{ event_type: type, message_type, message_role, author }]);
  });

  it('gives its first tool call with the answer, and no row for the others', async () => {
    const toolRequests = [
      { toolCallId: 'c1', name: 'view', arguments: { b: 1, a: 'ą' } },
      { toolCallId: 'c2', name: 'bash', arguments: {} },
    ];
    const rows = await rowsOf(['assistant.message', { content: 'Let me see', toolRequests }]);
    expect(rows).toMatchObject([
      {
        ...{ message_content: 'Let me see', tool_name: 'view', tool_use_id: 'c1' },
        tool_input: '{"a":"ą","b":1}',
      },
    ]);
  });

  it('has readable reasoning in a row of its own, and never what is encrypted', async () => {
    const secret = { reasoningOpaque: 'S3CRET', encryptedContent: 'S3CRET' };
    const data = { content: 'Yes', reasoningText: 'Hm', outputTokens: 3, ...secret };
    const rows = await rowsOf(['assistant.message', data]);
    expect(rows).toMatchObject([
      { message_type: 'reasoning', message_content: 'Hm', uuid: 'e1', output_tokens: null },
      { message_type: 'assistant', message_content: 'Yes', uuid: 'e1', output_tokens: 3 },
    ]);
    const told = rows.map(({ raw_event: _raw, ...columns }) => columns);
    expect(JSON.stringify(told)).not.toContain('S3CRET');
  });

  it('tells the error of a tool that failed', async () => {
    const rows = await rowsOf(
      ['tool.execution_complete', { toolCallId: 'c', success: true, result: { content: 'ok' } }],
      ['tool.execution_complete', { toolCallId: 'd', success: false, error: { message: 'no' } }],
    );
    expect(rows).toMatchObject([
      { tool_use_id: 'c', tool_name: null, message_content: 'ok', status: 'completed' },
      { tool_use_id: 'd', tool_name: null, message_content: 'no', status: 'failed' },
    ]);
  });

  it('in the slot of the user is by whoever put it there', async () => {
    const rows = await rowsOf(
      ['user.message', { content: 'a' }],
      ['user.message', { content: 'b', source: 'agent-a2c1' }],
      ['user.message', { content: 'c' }, { agentId: 'child' }],
      ['user.message', { content: 'd', source: 'skill-pdf' }],
    );
    expect(rows.map(row => row['author'])).toEqual(['user', 'caller', 'caller', 'system']);
  });
});

describe('the figures of a session', () => {
  const figures = (inputTokens: number, outputTokens: number) => ({
    requests: { count: 1 },
    usage: { inputTokens, outputTokens, cacheReadTokens: 5 },
  });
  const shutdown = (modelMetrics: object): Event => ['session.shutdown', { modelMetrics }];

  it('are kept for every shutdown and model of a resumed session', async () => {
    const rows = await rowsOf(
      shutdown({ m1: figures(100, 10), m2: figures(50, 5) }),
      ['session.resume', {}],
      shutdown({ m1: figures(70, 7) }),
    );
    const shut = rows.filter(row => row['message_type'] === 'session_shutdown');
    expect(shut).toMatchObject([
      { line_number: 1, model: 'm1', input_tokens: 100, output_tokens: 10 },
      { line_number: 1, model: 'm2', input_tokens: 50, output_tokens: 5 },
      { line_number: 3, model: 'm1', input_tokens: 70, output_tokens: 7 },
    ]);
    expect(shut.map(row => row['usage_scope'])).toEqual(Array(3).fill('session_total'));
    expect(shut.map(row => row['cache_creation_tokens'])).toEqual([null, null, null]);
  });

  it('are summed over the models of a shutdown by line', async () => {
    writeEvents([shutdown({ m1: figures(100, 10), m2: figures(50, 5) }), shutdown({})]);
    expect(await read('conversations', ", rows = 'line'")).toMatchObject([
      { input_tokens: 150, output_tokens: 15, cache_read_tokens: 10, reasoning_tokens: null },
      { input_tokens: null, usage_scope: null },
    ]);
  });

  it('are the size of the context when it is truncated', async () => {
    const data = { preTruncationTokensInMessages: 9, postTruncationTokensInMessages: 4 };
    const [row] = await rowsOf(['session.truncation', data]);
    expect(row).toMatchObject({ input_tokens: 9, output_tokens: 4, usage_scope: 'context' });
  });
});

describe('session-store.db', () => {
  const store = (...events: Omit<UsageEvent, 'session_id'>[]): void =>
    writeStore(
      join(home, 'session-store.db'),
      events.map(event => ({ session_id: SESSION, ...event })),
    );
  const answer = (turnId: string, more: object = {}): Event => [
    'assistant.message',
    { content: 'x', turnId, toolRequests: [], ...more },
  ];
  const tokensOf = (rows: readonly ObjectRow[]) =>
    rows
      .filter(row => row['message_type'] === 'assistant')
      .map(row => [row['input_tokens'], row['output_tokens']]);

  it('tells the tokens of each answer by turn and place in the turn', async () => {
    store(
      { turn_index: 0, input_tokens: 10, output_tokens: 1, finish_reason: 'tool_calls' },
      { turn_index: 0, input_tokens: 20, output_tokens: 2, finish_reason: 'stop' },
      { turn_index: 1, input_tokens: 30, output_tokens: 3, finish_reason: 'stop' },
      { turn_index: 1, agent_id: 'child', input_tokens: 40, output_tokens: 4 },
    );
    const rows = await rowsOf(
      ['user.message', { content: 'one' }],
      answer('0', { toolRequests: [{}] }),
      ['user.message', { content: 'hurry', delivery: 'steering' }],
      answer('1'),
      ['user.message', { content: 'two' }],
      ['user.message', { content: 'brief' }, { agentId: 'child' }],
      ['assistant.message', { content: 'x', turnId: '0' }, { agentId: 'child' }],
      answer('0'),
    );
    expect(tokensOf(rows)).toEqual([
      [10, 1],
      [20, 2],
      [40, 4],
      [30, 3],
    ]);
    expect(rows[1]).toMatchObject({
      ...{ stop_reason: 'tool_calls', usage_scope: 'response', usage_source_line: null },
      metadata: '{"usage_from":"session-store.db assistant_usage_events:1"}',
    });
  });

  it('counts the answers itself where turns are no numbers', async () => {
    store({ turn_index: 0, input_tokens: 10 }, { turn_index: 0, input_tokens: 20 });
    const rows = await rowsOf(['user.message', {}], answer('t-one'), answer('t-one'));
    expect(tokensOf(rows)).toEqual([
      [10, null],
      [20, null],
    ]);
  });

  it.each([
    ['the model', { model: 'other' }],
    ['the output tokens', { output_tokens: 9 }],
    ['the reason for the end', { finish_reason: 'tool_calls' }],
  ])('is not believed where %s is another', async (_what, stored) => {
    store({ turn_index: 0, input_tokens: 10, ...stored });
    const rows = await rowsOf(['user.message', {}], answer('0', { model: 'm', outputTokens: 7 }));
    expect(tokensOf(rows)).toEqual([[null, 7]]);
    expect(rows[1]).toMatchObject({ usage_source_line: 2, metadata: null, parse_error: null });
  });

  it('may be newer and have no such table', async () => {
    const database = new Database(join(home, 'session-store.db'));
    database.exec('create table something_else (id integer)');
    database.close();
    const rows = await rowsOf(['user.message', {}], answer('0', { outputTokens: 7 }));
    expect(tokensOf(rows)).toEqual([[null, 7]]);
    expect(rows.map(row => row['parse_error'])).toEqual([null, null]);
  });

  it('that cannot be read leaves the rows, which say so', async () => {
    writeFile(home, 'session-store.db', 'this is no database at all, but long enough'.repeat(20));
    const rows = await rowsOf(['user.message', {}], answer('0', { outputTokens: 7 }));
    expect(tokensOf(rows)).toEqual([[null, 7]]);
    expect(rows.map(row => row['parse_error'])).toEqual([
      null,
      'token usage is not known: session-store.db: file is not a database',
    ]);
  });
});

describe('the files beside the events', () => {
  it('are a plan with the title of its session', async () => {
    writeFile(home, 'session-state/one/workspace.yaml', 'name: Tides\n');
    writeFile(home, 'session-state/one/plan.md', '# Plan\n');
    writeFile(home, 'session-state/two/plan.md', '');
    expect(await read('plans')).toMatchObject([
      { session_id: 'one', plan_name: 'Tides', content: '# Plan\n', file_size: 7 },
      { session_id: 'two', plan_name: 'two', content: '', file_size: 0 },
    ]);
  });

  it('are todo lists, from checkpoints and from session.db', async () => {
    const folder = `session-state/${SESSION}`;
    writeFile(home, `${folder}/checkpoints/001-a.md`, 'Intro\n- [x] Żółw\n  - [ ] two\n- [?] no\n');
    writeFile(home, `${folder}/checkpoints/index.md`, '- [ ] not listed\n');
    writeTodos(join(home, folder, 'session.db'), [
      ['z-first', 'Write tests', 'done'],
      ['a-second', null, 'in_progress'],
      ['m-third', 'Łeba', 'blocked'],
    ]);
    const rows = await read('todos');
    expect(
      rows.map(row => [row['file_name'], row['item_index'], row['content'], row['status']]),
    ).toEqual([
      ['001-a.md', 0, 'Żółw', 'completed'],
      ['001-a.md', 1, 'two', 'pending'],
      ['session.db', 0, 'Write tests', 'completed'],
      ['session.db', 1, 'Described', 'in_progress'],
      ['session.db', 2, 'Łeba', 'blocked'],
    ]);
    expect(new Set(rows.map(row => row['session_id']))).toEqual(new Set([SESSION]));
  });

  it.each([
    ['nothing', ''],
    ['no database', 'x'.repeat(4096)],
  ])('are read without a session.db that holds %s', async (_what, content) => {
    writeFile(home, `session-state/${SESSION}/session.db`, content);
    writeFile(home, `session-state/${SESSION}/checkpoints/001-a.md`, '- [ ] still here\n');
    const { rows, notes } = await ask('FROM read_todos(path = $path)', { path: home });
    expect(rows).toMatchObject([{ content: 'still here' }]);
    expect(notes.filter(note => !note.includes('session.db'))).toEqual([]);
  });

  it('are the prompts of the history, or why there are none', async () => {
    mkdirSync(join(home, 'session-state'));
    writeFile(home, 'command-history-state.json', '{"commandHistory":["Łeba?",{"text":1}]}');
    expect(await read('history')).toMatchObject([
      { line_number: 1, display: 'Łeba?', timestamp_ms: null },
      { line_number: 2, display: '{"text":1}' },
    ]);
    writeFile(home, 'command-history-state.json', '{"commandHistory":7}');
    expect(await read('history')).toMatchObject([
      { display: `Parse error: the file holds a JSON object, no list 'commandHistory'` },
    ]);
  });
});
