/** pi: model calls, what they used, and what the records cannot tell. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import { valueWithCounts } from '../../src/harness/pi/parse/counts.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { lineOf } from '../support/record.ts';
import { answer, entry, pick, rowsOf, second, user } from './pi-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const TOKENS = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output'];

describe('the usage of an answer', () => {
  it.each([
    ['nothing written to the cache', { cacheWrite: 0 }, [0, 0]],
    ['something written to the cache', { cacheWrite: 30 }, [30, 0]],
    ['no word about the cache', {}, [null, null]],
  ])('with %s', (_what, more, written) => {
    const usage = { input: 1, output: 2, ...more };
    const rows = rowsOf(home, answer('a', 'stop', { usage }));
    const columns = ['cache_write_5m', 'cache_write_1h'];
    expect(pick(rows('llm_call'), ...columns)).toEqual([written]);
  });

  it('has the counts that are counts, each by itself', () => {
    const line = JSON.stringify(answer('a', 'stop', { usage: 'HERE' }));
    const usage = '{"input":12.0,"output":7,"cacheRead":"12","cacheWrite":-1,"reasoning":true}';
    const rows = rowsOf(home, line.replace('"HERE"', usage));
    const columns = [...TOKENS, 'reasoning'];
    expect(pick(rows('llm_call'), ...columns)).toEqual([[null, null, null, null, 7, null]]);
  });

  it('that is all zero is unknown, unless the model told why it stopped', () => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } };
    const rows = rowsOf(home, answer('proxy', null, { usage }), answer('told', 'stop', { usage }));
    expect(pick(rows('llm_call'), 'response_id', ...TOKENS, 'cost_usd')).toEqual([
      ['pi:tide:proxy', null, null, null, null, null, null],
      ['pi:tide:told', 0, 0, 0, 0, 0, 0],
    ]);
  });

  it('is no call where there is none, unless it failed', () => {
    const rows = rowsOf(
      home,
      answer('none', 'stop', { usage: null }),
      answer('failed', 'error', { usage: null, errorMessage: 'rate_gate: slow down (429)' }),
    );
    const columns = ['response_id', 'output', 'error_kind', 'api_error_status'];
    expect(pick(rows('llm_call'), ...columns)).toEqual([
      ['pi:tide:failed', null, 'rate_gate', 429],
    ]);
  });

  it('counts once for one response, the line with more output whole', () => {
    const told = (id: string, input: number, output: number) =>
      answer(id, 'stop', { responseId: 'resp_1', usage: { input, output } });
    const rows = rowsOf(home, told('a', 9, 2), told('b', 4, 5), told('c', 7, 1));
    const columns = ['response_id', 'input_uncached', 'output'];
    expect(pick(rows('llm_call'), ...columns)).toEqual([['resp_1', 4, 5]]);
  });
});

describe('how a call failed', () => {
  it.each([
    ['upstream_timeout: no answer', 'upstream_timeout', null],
    ['429 {"type":"rate_limit_error"}', 'rate_limit', 429],
    ['Something odd (503)', 'http_error', 503],
    ['Something odd', 'error', null],
    [null, 'error', null],
  ])('is read from %j', (errorMessage, kind, status) => {
    const rows = rowsOf(home, answer('a', 'error', errorMessage === null ? {} : { errorMessage }));
    expect(pick(rows('llm_call'), 'error_kind', 'api_error_status')).toEqual([[kind, status]]);
  });
});

describe('the time of a call', () => {
  const at = (more: object) => {
    const line = answer('a', 'stop', { timestamp: Date.parse(second(10)), ...more });
    return pick(
      rowsOf(home, { ...line, timestamp: second(12) })('llm_call'),
      ...['duration_ms', 'latency_basis', 'ttft_ms', 'attempts', 'processing_ms'],
      ...['request_id', 'service_tier'],
    );
  };

  it('is from its request to its entry, with what an extension measured', () => {
    const headers = { 'x-request-id': 'req_1', 'service-tier': 'priority' };
    const firstTokenAt = Date.parse(second(10)) + 640;
    const loopPiTiming = { firstTokenAt, attempts: 2, processingMs: 0, headers };
    expect(at({ loopPiTiming })).toEqual([
      [2000, 'pi_request_to_entry', 640, 2, 0, 'req_1', 'priority'],
    ]);
  });

  it('is not known where it would be negative or is no count', () => {
    const timestamp = Date.parse(second(13));
    const loopPiTiming = { firstTokenAt: timestamp - 1, attempts: true, processingMs: '1' };
    expect(at({ timestamp, loopPiTiming })).toEqual([[null, null, null, null, null, null, null]]);
  });

  it('needs an entry whose time names a zone', () => {
    const line = answer('a', 'stop', { timestamp: Date.parse(second(10)) });
    const rows = rowsOf(home, { ...line, timestamp: '2026-05-04T08:00:12' });
    expect(pick(rows('llm_call'), 'duration_ms')).toEqual([[null]]);
  });
});

describe('a call aside', () => {
  it('that warms the cache is a call with the kind as its reason to stop', () => {
    const rows = rowsOf(
      home,
      user('ask', 'Go.'),
      entry('usage', { id: 'warm', kind: 'cache_warm', usage: { input: 3, output: 1 } }),
    );
    const columns = ['response_id', 'stop_reason', 'turn_key', 'input_uncached', 'model'];
    expect(pick(rows('llm_call'), ...columns)).toEqual([
      ['pi:tide:warm', 'usage:cache_warm', 'ask', 3, null],
    ]);
  });

  it('that sums up a branch gives a summary and no compaction', () => {
    const usage = { input: 3, output: 1 };
    const more = { id: 'left', summary: 'The tide in metres.', usage };
    const rows = rowsOf(home, entry('branch_summary', more));
    expect(rows('compaction')).toEqual([]);
    expect(rows('session_event')).toEqual([]);
    expect(pick(rows('message'), 'message_class', 'text', 'detail')).toEqual([
      ['compaction_summary', 'The tide in metres.', '{"source":"branch_summary"}'],
    ]);
    expect(pick(rows('llm_call'), 'response_id', 'stop_reason')).toEqual([
      ['pi:tide:left', 'branch_summary'],
    ]);
  });

  it.each([
    ['600000', 600_000],
    ['0', 0],
    ['-1', null],
    ['true', null],
    ['12.0', null],
    ['"12"', null],
  ])('that compacts %s tokens', (written, tokens) => {
    const line = JSON.stringify(entry('compaction', { id: 'c', summary: 's', tokensBefore: 'N' }));
    const rows = rowsOf(home, line.replace('"N"', written));
    expect(pick(rows('compaction'), 'pre_tokens', 'post_tokens')).toEqual([[tokens, null]]);
    expect(pick(rows('session_event'), 'kind', 'detail')).toEqual([
      ['compaction', `{"before_tokens":${tokens},"after_tokens":null}`],
    ]);
    expect(rows('llm_call')).toEqual([]);
  });
});

describe('what holds until it changes', () => {
  it('is the thinking level and the tier of each model', () => {
    const data = { v: 1, models: { m: { service_tier: 'flex' }, other: {} } };
    const rows = rowsOf(
      home,
      entry('thinking_level_change', { id: 't', thinkingLevel: 'high' }),
      entry('custom', { customType: 'loop-pi-runtime', data }),
      answer('held', 'stop'),
      answer('own', 'stop', { thinkingLevel: 'low', model: 'other' }),
      entry('model_change', { id: 'm', provider: 'p', modelId: 'other' }),
    );
    expect(pick(rows('llm_call'), 'effort', 'service_tier')).toEqual([
      ['high', 'flex'],
      ['low', null],
    ]);
    expect(pick(rows('session_event'), 'kind', 'value', 'detail')).toEqual([
      ['effort_change', 'high', null],
      ['model_switch', 'other', '{"provider":"p"}'],
    ]);
  });
});

describe('decoding for counts', () => {
  const decode = (json: string) => {
    const buffer = Buffer.from(json);
    return valueWithCounts(new SourceRecord(lineOf(buffer, 0, buffer.length), new Work()), 'a');
  };

  it('keeps whatever holds no number with a fraction', () => {
    const integers = fc.jsonValue().map(value => JSON.stringify(value));
    fc.assert(
      fc.property(integers, json => {
        if (!/\d[.eE]/.test(json)) expect(decode(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('leaves out numbers that are not written as integers, and no text that looks like one', () => {
    const json = '{"a":[12.0,1e3,-0.0,12],"b":"[12.0,","c\\"":"\\\\","d":1.5}';
    expect(decode(json)).toEqual({ a: [null, null, null, 12], b: '[12.0,', 'c"': '\\', d: null });
  });
});
