/** Todos, history and stats of Codex. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { call, event, item, lines, meta, rolloutPath, said, THREAD } from './codex-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

async function read(name: string, columns: string): Promise<unknown[][]> {
  const sql = `SELECT ${columns} FROM read_${name}(path = $path, source = 'codex')`;
  return (await ask(sql, { path: home })).rows.map(row => Object.values(row));
}

describe('todos', () => {
  const plan = (given: unknown) =>
    item('function_call', { name: 'update_plan', arguments: given, call_id: 'p' });
  const steps = (...names: readonly string[]) =>
    JSON.stringify({ plan: names.map(step => ({ step, status: 'pending' })) });
  const columns = 'session_id, item_index, content, status, agent_id, active_form';

  async function todosOf(...records: readonly unknown[]): Promise<unknown[][]> {
    writeFile(home, rolloutPath(), lines([meta(), ...records]));
    return read('todos', columns);
  }

  it('are the steps of the last plan', async () => {
    const found = await todosOf(
      plan(steps('old')),
      said('user', 'update_plan'),
      plan(steps('é', 'b')),
    );
    expect(found).toEqual([
      [THREAD, 0, 'é', 'pending', null, null],
      [THREAD, 1, 'b', 'pending', null, null],
    ]);
  });

  it('may be given as JSON instead of text', async () => {
    expect(await todosOf(plan({ plan: [{ step: 'a' }] }))).toEqual([
      [THREAD, 0, 'a', '', null, null],
    ]);
  });

  it('that are no plan, or steps that are none, are diagnoses', async () => {
    const problem = 'Parse error: the arguments of update_plan hold no plan';
    for (const given of ['{"plan":', '{"plan":5}', 7]) {
      expect(await todosOf(plan(given))).toEqual([
        [THREAD, -1, problem, '_parse_error', null, null],
      ]);
    }
    const found = await todosOf(plan('{"plan":["x",{"step":"a"}]}'));
    expect(found.map(row => row.slice(1, 4))).toEqual([
      [0, 'Parse error: the step is a JSON string, not an object', '_parse_error'],
      [1, 'a', ''],
    ]);
  });

  it('of a session without a plan are none', async () => {
    expect(await todosOf(call('c'))).toEqual([]);
    expect(await todosOf(plan('{"plan":[]}'))).toEqual([]);
  });
});

describe('history', () => {
  it('has its times in milliseconds, and a diagnosis for a line that is damaged', async () => {
    const prompts = [
      { session_id: THREAD, ts: 1761751078, text: 'é' },
      { session_id: 5, ts: 1.5, text: null },
      'torn {',
    ];
    writeFile(home, 'sessions/2026/.keep');
    writeFile(home, 'history.jsonl', lines(prompts));
    const found = await read('history', 'line_number, timestamp_ms, session_id, display, project');
    expect(found.slice(0, 2)).toEqual([
      [1, 1761751078000, THREAD, 'é', null],
      [2, 1500, null, null, null],
    ]);
    expect(String(found[2]?.[3])).toMatch(/^Parse error: /);
  });
});

describe('stats', () => {
  const at = (timestamp: unknown, record: object) => ({ ...record, timestamp });
  const DAY_1 = '2026-05-12T23:59:59.999Z';
  const DAY_2 = '2026-05-13T00:00:00.000Z';
  const columns = 'date, message_count, session_count, tool_call_count';

  it('add up the days of all sessions, in UTC', async () => {
    const one = [
      at(DAY_1, meta()),
      at(DAY_1, said('user', 'a')),
      at('2026-05-12T22:30:00-03:00', said('assistant', 'b')),
      at(DAY_2, call('c1')),
    ];
    const two = [
      at(DAY_2, meta({ id: 'two' })),
      at(DAY_2, said('user', 'c')),
      at(DAY_2, call('d')),
    ];
    writeFile(home, rolloutPath(), lines(one));
    writeFile(home, rolloutPath('two', 'sessions/2026/05/13'), lines(two));
    expect(await read('stats', `${columns}, file_path`)).toEqual([
      ['2026-05-12', 1, 1, 0, home],
      ['2026-05-13', 2, 1, 2, home],
    ]);
  });

  it('count each text once, and nothing that Codex put there', async () => {
    const records = [
      meta(),
      said('developer', 'rules'),
      said('user', '<environment_context>'),
      said('user', 'Why?'),
      event('user_message', { message: 'Why?' }),
      event('agent_message', { message: 'So.' }),
      said('assistant', 'So.'),
    ];
    writeFile(home, rolloutPath(), lines(records.map(one => at(DAY_1, one))));
    expect(await read('stats', columns)).toEqual([['2026-05-12', 2, 1, 0]]);
  });

  it('put a record without a time on the day before it, or on no known day', async () => {
    const records = [at(DAY_2, meta()), at(null, said('user', 'a')), at('soon', call('c'))];
    writeFile(home, rolloutPath(), lines(records));
    writeFile(home, rolloutPath('x', 'sessions/2026/05/13'), lines([at(5, said('user', 'b'))]));
    expect(await read('stats', columns)).toEqual([
      ['2026-05-13', 1, 1, 1],
      ['unknown', 1, 1, 0],
    ]);
  });

  it('take the day of a document from its header', async () => {
    const session = { id: 'doc', timestamp: '2025-04-22T16:03:11.512Z' };
    const items = [{ type: 'message', role: 'user', content: 'a' }];
    const name = 'sessions/rollout-2025-04-22-doc.json';
    writeFile(home, name, JSON.stringify({ session, items }));
    expect(await read('stats', columns)).toEqual([['2025-04-22', 1, 1, 0]]);
  });
});
