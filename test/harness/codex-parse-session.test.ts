/** Sessions of Codex as the parser reads them: headers, forks, copies of files. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import {
  counted,
  event,
  item,
  lines,
  meta,
  record,
  rolloutPath,
  said,
  THREAD,
} from './codex-home.ts';
import { at, column, micros, parseHome, parseRollout, pick } from './codex-parsing.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const PARENT = '019f0000-0000-7000-8000-00000000bbbb';

describe('a header', () => {
  it('wins over that of an ancestor behind it, and tells when the session was resumed', () => {
    const parsed = parseRollout(
      home,
      meta({ session_id: PARENT, parent_thread_id: PARENT }),
      meta({ id: PARENT, cwd: '/elsewhere' }),
      meta({ cli_version: '0.141.0' }),
    );
    expect(pick(parsed, 'session', 'session_uid', 'cwd', 'cli_version_last')).toEqual([
      { session_uid: THREAD, cwd: '/home/mira/tide', cli_version_last: '0.141.0' },
    ]);
    expect(pick(parsed, 'session_event', 'kind', 'value', 'detail')).toEqual([
      { kind: 'resume', value: '0.141.0', detail: '{"originator":"codex-tui"}' },
    ]);
    expect(pick(parsed, 'parse_issue', 'kind', 'line_number', 'detail')).toEqual([
      { kind: 'late_session_meta', line_number: 2, detail: PARENT },
      { kind: 'late_session_meta', line_number: 3, detail: THREAD },
    ]);
  });

  it('tells where the session comes from, and how git stood', () => {
    const spawn = { parent_thread_id: PARENT, depth: 2, agent_path: '/root/a', agent_role: 'r' };
    const git = { branch: 'main', commit_hash: '0123456789abcdef', repository_url: 'u' };
    const parsed = parseRollout(
      home,
      meta({ session_id: PARENT, source: { subagent: { thread_spawn: spawn } }, git }),
    );
    const names = ['is_subagent', 'root_session_uid', 'parent_session_uid', 'spawn_kind'];
    expect(pick(parsed, 'session', ...names, 'spawn_depth', 'agent_path', 'agent_role')).toEqual([
      {
        ...{ is_subagent: true, root_session_uid: PARENT, parent_session_uid: PARENT },
        ...{ spawn_kind: 'codex_spawn', spawn_depth: 2, agent_path: '/root/a', agent_role: 'r' },
      },
    ]);
    expect(pick(parsed, 'git_event', 'event_uid', 'op', 'branch', 'sha_short')).toEqual([
      {
        ...{ event_uid: `${THREAD}:session_start`, op: 'session_start' },
        ...{ branch: 'main', sha_short: '0123456789ab' },
      },
    ]);
  });

  it('that is missing is an issue, and the name of the file tells the session', () => {
    const parsed = parseRollout(home, event('user_message', { message: 'Hello' }));
    expect(column(parsed, 'message', 'session_uid')).toEqual([THREAD]);
    expect(column(parsed, 'session', 'session_uid')).toEqual([THREAD]);
    expect(column(parsed, 'parse_issue', 'kind')).toEqual(['missing_session_meta']);
  });
});

describe('ordinals', () => {
  it('name records as long as they rise', () => {
    const ordered = (ordinal: number, value: object) => ({ ...value, ordinal });
    const parsed = parseRollout(
      home,
      ordered(0, meta()),
      ordered(4, event('user_message', { message: 'One' })),
      ordered(4, event('user_message', { message: 'Two' })),
    );
    const uids = column(parsed, 'message', 'event_uid');
    expect(uids[0]).toBe(`${THREAD}:4`);
    expect(uids[1]).toMatch(new RegExp(`^${THREAD}:o\\d+$`));
    expect(column(parsed, 'parse_issue', 'kind')).toEqual(['ordinal_not_monotonic']);
  });
});

const FORK = {
  ...{ forked_from_id: PARENT, session_id: PARENT, parent_thread_id: PARENT },
  ...{ thread_source: 'subagent', source: { subagent: { thread_spawn: {} } } },
};

/** The records that a fork copies, in one burst. */
const copied = (turn: string) => [
  at(0.01, meta({ id: PARENT })),
  at(0.02, event('task_started', { turn_id: turn })),
  at(0.03, record('turn_context', { turn_id: turn, model: 'old' })),
  at(0.04, event('user_message', { message: 'To the parent' })),
  at(0.05, counted(280, 30)),
  at(0.06, said('assistant', 'By the parent')),
  at(0.07, item('function_call', { name: 'exec_command', arguments: '{}', call_id: 'c0' })),
  at(0.08, event('thread_settings_applied', { thread_settings: { model: 'old' } })),
];

