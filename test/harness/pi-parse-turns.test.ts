/** pi: what opens turns and ends them, and what makes a model call do its work. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import {
  answer,
  BASE,
  call,
  custom,
  entry,
  header,
  lines,
  PROJECT,
  pick,
  type Rows,
  result,
  rowsIn,
  rowsOf,
  runId,
  second,
  user,
} from './pi-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const classes = (rows: Rows) =>
  pick(rows('message'), 'event_uid', 'message_class', 'turn_key').map(([uid, ...more]) => [
    String(uid).replace('tide:', ''),
    ...more,
  ]);

describe('a prompt', () => {
  it('that comes while the agent is busy is queued in the turn that goes on', () => {
    const rows = rowsOf(
      home,
      user('ask', 'Draw the tide.'),
      answer('busy', 'toolUse'),
      user('more', 'In feet.'),
      answer('done', 'stop'),
      user('next', 'Thanks.'),
    );
    expect(classes(rows)).toEqual([
      ['ask', 'human_prompt', 'ask'],
      ['more', 'queued_prompt', 'ask'],
      ['next', 'human_prompt', 'next'],
    ]);
    expect(pick(rows('turn'), 'turn_key', 'origin', 'status')).toEqual([
      ['ask', 'human', 'complete'],
      ['next', 'human', 'open'],
    ]);
  });

  it('leaves what harnesses wrapped into it, and is none when that is all', () => {
    const rows = rowsOf(
      home,
      user('both', 'Mine.\n<system-reminder>theirs</system-reminder>'),
      user('theirs', '<system-reminder>only</system-reminder>'),
    );
    expect(pick(rows('message'), 'event_uid', 'message_class', 'text', 'detail')).toEqual([
      ['tide:both', 'human_prompt', 'Mine.\n', null],
      [
        'tide:both:injection:0',
        'system_reminder',
        '<system-reminder>theirs</system-reminder>',
        '{"source":"system-reminder","text_start":6,"text_end":47}',
      ],
      [
        'tide:theirs',
        'system_reminder',
        '<system-reminder>only</system-reminder>',
        '{"source":"system-reminder","text_start":0,"text_end":39}',
      ],
    ]);
    expect(pick(rows('turn'), 'turn_key', 'origin')).toEqual([
      ['both', 'human'],
      ['theirs', 'meta'],
    ]);
    const [{ first_human_at: first, last_human_at: last } = {}] = rows('session');
    expect(first).toBe(last);
  });

  it('of nothing but pictures counts, one of nothing does not', () => {
    const picture = { type: 'image', data: 'aGVpZ2h0cw==', mimeType: 'image/png' };
    const rows = rowsOf(home, user('picture', [picture]), user('nothing', []));
    expect(pick(rows('message'), 'event_uid', 'text')).toEqual([['tide:picture', '']]);
    const columns = ['attached_to', 'event_uid', 'kind', 'mime', 'size_bytes'];
    expect(pick(rows('attachment'), ...columns)).toEqual([
      ['prompt', 'tide:picture', 'image', 'image/png', 7],
    ]);
  });
});

describe('word from an extension', () => {
  it('opens no turn while the agent is busy', () => {
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      answer('busy', 'toolUse'),
      custom('watch', 'loop-watch', 'A file changed.'),
      answer('done', 'stop'),
    );
    expect(pick(rows('turn'), 'turn_key', 'status')).toEqual([['ask', 'complete']]);
    expect(classes(rows)).toContainEqual(['watch', 'hook_output', 'ask']);
  });

  it('that wakes an idle agent opens a turn at the next answer, under its first entry', () => {
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      answer('done', 'stop'),
      custom('wake', 'loop-wake', 'It is time.'),
      custom('also', 'reminder', 'Keep it short.'),
      answer('woken', 'stop'),
    );
    const wake = rows('message').find(({ event_uid }) => event_uid === 'tide:wake');
    expect(pick(rows('turn'), 'turn_key', 'origin', 'status', 'started_at')).toEqual([
      ['ask', 'human', 'complete', expect.any(Number)],
      ['wake', 'loop_wake', 'complete', wake?.['ts']],
    ]);
    expect(pick(rows('llm_call'), 'turn_key')).toEqual([['ask'], ['wake']]);
    expect(classes(rows).slice(1)).toEqual([
      ['wake', 'hook_output', 'wake'],
      ['also', 'context_injection', 'wake'],
    ]);
  });

  it.each([
    ['loop-continuation', 'loop_continuation'],
    ['subagent-notify', 'task_notification'],
    ['reminder', 'unknown'],
  ])('of type %s opens a turn of origin %s', (customType, origin) => {
    const rows = rowsOf(home, custom('word', customType, 'Go on.'), answer('done', 'stop'));
    expect(pick(rows('turn'), 'turn_key', 'origin')).toEqual([['word', origin]]);
  });

  it('opens nothing when a person speaks first', () => {
    const rows = rowsOf(
      home,
      custom('wake', 'loop-wake', 'It is time.'),
      user('ask', 'Wait.'),
      answer('done', 'stop'),
    );
    expect(pick(rows('turn'), 'turn_key')).toEqual([['ask']]);
  });
});

describe('the sentence that wakes a parent', () => {
  const WAKE = 'Subagent updates above.';
  const wakeAfter = (notice: object[], text: unknown) =>
    rowsOf(home, user('ask', 'Go.'), answer('done', 'stop'), ...notice, user('wake', text));
  const notice = [custom('notice', 'subagent-notify', 'The sub-agent is done.')];

  it('is no prompt after word from a sub-agent, whose turn it leaves alone', () => {
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      answer('done', 'stop'),
      ...notice,
      user('wake', [{ type: 'text', text: WAKE }]),
      answer('woken', 'stop'),
    );
    expect(classes(rows).slice(1)).toEqual([
      ['notice', 'task_notification_summary', 'notice'],
      ['wake', 'task_notification_summary', 'notice'],
    ]);
    expect(pick(rows('turn'), 'turn_key', 'origin')).toEqual([
      ['ask', 'human'],
      ['notice', 'task_notification'],
    ]);
  });

  it.each([
    ['quoted', `> ${WAKE}`],
    ['fenced', `\`\`\`\n${WAKE}\n\`\`\``],
    ['extended', `${WAKE} Go on.`],
    [
      'with a picture',
      [
        { type: 'text', text: WAKE },
        { type: 'image', data: 'QUJD' },
      ],
    ],
  ])('is a prompt when it is %s', (_how, text) => {
    expect(classes(wakeAfter(notice, text)).at(-1)).toEqual(['wake', 'human_prompt', 'wake']);
  });

  it('is a prompt without word from a sub-agent', () => {
    expect(classes(wakeAfter([], WAKE)).at(-1)).toEqual(['wake', 'human_prompt', 'wake']);
    const other = [custom('watch', 'loop-watch', 'A file changed.')];
    expect(classes(wakeAfter(other, WAKE)).at(-1)).toEqual(['wake', 'human_prompt', 'wake']);
  });
});

describe('a turn', () => {
  it('that fails five times is one turn with five failed calls', () => {
    const failed = { usage: { input: 0, output: 0 }, errorMessage: '529 overloaded_error' };
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      ...[1, 2, 3, 4, 5].map(number => answer(`try${number}`, 'error', failed)),
    );
    expect(pick(rows('turn'), 'turn_key', 'status')).toEqual([['ask', 'error']]);
    const columns = ['response_id', 'is_api_error', 'error_kind', 'api_error_status', 'output'];
    expect(pick(rows('llm_call'), ...columns)).toEqual(
      [1, 2, 3, 4, 5].map(number => [`pi:tide:try${number}`, true, 'overloaded', 529, 0]),
    );
  });

  it('that was aborted can go on', () => {
    const [ask, aborted] = [user('ask', 'Go.'), answer('half', 'aborted')];
    expect(pick(rowsOf(home, ask, aborted)('turn'), 'status')).toEqual([['aborted']]);
    const rows = rowsOf(home, ask, aborted, answer('again', 'length'));
    expect(pick(rows('turn'), 'turn_key', 'status')).toEqual([['ask', 'complete']]);
  });
});

describe('a sub-agent', () => {
  it('gets its task, then words of its parent, and reports when it stops', () => {
    const path = `${PROJECT}/${BASE}/${runId(7)}/run-0/session.jsonl`;
    const text = (text: string) => ({ content: [{ type: 'text', text }] });
    const records = [
      user('task', 'Check the heights.'),
      answer('busy', 'toolUse', text('I look.')),
      user('hint', 'Hurry.'),
      answer('done', 'stop', text('All right.')),
      user('again', 'Once more.'),
    ];
    writeFile(home, path, lines(header({ id: 'child' }), ...records));
    const rows = rowsIn(home);
    const columns = ['event_uid', 'message_class', 'detail', 'is_sidechain', 'prompt_origin'];
    expect(pick(rows('message'), ...columns)).toEqual([
      ['child:task', 'agent_message', '{"source":"subagent_task"}', true, null],
      ['child:busy', 'assistant_text', null, true, null],
      ['child:hint', 'agent_message', '{"source":"parent_message"}', true, null],
      ['child:done', 'assistant_text', null, true, null],
      ['child:done:report', 'subagent_report', null, true, null],
      ['child:again', 'agent_message', '{"source":"parent_message"}', true, null],
    ]);
    expect(pick(rows('turn'), 'turn_key', 'origin')).toEqual([
      ['task', 'subagent_brief'],
      ['again', 'peer'],
    ]);
    expect(pick(rows('session'), 'first_human_at')).toEqual([[null]]);
  });
});

describe('what makes a model call', () => {
  /** What happened last before each call: what somebody said, what a tool gave, or a call. */
  const triggers = (rows: Rows): unknown[] => {
    const said = pick(rows('message'), 'byte_offset', 'trigger_class');
    const given = pick(rows('tool_call'), 'output_byte_offset', 'trigger_class');
    const calls = pick(rows('llm_call'), 'byte_offset').map(([offset]) => [offset, 'model']);
    const stream = [...said, ...given, ...calls]
      .filter(([, what]) => what !== null)
      .sort(([a], [b]) => Number(a) - Number(b));
    return stream.flatMap(([, what], index) =>
      what === 'model' ? [stream[index - 1]?.[1] ?? 'user'] : [],
    );
  };

  it('is told by messages and results in a root that polls its sub-agents', () => {
    const asks = (id: string, args: object) => ({ content: [call(id, 'subagent', args)] });
    const notice = (id: string) => custom(id, 'subagent-notify', 'One more is done.');
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      answer('a1', 'toolUse', asks('c1', { action: 'status' })),
      result('c1', 'subagent', 'running'),
      answer('a2', 'stop'),
      notice('n1'),
      answer('a3', 'toolUse', asks('c2', { action: 'wait' })),
      result('c2', 'subagent', 'nothing yet'),
      answer('a4', 'stop'),
      notice('n2'),
      answer('a5', 'toolUse', asks('c3', { action: 'wait' })),
      result('c3', 'subagent', 'one', { details: { results: [{ agent: 'checker' }] } }),
      answer('a6', 'error'),
      answer('a7', 'stop'),
    );
    const found = triggers(rows);
    expect(found).toEqual(['user', 'status', 'agent_msg', 'wait', 'agent_msg', 'event', 'model']);
    expect(found.filter(what => what === 'wait' || what === 'status')).toHaveLength(2);
    expect(rows('subagent_spawn')).toEqual([]);
  });

  it('is an event for word of a loop, and orchestration for its continuation', () => {
    const rows = rowsOf(
      home,
      ...['loop-watch', 'loop-wake', 'loop-continuation', 'reminder'].map(customType =>
        entry('custom_message', { customType, content: 'Go on.' }),
      ),
    );
    expect(pick(rows('message'), 'trigger_class').flat()).toEqual([
      'event',
      'event',
      'orchestrate',
      null,
    ]);
  });
});

describe('a session', () => {
  it('knows when it began and ended, and when a person spoke', () => {
    const rows = rowsOf(
      home,
      { ...user('ask', 'Go.'), timestamp: second(5) },
      { ...answer('done', 'stop'), timestamp: second(9) },
      { ...entry('session_info', { name: 'Tide of today' }), timestamp: second(7) },
    );
    const micros = (seconds: number) => Date.parse(second(seconds)) * 1000;
    const columns = ['first_event_at', 'last_event_at', 'first_human_at', 'last_human_at', 'title'];
    expect(pick(rows('session'), ...columns)).toEqual([
      [micros(0), micros(9), micros(5), micros(5), 'Tide of today'],
    ]);
  });
});
