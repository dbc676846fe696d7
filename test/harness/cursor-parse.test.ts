/** What the chats of Cursor mean: the relations of its database and of its transcripts. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../src/index.ts';
import { type StateRows, TIDE, writeGlobal } from '../fixtures/cursor-state.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

const MEANING = join(projectRoot, 'fixtures', 'cursor', 'meaning', '.cursor');

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

/** A database with these chats; gives its path. */
function database(chats: StateRows): string {
  const home = join(folder, `home-${++homes}`);
  mkdirSync(home);
  return writeGlobal(home, { chats });
}

/** A chat `c` with a prompt and these bubbles of the assistant. */
function chatOf(...bubbles: readonly object[]): StateRows {
  const all = [
    { type: 1, text: 'Go', requestId: 'r' },
    ...bubbles.map(one => ({ type: 2, ...one })),
  ];
  const headers = all.map(({ type }, index) => ({ bubbleId: `b${index}`, type }));
  const keyed = all.map((bubble, index) => [`bubbleId:c:b${index}`, bubble]);
  return {
    'composerData:c': { composerId: 'c', fullConversationHeadersOnly: headers },
    ...Object.fromEntries(keyed),
  };
}

function tool(name: string, args: object, more: object = {}): object {
  const rawArgs = JSON.stringify(args);
  return { toolFormerData: { name, toolCallId: name, status: 'completed', rawArgs, ...more } };
}

describe('a chat of the database', () => {
  it('is a session with a title, a turn and messages by their class', async () => {
    const path = database(TIDE);
    const sessions =
      'SELECT session_uid AS id, is_subagent AS sub, title FROM read_sessions(path := $path)';
    expect(await rowsOf(path, sessions)).toEqual([
      { id: 'tide', sub: false, title: 'Tide table for Brest' },
    ]);
    const turns = 'SELECT turn_key AS turn, origin FROM read_turns(path := $path)';
    expect(await rowsOf(path, turns)).toEqual([{ turn: 'r1', origin: 'human' }]);
    const messages = `SELECT message_class AS class, turn_key AS turn
      FROM read_messages(path := $path) ORDER BY seq`;
    expect(await rowsOf(path, messages)).toEqual([
      { class: 'human_prompt', turn: 'r1' },
      { class: 'reasoning', turn: 'r1' },
      { class: 'assistant_text', turn: 'r1' },
    ]);
  });

  it('has a model call where tokens were counted, and none for two zeros', async () => {
    const sql = `SELECT response_id AS id, model, input_uncached AS input, output
      FROM read_llm_calls(path := $path)`;
    expect(await rowsOf(database(TIDE), sql)).toEqual([
      { id: 'tide:u1', model: 'gpt-5.2-high', input: 1200, output: 34 },
    ]);
  });

  it('joins a call with its result, which lie in one bubble', async () => {
    const sql = `SELECT c.tool_name AS tool, c.outcome, c.duration_ms AS ms, i.input_text AS input,
        i.output_text AS output
      FROM read_tool_calls(path := $path) c JOIN read_tool_io(path := $path) i USING (call_uid)`;
    expect(await rowsOf(database(TIDE), sql)).toEqual([
      {
        tool: 'read_file',
        outcome: 'ok',
        ms: null,
        input: '{"target_file":"harbours.csv"}',
        output: '{"contents":"Brest;04:12"}',
      },
    ]);
  });

  it('tells refused, failed and unfinished calls apart, also without a result', async () => {
    const path = database(
      chatOf(
        tool('edit_file', { target_file: 'a' }, { userDecision: 'rejected' }),
        tool('search_replace', { file_path: 'b' }, { status: 'error' }),
        tool('write', { file_path: 'c', contents: 'one\n' }),
        tool('read_file', { target_file: 'd' }, { status: 'loading' }),
      ),
    );
    const calls = 'SELECT tool_name AS tool, outcome FROM read_tool_calls(path := $path)';
    expect(await rowsOf(path, calls)).toEqual([
      { tool: 'edit_file', outcome: 'denied' },
      { tool: 'search_replace', outcome: 'error' },
      { tool: 'write', outcome: 'ok' },
      { tool: 'read_file', outcome: null },
    ]);
    const events = 'SELECT kind, value FROM read_session_events(path := $path)';
    expect(await rowsOf(path, events)).toEqual([{ kind: 'denial', value: 'edit_file' }]);
    const touches = 'SELECT path, op, lines_added AS added FROM read_file_touches(path := $path)';
    expect(await rowsOf(path, touches)).toEqual([
      { path: 'c', op: 'create', added: 1 },
      { path: 'd', op: 'read', added: null },
    ]);
  });

  it('finds exit code, output and commits in the result of a command', async () => {
    const result = JSON.stringify({ output: '[main 1234abc] Sort\n', exitCodeV2: 0 });
    const path = database(
      chatOf(tool('run_terminal_cmd', { command: 'git commit -m Sort' }, { result })),
    );
    const sql = `SELECT exit_code AS exit, meta FROM read_tool_calls(path := $path)`;
    expect(await rowsOf(path, sql)).toEqual([{ exit: 0, meta: '{"cmd_verb":"git"}' }]);
    const io = 'SELECT output_text AS it FROM read_tool_io(path := $path)';
    expect(await rowsOf(path, io)).toEqual([{ it: '[main 1234abc] Sort\n' }]);
    const git = 'SELECT op, sha_short AS sha FROM read_git_events(path := $path)';
    expect(await rowsOf(path, git)).toEqual([{ op: 'commit', sha: '1234abc' }]);
  });

  it('keeps how long a thought took, and what failed', async () => {
    const path = database(
      chatOf(
        { thinking: { text: 'Hm.' }, thinkingDurationMs: 1500 },
        { errorDetails: { message: 'no network' } },
      ),
    );
    const sql = 'SELECT kind, value, detail FROM read_session_events(path := $path)';
    expect(await rowsOf(path, sql)).toEqual([
      { kind: 'thinking', value: null, detail: '{"duration_ms":1500}' },
      { kind: 'api_error', value: 'no network', detail: null },
    ]);
  });

  it('opens no turn of one chat in the next', async () => {
    const path = database({
      ...chatOf({ text: 'Done.' }),
      'composerData:d': { fullConversationHeadersOnly: [{ bubbleId: 'x', type: 2 }] },
      'bubbleId:d:x': { type: 2, text: 'Nobody asked.' },
    });
    const sql = `SELECT session_uid AS id, turn_key AS turn FROM read_messages(path := $path)
      WHERE role = 'assistant' ORDER BY id`;
    expect(await rowsOf(path, sql)).toEqual([
      { id: 'c', turn: 'r' },
      { id: 'd', turn: null },
    ]);
  });
});