const own = (turn: string) => [
  at(0.09, event('task_started', { turn_id: turn, model_context_window: 1000 })),
  at(0.1, record('turn_context', { turn_id: turn, model: 'new', effort: 'low' })),
  at(3, event('user_message', { message: 'To the child' })),
  at(4, counted(280, 30)),
  at(5, counted(340, 60)),
  at(6, event('task_complete', { turn_id: turn, last_agent_message: 'Done.' })),
];

describe('a fork that copies its history in a burst', () => {
  it('has its own last turn only, with the settings told in the burst', () => {
    const parsed = parseRollout(home, at(0, meta(FORK)), ...copied('t1'), ...own('t2'));
    expect(pick(parsed, 'session', 'session_uid', 'spawn_kind', 'inherited_skipped')).toEqual([
      { session_uid: THREAD, spawn_kind: 'codex_fork', inherited_skipped: 8 },
    ]);
    expect(pick(parsed, 'turn', 'turn_key', 'model', 'status', 'origin')).toEqual([
      { turn_key: 't2', model: 'new', status: 'complete', origin: 'subagent_brief' },
    ]);
    expect(pick(parsed, 'message', 'message_class', 'text')).toEqual([
      { message_class: 'agent_message', text: 'To the child' },
      { message_class: 'subagent_report', text: 'Done.' },
    ]);
    expect(parsed.get('tool_call')).toBeUndefined();
    // Neither the copied total nor its repetition is a call, and nothing is taken off the next.
    expect(pick(parsed, 'llm_call', 'model', 'output', 'turn_key')).toEqual([
      { model: 'new', output: 60, turn_key: 't2' },
    ]);
  });

  it('skips turns that are older than it is, however long the copying took', () => {
    const older = '019e0000-0000-7000-8000-000000000001';
    const later = '019f0000-0001-7000-8000-000000000002';
    const parsed = parseRollout(
      home,
      at(0, meta(FORK)),
      ...copied(older),
      at(2.5, said('assistant', 'Still by the parent')),
      ...own(later).map((value, index) => at(4 + index, value)),
    );
    expect(column(parsed, 'turn', 'turn_key')).toEqual([later]);
    expect(column(parsed, 'message', 'text')).toEqual(['To the child', 'Done.']);
    expect(column(parsed, 'session', 'inherited_skipped')).toEqual([9]);
  });

  it('whose person has said nothing yet takes no turn from its parent', () => {
    const older = '019e0000-0000-7000-8000-000000000001';
    const header = meta({ forked_from_id: PARENT });
    const parsed = parseRollout(
      home,
      at(0, header),
      ...copied(older),
      at(60, event('user_message', { message: 'Go on here' })),
    );
    expect(column(parsed, 'message', 'text')).toEqual([]);
    const later = parseRollout(
      home,
      at(0, header),
      ...copied(older),
      at(60, event('task_started', { turn_id: '019f0000-0001-7000-8000-000000000002' })),
      at(61, event('user_message', { message: 'Go on here' })),
    );
    expect(pick(later, 'message', 'message_class', 'text')).toEqual([
      { message_class: 'human_prompt', text: 'Go on here' },
    ]);
    expect(pick(later, 'session_continuation', 'child_uid', 'parent_uid', 'kind')).toEqual([
      { child_uid: THREAD, parent_uid: PARENT, kind: 'fork' },
    ]);
  });

  it('within one burst gives its session alone', () => {
    const parsed = parseRollout(home, at(0, meta(FORK)), ...copied('t1'), ...own('t2').slice(0, 2));
    expect([...parsed.keys()].sort()).toEqual(['record_type_seen', 'session']);
  });
});

