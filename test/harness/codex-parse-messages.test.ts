/** Messages of Codex as the parser reads them: who said what, once. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toWire } from '../../src/bytes/text.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { event, item, meta, record, THREAD } from './codex-home.ts';
import { at, column, micros, parseRollout, pick } from './codex-parsing.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const CHILD = meta({ source: { subagent: { thread_spawn: {} } } });

const block = (text: string) => ({ type: 'input_text', text });
const copy = (...texts: readonly string[]) =>
  item('message', { role: 'user', content: texts.map(block) });
const prompted = (message: string, more: object = {}) =>
  event('user_message', { message, ...more });
const completed = (inner: object, more: object = {}) =>
  event('item_completed', { thread_id: THREAD, turn_id: 't1', item: inner, ...more });

const classes = (...records: readonly unknown[]) =>
  pick(parseRollout(home, ...records), 'message', 'message_class', 'text');

describe('a prompt', () => {
  it('drops its copy before it, and takes from there what pictures are', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const content = [
      block('<image name=[Image #1]>'),
      picture,
      block('</image>'),
      block(' See it '),
    ];
    const parsed = parseRollout(
      home,
      meta(),
      item('message', { role: 'user', content }),
      prompted('See it', { local_images: ['/tmp/a.png'] }),
    );
    expect(
      pick(parsed, 'message', 'message_class', 'text', 'prompt_origin', 'trigger_class'),
    ).toEqual([
      {
        ...{ message_class: 'human_prompt', text: 'See it' },
        ...{ prompt_origin: 'typed', trigger_class: 'user' },
      },
    ]);
    const names = ['kind', 'attached_to', 'mime', 'file_name', 'size_bytes', 'event_uid'];
    expect(pick(parsed, 'attachment', ...names)).toEqual([
      {
        ...{ kind: 'image', attached_to: 'prompt', mime: 'image/png', file_name: 'a.png' },
        ...{ size_bytes: 3, event_uid: column(parsed, 'message', 'event_uid')[0] },
      },
    ]);
  });

  it('drops its copy right behind it, and none that comes later', () => {
    expect(classes(meta(), prompted('Go'), copy('Go'))).toEqual([
      { message_class: 'human_prompt', text: 'Go' },
    ]);
    expect(classes(meta(), prompted('Go'), item('reasoning', {}), copy('Go'))).toEqual([
      { message_class: 'human_prompt', text: 'Go' },
      { message_class: 'context_injection', text: 'Go' },
    ]);
  });

  it('leaves the other blocks of its copy, however long they are', () => {
    const context = `<environment_context>${'x'.repeat(9000)}</environment_context>`;
    expect(classes(meta(), copy(context, 'Go'), prompted('Go'))).toEqual([
      { message_class: 'context_injection', text: context },
      { message_class: 'human_prompt', text: 'Go' },
    ]);
  });

  it('may be a completed item with parts, of which a skill tells the origin', () => {
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'local_image', path: '/tmp/b.jpg' },
      { type: 'skill', name: 'tides', path: '/s/SKILL.md' },
    ];
    const parsed = parseRollout(
      home,
      meta(),
      copy('Look'),
      completed({ type: 'UserMessage', id: 'u', content }),
    );
    expect(pick(parsed, 'message', 'text', 'prompt_origin', 'turn_key')).toEqual([
      { text: 'Look', prompt_origin: 'skill', turn_key: 't1' },
    ]);
    expect(pick(parsed, 'attachment', 'file_name')).toEqual([{ file_name: 'b.jpg' }]);
    expect(pick(parsed, 'turn', 'turn_key', 'origin')).toEqual([
      { turn_key: 't1', origin: 'human' },
    ]);
  });

  it('that names a skill in its text comes from it, unless it starts a loop', () => {
    const origins = (text: string) =>
      column(parseRollout(home, meta(), prompted(text)), 'message', 'prompt_origin');
    expect(origins('$tides now')).toEqual(['skill']);
    expect(origins('$HOME is gone')).toEqual(['typed']);
    expect(origins('$tides You are the root')).toEqual(['launch_message']);
  });

  it('of a sub-agent is the message of an agent, as it is', () => {
    const parsed = parseRollout(home, CHILD, copy('Go on. '), prompted('Go on. '));
    expect(pick(parsed, 'message', 'message_class', 'text', 'is_sidechain', 'detail')).toEqual([
      {
        ...{ message_class: 'agent_message', text: 'Go on. ', is_sidechain: true },
        detail: '{"source":"user_message"}',
      },
    ]);
    expect(column(parsed, 'session', 'first_human_at')).toEqual([null]);
  });

  it('of a program opens its turn as one of the SDK', () => {
    const parsed = parseRollout(home, meta({ originator: 'codex_exec' }), prompted('Go'));
    expect(column(parsed, 'turn', 'origin')).toEqual(['sdk']);
    expect(column(parsed, 'session', 'spawn_kind')).toEqual(['codex_exec']);
  });
});

const PEER = 'Another Claude session sent a message:\n';

describe('a wrapper in a prompt', () => {
  it('is cut out and a row of its own, with its place in characters', () => {
    const text = 'É.\n<system-reminder>x</system-reminder>\nMore.';
    const parsed = parseRollout(home, meta(), at(2, prompted(text)));
    const [uid] = column(parsed, 'message', 'event_uid');
    expect(pick(parsed, 'message', 'event_uid', 'message_class', 'text', 'detail')).toEqual([
      {
        ...{ event_uid: uid, message_class: 'human_prompt', text: toWire('É.\n\nMore.') },
        detail: '{"source":"user_message"}',
      },
      {
        ...{ event_uid: `${uid}:injection:0`, message_class: 'system_reminder' },
        text: '<system-reminder>x</system-reminder>',
        detail: '{"source":"system-reminder","text_start":3,"text_end":39}',
      },
    ]);
    expect(column(parsed, 'session', 'first_human_at')).toEqual([micros(2)]);
  });

  it('alone takes the place of the prompt, and nobody has spoken', () => {
    const text = '<turn_aborted>x</turn_aborted>';
    const parsed = parseRollout(home, meta(), prompted(text));
    const [turn] = column(parsed, 'turn', 'turn_key');
    expect(pick(parsed, 'message', 'event_uid', 'message_class', 'text')).toEqual([
      { event_uid: turn, message_class: 'interrupt_marker', text },
    ]);
    expect(column(parsed, 'session', 'first_human_at')).toEqual([null]);
    expect(column(parsed, 'turn', 'origin')).toEqual([null]);
  });

  it.each([
    ['within a line', 'See <skill>x</skill>'],
    ['in a fence', '```\n<skill>x</skill>\n```'],
    ['in a quotation', '> <skill>x</skill>'],
    ['of an unknown name', '<div>x</div>'],
    ['without an end', '<skill>x'],
    [
      'of a peer whose frame is not whole',
      `${PEER}<teammate-message teammate_id="a">x</teammate-message>\n\nThe rest`,
    ],
  ])('%s stays what the person wrote', (_where, text) => {
    expect(classes(meta(), prompted(text))).toEqual([{ message_class: 'human_prompt', text }]);
  });

  it('is not closed by a tag in a fence', () => {
    const text = '<skill>a\n```\n</skill>\n```\nb</skill>';
    expect(classes(meta(), prompted(text))).toEqual([{ message_class: 'skill_body', text }]);
  });
});

describe('a message in the slot of the user or the developer', () => {
  it('without a prompt behind it is a row for each block, told apart by its tag', () => {
    const developer = item('message', {
      role: 'developer',
      content: [block('<permissions instructions>ask'), block('Be kind.'), block('<turn_aborted>')],
    });
    const parsed = parseRollout(
      home,
      meta(),
      developer,
      copy('# AGENTS.md instructions\n\nx', '<skill>y</skill>', '<hook_prompt>h', 'Plain'),
      item('message', {
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Yes' }],
        phase: 'p',
      }),
    );
    expect(pick(parsed, 'message', 'role', 'message_class', 'detail', 'phase')).toEqual([
      { role: 'system', message_class: 'context_injection', detail: '{"source":"permissions"}' },
      { role: 'system', message_class: 'context_injection', detail: '{"source":"developer"}' },
      { role: 'system', message_class: 'interrupt_marker', detail: '{"source":"turn_aborted"}' },
      { role: 'user', message_class: 'context_injection', detail: '{"source":"agents_md"}' },
      { role: 'user', message_class: 'skill_body', detail: '{"source":"skill"}' },
      { role: 'user', message_class: 'hook_output', detail: '{"source":"hook_prompt"}' },
      { role: 'user', message_class: 'context_injection', detail: '{"source":"user_text"}' },
      {
        ...{ role: 'assistant', message_class: 'assistant_text', phase: 'p' },
        detail: '{"source":"message"}',
      },
    ]);
    const [first = '', second = ''] = column(parsed, 'message', 'event_uid');
    expect([String(first).slice(-2), String(second).slice(-2)]).toEqual([':0', ':1']);
  });
});

const encrypted = item('reasoning', { summary: [], encrypted_content: 'gAAA' });

describe('reasoning', () => {
  it('told in events before an encrypted item is one row', () => {
    const parsed = parseRollout(
      home,
      meta(),
      event('agent_reasoning', { text: 'First' }),
      event('agent_reasoning', { text: 'Second' }),
      encrypted,
      encrypted,
    );
    expect(pick(parsed, 'message', 'message_class', 'text', 'detail', 'line_number')).toEqual([
      {
        ...{ message_class: 'reasoning', text: 'First\n\nSecond', line_number: 4 },
        detail: '{"source":"agent_reasoning"}',
      },
    ]);
  });

  it('told by the item itself is one row, whatever repeats it', () => {
    const parts = { type: 'Reasoning', id: 'r', summary_text: ['A', 'B'], raw_content: [] };
    const told = completed(parts);
    const summary = ['A', 'B'].map(text => ({ type: 'summary_text', text }));
    const named = { internal_chat_message_metadata_passthrough: { turn_id: 't1' } };
    const own = item('reasoning', { summary, ...named });
    for (const records of [
      [told, own],
      [own, told],
    ]) {
      expect(pick(parseRollout(home, meta(), ...records), 'message', 'text', 'detail')).toEqual([
        { text: 'A\n\nB', detail: '{"source":"reasoning"}' },
      ]);
    }
  });

  it('without an item is a row at its first part', () => {
    const parsed = parseRollout(home, meta(), event('agent_reasoning', { text: 'Alone' }));
    expect(pick(parsed, 'message', 'text', 'line_number')).toEqual([
      { text: 'Alone', line_number: 2 },
    ]);
  });
});

describe('what hooks say', () => {
  it('is a row for each fragment that is a text, numbered in equal width', () => {
    const fragments = Array.from({ length: 12 }, (_, index) => ({
      text: `${index}`,
      hookRunId: 'h',
    }));
    const odd = [{ text: 7 }, { text: ' ' }, 'x', ...fragments.slice(3)];
    const hook = { type: 'HookPrompt', id: 'hp', fragments: odd };
    const parsed = parseRollout(
      home,
      meta(),
      completed(hook),
      completed(hook, { thread_id: 'another' }),
      event('item_started', { thread_id: THREAD, item: hook }),
    );
    const rows = pick(parsed, 'message', 'event_uid', 'message_class', 'role', 'text');
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatchObject({ message_class: 'hook_output', role: 'system', text: ' ' });
    expect(rows.map(row => String(row['event_uid']).slice(-3))).toEqual(
      ['01', '03', '04', '05', '06', '07', '08', '09', '10', '11'].map(index => `:${index}`),
    );
    expect(column(parsed, 'message', 'detail')[0]).toBe(
      '{"source":"HookPrompt","fragment_index":1,"item_id":"hp","hook_run_id":null}',
    );
  });

  it('when they ran is an event', () => {
    const run = { id: 'h1', event_name: 'stop', status: 'blocked', duration_ms: 12 };
    const entries = [{ kind: 'feedback', text: 'Not yet' }];
    const parsed = parseRollout(
      home,
      meta(),
      event('hook_completed', { run: { ...run, entries } }),
    );
    const names = [
      'hook_event',
      'outcome',
      'duration_ms',
      'prevented_continuation',
      'output_bytes',
    ];
    expect(pick(parsed, 'hook_event', ...names)).toEqual([
      {
        ...{ hook_event: 'stop', outcome: 'blocked', duration_ms: 12 },
        ...{ prevented_continuation: true, output_bytes: 7 },
      },
    ]);
  });
});

describe('other messages', () => {
  it('of agents tell who speaks, and what they make of the next call', () => {
    const speak = (author: string, recipient: string) =>
      item('agent_message', { author, recipient, content: [{ type: 'input_text', text: 'Hi' }] });
    const parsed = parseRollout(
      home,
      meta(),
      event('task_started', { turn_id: 't1' }),
      speak('/root/a', '/root'),
      speak('/root', '/root/a'),
      event('task_complete', { turn_id: 't1' }),
    );
    expect(pick(parsed, 'message', 'role', 'message_class', 'trigger_class')).toEqual([
      { role: 'user', message_class: 'agent_message', trigger_class: 'agent_msg' },
      { role: 'assistant', message_class: 'agent_message' },
    ]);
    expect(column(parsed, 'turn', 'origin')).toEqual(['peer']);
  });

  it('about the world are told when they changed', () => {
    const world = (file: string) => record('world_state', { state: { file } });
    expect(classes(meta(), world('a'), world('a'), world('b'))).toEqual([
      { message_class: 'context_injection', text: '{"file":"a"}' },
      { message_class: 'context_injection', text: '{"file":"b"}' },
    ]);
  });

  it('that link to files name them as results', () => {
    const text = 'See [the plan](/home/mira/plan.md).';
    const said = item('message', { role: 'assistant', content: [{ type: 'output_text', text }] });
    const parsed = parseRollout(home, meta({ base_instructions: { text: 'Be kind.' } }), said);
    expect(pick(parsed, 'artifact', 'path', 'action', 'kind', 'display_name')).toEqual([
      {
        ...{ path: '/home/mira/plan.md', action: 'linked' },
        ...{ kind: 'document', display_name: 'plan.md' },
      },
    ]);
    expect(pick(parsed, 'message', 'event_uid', 'message_class')[0]).toEqual({
      ...{ event_uid: `${THREAD}:system_prompt`, message_class: 'system_prompt' },
    });
  });
});

describe('what happens beside the talk', () => {
  it('is an event: switches, settings, plans, questions, errors', () => {
    const ask = (name: string, input: object) =>
      item('function_call', { name, arguments: JSON.stringify(input), call_id: name });
    const parsed = parseRollout(
      home,
      meta(),
      record('turn_context', { turn_id: 't1', model: 'a', effort: 'low' }),
      record('turn_context', { turn_id: 't2', model: 'b', effort: 'high' }),
      event('thread_settings_applied', { thread_settings: { model: 'b', service_tier: 'fast' } }),
      ask('update_plan', { plan: [{ step: 'One', status: 'pending' }] }),
      ask('request_user_input', { questions: [{ question: 'Which?' }] }),
      event('thread_rolled_back', { num_turns: 2 }),
      event('thread_goal_updated', { goal: { status: 'active' } }),
      event('task_complete', { turn_id: 't2', error: { codex_error_info: { timeout: {} } } }),
    );
    expect(pick(parsed, 'session_event', 'kind', 'value')).toEqual([
      { kind: 'model_switch', value: 'b' },
      { kind: 'effort_change', value: 'high' },
      { kind: 'thread_settings', value: 'b' },
      { kind: 'task_list_op', value: 'update_plan' },
      { kind: 'user_question', value: 'Which?' },
      { kind: 'rollback', value: '2' },
      { kind: 'goal_update', value: 'active' },
      { kind: 'error', value: 'timeout' },
    ]);
    expect(column(parsed, 'turn', 'status')).toEqual([null, 'error']);
  });
});
