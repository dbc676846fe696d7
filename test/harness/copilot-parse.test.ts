/** What the records of Copilot mean: the relations of its sessions and chats. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../src/index.ts';
import { type UsageEvent, writeStore } from '../fixtures/copilot-databases.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

const MEANING = join(projectRoot, 'fixtures', 'copilot', 'meaning', '.copilot');
const BASIC = join(projectRoot, 'fixtures', 'copilot', 'basic', '.copilot');
const CHATS = join(projectRoot, 'fixtures', 'copilot', 'chats', 'User');

let folder: string;
let homes = 0;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

async function rowsOf(path: string, sql: string): Promise<readonly ObjectRow[]> {
  const { rows } = await ask(sql, { path });
  return rows;
}

/** One event of a session, as `[type, data]`. */
type Event = readonly [type: string, data: unknown, agentId?: string];

const START: Event = ['session.start', { sessionId: 's', selectedModel: 'm' }];

/** A home with one session of these events, a second apart. */
function homeOf(events: readonly Event[], stored: readonly UsageEvent[] = []): string {
  const home = join(folder, `home-${++homes}`, '.copilot');
  const path = join(home, 'session-state', 's', 'events.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  const lines = events.map(([type, data, agentId], index) => {
    const timestamp = new Date(1767607200000 + index * 1000).toISOString();
    return JSON.stringify({ type, data, id: `e${index}`, timestamp, ...(agentId && { agentId }) });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  if (stored.length > 0) writeStore(join(home, 'session-store.db'), stored);
  return home;
}

const prompt: Event = ['user.message', { content: 'Go', interactionId: 'i' }];

function answer(id: string, more: object = {}, agent?: string): Event {
  const data = { messageId: id, apiCallId: id, content: id, toolRequests: [], ...more };
  return agent === undefined ? ['assistant.message', data] : ['assistant.message', data, agent];
}

function shutdown(models: Readonly<Record<string, readonly number[]>>): Event {
  const modelMetrics = Object.fromEntries(
    Object.entries(models).map(([model, [count, inputTokens, outputTokens, cacheReadTokens]]) => {
      const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
      return [model, { requests: { count }, usage }];
    }),
  );
  return ['session.shutdown', { shutdownType: 'routine', modelMetrics }];
}

const SUMS = `SELECT model, sum(coalesce(input_uncached, 0) + coalesce(cache_read, 0)
    + coalesce(cache_write_5m, 0))::INT AS input, sum(output)::INT AS output,
    count(*) FILTER (stop_reason IS DISTINCT FROM 'usage:session_shutdown')::INT AS calls
  FROM read_llm_calls(path := $path) GROUP BY model ORDER BY model`;

describe('usage of the Copilot CLI', () => {
  it('sums shutdowns that begin anew, and counts once what a shutdown counts on', async () => {
    // 10,000 in the first leg, 5,000 more in the second, 4,000 counted anew in the third.
    expect(await rowsOf(MEANING, SUMS)).toEqual([
      { model: 'gpt-6-terra', input: 19000, output: 280, calls: 4 },
    ]);
  });

  it('sums two legs whose figures both begin at zero, though the second is larger', async () => {
    const home = homeOf([
      ...[START, prompt, answer('a', { outputTokens: 5 }), shutdown({ m: [1, 100, 5, 0] })],
      ...[prompt, answer('b', { outputTokens: 6 }), answer('c', { outputTokens: 7 })],
      shutdown({ m: [2, 300, 13, 0] }),
    ]);
    expect(await rowsOf(home, SUMS)).toEqual([{ model: 'm', input: 400, output: 18, calls: 3 }]);
  });

  it('has no rest of a bill whose every call is in the store', async () => {
    const figures = { turn_index: 0, model: 'm', input_tokens: 100, output_tokens: 5 };
    const home = homeOf(
      [START, prompt, answer('a', { outputTokens: 5 }), shutdown({ m: [1, 100, 5, 60] })],
      [{ session_id: 's', ...figures, cache_read_tokens: 60, cache_write_tokens: 0 }],
    );
    const sql = `SELECT response_id AS id, input_uncached AS uncached, cache_read AS read, output
      FROM read_llm_calls(path := $path)`;
    expect(await rowsOf(home, sql)).toEqual([{ id: 's:a', uncached: 40, read: 60, output: 5 }]);
  });

  it('leaves input unknown where nothing tells it', async () => {
    const home = homeOf([START, prompt, answer('a', { outputTokens: 5 }), answer('b')]);
    const sql = `SELECT input_uncached AS input, cache_read AS read, output
      FROM read_llm_calls(path := $path) ORDER BY response_id`;
    expect(await rowsOf(home, sql)).toEqual([
      { input: null, read: null, output: 5 },
      { input: null, read: null, output: null },
    ]);
  });

  it('takes calls of models that a shutdown does not name from those that it names', async () => {
    const home = homeOf([
      ...[START, prompt, answer('a', { outputTokens: 5, model: 'm-2026' })],
      shutdown({ m: [1, 100, 7, 0] }),
    ]);
    expect(await rowsOf(home, SUMS)).toEqual([
      { model: 'm', input: 100, output: 2, calls: 0 },
      { model: 'm-2026', input: 0, output: 5, calls: 1 },
    ]);
  });

  it('takes a compaction off only where the shutdown can hold it', async () => {
    const compaction: Event = [
      'session.compaction_complete',
      { success: true, compactionTokensUsed: { input: 80, output: 3 } },
    ];
    const told = [START, prompt, answer('a', { outputTokens: 5 }), compaction];
    const inputs = async (events: readonly Event[]) => {
      const [row] = await rowsOf(homeOf(events), SUMS);
      return [row?.['input'], row?.['output']];
    };
    expect(await inputs([...told, shutdown({ m: [2, 100, 8, 0] })])).toEqual([100, 8]);
    expect(await inputs([...told, shutdown({ m: [1, 50, 5, 0] })])).toEqual([130, 8]);
  });

  it('counts the calls of a sub-agent under its own name', async () => {
    const started: Event = ['subagent.started', { toolCallId: 'c', agentName: 'explore' }, 'kid'];
    const home = homeOf([START, prompt, started, answer('a', { outputTokens: 5 }, 'kid')]);
    const sql = `SELECT agent_id, is_sidechain AS side, output
      FROM read_llm_calls(path := $path)`;
    expect(await rowsOf(home, sql)).toEqual([{ agent_id: 'kid', side: true, output: 5 }]);
    const sessions = `SELECT agent_id, is_subagent AS sub, agent_type AS type, parent_call_uid AS
      call FROM read_sessions(path := $path) ORDER BY agent_id`;
    expect(await rowsOf(home, sessions)).toEqual([
      { agent_id: '', sub: false, type: null, call: null },
      { agent_id: 'kid', sub: true, type: 'explore', call: 's:c' },
    ]);
  });
});

describe('tools of the Copilot CLI', () => {
  it('tells refused, late and successful calls apart', async () => {
    const sql = `SELECT split_part(call_uid, ':', 2) AS call, outcome, denial_kind AS denial,
      exit_code AS exit FROM read_tool_calls(path := $path) ORDER BY call`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { call: 'c1', outcome: 'ok', denial: null, exit: null },
      { call: 'c2', outcome: 'ok', denial: null, exit: null },
      { call: 'c3', outcome: 'denied', denial: 'denied-interactively-by-user', exit: null },
      { call: 'c4', outcome: 'ok', denial: null, exit: 0 },
      { call: 'c5', outcome: 'timeout', denial: null, exit: null },
      { call: 'c6', outcome: null, denial: null, exit: null },
      { call: 'c9', outcome: 'ok', denial: null, exit: null },
    ]);
  });

  it('reads the exit code from the mark at the end of an output', async () => {
    const result = { content: 'no\n<exited with exit code 2>' };
    const home = homeOf([
      ...[START, prompt, answer('a', { toolRequests: [{ toolCallId: 'c', name: 'bash' }] })],
      ['tool.execution_complete', { toolCallId: 'c', success: true, result }],
    ]);
    const sql = 'SELECT exit_code AS it, outcome FROM read_tool_calls(path := $path)';
    expect(await rowsOf(home, sql)).toEqual([{ it: 2, outcome: 'ok' }]);
  });

  it('counts files as touched when the call succeeded, and folders never', async () => {
    const sql = `SELECT path, op, lines_added AS added, lines_removed AS removed
      FROM read_file_touches(path := $path)`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { path: '/home/mira/buoys/src/buoys.ts', op: 'edit', added: 2, removed: 1 },
    ]);
  });

  it('proves a commit by its output, and a push by the exit code of its command', async () => {
    const sql = `SELECT op, evidence, sha_short AS sha FROM read_git_events(path := $path)
      WHERE op <> 'session_start'`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { op: 'commit', evidence: 'output_regex', sha: '89abcde' },
      { op: 'push', evidence: 'command', sha: null },
    ]);
  });

  it('joins a launch with the sub-agent that it made', async () => {
    const sql = `SELECT child_agent_id AS child, requested_type AS type, completion_status AS end,
      reported_tokens AS tokens FROM read_subagent_spawns(path := $path) ORDER BY spawned_at`;
    expect(await rowsOf(BASIC, sql)).toEqual([
      {
        child: '9a1d2f60-aaaa-4bbb-8ccc-0123456789ab',
        type: 'explore',
        end: 'completed',
        tokens: 1450,
      },
      { child: null, type: null, end: 'failed', tokens: null },
    ]);
  });
});

