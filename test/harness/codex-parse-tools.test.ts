/** Tools of Codex as the parser reads them: calls, outputs, operations, files, git, sub-agents. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { event, item, meta, THREAD } from './codex-home.ts';
import {
  at,
  column,
  completed,
  output,
  parseRollout,
  pick,
  shell,
  toolCall,
} from './codex-parsing.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

describe('a call', () => {
  it('meets its output: times, sizes, texts, and what the result means', () => {
    const parsed = parseRollout(
      home,
      meta(),
      at(1, shell('c1', 'cd x && rg y')),
      at(3, output('c1', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nz')),
    );
    const names = [
      'call_uid',
      'tool_family',
      'duration_ms',
      'outcome',
      'is_error',
      'exit_code',
      'meta',
    ];
    expect(pick(parsed, 'tool_call', ...names, 'trigger_class', 'seq')).toEqual([
      {
        ...{ call_uid: 'c1', tool_family: 'function', duration_ms: 2000, outcome: 'ok' },
        ...{
          is_error: false,
          exit_code: 0,
          meta: '{"cmd_verb":"rg"}',
          trigger_class: 'work',
          seq: 22,
        },
      },
    ]);
    expect(pick(parsed, 'tool_io', 'kind', 'input_text', 'output_text', 'seq')).toEqual([
      {
        ...{ kind: 'call', input_text: '{"cmd":"cd x && rg y"}', seq: 22 },
        output_text: 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nz',
      },
    ]);
  });

  it.each([
    ['git status', 'c\n', 'status'],
    ['sleep 5', 'Process exited with code 0', 'event'],
    ['sleep 5', 'Script running', 'wait'],
  ])('of the shell, %s with %j, means %s', (cmd, text, meaning) => {
    const parsed = parseRollout(home, meta(), shell('c1', cmd), output('c1', text));
    expect(column(parsed, 'tool_call', 'trigger_class')).toEqual([meaning]);
  });

  it.each([
    ['request_user_input', '{"answers":{}}', 'user'],
    ['wait_agent', '{"timed_out":false}', 'event'],
    ['wait_agent', '{"timed_out":true}', 'wait'],
    ['spawn_agent', '{"agent_id":"x"}', 'orchestrate'],
    ['list_agents', '[]', 'status'],
  ])('of %s with %j means %s', (name, text, meaning) => {
    const parsed = parseRollout(home, meta(), toolCall('c1', name, {}), output('c1', text));
    expect(column(parsed, 'tool_call', 'trigger_class')).toEqual([meaning]);
  });

  it.each([
    ['aborted by user after 2.1s', 'interrupted', null],
    ['Script failed\nOutput:\nx', 'error', true],
    ['Exit code: 3\nOutput:\nx', 'error', true],
    ['{"output":"x","metadata":{"exit_code":1}}', 'error', true],
    ['Plan updated', 'ok', false],
  ])('with the output %j ends as %s', (text, outcome, isError) => {
    const parsed = parseRollout(home, meta(), shell('c1', 'x'), output('c1', text));
    expect(column(parsed, 'tool_call', 'outcome')).toEqual([outcome]);
    expect(column(parsed, 'tool_call', 'is_error')).toEqual([isError]);
  });

  it('of an MCP tool names its server, and fails when the server says so', () => {
    const parsed = parseRollout(
      home,
      meta(),
      toolCall('c1', 'search', {}, { namespace: 'mcp__docs__' }),
      event('mcp_tool_call_end', {
        ...{ call_id: 'c1', duration: { secs: 1, nanos: 5_000_000 } },
        result: { Err: 'no network' },
      }),
      output('c1', 'x'),
    );
    const names = ['tool_family', 'mcp_server', 'mcp_tool', 'outcome', 'duration_ms'];
    expect(pick(parsed, 'tool_call', ...names)).toEqual([
      {
        ...{ tool_family: 'mcp', mcp_server: 'docs', mcp_tool: 'search' },
        ...{ outcome: 'error', duration_ms: 1005 },
      },
    ]);
    expect(column(parsed, 'tool_io', 'result_json')).toEqual(['{"Err":"no network"}']);
  });

  it('that is open for more than a day has no result', () => {
    const parsed = parseRollout(
      home,
      meta(),
      at(0, shell('c1', 'x')),
      at(90_000, shell('c2', 'y')),
    );
    expect(column(parsed, 'tool_call', 'outcome')).toEqual(['no_result', null]);
  });

  it('of a search at the provider is named after the event before it', () => {
    const found = { call_id: 'ws_1', query: 'tides', action: { type: 'search' } };
    const asked = item('web_search_call', { status: 'completed', action: { type: 'search' } });
    const parsed = parseRollout(home, meta(), event('web_search_end', found), asked, asked);
    const [first, second] = column(parsed, 'tool_call', 'call_uid');
    expect([first, String(second).slice(0, 3)]).toEqual(['ws_1', 'ws:']);
    expect(column(parsed, 'tool_io', 'io_uid')).toEqual(['item:ws_1', first, second]);
  });
});

describe('an output', () => {
  it('without a call is an issue, and its text is kept', () => {
    const parsed = parseRollout(home, meta(), output('c9', 'lost'));
    expect(pick(parsed, 'parse_issue', 'kind', 'detail')).toEqual([
      { kind: 'orphan_output', detail: 'c9' },
    ]);
    expect(pick(parsed, 'tool_io', 'io_uid', 'output_text')).toEqual([
      { io_uid: 'c9', output_text: 'lost' },
    ]);
    expect(parsed.get('tool_call')).toBeUndefined();
  });

  it('that comes again is kept beside the first, which stays', () => {
    const parsed = parseRollout(
      home,
      ...[meta(), shell('c1', 'x'), output('c1', 'Script failed'), output('c1', 'fine now')],
    );
    expect(parsed.get('parse_issue')).toBeUndefined();
    expect(column(parsed, 'tool_call', 'outcome')).toEqual(['error']);
    expect(column(parsed, 'tool_io', 'output_text')).toEqual(['Script failed', 'fine now']);
    expect(column(parsed, 'tool_io', 'call_uid')).toEqual(['c1', 'c1']);
  });

  it('of parts is joined with the line ends that are missing; pictures are named', () => {
    const png = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const text = (value: string) => ({ type: 'input_text', text: value });
    const parts = [text('a\n'), text('b'), png, text('…3 tokens truncated…')];
    const parsed = parseRollout(home, meta(), shell('c1', 'x'), output('c1', parts));
    expect(pick(parsed, 'tool_io', 'output_text', 'output_truncated', 'output_parts')).toEqual([
      {
        output_text: 'a\nb\n\xe2\x80\xa63 tokens truncated\xe2\x80\xa6',
        output_truncated: true,
        output_parts: '[{"index":2,"type":"input_image","mime":"image/png","bytes":3}]',
      },
    ]);
  });
});

describe('an operation', () => {
  it('tells how it ended and keeps its texts', () => {
    const command = {
      ...{ type: 'CommandExecution', id: 'e1', command: ['bash', '-lc', 'ls x'], source: 'agent' },
      ...{ status: 'failed', exit_code: 2, duration: { secs: 0, nanos: 7_000_000 } },
      ...{
        stdout: '',
        stderr: 'no x',
        aggregated_output: 'no x',
        parsed_cmd: [{ type: 'list_files' }],
      },
    };
    const parsed = parseRollout(home, meta(), completed(command));
    const names = [
      'cmd_verb',
      'exit_code',
      'is_error',
      'duration_ms',
      'exec_source',
      'parsed_cmd_types',
    ];
    expect(pick(parsed, 'tool_op', ...names, 'output_bytes', 'turn_key')).toEqual([
      {
        ...{ cmd_verb: 'ls', exit_code: 2, is_error: true, duration_ms: 7, exec_source: 'agent' },
        ...{ parsed_cmd_types: '["list_files"]', output_bytes: 4, turn_key: 't1' },
      },
    ]);
    expect(
      pick(parsed, 'tool_io', 'io_uid', 'kind', 'input_text', 'output_text', 'stderr_text'),
    ).toEqual([
      {
        ...{ io_uid: 'item:e1', kind: 'op', input_text: 'ls x' },
        ...{ output_text: 'no x', stderr_text: 'no x' },
      },
    ]);
  });

  it('of an MCP tool failed when its result says so; without a name it is an issue', () => {
    const tool = { type: 'McpToolCall', server: 's', tool: 't', status: 'completed' };
    const parsed = parseRollout(
      home,
      meta(),
      completed({ ...tool, result: { content: [], isError: true } }),
    );
    expect(pick(parsed, 'tool_op', 'mcp_server', 'mcp_tool', 'is_error')).toEqual([
      { mcp_server: 's', mcp_tool: 't', is_error: true },
    ]);
    expect(column(parsed, 'parse_issue', 'kind')).toEqual(['missing_item_id']);
  });
});

describe('a sub-agent', () => {
  const CHILD = '019f0000-0000-7000-8000-00000000cccc';
  const asked = { task_name: 'reviewer', message: 'Check it', agent_type: 'explorer', model: 'm' };

  it('is launched, told, and followed by the name of its task', () => {
    const activity = (kind: string) =>
      event('sub_agent_activity', { kind, agent_thread_id: CHILD, agent_path: '/root/reviewer' });
    const parsed = parseRollout(
      home,
      ...[meta(), toolCall('c1', 'spawn_agent', asked, { namespace: 'collaboration' })],
      ...[
        output('c1', '{"task_name":"/root/reviewer"}'),
        activity('started'),
        at(9, activity('completed')),
      ],
    );
    const names = ['spawn_uid', 'session_uid', 'child_session_uid', 'requested_type', 'name'];
    const ends = ['requested_model', 'launch_status', 'completion_status', 'lifecycle_status'];
    expect(pick(parsed, 'subagent_spawn', ...names, ...ends)).toEqual([
      {
        ...{ spawn_uid: 'c1', session_uid: THREAD, child_session_uid: CHILD, name: 'reviewer' },
        ...{ requested_type: 'explorer', requested_model: 'm', launch_status: 'launched' },
        ...{ completion_status: 'completed', lifecycle_status: 'completed' },
      },
    ]);
    expect(pick(parsed, 'message', 'message_class', 'role', 'text')).toEqual([
      { message_class: 'subagent_brief', role: 'assistant', text: 'Check it' },
    ]);
    expect(column(parsed, 'tool_call', 'tool_family')).toEqual(['collaboration']);
  });

  it('that could not be launched is an error', () => {
    const parsed = parseRollout(
      home,
      meta(),
      toolCall('c1', 'spawn_agent', {}),
      output('c1', 'no agents left'),
    );
    expect(
      pick(parsed, 'subagent_spawn', 'launch_status', 'requested_type', 'requested_type_source'),
    ).toEqual([
      { launch_status: 'error', requested_type: 'default', requested_type_source: 'default' },
    ]);
  });

  it('is known by the item of its call', () => {
    const told = {
      ...{ type: 'CollabAgentToolCall', id: 'c1', tool: 'spawnAgent', status: 'completed' },
      receiver_thread_ids: [CHILD],
    };
    const parsed = parseRollout(
      home,
      meta(),
      toolCall('c1', 'spawn_agent', asked),
      completed(told),
    );
    expect(column(parsed, 'subagent_spawn', 'child_session_uid')).toEqual([CHILD]);
  });
});
