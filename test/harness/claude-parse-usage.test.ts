/** Claude Code's model calls: what they used, how long they took, how they failed. */

import { describe, expect, it } from 'vitest';
import {
  agentFile,
  answer,
  at,
  column,
  micros,
  parse,
  parseFiles,
  pick,
  result,
  SESSION,
  said,
} from './claude-parsing.ts';

const used = (output: number, more: object = {}) => ({
  input_tokens: 3,
  output_tokens: output,
  ...more,
});
const text = (words: string) => [{ type: 'text', text: words }];

describe('the lines of one response', () => {
  it('are one call with the usage of the line that has the most output', () => {
    const rows = parse(
      answer(0, 'a', { id: 'm', usage: used(5, { cache_read_input_tokens: 900 }) }),
      answer(1, 'b', { id: 'm', usage: used(20, { cache_read_input_tokens: 900 }) }),
      answer(2, 'c', { id: 'm', usage: used(40, { cache_read_input_tokens: 7 }) }),
    );
    expect(
      pick(rows, 'llm_call', 'response_id', 'output', 'cache_read', 'line_count', 'ts'),
    ).toEqual([{ response_id: 'm', output: 40, cache_read: 7, line_count: 3, ts: micros(0) }]);
  });

  it('that only call a tool have usage and no text', () => {
    const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }];
    const rows = parse(answer(0, 'a', { id: 'm', content, usage: used(9) }));
    expect(column(rows, 'llm_call', 'output')).toEqual([9]);
    expect(column(rows, 'message', 'message_class')).toEqual([]);
  });

  it('count cache writes as the larger of the flat member and its parts', () => {
    const parts = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
    const flat = { cache_creation_input_tokens: 300, cache_creation: parts };
    const rows = parse(
      answer(0, 'a', { id: 'm', usage: used(1, flat) }),
      answer(1, 'b', { id: 'n', usage: used(1, { cache_creation: parts }) }),
      answer(2, 'c', { id: 'o', usage: used(1, { cache_creation_input_tokens: 8 }) }),
      answer(3, 'd', { id: 'p', usage: used(1) }),
    );
    expect(pick(rows, 'llm_call', 'cache_write_5m', 'cache_write_1h')).toEqual([
      { cache_write_5m: 280, cache_write_1h: 20 },
      { cache_write_5m: 10, cache_write_1h: 20 },
      { cache_write_5m: 8, cache_write_1h: 0 },
      {},
    ]);
  });

  it('know no usage when it is all zero and nothing stopped the model', () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const rows = parse(
      answer(0, 'a', { id: 'm', usage }),
      answer(1, 'b', { id: 'n', usage, stop_reason: 'end_turn' }),
    );
    expect(column(rows, 'llm_call', 'output')).toEqual([null, 0]);
  });

  it('take the longest time spent thinking and only whole numbers', () => {
    const thought = (uuid: string, id: string, thinkingDurationMs: unknown) =>
      answer(0, uuid, { id }, { thinkingDurationMs });
    const odd = [true, -1, 1.5, '12'].map((value, index) =>
      thought(`o${index}`, `o${index}`, value),
    );
    const rows = parse(thought('a', 'm', 1500), thought('b', 'm', 1000), ...odd);
    expect(column(rows, 'llm_call', 'thinking_ms')).toEqual([1500, null, null, null, null]);
  });

  it('count iterations, and list transformations only when all have a type', () => {
    const empty = { usage: used(1, { iterations: [] }), input_transformations: [] };
    const odd = { input_transformations: [{ type: 'x' }, { kind: 'y' }] };
    const rows = parse(answer(0, 'a', { id: 'm', ...empty }), answer(1, 'b', { id: 'n', ...odd }));
    expect(pick(rows, 'llm_call', 'iterations', 'input_transform_types')).toEqual([
      { iterations: 0, input_transform_types: '[]' },
      {},
    ]);
  });

  it('take later facts that are known, and keep text and key of the first line', () => {
    const rows = parse(
      answer(0, 'a', { id: 'm', content: text('one') }),
      answer(
        1,
        'a',
        { id: 'm', content: text('two'), stop_reason: 'end_turn' },
        { requestId: 'r' },
      ),
      answer(2, 'b', { id: 'm' }),
    );
    expect(pick(rows, 'llm_call', 'stop_reason', 'request_id')).toEqual([
      { stop_reason: 'end_turn', request_id: 'r' },
    ]);
    expect(column(rows, 'message', 'text')).toEqual(['one']);
  });
});