describe('turns and messages of the Copilot CLI', () => {
  it('ends a turn by the last answer, by an abort and by an error', async () => {
    const call = { toolRequests: [{ toolCallId: 'c', name: 'view' }] };
    const next = (id: string): Event => ['user.message', { content: 'Go', interactionId: id }];
    const end: Event = ['assistant.turn_end', { turnId: '0' }];
    const home = homeOf([
      ...[START, next('done'), answer('a', call), end, answer('b'), end],
      ...[next('asking'), answer('c', call), end],
      ...[next('stopped'), ['abort', { reason: 'user_initiated' }] as const, end],
      ...[next('broken'), ['session.error', { message: 'no' }] as const],
    ]);
    const sql = `SELECT turn_key AS turn, status, abort_reason AS reason
      FROM read_turns(path := $path) ORDER BY started_at`;
    expect(await rowsOf(home, sql)).toEqual([
      { turn: 'done', status: 'complete', reason: null },
      { turn: 'asking', status: 'open', reason: null },
      { turn: 'stopped', status: 'aborted', reason: 'user_initiated' },
      { turn: 'broken', status: 'error', reason: null },
    ]);
  });

  it('tells people, commands and what is said while the agent works apart', async () => {
    const sql = `SELECT message_class AS class, prompt_origin AS origin, text
      FROM read_messages(path := $path) WHERE role = 'user' ORDER BY seq, class DESC`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { class: 'human_prompt', origin: 'typed', text: 'Sort the buoys by colour and commit' },
      {
        class: 'context_injection',
        origin: null,
        text: '<current_datetime>2026-10-03T09:00:02.000Z</current_datetime>',
      },
      { class: 'human_prompt', origin: 'slash_command', text: '/review' },
      { class: 'command_expansion', origin: null, text: 'Review the changes.' },
      { class: 'queued_prompt', origin: 'typed', text: 'Only the tests' },
      { class: 'human_prompt', origin: 'typed', text: 'And again?' },
    ]);
  });

  it('gives a hook that never ends without an outcome', async () => {
    const sql = 'SELECT hook_event AS hook, outcome FROM read_hook_events(path := $path)';
    expect(await rowsOf(MEANING, sql)).toEqual([{ hook: 'preToolUse', outcome: null }]);
  });

  it('gives a compaction with its tokens, and none that failed', async () => {
    const failed: Event = ['session.compaction_complete', { success: false, error: 'no' }];
    const sql =
      'SELECT pre_tokens AS before, duration_ms AS ms FROM read_compactions(path := $path)';
    expect(await rowsOf(BASIC, sql)).toEqual([{ before: 98000, ms: 850 }]);
    expect(await rowsOf(homeOf([START, failed]), sql)).toEqual([]);
  });
});

