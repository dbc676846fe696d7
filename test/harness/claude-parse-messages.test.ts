/** Claude Code's messages and turns: who wrote what, and what opened a turn. */

import { describe, expect, it } from 'vitest';
import {
  agentFile,
  answer,
  at,
  attached,
  call,
  column,
  micros,
  parse,
  parseFiles,
  pick,
  result,
  said,
  workflowFile,
} from './claude-parsing.ts';

const TYPED = { promptSource: 'typed', origin: { kind: 'human' } };
const classes = (rows: ReturnType<typeof parse>) =>
  pick(rows, 'message', 'event_uid', 'message_class').map(({ event_uid, message_class }) => [
    event_uid,
    message_class,
  ]);

describe('a turn', () => {
  it('is the person’s when a prompt follows an interrupt', () => {
    const rows = parse(
      said(0, 'i', '[Request interrupted by user for tool use]', { promptId: 'p' }),
      said(1, 'q', 'go on', { promptId: 'p', ...TYPED }),
      answer(2, 'a', { id: 'm' }),
    );
    expect(pick(rows, 'turn', 'turn_key', 'origin', 'started_at')).toEqual([
      { turn_key: 'p', origin: 'human', started_at: micros(0) },
    ]);
    expect(pick(rows, 'session_event', 'kind', 'value')).toEqual([
      { kind: 'interrupt', value: 'tool_use' },
    ]);
  });

  it('is the command’s when a caveat stands before it', () => {
    const caveat = '<local-command-caveat>Caveat</local-command-caveat>';
    const rows = parse(
      said(0, 'c', caveat, { promptId: 'p', isMeta: true }),
      said(1, 'q', '<command-name>/model</command-name>', { promptId: 'p' }),
    );
    expect(column(rows, 'turn', 'origin')).toEqual(['slash_command']);
    expect(column(rows, 'message', 'message_class')).toEqual(['system_reminder', 'human_prompt']);
  });

  it('of a weak line alone gets its origin when the model answers', () => {
    const meta = said(0, 'c', 'note', { isMeta: true });
    expect(column(parse(meta), 'turn', 'origin')).toEqual([null]);
    expect(column(parse(meta, answer(1, 'a', { id: 'm' })), 'turn', 'origin')).toEqual(['meta']);
  });

  it('keeps what a record states about its origin apart', () => {
    const rows = parse(said(0, 'q', 'hi', { ...TYPED, turnOrigin: 'sdk' }));
    expect(pick(rows, 'turn', 'origin', 'origin_hint')).toEqual([
      { origin: 'human', origin_hint: 'sdk' },
    ]);
  });

  it('is closed by its duration, and never opened by a result', () => {
    const rows = parse(
      said(0, 'q', 'hi', { promptId: 'p', ...TYPED }),
      said(1, 'r', [{ type: 'tool_result', tool_use_id: 't', content: '' }], { promptId: 'x' }),
      at(9, 'd', { type: 'system', subtype: 'turn_duration', durationMs: 9, messageCount: 2 }),
    );
    expect(pick(rows, 'turn', 'turn_key', 'status', 'duration_ms', 'completed_at')).toEqual([
      { turn_key: 'p', status: 'complete', duration_ms: 9, completed_at: micros(9) },
    ]);
  });
});

