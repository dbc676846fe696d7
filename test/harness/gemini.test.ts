/** Gemini CLI: where it lies, what its chats and the files beside them give. */

import { createHash } from 'node:crypto';
import { basename, join, posix, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { gemini } from '../../src/harness/gemini/index.ts';
import { harnesses } from '../../src/harness/index.ts';
import type { ObjectRow } from '../../src/index.ts';
import type { Environment } from '../../src/places.ts';
import { ask, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const homes = (machine: Partial<Environment>) =>
  gemini.description.homes({
    ...{ platform: 'linux', home: '/home/mira', path: posix, variables: {} },
    ...machine,
  });

describe('the default home', () => {
  it('is .gemini in the home folder, on every system', () => {
    expect(homes({})).toEqual(['/home/mira/.gemini']);
    const windows = { platform: 'win32', home: 'C:\\Users\\mira', path: win32 } as const;
    expect(homes(windows)).toEqual(['C:\\Users\\mira\\.gemini']);
  });

  it('is .gemini below GEMINI_CLI_HOME, which stands for the home folder', () => {
    expect(homes({ variables: { GEMINI_CLI_HOME: '/elsewhere' } })).toEqual(['/elsewhere/.gemini']);
    expect(homes({ variables: { GEMINI_CLI_HOME: '' } })).toEqual(['/home/mira/.gemini']);
  });

  it('is none where there is no home folder', () => {
    expect(homes({ home: '' })).toEqual([]);
  });
});

const HEADER = { sessionId: 's1', projectHash: 'h', startTime: '2026-05-04T09:00:00.000Z' };
const CHATS = '.gemini/tmp/tide/chats';
const chat = (...messages: unknown[]) => JSON.stringify({ ...HEADER, messages });
const journal = (...lines: unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('');
const user = (id: string, more = {}) => ({ id, type: 'user', content: id, ...more });

/** The harness that recognises a path, and the part that it is. */
function placeOf(path: string): string | null {
  const full = join(folder, path);
  const entry = entryAt(full, basename(full));
  if (!entry) throw new Error(`${full} is not there`);
  for (const { recognise, description } of harnesses) {
    const root = recognise(entry);
    if (root) return `${description.name} ${root.part}`;
  }
  return null;
}

describe('a place', () => {
  it('is recognised at every level', () => {
    writeFile(folder, `${CHATS}/session-2026-05-04T09-00-s1.jsonl`, journal(HEADER));
    writeFile(folder, `${CHATS}/s1/a1.jsonl`, journal({ ...HEADER, sessionId: 'a1' }));
    expect(placeOf('.gemini')).toBe('gemini home');
    expect(placeOf('.gemini/tmp')).toBe('gemini tmp');
    expect(placeOf('.gemini/tmp/tide')).toBe('gemini project');
    expect(placeOf(CHATS)).toBe('gemini chats');
    expect(placeOf(`${CHATS}/s1`)).toBe('gemini agents');
    expect(placeOf(`${CHATS}/s1/a1.jsonl`)).toBe('gemini file');
    expect(placeOf(`${CHATS}/session-2026-05-04T09-00-s1.jsonl`)).toBe('gemini file');
  });

  it('is a home by installation_id, chats or prompts, not by tmp/ alone', () => {
    writeFile(folder, 'a/tmp/x');
    writeFile(folder, 'a/installation_id');
    writeFile(folder, 'b/tmp/p/logs.json', '[]');
    writeFile(folder, 'c/tmp/p/chats/notes.txt');
    expect(['a', 'b', 'c'].map(placeOf)).toEqual(['gemini home', 'gemini home', null]);
  });

  it('is a file by what is in it, wherever it lies', () => {
    writeFile(folder, 'old.json', JSON.stringify({ messages: [user('a')], ...HEADER }, null, 2));
    writeFile(folder, 'new.jsonl', journal(HEADER, user('a')));
    writeFile(folder, 'other.json', '{"sessionId":"s"}');
    writeFile(folder, 'other.jsonl', '{"sessionId":"s","type":"x"}\n');
    const names = ['old.json', 'new.jsonl', 'other.json', 'other.jsonl'];
    expect(names.map(placeOf)).toEqual(['gemini file', 'gemini file', null, null]);
  });

  it('is left to Qwen Code in its home, and kept where a folder projects/ lies elsewhere', () => {
    writeFile(folder, '.qwen/tmp/p/chats/session-x.json', chat());
    writeFile(folder, '.qwen/installation_id');
    writeFile(folder, 'projects/notes.txt');
    writeFile(folder, '.gemini/tmp/p/chats/session-x.json', chat());
    expect(placeOf('.qwen')).toBe('qwen home');
    expect(placeOf('.qwen/tmp/p')).toBe('qwen old-project');
    expect(placeOf('.qwen/tmp/p/chats/session-x.json')).toBe('qwen old-file');
    expect(placeOf('.gemini')).toBe('gemini home');
    expect(placeOf('.gemini/tmp/p/chats')).toBe('gemini chats');
  });

  it('gives the same rows through every part of it', async () => {
    writeFile(folder, `${CHATS}/session-2026-05-04T09-00-s1.jsonl`, journal(HEADER, user('a')));
    const paths = ['.gemini', '.gemini/tmp', '.gemini/tmp/tide', CHATS].map(p => join(folder, p));
    paths.push(join(folder, CHATS, 'session-2026-05-04T09-00-s1.jsonl'));
    const found = await Promise.all(paths.map(path => rowsAt(path)));
    for (const rows of found) expect(rows).toEqual(found[0]);
    expect(found[0]).toMatchObject([{ uuid: 'a', project_dir: 'tide' }]);
  });
});

async function rowsAt(path: string, more = '', from = 'read_conversations') {
  return (await ask(`FROM ${from}(path = $path${more})`, { path })).rows;
}

async function rowsOf(...messages: unknown[]): Promise<readonly ObjectRow[]> {
  writeFile(folder, `${CHATS}/session-x.json`, chat(...messages));
  return await rowsAt(join(folder, '.gemini'));
}

describe('a message', () => {
  const call = (id: string, more = {}) => ({
    ...{ id, name: `tool_${id}`, args: { b: 1, a: [true] }, status: 'success', result: [] },
    ...more,
  });
  const answer = {
    ...{ id: 'm1', type: 'gemini', content: 'Yes.', model: 'gemini-3', timestamp: 't1' },
    tokens: { input: 100, output: 5, cached: 80, thoughts: 7, tool: 2, total: 114 },
  };

  it('of the model is an assistant row without a tool, then a row for each call', async () => {
    const toolCalls = [
      call('c1', { timestamp: 't2' }),
      call('c2', { status: 'error' }),
      call('c3', { status: 'cancelled' }),
    ];
    const rows = await rowsOf({ ...answer, toolCalls });
    const ofCall = { message_type: 'tool_call', message_role: 'tool', parent_uuid: 'm1' };
    expect(rows).toMatchObject([
      { message_type: 'assistant', author: 'agent', message_content: 'Yes.', tool_name: null },
      { ...ofCall, uuid: 'c1', tool_use_id: 'c1', timestamp: 't2', status: 'completed' },
      { ...ofCall, uuid: 'c2', message_content: 'error', timestamp: 't1', status: 'failed' },
      { ...ofCall, uuid: 'c3', message_content: 'cancelled', status: 'cancelled' },
    ]);
    expect(rows[1]).toMatchObject({
      ...{ tool_name: 'tool_c1', tool_input: '{"a":[true],"b":1}', author: 'agent', model: null },
      ...{ message_content: 'success', input_tokens: null, line_number: 1 },
    });
  });

  it('by line is one row, which names its first call', async () => {
    await rowsOf({ ...answer, toolCalls: [call('c1'), call('c2')] });
    const rows = await rowsAt(join(folder, '.gemini'), `, rows = 'line'`);
    expect(rows).toMatchObject([
      { message_type: 'assistant', tool_use_id: 'c1', tool_input: '{"a":[true],"b":1}' },
      { message_type: 'session', line_number: 0, session_id: 's1', author: 'system' },
    ]);
  });

  it('carries its usage as it is recorded, and is one model call', async () => {
    const [row] = await rowsOf(answer);
    expect(row).toMatchObject({
      ...{ input_tokens: 100, output_tokens: 5, cache_read_tokens: 80, reasoning_tokens: 7 },
      ...{ response_id: 'm1', usage_scope: 'response', usage_source_line: 1 },
    });
  });

  it('without a time has that of the chat, and what is missing is NULL', async () => {
    const [row] = await rowsOf({ id: 'm', type: 'gemini', content: '' });
    expect(row).toMatchObject({
      ...{ timestamp: HEADER.startTime, message_content: null, input_tokens: null, model: null },
      ...{ response_id: null, usage_scope: null },
    });
  });

  it('of parts is text, with the kind of everything else, without thoughts', async () => {
    const content = [
      { text: 'See' },
      { inlineData: { mimeType: 'image/png', data: 'x' } },
      { thought: true, text: 'hidden' },
      { functionResponse: { name: 'ls', response: {} } },
      'plain',
      { executableCode: {} },
    ];
    const wanted = 'See\n[inlineData: image/png]\n[functionResponse: ls]\nplain\n[executableCode]';
    expect(await rowsOf(user('a', { content }))).toMatchObject([{ message_content: wanted }]);
    expect(await rowsOf(user('a', { content: [] }))).toMatchObject([{ message_content: null }]);
  });

  it('is called by its type, known or not', async () => {
    const types = ['user', 'gemini', 'info', 'error', 'warning', 'of_tomorrow'];
    const rows = await rowsOf(...types.map(type => ({ id: type, type, content: 'x' })));
    expect(rows.map(row => [row['message_type'], row['event_type'], row['author']])).toEqual([
      ['user', 'user', 'user'],
      ['assistant', 'gemini', 'agent'],
      ['info', 'info', 'system'],
      ['error', 'error', 'system'],
      ['warning', 'warning', 'system'],
      ['of_tomorrow', 'of_tomorrow', 'system'],
    ]);
  });
});

describe('the session of a chat', () => {
  it('is a sub-agent by its place, with its parent, and its prompts are the caller’s', async () => {
    const path = writeFile(folder, `${CHATS}/s1/a1.jsonl`, journal(user('a')));
    expect(await rowsAt(path, `, source = 'gemini'`)).toMatchObject([
      {
        ...{ session_id: 'a1', is_agent: true, parent_session_id: 's1', author: 'caller' },
        ...{ agent_path: 's1/a1.jsonl', project_dir: 'tide' },
      },
    ]);
  });

  it('is a sub-agent by its header', async () => {
    const text = JSON.stringify({ messages: [user('a')], ...HEADER, kind: 'subagent' });
    writeFile(folder, `${CHATS}/session-x.json`, text);
    const rows = await rowsAt(join(folder, '.gemini'));
    expect(rows).toMatchObject([{ is_agent: true, session_id: 's1', parent_session_id: null }]);
  });

  it('is called by its project where the header is missing', async () => {
    writeFile(folder, `${CHATS}/session-x.json`, JSON.stringify({ messages: [user('a')] }));
    expect(await rowsAt(join(folder, '.gemini'))).toMatchObject([{ session_id: 'tide' }]);
  });

  it('is in the events of its files too', async () => {
    await rowsOf(user('a'));
    writeFile(folder, `${CHATS}/session-y.jsonl`, journal({ ...HEADER, sessionId: 's2' }));
    const events = await rowsAt(join(folder, '.gemini'), '', 'read_events');
    expect(events.map(event => event['session_id'])).toEqual(['s1', 's1', 's2']);
  });
});

describe('the path of a project', () => {
  const path = '/home/mira/Été';
  const hash = createHash('sha256').update(path).digest('hex');
  const pathOf = async (dir: string) => {
    writeFile(folder, `.gemini/tmp/${dir}/chats/session-x.jsonl`, journal(user('a')));
    const [row] = await rowsAt(join(folder, '.gemini/tmp', dir));
    return row?.['project_path'];
  };

  it('is found in projects.json by its short name and by its hash', async () => {
    writeFile(folder, '.gemini/projects.json', JSON.stringify({ projects: { [path]: 'ete' } }));
    expect(await pathOf('ete')).toBe(path);
    expect(await pathOf(hash)).toBe(path);
    expect(await pathOf('other')).toBe('');
  });

  it('is found in .project_root', async () => {
    writeFile(folder, '.gemini/projects.json', '{"projects": [5');
    writeFile(folder, '.gemini/tmp/tide/.project_root', '/home/mira/tide\n');
    expect(await pathOf('tide')).toBe('/home/mira/tide');
  });
});

describe('a document cut short', () => {
  const whole = chat(user('a', { content: 'é"]' }), user('b'));
  const bytes = Buffer.from(whole);
  const ends = [bytes.indexOf(',{"id":"b"'), bytes.length - 2];

  it('at any byte gives its complete messages and says where it ends', async () => {
    const path = join(folder, '.gemini');
    for (let end = 1; end < bytes.length; end++) {
      writeFile(folder, `${CHATS}/session-x.json`, bytes.subarray(0, end));
      const messages = ends.filter(complete => complete <= end).length;
      const rows = await rowsAt(path);
      const error = `the document is cut short at byte ${end}`;
      expect(rows.map(row => row['uuid'])).toEqual([...['a', 'b'].slice(0, messages), null]);
      expect(rows.at(-1)).toMatchObject({
        ...{ message_type: '_parse_error', parse_error: error, line_number: 0, byte_offset: 0 },
        ...{ message_content: `Parse error: ${error}`, author: 'system' },
      });
    }
  });

  it('is an invalid event, the rest of a whole document a valid one', async () => {
    writeFile(folder, `${CHATS}/session-x.json`, bytes.subarray(0, -1));
    writeFile(folder, `${CHATS}/session-y.json`, whole);
    const events = await rowsAt(join(folder, '.gemini'), '', 'read_events');
    const rests = events.filter(event => event['line_number'] === 0);
    const raw =
      '{"sessionId":"s1","projectHash":"h","startTime":"2026-05-04T09:00:00.000Z","messages":[,]';
    const common = { byte_offset: 0, offset_space: 'element', event_type: 'session' };
    expect(rests).toMatchObject([
      {
        ...{ ...common, is_valid_json: false, raw, byte_length: bytes.length - 1 },
        parse_error: `the document is cut short at byte ${bytes.length - 1}`,
      },
      { ...common, is_valid_json: true, parse_error: null, raw: `${raw}}` },
    ]);
    expect(events).toHaveLength(6);
  });

  it('keeps the session of its header', async () => {
    writeFile(folder, `${CHATS}/session-x.json`, bytes.subarray(0, -5));
    const sessions = (await rowsAt(join(folder, '.gemini'))).map(row => row['session_id']);
    expect(sessions).toEqual(['s1', 's1']);
  });
});

describe('a document that is no chat', () => {
  it.each([
    ['[]', 'the record is a JSON array, not an object'],
    ['{"sessionId":"s"}', 'the document has no messages'],
    ['{"messages":{}}', 'the document has no messages'],
    [`${chat(user('a')).slice(0, -1)},"messages":[1]}`, 'the document has messages twice'],
    [`${chat(user('a'))}}`, 'Unexpected non-whitespace'],
  ])('gives a row with a diagnosis: %s', async (text, diagnosis) => {
    writeFile(folder, `${CHATS}/session-x.json`, text);
    const row = (await rowsAt(join(folder, '.gemini'))).at(-1);
    expect(row).toMatchObject({ message_type: '_parse_error', line_number: 0 });
    expect(row?.['parse_error']).toContain(diagnosis);
  });

  it('gives no row when it is a chat without a message', async () => {
    expect(await rowsOf()).toEqual([]);
  });
});

describe('the files beside the chats', () => {
  it('give the prompts, with their time in milliseconds', async () => {
    const entry = {
      sessionId: 's1',
      type: 'user',
      message: 'é',
      timestamp: '2026-05-04T09:00:00.5Z',
    };
    const local = { ...entry, timestamp: '2026-05-04T09:00:00' };
    writeFile(folder, '.gemini/tmp/tide/logs.json', JSON.stringify([entry, local, 7]));
    const rows = await rowsAt(join(folder, '.gemini'), '', 'read_history');
    expect(rows).toMatchObject([
      { line_number: 1, display: 'é', session_id: 's1', timestamp_ms: 1777885200500 },
      { line_number: 2, timestamp_ms: null },
      { line_number: 3, display: 'Parse error: the entry is a JSON number, not an object' },
    ]);
  });

  it('give plans of the project and of sessions', async () => {
    writeFile(folder, '.gemini/tmp/tide/plans/zones.md', '# Zones\n');
    writeFile(folder, '.gemini/tmp/tide/s1/plans/brest.md', '# Brest\n');
    writeFile(folder, '.gemini/installation_id');
    const rows = await rowsAt(join(folder, '.gemini'), '', 'read_plans');
    expect(rows).toMatchObject([
      { plan_name: 'zones', session_id: null, content: '# Zones\n' },
      { plan_name: 'brest', session_id: 's1' },
    ]);
  });

  it('are read alone when the caller says whose they are', async () => {
    const path = writeFile(folder, 'p/logs.json', '[{"message":"x"}]');
    expect(await rowsAt(path, `, source = 'gemini'`, 'read_history')).toHaveLength(1);
    expect(await refusal('FROM read_events(path = $path)', { path })).toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});
