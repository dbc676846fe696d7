/** What the chats of Gemini CLI mean, beyond their rows of `conversations`. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/asking.ts';
import { projectRoot } from '../support/project.ts';

const path = join(projectRoot, 'fixtures/gemini/meaning');
const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const LATER = 'aaaa1111-0000-4000-8000-000000000002';
const CHILD = 'aaaa1111-0000-4000-8000-0000000000c1';

const rowsOf = async (sql: string) => (await ask(sql, { path: `${path}/.gemini` })).rows;

describe('a model call of Gemini CLI', () => {
  it('has disjoint counts, with tokens of tools where the total has them apart', async () => {
    const sql = `SELECT split_part(response_id, ':', 2) AS id,
        input_uncached, cache_read, output, reasoning
      FROM read_llm_calls(path = $path) WHERE session_uid = '${SESSION}'`;
    expect(await rowsOf(sql)).toEqual([
      { id: 'g1', input_uncached: 67, cache_read: 40, output: 15, reasoning: 5 },
      { id: 'g2', input_uncached: 60, cache_read: 40, output: 15, reasoning: 5 },
      { id: 'g4', input_uncached: 200, cache_read: 0, output: 20, reasoning: 0 },
    ]);
  });

  it('counts, in its turn, also when its message was taken back or compacted away', async () => {
    const sql = `SELECT split_part(response_id, ':', 2) AS id,
        split_part(t.turn_key, ':', 2) AS turn, origin
      FROM read_llm_calls(path = $path) AS l
      JOIN read_turns(path = $path) AS t USING (session_uid, turn_key)
      WHERE session_uid = '${LATER}' ORDER BY id`;
    expect(await rowsOf(sql)).toEqual([
      { id: 'g5', turn: 'u2', origin: null },
      { id: 'g6', turn: 'u2', origin: null },
      { id: 'g7', turn: 'u3', origin: 'human' },
    ]);
  });

  it('is the one that its tool calls name', async () => {
    const sql = `SELECT count(*)::INTEGER AS calls, count(l.response_id)::INTEGER AS known
      FROM read_tool_calls(path = $path) AS t
      LEFT JOIN read_llm_calls(path = $path) AS l USING (response_id)`;
    expect(await rowsOf(sql)).toEqual([{ calls: 5, known: 5 }]);
  });
});

describe('a message of Gemini CLI', () => {
  it('gives its thoughts as reasoning, subject and description', async () => {
    const sql = `SELECT text, strftime(ts, '%H:%M:%S') AS at FROM read_messages(path = $path)
      WHERE message_class = 'reasoning'`;
    expect(await rowsOf(sql)).toEqual([{ text: 'Été\nLook it up.', at: '10:00:01' }]);
  });

  it('gives what is attached to it, held or linked', async () => {
    const sql = 'SELECT kind, mime, size_bytes, detail FROM read_attachments(path = $path)';
    expect(await rowsOf(sql)).toEqual([
      { kind: 'document', mime: 'application/pdf', size_bytes: 6, detail: null },
      { kind: 'image', mime: 'image/png', size_bytes: null, detail: '{"uri":"gs://tide/a.png"}' },
    ]);
  });

  it('is a summary, by no person, where it stands for what was compacted', async () => {
    const sql = `SELECT message_class, text FROM read_messages(path = $path)
      WHERE event_uid IN (SELECT event_uid FROM read_compactions(path = $path))`;
    const text = '<state_snapshot>Tides were plotted.</state_snapshot>';
    expect(await rowsOf(sql)).toEqual([{ message_class: 'compaction_summary', text }]);
  });
});

describe('a tool call of Gemini CLI', () => {
  it('tells a denial from an interruption and an error', async () => {
    const sql = `SELECT split_part(call_uid, ':', 2) AS id, outcome, mcp_server, mcp_tool
      FROM read_tool_calls(path = $path)`;
    expect(await rowsOf(sql)).toEqual([
      { id: 'm1', outcome: 'ok', mcp_server: 'store', mcp_tool: 'query' },
      { id: 'i1', outcome: 'ok', mcp_server: null, mcp_tool: null },
      { id: 'd1', outcome: 'error', mcp_server: null, mcp_tool: null },
      { id: 'c1', outcome: 'denied', mcp_server: null, mcp_tool: null },
      { id: 'c2', outcome: 'interrupted', mcp_server: null, mcp_tool: null },
    ]);
  });

  it('has its input as it was recorded and its output from the result in it', async () => {
    const sql = `SELECT input_text, output_text, result_json FROM read_tool_io(path = $path)
      WHERE tool_name = 'mcp_store_query'`;
    const io = { input_text: '{"z":1,"a":2}', output_text: '3 rows', result_json: '{"rows":3}' };
    expect(await rowsOf(sql)).toEqual([io]);
  });

  it('launches the sub-agent whose session it names', async () => {
    const sql = `SELECT requested_type, completion_status,
        s.session_uid AS child, s.parent_session_uid
      FROM read_subagent_spawns(path = $path) AS p
      LEFT JOIN read_sessions(path = $path) AS s ON s.session_uid = p.child_session_uid`;
    const [first, second] = await rowsOf(sql);
    const ended = { requested_type: 'codebase_investigator', completion_status: 'completed' };
    expect(first).toEqual({ ...ended, child: CHILD, parent_session_uid: SESSION });
    expect(second).toMatchObject({ requested_type: 'reviewer', child: null });
  });
});

describe('a session of Gemini CLI', () => {
  it('tells of errors and interrupts, which are no messages', async () => {
    const sql = `SELECT kind, value FROM read_session_events(path = $path)
      WHERE kind IN ('api_error', 'interrupt')`;
    expect(await rowsOf(sql)).toEqual([
      { kind: 'interrupt', value: 'Request cancelled.' },
      { kind: 'api_error', value: '[API Error: quota exceeded]' },
    ]);
    const told = `FROM read_messages(path = $path) WHERE text LIKE '%quota%'`;
    expect(await rowsOf(told)).toEqual([]);
  });

  it('has the title that was written last', async () => {
    const sql = `SELECT title FROM read_sessions(path = $path) WHERE session_uid = '${SESSION}'`;
    expect(await rowsOf(sql)).toEqual([{ title: 'Neap tides' }]);
  });
});