describe('a prompt with wrappers', () => {
  const prompt = (text: string, more: object = TYPED) => parse(said(0, 'q', text, more));

  it('is what the person wrote; each wrapper is a message with its place', () => {
    const rows = prompt('Human.\n<system-reminder>x</system-reminder>\nMore.');
    expect(pick(rows, 'message', 'event_uid', 'message_class', 'text', 'detail')).toEqual([
      { event_uid: 'q', message_class: 'human_prompt', text: 'Human.\n\nMore.' },
      {
        event_uid: 'q:injection:0',
        message_class: 'system_reminder',
        text: '<system-reminder>x</system-reminder>',
        detail: expect.stringMatching(/"text_end":43/),
      },
    ]);
  });

  it('and nothing else is no prompt of a person', () => {
    const rows = prompt(' <system-reminder>x</system-reminder>\n ');
    expect(classes(rows)).toEqual([['q', 'system_reminder']]);
    expect(column(rows, 'session', 'first_human_at')).toEqual([null]);
  });

  it.each([
    ['within a line', 'see <system-reminder>x</system-reminder>'],
    ['in a fence', '```\n<system-reminder>x</system-reminder>\n```'],
    ['in a fence of tildes', '~~~\n<system-reminder>x</system-reminder>\n~~~'],
    ['in a quote', '> <system-reminder>x</system-reminder>'],
    ['of another name', '<other>x</other>'],
    ['that is not closed', '<system-reminder>x</system'],
  ])('%s stays the person’s', (_where, text) => {
    expect(pick(prompt(text), 'message', 'message_class', 'text')).toEqual([
      { message_class: 'human_prompt', text },
    ]);
  });

  it('is not closed by a tag in a fence within it', () => {
    const text = '<skill>\n```\n</skill>\n```\n</skill>\nDo it.';
    expect(column(prompt(text), 'message', 'text')).toEqual([
      '\nDo it.',
      '<skill>\n```\n</skill>\n```\n</skill>',
    ]);
  });

  it('nests: the outer wrapper covers all, and no character is lost', () => {
    const text = '<skill><skill>a</skill></skill>\n\n<skill>b</skill>';
    const texts = column(prompt(text), 'message', 'text');
    expect(texts).toHaveLength(2);
    expect(texts.join('')).toBe(text);
  });

  it('is the person’s where an envelope of a peer is not whole', () => {
    const text =
      'Another Claude session sent a message:\n<teammate-message>x</teammate-message>\n\nno';
    expect(column(prompt(text, {}), 'message', 'message_class')).toEqual(['human_prompt']);
  });
});

describe('a notification that a task ended', () => {
  const text =
    '<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n' +
    '<status>completed</status>\n<summary>Agent done</summary>\n<result>It works.</result>\n' +
    '<usage><subagent_tokens>77</subagent_tokens></usage>\n</task-notification>';
  const launch = answer(0, 'a', {
    id: 'm',
    content: [call('t1', 'Agent', { prompt: 'Look', description: 'look' })],
  });

  it('counts once, though it comes as an attachment and as a line', () => {
    const rows = parse(
      launch,
      attached(5, 'n', { type: 'queued_command', prompt: text, commandMode: 'task-notification' }),
      said(6, 'u', text, { origin: { kind: 'task-notification' } }),
    );
    const found = column(rows, 'message', 'event_uid').map(uid =>
      String(uid).replace(/:\w{16}:/, ':'),
    );
    expect(found).toEqual(['t1:brief', 'tn:b1:text', 'tn:b1:summary', 'tn:b1:result']);
    expect(pick(rows, 'subagent_spawn', 'completion_status', 'reported_tokens')).toEqual([
      { completion_status: 'completed', reported_tokens: 77 },
    ]);
  });

  it('is an event for the next call only as a line', () => {
    const other = text.replace('works', 'fails');
    const rows = parse(
      attached(9, 'n', { type: 'queued_command', prompt: text, commandMode: 'task-notification' }),
      said(4, 'u', other, { origin: { kind: 'task-notification' } }),
    );
    const texts = pick(rows, 'message', 'message_class', 'trigger_class', 'line_number').filter(
      row => row['message_class'] === 'agent_message',
    );
    expect(texts).toEqual([
      { message_class: 'agent_message', line_number: 1 },
      { message_class: 'agent_message', trigger_class: 'event', line_number: 2 },
    ]);
  });
});

describe('what a command makes of itself', () => {
  const meta = (ms: number, uuid: string, text: string) => said(ms, uuid, text, { isMeta: true });

  it('is its expansion, or the body of a skill; a reminder between is a reminder', () => {
    const rows = parse(
      said(0, 'c1', '<command-name>/review</command-name>'),
      meta(1, 'r1', '<system-reminder>x</system-reminder>'),
      meta(2, 'b1', 'Review it.'),
      said(
        3,
        'c2',
        '<command-message>notes</command-message>\n<command-name>/notes</command-name>',
      ),
      meta(4, 'b2', 'Write notes.'),
    );
    expect(pick(rows, 'message', 'event_uid', 'message_class', 'prompt_origin')).toEqual([
      { event_uid: 'c1', message_class: 'human_prompt', prompt_origin: 'slash_command' },
      { event_uid: 'r1', message_class: 'system_reminder' },
      { event_uid: 'b1', message_class: 'command_expansion' },
      { event_uid: 'c2', message_class: 'human_prompt', prompt_origin: 'skill' },
      { event_uid: 'b2', message_class: 'skill_body' },
    ]);
  });
});

