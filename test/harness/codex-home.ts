/** Homes of Codex made for one test, and their rows. */

import type { ObjectRow } from '../../src/index.ts';
import { ask } from '../support/asking.ts';
import { writeFile } from '../support/folder.ts';

/** The thread of every rollout that a test does not name itself. */
export const THREAD = '019f0000-0000-7000-8000-00000000aaaa';

/** Where the rollout of a thread lies below the home. */
export const rolloutPath = (thread = THREAD, folder = 'sessions/2026/05/12') =>
  `${folder}/rollout-2026-05-12T11-00-00-${thread}.jsonl`;

/** A record in its envelope. */
export const record = (type: string, payload: unknown) => ({
  timestamp: '2026-05-12T09:00:00.000Z',
  type,
  payload,
});

/** A header; `more` adds and overrides. */
export const meta = (more: object = {}) =>
  record('session_meta', {
    ...{ id: THREAD, timestamp: '2026-05-12T09:00:00.000Z', cwd: '/home/mira/tide' },
    ...{ originator: 'codex-tui', cli_version: '0.140.0', source: 'cli' },
    ...more,
  });

/** A response item. */
export const item = (type: string, more: object = {}) => record('response_item', { type, ...more });

/** An event. */
export const event = (type: string, more: object = {}) => record('event_msg', { type, ...more });

/** A message as response item. */
export const said = (role: string, text: string, more: object = {}) =>
  item('message', { role, content: [{ type: 'text', text }], ...more });

/** A call of a tool. */
export const call = (id: string, name = 'exec_command') =>
  item('function_call', { name, arguments: '{}', call_id: id });

/** Counts of tokens of which `output` are output. */
export const tokens = (output: number) => ({
  ...{ input_tokens: 100, cached_input_tokens: 60, output_tokens: output },
  ...{ reasoning_output_tokens: 1, total_tokens: 100 + output },
});

/** A token count with a running total and the last call. */
export const counted = (total: number, last: number) =>
  event('token_count', {
    info: { total_token_usage: tokens(total), last_token_usage: tokens(last) },
  });

/** Records as lines; texts are lines as they are. */
export const lines = (records: readonly unknown[]) =>
  records.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

/** The rows of a home, without columns that are not asked for. */
export async function rowsIn(
  home: string,
  columns: string,
  more = '',
): Promise<readonly ObjectRow[]> {
  const sql = `SELECT ${columns} FROM read_conversations(path = $path, source = 'codex'${more})`;
  return (await ask(sql, { path: home })).rows;
}

/** The rows of one rollout with a header and these records. */
export async function rowsOf(
  home: string,
  columns: string,
  ...records: readonly unknown[]
): Promise<readonly ObjectRow[]> {
  writeFile(home, rolloutPath(), lines([meta(), ...records]));
  return rowsIn(home, columns);
}