describe('a failed call', () => {
  it('tells its kind and status, and neither a text nor a switch of the model', () => {
    const failed = { isApiErrorMessage: true, error: 'rate_limit', apiErrorStatus: 429 };
    const rows = parse(
      answer(0, 'a', { id: 'm', content: text('fine') }),
      answer(1, 'b', { id: 'n', model: '<synthetic>', content: text('API Error') }, failed),
    );
    expect(pick(rows, 'llm_call', 'is_api_error', 'error_kind', 'api_error_status')[1]).toEqual({
      is_api_error: true,
      error_kind: 'rate_limit',
      api_error_status: 429,
    });
    expect(column(rows, 'message', 'text')).toEqual(['fine']);
    expect(column(rows, 'session_event', 'kind')).toEqual(['api_error']);
  });
});

describe('a response that two sub-agents replay', () => {
  it('counts once, for the first file', () => {
    const replay = answer(0, 'r', { id: 'm', usage: used(40) });
    const rows = parseFiles({ [agentFile('a1')]: [replay], [agentFile('b2')]: [replay] });
    expect(pick(rows, 'llm_call', 'session_uid', 'agent_id', 'output')).toEqual([
      { session_uid: SESSION, agent_id: 'a1', output: 40 },
    ]);
  });
});

describe('the duration of a call', () => {
  const asked = (ms: number, uuid = 'q') => said(ms, uuid, 'go', { promptSource: 'typed' });
  const child = (ms: number, uuid: string, id: string | undefined, parentUuid: unknown = 'q') =>
    answer(ms, uuid, id === undefined ? {} : { id }, { parentUuid });
  const durations = (...records: readonly object[]) =>
    column(parse(...records), 'llm_call', 'duration_ms');

  it('goes from the record that it answers to its last line, which may be empty', () => {
    const rows = parse(asked(0), child(1000, 'a', 'm'), child(2005, 'b', 'm', 'a'));
    expect(pick(rows, 'llm_call', 'duration_ms', 'latency_basis')).toEqual([
      { duration_ms: 2005, latency_basis: 'claude_parent_to_last_line' },
    ]);
  });

  it('begins with the result that it names, not with a later one', () => {
    const results = [result(100, 'r1', 't1', 'x'), result(900, 'r2', 't2', 'y')];
    expect(durations(...results, child(1000, 'a', 'm', 'r1'))).toEqual([900]);
  });

  it('is unknown without two times of their own in the right order', () => {
    const without = (record: object) => ({ ...record, timestamp: undefined });
    const invalid = (record: object) => ({ ...record, timestamp: 'yesterday' });
    expect(durations(child(5, 'a', 'm', null))).toEqual([null]);
    expect(durations(child(5, 'a', 'm', 'nobody'))).toEqual([null]);
    expect(durations(without(asked(0)), child(5, 'a', 'm'))).toEqual([null]);
    expect(durations(invalid(asked(0)), child(5, 'a', 'm'))).toEqual([null]);
    expect(durations(asked(0), without(child(5, 'a', 'm')))).toEqual([null]);
    expect(durations(asked(9), child(5, 'a', 'm'))).toEqual([null]);
    expect(durations(asked(0), asked(1), child(5, 'a', 'm'))).toEqual([null]);
    expect(durations(asked(0), child(5, 'a', undefined))).toEqual([null]);
  });

  it('keeps its first value when the call was forgotten behind 512 others', () => {
    const others = Array.from({ length: 512 }, (_, i) => child(20, `o${i}`, `o${i}`, null));
    const [first] = durations(asked(0), child(10, 'a', 'm'), ...others, child(90, 'z', 'm', 'q'));
    expect(first).toBe(10);
  });
});

describe('a switch', () => {
  it('of the model or of the effort is told after a first value', () => {
    const rows = parse(
      answer(0, 'a', { id: 'm' }, { effort: 'low' }),
      answer(1, 'b', { id: 'n', model: 'claude-fable-5' }, { effort: 'high' }),
    );
    expect(pick(rows, 'session_event', 'kind', 'value', 'detail')).toEqual([
      { kind: 'model_switch', value: 'claude-fable-5', detail: '{"from":"claude-opus-5"}' },
      { kind: 'effort_change', value: 'high', detail: '{"from":"low"}' },
    ]);
  });

  it('of the permission mode waits for a time and keeps its own address', () => {
    const rows = parse(
      { type: 'permission-mode', permissionMode: 'plan', sessionId: SESSION },
      at(7, 'u', { type: 'system', subtype: 'informational' }),
    );
    expect(pick(rows, 'session_event', 'kind', 'value', 'ts', 'byte_offset')).toEqual([
      { kind: 'permission_mode', value: 'plan', ts: micros(7), byte_offset: 0 },
    ]);
  });
});
