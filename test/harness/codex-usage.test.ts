/** Tokens of Codex: each model call counts once, on the row it belongs to. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { call, counted, event, item, record, rowsOf, said, tokens } from './codex-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const COLUMNS = 'message_type, output_tokens, usage_scope, usage_source_line';

/** Type, output and scope of every row with a scope. */
async function usage(...records: readonly unknown[]): Promise<unknown[][]> {
  const rows = await rowsOf(home, COLUMNS, ...records);
  return rows
    .filter(row => row['usage_scope'] !== null)
    .map(row => [row['message_type'], row['output_tokens'], row['usage_scope']]);
}

describe('a token count', () => {
  it('gives the last call to the nearest row of the model, and the total to its own', async () => {
    const records = [
      said('assistant', 'a'),
      call('c1'),
      item('function_call_output', { call_id: 'c1' }),
    ];
    expect(await usage(said('user', 'u'), ...records, counted(7, 7))).toEqual([
      ['function_call', 7, 'legacy'],
      ['token_usage_total', 7, 'thread_total'],
    ]);
  });

  it('keeps every count under its name, input with the cache', async () => {
    const more = { cache_write_input_tokens: 9 };
    const info = { last_token_usage: { ...tokens(5), ...more }, total_token_usage: tokens(5) };
    const columns = 'input_tokens, cache_read_tokens, cache_creation_tokens, reasoning_tokens';
    const rows = await rowsOf(
      home,
      columns,
      said('assistant', 'a'),
      event('token_count', { info }),
    );
    expect(Object.values(rows[0] ?? {})).toEqual([100, 60, 9, 1]);
  });

  it('that repeats the total does not count again', async () => {
    const records = [said('assistant', 'a'), counted(7, 7), counted(7, 7), counted(7, 7)];
    const found = await usage(...records, said('assistant', 'b'), counted(7, 7), counted(12, 5));
    expect(found.filter(([, , scope]) => scope === 'legacy')).toEqual([
      ['assistant', 7, 'legacy'],
      ['assistant', 5, 'legacy'],
    ]);
    expect(found.filter(([, , scope]) => scope === 'thread_total')).toHaveLength(5);
  });

  it('counts when the total falls: that is a new base', async () => {
    const found = await usage(said('assistant', 'a'), counted(90, 9), call('c'), counted(4, 4));
    expect(found.filter(([, , scope]) => scope === 'legacy').map(([, output]) => output)).toEqual([
      9, 4,
    ]);
  });

  it('goes back over rows that have their usage, and is a row of its own without any', async () => {
    const found = await usage(said('assistant', 'a'), call('c'), counted(1, 1), counted(3, 2));
    const legacy = found.filter(([, , scope]) => scope === 'legacy');
    expect(legacy).toEqual([
      ['assistant', 2, 'legacy'],
      ['function_call', 1, 'legacy'],
    ]);
    expect(await usage(said('user', 'u'), counted(3, 3))).toEqual([
      ['token_usage', 3, 'legacy'],
      ['token_usage_total', 3, 'thread_total'],
    ]);
  });

  it('without counts is an ordinary row', async () => {
    const rows = await rowsOf(home, COLUMNS, event('token_count', { info: null, rate_limits: {} }));
    expect(rows).toEqual([
      {
        ...{ message_type: 'token_count', output_tokens: null },
        ...{ usage_scope: null, usage_source_line: null },
      },
    ]);
  });

  it('may have only the last call, or only a total, also outside of info', async () => {
    const last = event('token_count', { info: { last_token_usage: tokens(2) } });
    expect(await usage(said('assistant', 'a'), last, call('c'), last)).toEqual([
      ['assistant', 2, 'legacy'],
      ['function_call', 2, 'legacy'],
    ]);
    expect(await usage(event('token_count', { total_token_usage: tokens(8) }))).toEqual([
      ['token_usage_total', 8, 'thread_total'],
    ]);
    expect(await usage(event('token_count', { info: tokens(6) }))).toEqual([
      ['token_usage_total', 6, 'thread_total'],
    ]);
  });

  it('that is broken inside its counts is a row that says so', async () => {
    const broken = JSON.stringify(counted(7, 7)).replace(/"output_tokens":7/, '"output_tokens"7');
    const rows = await rowsOf(home, 'message_type, parse_error', said('assistant', 'a'), broken);
    expect(rows.map(row => row['message_type'])).toEqual(['assistant', '_parse_error']);
    expect(rows[1]?.['parse_error']).toContain('JSON');
  });

  it('with odd counts gives NULL for those alone', async () => {
    const odd = { input_tokens: '5', output_tokens: 1.5, reasoning_output_tokens: 3 };
    const info = { last_token_usage: odd, total_token_usage: odd };
    const columns = 'input_tokens, output_tokens, reasoning_tokens';
    const rows = await rowsOf(
      home,
      columns,
      said('assistant', 'a'),
      event('token_count', { info }),
    );
    expect(rows[0]).toEqual({ input_tokens: null, output_tokens: null, reasoning_tokens: 3 });
  });
});

describe('usage of its own', () => {
  it('makes a row that needs none', async () => {
    const found = await usage(said('assistant', 'a', { usage: tokens(3) }), counted(3, 3));
    expect(found).toEqual([
      ['assistant', 3, 'response'],
      ['token_usage', 3, 'legacy'],
      ['token_usage_total', 3, 'thread_total'],
    ]);
  });
});

describe('a usage record', () => {
  const recorded = (response: string, output: number, more: object = {}) =>
    record('token_usage_record', { response_id: response, usage: tokens(output), ...more });

  it('goes to the last answer or thought of its response', async () => {
    const found = await usage(
      item('reasoning', { summary: [], response_id: 'r1' }),
      said('assistant', 'a', { response_id: 'r1' }),
      call('c'),
      said('assistant', 'b', { response_id: 'r2' }),
      recorded('r1', 4),
    );
    expect(found).toEqual([['assistant', 4, 'response']]);
  });

  it('goes else to the last of its turn that has none, once', async () => {
    const records = [record('turn_context', { turn_id: 't' }), said('assistant', 'a'), call('c')];
    const found = await usage(
      ...records,
      recorded('r1', 4, { turn_id: 't' }),
      recorded('r2', 5, { turn_id: 't' }),
    );
    expect(found).toEqual([
      ['assistant', 4, 'response'],
      ['token_usage', 5, 'response'],
    ]);
  });

  it('makes the last call in token counts count no more', async () => {
    const found = await usage(
      said('assistant', 'a', { response_id: 'r1' }),
      recorded('r1', 4),
      counted(4, 4),
      call('c'),
      counted(9, 5),
    );
    expect(found.map(([, output, scope]) => [output, scope])).toEqual([
      [4, 'response'],
      [4, 'thread_total'],
      [9, 'thread_total'],
    ]);
  });

  it('takes the place of a token count that came first', async () => {
    const answer = said('assistant', 'a', { response_id: 'r1' });
    const found = await usage(answer, counted(4, 4), recorded('r1', 4));
    expect(found[0]).toEqual(['assistant', 4, 'response']);
  });

  it('of a thread is a total', async () => {
    expect(await usage(recorded('r1', 4, { scope: 'thread' }))).toEqual([
      ['token_usage_total', 4, 'thread_total'],
    ]);
  });
});
