/** What the transcripts of Qwen Code mean, beyond their rows of `conversations`. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/asking.ts';
import { projectRoot } from '../support/project.ts';

const home = (name: string) => join(projectRoot, 'fixtures/qwen', name, '.qwen');
const rowsOf = async (sql: string, name = 'meaning') => (await ask(sql, { path: home(name) })).rows;

describe('a model call of Qwen Code', () => {
  it('has disjoint counts, with reasoning in the output once', async () => {
    const sql = `SELECT model, input_uncached, cache_read, output, reasoning
      FROM read_llm_calls(path = $path) WHERE request_id IN ('r1', 'r2')`;
    expect(await rowsOf(sql)).toEqual([
      { model: 'coder-model', input_uncached: 40, cache_read: 60, output: 25, reasoning: 5 },
      { model: 'coder-model', input_uncached: 200, cache_read: 0, output: 30, reasoning: 10 },
    ]);
  });

  it('has the time that was measured, before or behind its answer, and its counts', async () => {
    const sql = `SELECT request_id, split_part(response_id, ':', 2) AS id, duration_ms, output
      FROM read_llm_calls(path = $path) WHERE request_id IS NOT NULL`;
    expect(await rowsOf(sql)).toEqual([
      { request_id: 'r1', id: 'q5', duration_ms: 900, output: 25 },
      { request_id: 'r2', id: 'q8', duration_ms: 500, output: 30 },
      { request_id: 'r3', id: 'q10', duration_ms: 300, output: 4 },
      { request_id: 'r4', id: 'q12', duration_ms: 800, output: 6 },
      { request_id: 'r5', id: 'q18', duration_ms: 100, output: 1 },
    ]);
  });

  it('that failed has its status, and no tokens', async () => {
    const sql = `SELECT api_error_status, error_kind, duration_ms, output, value
      FROM read_llm_calls(path = $path) AS l
      JOIN read_session_events(path = $path) AS e ON e.event_uid = l.response_id
      WHERE is_api_error AND kind = 'api_error'`;
    const facts = { api_error_status: 429, error_kind: 'RateLimitError', duration_ms: 120 };
    expect(await rowsOf(sql)).toEqual([{ ...facts, output: null, value: 'quota exceeded — été' }]);
  });
});

describe('a sub-agent of Qwen Code', () => {
  it('shares the session of its parent, and none of its calls', async () => {
    const sql = `SELECT agent_id, tool_name, duration_ms FROM read_tool_calls(path = $path)
      WHERE call_uid LIKE '%:t1' ORDER BY agent_id`;
    expect(await rowsOf(sql)).toEqual([
      { agent_id: '', tool_name: 'task', duration_ms: 77 },
      { agent_id: 'explore-1', tool_name: 'read_file', duration_ms: null },
    ]);
    const sessions = `SELECT agent_id, is_subagent, parent_session_uid = session_uid AS is_in_parent
      FROM read_sessions(path = $path) ORDER BY agent_id`;
    expect(await rowsOf(sessions)).toEqual([
      { agent_id: '', is_subagent: false, is_in_parent: null },
      { agent_id: 'explore-1', is_subagent: true, is_in_parent: true },
    ]);
  });

  it('is told of by the call that launched it, with what it used', async () => {
    const sql = `SELECT requested_type, description, completion_status, reported_tokens,
      reported_tool_uses, reported_duration_ms FROM read_subagent_spawns(path = $path)`;
    const reported = { reported_tokens: 1234, reported_tool_uses: 3, reported_duration_ms: 4000 };
    const asked = { requested_type: 'explore', description: 'Find zones' };
    expect(await rowsOf(sql)).toEqual([{ ...asked, completion_status: 'completed', ...reported }]);
  });
});

describe('a session of Qwen Code', () => {
  it('has the compression that succeeded, with its tokens and summary', async () => {
    const sql = `SELECT pre_tokens, post_tokens, text FROM read_compactions(path = $path)
      LEFT JOIN read_messages(path = $path) USING (event_uid)`;
    const text = 'Tides were plotted.';
    expect(await rowsOf(sql)).toEqual([{ pre_tokens: 500, post_tokens: 60, text }]);
  });

  it('has commands as events, what they print as such, and the title of a person', async () => {
    const sql = `SELECT e.value, m.text, s.custom_title, s.title
      FROM read_session_events(path = $path) AS e, read_messages(path = $path) AS m,
           read_sessions(path = $path) AS s
      WHERE e.kind = 'slash_command' AND s.agent_id = ''
        AND m.message_class = 'local_command_output'`;
    const facts = { value: '/stats', text: 'one session', custom_title: 'Spring', title: null };
    expect(await rowsOf(sql)).toEqual([facts]);
  });

  it('has a denial for what was not allowed', async () => {
    const sql = `SELECT tool_name, outcome FROM read_tool_calls(path = $path)
      WHERE call_uid || ':denial' IN (SELECT event_uid FROM read_session_events(path = $path))`;
    expect(await rowsOf(sql)).toEqual([{ tool_name: 'run_shell_command', outcome: 'denied' }]);
  });

  it('counts what was copied from another session, and does not read it again', async () => {
    const sql = `SELECT s.inherited_skipped, c.kind, c.parent_uid = s.forked_from_uid AS is_parent,
        (SELECT count(*)::INTEGER FROM read_messages(path = $path) AS m
          WHERE m.session_uid = s.session_uid AND message_class = 'human_prompt') AS prompts
      FROM read_sessions(path = $path) AS s
      JOIN read_session_continuations(path = $path) AS c ON c.child_uid = s.session_uid`;
    const facts = { inherited_skipped: 1, kind: 'fork', is_parent: true, prompts: 0 };
    expect(await rowsOf(sql, 'basic')).toEqual([facts]);
  });

  it('goes on in its turn with what a person says meanwhile', async () => {
    const sql = `SELECT message_class, text,
        count(*) OVER (PARTITION BY turn_key)::INTEGER AS of_turn
      FROM read_messages(path = $path) WHERE trigger_class = 'user' ORDER BY seq`;
    expect(await rowsOf(sql, 'basic')).toMatchObject([
      { message_class: 'human_prompt', of_turn: 2 },
      { message_class: 'queued_prompt', text: 'and the notes', of_turn: 2 },
    ]);
  });
});