describe('chats of VS Code', () => {
  it('counts the usage of a request as one model call', async () => {
    const sql = `SELECT turn_key AS turn, model, input_uncached AS input, output
      FROM read_llm_calls(path := $path) WHERE session_uid LIKE '%0001' ORDER BY turn`;
    expect(await rowsOf(CHATS, sql)).toEqual([
      { turn: 'request_0001', model: 'gpt-6-terra-2026-05', input: 5120, output: 96 },
      { turn: 'request_0002', model: 'copilot/claude-sonnet-5', input: 7000, output: 210 },
    ]);
  });

  it('has the timings and the end of each request on its turn', async () => {
    const sql = `SELECT turn_key AS turn, status, duration_ms AS ms, ttft_ms AS first
      FROM read_turns(path := $path) WHERE session_uid LIKE '%0001' ORDER BY turn`;
    expect(await rowsOf(CHATS, sql)).toEqual([
      { turn: 'request_0001', status: 'complete', ms: 4210, first: 812 },
      { turn: 'request_0002', status: 'error', ms: null, first: null },
      { turn: 'request_0003', status: 'aborted', ms: null, first: null },
      { turn: 'request_0004', status: null, ms: null, first: null },
    ]);
  });

  it('knows no duration of a call, and gives the call of a journal once', async () => {
    const sql = `SELECT tool_name AS tool, outcome, duration_ms AS ms
      FROM read_tool_calls(path := $path) WHERE session_uid LIKE '%0002'`;
    expect(await rowsOf(CHATS, sql)).toEqual([
      { tool: 'copilot_readFile', outcome: 'ok', ms: null },
    ]);
  });
});