describe('what waited in the queue', () => {
  it('from a peer is a queued prompt of an agent', () => {
    const origin = { kind: 'peer' };
    const rows = parse(
      attached(0, 'n', { type: 'queued_command', prompt: 'hello', commandMode: 'prompt', origin }),
    );
    expect(pick(rows, 'message', 'message_class', 'prompt_origin')).toEqual([
      { message_class: 'queued_prompt', prompt_origin: 'agent_message' },
    ]);
  });
});

describe('thoughts', () => {
  it('that are hidden are told without a text, those without anything are not', () => {
    const content = [
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'thinking', thinking: '' },
      { type: 'thinking', thinking: 'Hm.' },
    ];
    const rows = parse(answer(0, 'a', { id: 'm', content }));
    expect(pick(rows, 'message', 'event_uid', 'text', 'detail')).toEqual([
      { event_uid: 'a:think:0', text: '', detail: '{"source":"signature_only"}' },
      { event_uid: 'a:think:1', text: '', detail: '{"source":"redacted"}' },
      { event_uid: 'a:think:3', text: 'Hm.' },
    ]);
  });
});

describe('the first line of a sub-agent', () => {
  const brief = [said(0, 'b', 'Look there'), said(1, 'f', 'And here')];

  it('is its brief, which only the launching call tells', () => {
    const rows = parseFiles({ [agentFile('a1')]: brief });
    expect(pick(rows, 'message', 'event_uid', 'message_class', 'detail')).toEqual([
      { event_uid: 'f', message_class: 'agent_message', detail: '{"source":"followup"}' },
    ]);
    expect(pick(rows, 'session', 'agent_id', 'spawn_kind', 'is_subagent')).toEqual([
      { agent_id: 'a1', spawn_kind: 'agent', is_subagent: true },
    ]);
  });

  it('is told by an agent of a workflow, whose journal makes no session', () => {
    const rows = parseFiles({
      [workflowFile('agent-w1')]: brief,
      [workflowFile('journal')]: [
        { type: 'started', agentId: 'w1' },
        { type: 'result', agentId: 'w1', result: 'ok' },
      ],
    });
    expect(column(rows, 'message', 'message_class')).toEqual(['subagent_brief', 'agent_message']);
    expect(pick(rows, 'session', 'agent_id', 'workflow_id')).toEqual([
      { agent_id: 'w1', workflow_id: 'wf_1' },
    ]);
    expect(pick(rows, 'subagent_spawn', 'spawn_uid', 'launch_status', 'completion_status')).toEqual(
      [{ spawn_uid: 'wf:wf_1:w1', launch_status: 'started', completion_status: 'completed' }],
    );
  });
});

describe('a hook', () => {
  it('that wrote to both streams is one run and two messages', () => {
    const hook = { type: 'hook_success', hookEvent: 'PostToolUse', stdout: 'out', stderr: 'err' };
    const rows = parse(attached(0, 'h', { ...hook, toolUseID: 'toolu_1', command: 'lint' }));
    expect(column(rows, 'message', 'event_uid')).toEqual(['h:stdout', 'h:stderr']);
    expect(pick(rows, 'hook_event', 'event_uid', 'outcome', 'call_uid', 'output_bytes')).toEqual([
      { event_uid: 'h', outcome: 'success', call_uid: 'toolu_1', output_bytes: 6 },
    ]);
  });
});

describe('a record of a type that is not known', () => {
  it('is counted and diagnosed once', () => {
    const odd = { type: 'brand-new-record-type' };
    const rows = parse(at(0, 'x', odd), at(1, 'y', odd), result(2, 'z', 't', ''));
    expect(pick(rows, 'parse_issue', 'kind', 'detail')).toEqual([
      { kind: 'unknown_type', detail: 'brand-new-record-type' },
      { kind: 'orphan_output', detail: 't' },
    ]);
    const counted = pick(rows, 'record_type_seen', 'record_type', 'seen_count');
    expect(counted).toContainEqual({ record_type: 'brand-new-record-type', seen_count: 2 });
  });
});
