/** Model calls, limits and times of Codex as the parser reads them. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { call, counted, event, item, meta, record, said, THREAD, tokens } from './codex-home.ts';
import { at, column, micros, type Parsed, parseRollout, pick } from './codex-parsing.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const BUCKETS = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output'];

const count = (info: unknown, more: object = {}) => event('token_count', { info, ...more });

describe('a count of tokens', () => {
  it('is a call when its total is a new one, not when it repeats it or has no counts', () => {
    const parsed = parseRollout(
      home,
      meta(),
      counted(7, 7),
      counted(7, 7),
      count(null),
      counted(12, 5),
    );
    expect(pick(parsed, 'llm_call', ...BUCKETS, 'reasoning')).toEqual([
      {
        ...{ input_uncached: 40, cache_read: 60, cache_write_5m: 0, cache_write_1h: 0 },
        ...{ output: 7, reasoning: 1 },
      },
      {
        ...{ input_uncached: 40, cache_read: 60, cache_write_5m: 0, cache_write_1h: 0 },
        ...{ output: 5, reasoning: 1 },
      },
    ]);
    expect(column(parsed, 'llm_call', 'response_id')[0]).toMatch(/^codex-legacy:/);
  });

  it('counts a total that fell as a new base', () => {
    expect(
      column(parseRollout(home, meta(), counted(50, 50), counted(3, 3)), 'llm_call', 'output'),
    ).toEqual([50, 3]);
  });

  it('without the last call counts what the total grew by, or all of it when it fell', () => {
    const totals = [50, 80, 9].map(output => count({ total_token_usage: tokens(output) }));
    const parsed = parseRollout(home, meta(), ...totals);
    expect(column(parsed, 'llm_call', 'output')).toEqual([50, 30, 9]);
    expect(column(parsed, 'llm_call', 'cache_read')).toEqual([60, 0, 60]);
  });

  it('of nothing but zeros is a call of which nothing is known', () => {
    const zeros = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, total_tokens: 9 };
    const parsed = parseRollout(
      home,
      meta(),
      count({ total_token_usage: { total_tokens: 9 }, last_token_usage: zeros }),
    );
    expect(pick(parsed, 'llm_call', ...BUCKETS, 'line_count')).toEqual([{ line_count: 1 }]);
  });

  it('never gives less than no input', () => {
    const odd = { input_tokens: 10, cached_input_tokens: 60, output_tokens: 1 };
    const parsed = parseRollout(
      home,
      meta(),
      count({ total_token_usage: odd, last_token_usage: odd }),
    );
    expect(pick(parsed, 'llm_call', 'input_uncached', 'cache_read')).toEqual([
      { input_uncached: 0, cache_read: 60 },
    ]);
  });
});

const used = (response: string | null, usage: object, more: object = {}) =>
  record('token_usage_record', { response_id: response, thread_id: THREAD, usage, ...more });

describe('a record of usage', () => {
  it('is a call, and the counts beside it are none', () => {
    const written = { ...tokens(60), cache_write_input_tokens: 0 };
    const parsed = parseRollout(
      home,
      meta({ cli_version: '0.155.0' }),
      counted(9, 9),
      used('resp_1', written),
      counted(60, 60),
      used('resp_2', { ...tokens(5), cache_write_input_tokens: 30 }),
      used('resp_3', tokens(999), { scope: 'thread' }),
      counted(65, 5),
    );
    expect(pick(parsed, 'llm_call', 'response_id', ...BUCKETS)).toEqual([
      {
        ...{ response_id: 'resp_1', input_uncached: 40, cache_read: 60 },
        ...{ cache_write_5m: 0, cache_write_1h: 0, output: 60 },
      },
      {
        ...{ response_id: 'resp_2', input_uncached: 10, cache_read: 60 },
        ...{ cache_write_5m: 30, cache_write_1h: 0, output: 5 },
      },
    ]);
  });

  it('without a response is named after its record, and ends the counting of an older file', () => {
    const parsed = parseRollout(home, meta(), counted(7, 7), used(null, tokens(4)), counted(11, 4));
    expect(column(parsed, 'llm_call', 'output')).toEqual([7, 4]);
    expect(column(parsed, 'llm_call', 'response_id')[1]).toMatch(/^codex-tur:/);
  });
});

describe('rate limits', () => {
  const limits = (percent: number) =>
    count(null, {
      rate_limits: {
        ...{ limit_id: 'codex', plan_type: 'pro' },
        primary: { used_percent: percent, window_minutes: 300, resets_at: 1788260000 },
        ...{ secondary: null, credits: { has_credits: false } },
      },
    });

  it('are a sample whenever they changed', () => {
    const parsed = parseRollout(home, meta(), limits(7), limits(7), limits(8));
    const names = ['window_kind', 'used_percent', 'window_minutes', 'resets_at', 'plan_type'];
    const shared = { window_minutes: 300, resets_at: 1788260000000000, plan_type: 'pro' };
    expect(pick(parsed, 'rate_limit_sample', ...names)).toEqual([
      { window_kind: 'primary', used_percent: 7, ...shared },
      { window_kind: 'credits', plan_type: 'pro' },
      { window_kind: 'primary', used_percent: 8, ...shared },
    ]);
  });

  it('that tell how long they last are counted from their record', () => {
    const primary = { used_percent: 1, resets_in_seconds: 60 };
    const parsed = parseRollout(home, meta(), at(5, count(null, { rate_limits: { primary } })));
    expect(column(parsed, 'rate_limit_sample', 'resets_at')).toEqual([micros(65)]);
  });
});

const started = (turn: string) => event('task_started', { turn_id: turn });
const output = (id: string) => item('function_call_output', { call_id: id, output: 'x' });
const durations = (parsed: Parsed) => column(parsed, 'llm_call', 'duration_ms');

describe('the time of a call', () => {
  const header = meta({ cli_version: '0.155.0' });
  const usage = (id: string) => used(id, tokens(1), { turn_id: 't1' });

  it('runs from what it waited for to its record', () => {
    const parsed = parseRollout(
      home,
      header,
      at(1, started('t1')),
      at(3, call('c1')),
      at(3.5, usage('r1')),
      at(4, output('c1')),
      at(6.25, usage('r2')),
    );
    expect(durations(parsed)).toEqual([2500, 2250]);
    expect(column(parsed, 'llm_call', 'latency_basis')).toEqual([
      'codex_prev_boundary_to_usage',
      'codex_prev_boundary_to_usage',
    ]);
  });

  it('is not known when another call has no output yet', () => {
    const parsed = parseRollout(
      home,
      header,
      at(1, started('t1')),
      ...[at(2, call('c1')), at(2, call('c2')), at(3, output('c1')), at(5, usage('r1'))],
    );
    expect(durations(parsed)).toEqual([null]);
  });

  it('is not known when two turns are open and the record names none', () => {
    const parsed = parseRollout(
      home,
      header,
      ...[at(1, started('t1')), at(2, started('t2')), at(3, used('r1', tokens(1)))],
    );
    expect(durations(parsed)).toEqual([null]);
  });

  it('is not known when what it waited for is, once, or has no time', () => {
    const parsed = parseRollout(
      home,
      header,
      ...[at(1, started('t1')), at(2, usage('r1')), at(4, usage('r2'))],
      ...[{ ...output('c9'), timestamp: 'soon' }, at(5, usage('r3'))],
      ...[at(9, output('c8')), at(8, usage('r4'))],
    );
    expect(durations(parsed)).toEqual([1000, null, null, null]);
  });
});

describe('a compaction', () => {
  it('tells its window and the context before it', () => {
    const parsed = parseRollout(
      home,
      ...[meta(), counted(7, 7)],
      record('compacted', { message: 'So far.', window_number: 2, window_id: 3 }),
      said('assistant', 'On.'),
    );
    expect(pick(parsed, 'compaction', 'pre_tokens', 'window_number', 'window_id')).toEqual([
      { pre_tokens: 107, window_number: 2, window_id: '3' },
    ]);
    expect(pick(parsed, 'message', 'message_class', 'text', 'role')[0]).toEqual({
      ...{ message_class: 'compaction_summary', text: 'So far.', role: 'user' },
    });
  });
});