describe('a fork that numbers its history', () => {
  it('skips what is below its first ordinal, and items of another thread', () => {
    const records = [
      meta({ ...FORK, cli_version: '0.155.0', subagent_history_start_ordinal: 4 }),
      said('assistant', 'By the parent'),
      record('compacted', { message: 'Of the parent', window_number: 1 }),
      record('token_usage_record', { response_id: 'r0', thread_id: PARENT, usage: USAGE }),
      event('task_started', { turn_id: 't2' }),
      record('token_usage_record', { response_id: 'r1', thread_id: THREAD, usage: USAGE }),
      event('item_completed', {
        ...{ thread_id: PARENT, turn_id: 't1' },
        item: { type: 'CommandExecution', id: 'ce0', command: ['ls'], status: 'completed' },
      }),
    ];
    const parsed = parseRollout(home, ...records.map((value, ordinal) => ({ ...value, ordinal })));
    expect(column(parsed, 'session', 'inherited_skipped')).toEqual([4]);
    expect(column(parsed, 'llm_call', 'response_id')).toEqual(['r1']);
    expect(parsed.get('message')).toBeUndefined();
    expect(parsed.get('tool_op')).toBeUndefined();
    expect(parsed.get('compaction')).toBeUndefined();
  });
});

const USAGE = { input_tokens: 100, cached_input_tokens: 60, output_tokens: 5, total_tokens: 105 };

describe('a session in two places', () => {
  it('gives no new keys from the archived copy', () => {
    const text = lines([
      meta(),
      event('task_started', { turn_id: 't1' }),
      event('user_message', { message: 'Hello' }),
      item('function_call', { name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'c1' }),
      item('function_call_output', { call_id: 'c1', output: 'a' }),
      counted(7, 7),
      said('assistant', 'Hi'),
    ]);
    writeFile(home, rolloutPath(), text);
    const once = parseHome(home);
    writeFile(home, rolloutPath(THREAD, 'archived_sessions'), text);
    const twice = parseHome(home);
    for (const relation of [
      'session',
      'turn',
      'message',
      'llm_call',
      'tool_call',
      'tool_io',
    ] as const) {
      expect(twice.get(relation)).toHaveLength(once.get(relation)?.length ?? 0);
    }
    expect(column(twice, 'llm_call', 'output')).toEqual([7]);
  });
});

describe('old formats', () => {
  it('have turns that begin with their prompts, and bare messages are prompts', () => {
    const parsed = parseRollout(
      home,
      { id: THREAD, timestamp: '2026-05-12T09:00:00.000Z', instructions: 'Be brief.', git: {} },
      { record_type: 'state' },
      bare('user', '<user_instructions>\n\nBe brief.\n</user_instructions>'),
      bare('user', 'What is here?'),
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a","metadata":{"exit_code":0}}',
      },
      bare('assistant', 'A file.'),
    );
    expect(pick(parsed, 'message', 'message_class', 'text')).toEqual([
      { message_class: 'context_injection', text: 'Be brief.' },
      {
        message_class: 'context_injection',
        text: '<user_instructions>\n\nBe brief.\n</user_instructions>',
      },
      { message_class: 'human_prompt', text: 'What is here?' },
      { message_class: 'assistant_text', text: 'A file.' },
    ]);
    const [prompt] = column(parsed, 'message', 'event_uid').slice(2);
    expect(pick(parsed, 'turn', 'turn_key', 'origin')).toEqual([
      { turn_key: prompt, origin: 'human' },
    ]);
    expect(pick(parsed, 'tool_call', 'turn_key', 'exit_code', 'outcome')).toEqual([
      { turn_key: prompt, exit_code: 0, outcome: 'ok' },
    ]);
    expect(pick(parsed, 'session', 'first_event_at')).toEqual([{ first_event_at: micros(0) }]);
  });

  it('may be one document, whose header comes last', () => {
    const session = { timestamp: '2026-05-12T09:00:00.000Z', id: THREAD };
    const items = [bare('user', 'Rename it'), bare('assistant', 'Renamed.')];
    writeFile(home, 'sessions/rollout-2025-04-22-x.json', JSON.stringify({ session, items }));
    const parsed = parseHome(home);
    expect(pick(parsed, 'session', 'session_uid')).toEqual([{ session_uid: THREAD }]);
    expect(pick(parsed, 'message', 'session_uid', 'message_class', 'text')).toEqual([
      { session_uid: THREAD, message_class: 'human_prompt', text: 'Rename it' },
      { session_uid: THREAD, message_class: 'assistant_text', text: 'Renamed.' },
    ]);
    expect(parsed.get('parse_issue')).toBeUndefined();
  });
});

const bare = (role: string, text: string) => ({
  ...{ type: 'message', role },
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
});
