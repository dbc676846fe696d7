/** Codex by block: which records become rows, and what each row says. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import {
  call,
  counted,
  event,
  item,
  lines,
  meta,
  record,
  rolloutPath,
  rowsIn,
  rowsOf,
  said,
  THREAD,
} from './codex-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const TYPE = 'message_type';
const TEXT = 'message_type, message_content';

const rows = (columns: string, ...records: readonly unknown[]) => rowsOf(home, columns, ...records);

async function typesOf(...records: readonly unknown[]): Promise<unknown[]> {
  return (await rows(TYPE, ...records)).map(row => row[TYPE]);
}

describe('headers and settings', () => {
  it('are no rows, but stand in the columns of those after them', async () => {
    const found = await rows(
      'message_type, model, reasoning_effort, cwd, turn_id',
      said('user', 'before'),
      record('turn_context', { turn_id: 't1', model: 'm1', effort: 'high', cwd: '/home/mira' }),
      said('user', 'one'),
      record('turn_context', { turn_id: 't2', model: 'm2', reasoning_effort: 'low' }),
      said('user', 'two'),
    );
    const none = { model: null, reasoning_effort: null, turn_id: null };
    expect(found).toEqual([
      { message_type: 'user', ...none, cwd: '/home/mira/tide' },
      {
        ...{ message_type: 'user', model: 'm1', reasoning_effort: 'high' },
        cwd: '/home/mira',
        turn_id: 't1',
      },
      {
        ...{ message_type: 'user', model: 'm2', reasoning_effort: 'low' },
        cwd: '/home/mira',
        turn_id: 't2',
      },
    ]);
  });

  it('belong to the turn from its start, but not to a record of another turn', async () => {
    const found = await rows(
      'turn_id, root_turn_id',
      event('task_started', { turn_id: 't1', root_turn_id: 'r1' }),
      said('user', 'mine'),
      said('user', 'late', { internal_chat_message_metadata_passthrough: { turn_id: 't0' } }),
    );
    expect(found.map(row => row['turn_id'])).toEqual(['t1', 't1', 't0']);
    expect(found.map(row => row['root_turn_id'])).toEqual(['r1', 'r1', 'r1']);
  });

  it('that are torn or hold nothing are rows', async () => {
    expect(await typesOf(record('turn_context', null), '{"type":"session_meta","payl')).toEqual([
      'turn_context',
      '_parse_error',
    ]);
  });
});

describe('what was said', () => {
  const user = said('user', 'Why?');
  const asEvent = event('user_message', { message: 'Why?' });
  const asItem = event('item_completed', {
    item: { type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'Why?' }] },
  });

  it('is one row, in whichever order its copies come', async () => {
    for (const copies of [
      [user, asEvent],
      [asEvent, user],
      [asItem, user, asEvent],
      [asEvent, asItem, user],
      [user, asItem, asEvent],
    ]) {
      const found = await rows('event_type, message_content, author', ...copies);
      expect(found).toEqual([
        { event_type: 'response_item', message_content: 'Why?', author: 'user' },
      ]);
    }
  });

  it('twice is two rows, for the user and the assistant', async () => {
    const answered = [event('agent_message', { message: 'So.' }), said('assistant', 'So.')];
    const found = await typesOf(user, asEvent, ...answered, user, asEvent, ...answered);
    expect(found).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('only in events is a row for each', async () => {
    const found = await rows(TEXT, asEvent, event('agent_message', { message: 'So.' }), asEvent);
    expect(found.map(row => row[TYPE])).toEqual(['user', 'assistant', 'user']);
  });

  it('in another turn is no copy', async () => {
    const started = (id: string) => event('task_started', { turn_id: id });
    const found = await rows('event_type', started('a'), asEvent, started('b'), user);
    expect(found.map(row => row['event_type'])).toEqual([
      ...['event_msg', 'event_msg', 'event_msg', 'response_item'],
    ]);
  });

  it('by somebody else is no copy', async () => {
    expect(await typesOf(asEvent, said('assistant', 'Why?'))).toEqual(['user', 'assistant']);
  });

  it('is a copy when the event has one part of it, or other white space around it', async () => {
    const parts = [{ text: '# Files' }, { image_url: 'data:' }, { text: ' Why? ' }];
    const found = await rows(TEXT, item('message', { role: 'user', content: parts }), asEvent);
    expect(found).toEqual([{ message_type: 'user', message_content: '# Files\n Why? ' }]);
  });

  it('without a word is never a copy', async () => {
    const empty = [said('user', ' '), event('user_message', { message: ' ' })];
    expect(await typesOf(...empty)).toEqual(['user', 'user']);
  });

  it('keeps what was added to the copy that came first', async () => {
    const found = await rows(
      'event_type, output_tokens, usage_source_line',
      event('agent_message', { message: 'So.' }),
      counted(5, 5),
      said('assistant', 'So.'),
    );
    expect(found).toEqual([
      { event_type: 'event_msg', output_tokens: 5, usage_source_line: 3 },
      { event_type: 'response_item', output_tokens: 5, usage_source_line: 3 },
    ]);
  });
});

describe('tools', () => {
  it('lend their name to the outputs of their calls', async () => {
    const found = await rows(
      'message_type, message_role, tool_name, tool_use_id, status, author',
      call('c1', 'shell'),
      item('function_call_output', { call_id: 'c1', output: 'ok' }),
      item('function_call_output', { call_id: 'c9' }),
    );
    const tool = { message_role: 'tool', tool_use_id: 'c1', tool_name: 'shell' };
    expect(found).toEqual([
      { ...tool, message_type: 'function_call', status: null, author: 'agent' },
      { ...tool, message_type: 'function_call_output', status: 'completed', author: 'tool' },
      {
        ...{ message_type: 'function_call_output', message_role: 'tool', tool_name: null },
        ...{ tool_use_id: 'c9', status: 'missing_output', author: 'tool' },
      },
    ]);
  });

  it('are asked with text as it is, and with anything else as sorted JSON', async () => {
    const found = await rows(
      'tool_name, tool_input',
      item('function_call', { name: 'a', arguments: '{"b": 1}', call_id: 'c' }),
      item('function_call', { name: 'a', arguments: { b: 1, a: [2] }, call_id: 'c' }),
      item('custom_tool_call', { name: 'apply_patch', input: '*** Begin', call_id: 'c' }),
      item('local_shell_call', { action: { command: ['ls'] }, call_id: 'c' }),
      item('web_search_call', { action: { query: 'tides' } }),
    );
    expect(found.map(row => [row['tool_name'], row['tool_input']])).toEqual([
      ['a', '{"b": 1}'],
      ['a', '{"a":[2],"b":1}'],
      ['apply_patch', '*** Begin'],
      ['local_shell', '{"command":["ls"]}'],
      ['web_search', '{"query":"tides"}'],
    ]);
  });

  it('give texts, lists of parts, or either of them in an object', async () => {
    const output = (given: unknown) =>
      item('function_call_output', { call_id: 'c', output: given });
    const found = await rows(
      'message_content',
      output('plain'),
      output([{ text: 'one' }, { image: 1 }, { text: 'two' }]),
      output({ content: [{ text: 'inner' }], success: true }),
      output({ content: 'inner text' }),
      output({ code: 1 }),
    );
    const contents = ['plain', 'one\ntwo', 'inner', 'inner text', '{"code":1}'];
    expect(found.map(row => row['message_content'])).toEqual(contents);
  });
});

describe('thoughts', () => {
  it('are their summary, else their text, and never what is encrypted', async () => {
    const found = await rows(
      TEXT,
      item('reasoning', { summary: [{ text: 'a' }, { text: 'b' }], encrypted_content: 'secret' }),
      item('reasoning', { summary: [], encrypted_content: 'secret' }),
      item('reasoning', { summary: [], content: [{ text: 'raw' }] }),
    );
    expect(found.map(row => row['message_content'])).toEqual(['a\nb', null, 'raw']);
    const columns = await rowsIn(home, 'columns(* EXCLUDE raw_event)');
    expect(JSON.stringify(columns)).not.toContain('secret');
  });
});

describe('completed items', () => {
  const done = (given: object) => event('item_completed', { item: given });

  it('add to the row that they belong to', async () => {
    const found = await rows(
      'message_type, status, message_content',
      call('c1'),
      done({ type: 'CommandExecution', id: 'c1', status: 'failed', aggregated_output: 'no' }),
      item('reasoning', { id: 'r1', summary: [] }),
      done({ type: 'Reasoning', id: 'r1', summary_text: ['because'] }),
    );
    expect(found).toEqual([
      { message_type: 'function_call', status: 'failed', message_content: null },
      { message_type: 'reasoning', status: null, message_content: 'because' },
    ]);
  });

  it('that belong to none are rows named by their type', async () => {
    const found = await rows(
      'message_type, tool_name, message_content, author',
      done({ type: 'McpToolCall', id: 'x', tool: 'geocode', result: { content: [{ text: 'y' }] } }),
      done({ type: 'mcpToolCall', id: 'x2', tool: 'geocode', error: { message: 'down' } }),
      done({ type: 'CommandExecution', id: 'c', command: ['ls'], aggregated_output: 'a' }),
      done({ type: 'FileChange', id: 'f' }),
      done({ type: 'Plan', id: 'p', text: 'First' }),
      done({ type: 'HologramView', id: 'h' }),
    );
    expect(found.map(row => Object.values(row))).toEqual([
      ['mcp_tool_call', 'geocode', 'y', 'tool'],
      ['mcp_tool_call', 'geocode', 'down', 'tool'],
      ['command_execution', 'command', 'a', 'tool'],
      ['file_change', null, null, 'tool'],
      ['plan', null, 'First', 'agent'],
      ['HologramView', null, null, 'system'],
    ]);
  });
});

describe('the end of a turn', () => {
  const outcome = 'message_type, status, stop_reason';
  const answerOf = (found: readonly object[]) => Object.values(found[1] ?? {}).slice(1);

  it('is told on its last answer, else on its last thought', async () => {
    const end = event('task_complete', { turn_id: 't' });
    const start = event('task_started', { turn_id: 't' });
    const thought = item('reasoning', { summary: [] });
    const spoken = await rows(outcome, start, said('assistant', 'a'), thought, call('c'), end);
    expect(answerOf(spoken)).toEqual(['completed', 'completed']);
    const silent = await rows(outcome, start, thought, call('c'), end);
    expect(answerOf(silent)).toEqual(['completed', 'completed']);
  });

  it('may be an interruption, with its reason', async () => {
    const start = event('task_started', { turn_id: 't' });
    const aborted = event('turn_aborted', { turn_id: 't', reason: 'replaced' });
    const found = await rows(outcome, start, said('assistant', 'a'), aborted);
    expect(answerOf(found)).toEqual(['interrupted', 'replaced']);
  });

  it('of another turn changes nothing', async () => {
    const found = await rows(
      outcome,
      event('task_started', { turn_id: 't' }),
      said('assistant', 'a'),
      event('task_complete', { turn_id: 'other' }),
    );
    expect(answerOf(found)).toEqual([null, null]);
  });
});

describe('by line', () => {
  it('every record is one row that says what it says alone', async () => {
    const records = [
      record('turn_context', { turn_id: 't1', model: 'm1', cwd: '/own' }),
      said('user', 'Why?'),
      event('user_message', { message: 'Why?' }),
      counted(9, 4),
      call('c1'),
      item('function_call_output', { call_id: 'c1', output: 'x' }),
      'torn {',
    ];
    writeFile(home, rolloutPath(), lines([meta(), ...records]));
    const columns = 'message_type, session_id, model, cwd, output_tokens, tool_name';
    const found = await rowsIn(home, columns, ", rows = 'line'");
    expect(found.map(row => row[TYPE])).toEqual([
      ...['session_meta', 'turn_context', 'user', 'user_message', 'token_count'],
      ...['function_call', 'function_call_output', '_parse_error'],
    ]);
    expect(found.map(row => row['cwd'])).toEqual([
      '/home/mira/tide',
      '/own',
      ...Array(6).fill(null),
    ]);
    expect(found.every(row => row['session_id'] === THREAD)).toBe(true);
    expect(found.map(row => row['output_tokens'])[4]).toBe(4);
    expect(found.map(row => row['tool_name']).slice(5)).toEqual(['exec_command', null, null]);
  });
});

it('rows do not depend on how the JSON of a line is laid out', async () => {
  const records = [
    meta(),
    record('turn_context', { turn_id: 't1', model: 'm1' }),
    said('user', 'Why?'),
    event('agent_message', { message: 'So.' }),
    said('assistant', 'So.'),
    call('c1'),
    item('custom_tool_call', {
      status: 'completed',
      call_id: 'c2',
      name: 'apply_patch',
      input: 'x',
    }),
    item('function_call_output', { call_id: 'c1', output: 'y' }),
    event('patch_apply_end', { call_id: 'c2', status: 'failed' }),
    counted(5, 5),
    counted(5, 5),
    counted(9, 4),
  ];
  // These three tell how it is laid out: records without an identifier are hashed as written.
  const columns = 'columns(* EXCLUDE (byte_offset, raw_event, record_id))';
  writeFile(home, rolloutPath(), lines(records));
  const compact = await rowsIn(home, columns);
  const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
  const others = records.map(one => JSON.stringify(reversed(one)).replaceAll('":', '": '));
  writeFile(home, rolloutPath(), lines(others));
  expect(await rowsIn(home, columns)).toEqual(compact);
  expect(compact).toHaveLength(9);
});

describe('rows that wait', () => {
  it('do so for 128 rows at most: a later answer is a row of its own', async () => {
    const outputs = (count: number) =>
      Array.from({ length: count }, () => item('function_call_output', { call_id: 'c' }));
    const far = await typesOf(said('assistant', 'a'), ...outputs(128), counted(5, 5));
    expect(far.slice(-2)).toEqual(['token_usage', 'token_usage_total']);
    const near = await typesOf(said('assistant', 'a'), ...outputs(127), counted(5, 5));
    expect(near.slice(-2)).toEqual(['function_call_output', 'token_usage_total']);
  });

  it('keep their bytes while blocks are read over them', async () => {
    const text = (index: number) => `${index} ${'x'.repeat(index === 0 ? 10 : 30_000)}`;
    const outputs = Array.from({ length: 120 }, (_, index) =>
      item('function_call_output', { call_id: 'c', output: text(index) }),
    );
    const found = await rows('message_content, raw_event', said('assistant', 'first'), ...outputs);
    expect(found[0]?.['message_content']).toBe('first');
    expect(found.slice(1).map(row => row['message_content'])).toEqual(
      outputs.map((_, index) => text(index)),
    );
    expect(found.slice(1).map(row => row['raw_event'])).toEqual(
      outputs.map(output => JSON.stringify(output)),
    );
  });
});