describe('a transcript', () => {
  it('gives results to the oldest call of their tool', async () => {
    const sql = `SELECT input_text AS input, output_text AS output FROM read_tool_io(path := $path)
      WHERE session_uid LIKE 'c2%' ORDER BY seq`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { input: '{"path":"red.csv"}', output: 'seven' },
      { input: '{"path":"green.csv"}', output: 'eight' },
    ]);
  });

  it('is no broken JSON when it is text', async () => {
    expect(await rowsOf(MEANING, 'SELECT kind FROM read_parse_issues(path := $path)')).toEqual([]);
  });

  it('tells the words of a person from what Cursor put around them', async () => {
    const sql = `SELECT message_class AS class, text FROM read_messages(path := $path)
      WHERE session_uid LIKE 'c1%' AND line_number = 1 ORDER BY event_uid`;
    expect(await rowsOf(MEANING, sql)).toEqual([
      { class: 'human_prompt', text: 'Sort the buoys' },
      {
        class: 'context_injection',
        text: '<external_links>\nhttps://example.org/buoys\n</external_links>\n',
      },
    ]);
  });

  it('keeps arguments in their order and with all digits, and names the MCP server', async () => {
    const sql = `SELECT c.mcp_server AS server, c.mcp_tool AS tool, i.input_text AS input
      FROM read_tool_calls(path := $path) c JOIN read_tool_io(path := $path) i USING (call_uid)
      WHERE c.tool_family = 'mcp'`;
    const input = '{"zone":12345678901234567890,"after":1}';
    expect(await rowsOf(MEANING, sql)).toEqual([{ server: 'lighthouse', tool: 'find', input }]);
  });

  it('ends a turn as its last line says', async () => {
    const sql = `SELECT status FROM read_turns(path := $path) WHERE session_uid LIKE 'c1%'`;
    expect(await rowsOf(MEANING, sql)).toEqual([{ status: 'error' }]);
  });
});
