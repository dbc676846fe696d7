/** What the sessions of Grok Build mean, beyond their rows of `conversations`. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/asking.ts';
import { projectRoot } from '../support/project.ts';

const home = (name: string) => join(projectRoot, 'fixtures/grok', name, '.grok');
const rowsOf = async (sql: string, name = 'meaning') => (await ask(sql, { path: home(name) })).rows;

describe('a turn of Grok', () => {
  it('is one model call with disjoint counts, and a cost where all of it is known', async () => {
    const sql = `SELECT split_part(response_id, ':', 2) AS id, model, input_uncached, cache_read,
        cache_write_5m, output, reasoning, duration_ms, cost_usd
      FROM read_llm_calls(path = $path)`;
    const whole = { input_uncached: 300, cache_read: 600, cache_write_5m: 100, output: 90 };
    const more = { reasoning: 30, duration_ms: 2500, cost_usd: 0.0035 };
    const unknown = { cache_read: null, cache_write_5m: null, reasoning: null, duration_ms: null };
    const part = { model: 'grok-5-mini', input_uncached: 10, output: 1, cost_usd: null };
    expect(await rowsOf(sql)).toEqual([
      { id: 'p0', model: 'grok-5', ...whole, ...more },
      { id: 'p1', ...part, ...unknown },
    ]);
  });

  it('that is completed twice is one call, with the larger counts', async () => {
    const sql = 'SELECT output, cost_usd FROM read_llm_calls(path = $path)';
    expect(await rowsOf(sql, 'basic')).toEqual([{ output: 75, cost_usd: 0.0022 }]);
  });

  it('leads to its update, not to the chat', async () => {
    const sql = `SELECT DISTINCT parse_filename(file_path) AS file
      FROM read_llm_calls(path = $path)`;
    expect(await rowsOf(sql)).toEqual([{ file: 'updates.jsonl' }]);
  });
});

describe('calls of Grok that share an identifier', () => {
  it('stay apart, and get their results in order', async () => {
    const sql = `SELECT split_part(call_uid, ':', 2) AS id, input_text, output_text
      FROM read_tool_io(path = $path) ORDER BY seq, io_uid`;
    expect(await rowsOf(sql)).toEqual([
      { id: 'same', input_text: '{"target_file":"neap.csv"}', output_text: 'neap' },
      { id: 'same#2', input_text: '{"target_file":"spring.csv"}', output_text: 'spring' },
      { id: 'same#3', input_text: '{"path":"both.svg"}', output_text: 'written' },
      { id: 'nobody', input_text: null, output_text: 'lost' },
    ]);
  });

  it('have an issue where a result is of none', async () => {
    const sql = 'SELECT kind, detail FROM read_parse_issues(path = $path)';
    expect(await rowsOf(sql)).toEqual([{ kind: 'orphan_output', detail: 'nobody' }]);
  });
});

describe('a session of Grok', () => {
  it('launches the sub-agents that updates and notes tell of', async () => {
    const sql = `SELECT requested_type, description, completion_status,
        reported_tokens, reported_tool_uses,
        completed_at > spawned_at AS has_ended, s.parent_session_uid = p.session_uid AS is_parent
      FROM read_subagent_spawns(path = $path) AS p
      JOIN read_sessions(path = $path) AS s ON s.session_uid = p.child_session_uid`;
    const asked = { requested_type: 'explore', description: 'Find zones' };
    const ended = { completion_status: 'completed', reported_tokens: 456, reported_tool_uses: 2 };
    expect(await rowsOf(sql)).toEqual([{ ...asked, ...ended, has_ended: true, is_parent: true }]);
  });

  it('tells of sub-agents without any updates, too', async () => {
    const sql = `SELECT p.child_session_uid FROM read_subagent_spawns(path = $path) AS p
      WHERE spawned_at IS NULL`;
    expect((await rowsOf(sql, 'variants')).length).toBeGreaterThan(0);
  });

  it('has compactions with their tokens', async () => {
    const sql = 'SELECT pre_tokens, post_tokens FROM read_compactions(path = $path)';
    expect(await rowsOf(sql)).toEqual([{ pre_tokens: 5000, post_tokens: 700 }]);
  });

  it('skips what it took over from its parent, and says how much', async () => {
    const sql = `SELECT inherited_skipped, kind, evidence, strftime(ts, '%H:%M') AS at,
        (SELECT string_agg(text, '|') FROM read_messages(path = $path) AS m
          WHERE m.session_uid = s.session_uid) AS said
      FROM read_sessions(path = $path) AS s
      JOIN read_session_continuations(path = $path) AS c ON c.child_uid = s.session_uid`;
    const fork = { kind: 'fork', evidence: 'inherited_records', at: '11:00' };
    expect(await rowsOf(sql, 'basic')).toEqual([
      { inherited_skipped: 2, ...fork, said: 'Now in feet.' },
    ]);
  });

  it('has times from its summary, and no version for that of the format', async () => {
    const sql = `SELECT title, git_branch, cli_version_first,
        strftime(first_event_at, '%H:%M:%S') AS first
      FROM read_sessions(path = $path) WHERE title = 'Both tides'`;
    const facts = { title: 'Both tides', git_branch: 'main', cli_version_first: null };
    expect(await rowsOf(sql)).toEqual([{ ...facts, first: '10:13:20' }]);
  });
});
