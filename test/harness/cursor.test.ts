/** Cursor's agent: its transcripts, and where all of Cursor's files are found. */

import { readdirSync } from 'node:fs';
import { basename, join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { cursor } from '../../src/harness/cursor/index.ts';
import type { SourceKind } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import { TIDE, USER, writeGlobal, writeState, writeWorkspace } from '../fixtures/cursor-state.ts';
import { ask, machine, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;
let homes = 0;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

const newHome = () => join(folder, `home-${++homes}`);

const TRANSCRIPTS = '.cursor/projects/home-mira-tide/agent-transcripts';

/** A line of a transcript. */
function line(role: string, ...content: unknown[]): string {
  return `${JSON.stringify({ role, message: { content } })}\n`;
}

const said = (text: string) => ({ type: 'text', text });

async function rowsOf(path: string, columns: string) {
  const { rows } = await ask(`SELECT ${columns} FROM read_conversations(path = $path)`, { path });
  return rows;
}

/** The rows of a transcript with this content. */
function transcriptRows(name: string, content: string, columns: string) {
  return rowsOf(writeFile(newHome(), `${TRANSCRIPTS}/${name}`, content), columns);
}

describe('a transcript of lines', () => {
  it('gives the text with the first call, then thought, further calls and results', async () => {
    const content = [
      line('user', said('Hi')),
      line(
        'assistant',
        said('I look.'),
        { type: 'thinking', thinking: 'Where?' },
        { type: 'tool_use', name: 'Read', input: { path: 'a', n: 1 } },
        { type: 'tool_use', name: 'Grep', input: { pattern: 'b' } },
      ),
      line('user', { type: 'tool_result', name: 'Read', content: 'text of a' }),
      '{"type":"turn_ended","status":"completed"}\n',
    ].join('');
    const columns = `line_number AS n, message_type AS type, author, message_content AS text,
      tool_name AS tool, tool_input AS input`;
    const rest = { tool: null, input: null };
    expect(await transcriptRows('c.jsonl', content, columns)).toEqual([
      { n: 1, type: 'user', author: 'user', text: 'Hi', ...rest },
      {
        n: 2,
        type: 'assistant',
        author: 'agent',
        text: 'I look.',
        tool: 'Read',
        input: '{"n":1,"path":"a"}',
      },
      { n: 2, type: 'thinking', author: 'agent', text: 'Where?', ...rest },
      {
        n: 2,
        type: 'tool_call',
        author: 'agent',
        text: null,
        tool: 'Grep',
        input: '{"pattern":"b"}',
      },
      { n: 3, type: 'tool_result', author: 'tool', text: 'text of a', tool: 'Read', input: null },
      { n: 4, type: 'turn_ended', author: 'system', text: null, ...rest },
    ]);
  });

  it('of a chat that a chat launched is an agent’s, and its prompt a caller’s', async () => {
    const columns = 'session_id AS s, parent_session_id AS parent, is_agent AS agent, author';
    expect(await transcriptRows('p/subagents/c.jsonl', line('user', said('Hi')), columns)).toEqual([
      { s: 'c', parent: 'p', agent: true, author: 'caller' },
    ]);
  });

  it.each([
    ['home-mira-tide', '/home/mira/tide'],
    ['c-Users-mira', 'c:\\Users\\mira'],
    ['1767607200000', ''],
    ['empty-window', ''],
    ['unknown', ''],
  ])('in the project %s belongs to the folder %s', async (project, wanted) => {
    const path = `.cursor/projects/${project}/agent-transcripts/c.jsonl`;
    const rows = await rowsOf(
      writeFile(newHome(), path, line('user')),
      'project_path AS p, project_dir AS d',
    );
    expect(rows).toEqual([{ p: wanted, d: project }]);
  });

  it('belongs to the folder that the agent was trusted with, where that is written', async () => {
    const home = newHome();
    const trusted = '.cursor/projects/home-mira-tide/.workspace-trusted';
    writeFile(home, trusted, '{"workspacePath":"/home/mira/tide-é"}');
    const path = writeFile(home, `${TRANSCRIPTS}/c.jsonl`, line('user'));
    expect(await rowsOf(path, 'project_path AS p')).toEqual([{ p: '/home/mira/tide-é' }]);
  });
});

describe('a transcript as a document', () => {
  const whole = '[{"role":"user","text":"é"},{"role":"assistant","text":"b"}]';

  it('that is cut short gives its whole messages, and a row that says so', async () => {
    const home = newHome();
    const bytes = Buffer.from(whole);
    for (let length = 1; length < bytes.length; length++) {
      writeFile(home, `${TRANSCRIPTS}/${length}.json`, bytes.subarray(0, length));
    }
    const rows = await rowsOf(join(home, TRANSCRIPTS), 'session_id AS s, message_type AS type');
    for (let length = 1; length < bytes.length; length++) {
      const types = rows.filter(row => row['s'] === String(length)).map(row => row['type']);
      const messages = length < 28 ? 0 : length < bytes.length - 1 ? 1 : 2;
      const wanted = [...['user', 'assistant'].slice(0, messages), '_parse_error'];
      expect([length, types]).toEqual([length, wanted]);
    }
  });

  it('has no row beside its messages when it is whole', async () => {
    expect(await transcriptRows('c.json', whole, 'message_type AS type')).toEqual([
      { type: 'user' },
      { type: 'assistant' },
    ]);
  });
});

describe('a transcript as text', () => {
  const columns =
    'line_number AS n, message_type AS type, message_content AS text, tool_input AS i';

  it('begins a block with a mark, and a speaker only after a blank line', async () => {
    const content =
      'user:\nQuote:\nassistant:\n\nend\n\nassistant:\n<think>\nHm\n</think>\nYes\n\n\n';
    expect(await transcriptRows('c.txt', content, columns)).toEqual([
      { n: 1, type: 'user', text: 'Quote:\nassistant:\n\nend', i: null },
      { n: 7, type: 'assistant', text: 'Yes', i: null },
      { n: 7, type: 'thinking', text: 'Hm', i: null },
    ]);
  });

  it('reads the arguments of a call; lines that name none go on with the one before', async () => {
    const content =
      '[Tool call] write\n  path: a.md\n  text: # A\n\nb: c\n\n[Tool result] write\n\nok';
    const input = '{"path":"a.md","text":"# A\\n\\nb: c"}';
    expect(await transcriptRows('c.txt', content, columns)).toEqual([
      { n: 1, type: 'tool_call', text: '  path: a.md\n  text: # A\n\nb: c', i: input },
      { n: 7, type: 'tool_result', text: 'ok', i: null },
    ]);
  });

  it('loses no line, whatever stands in it', async () => {
    const lines = fc.array(
      fc.oneof(
        fc.constantFrom('user:', 'assistant:', '', '[Tool call] x', '[Tool result] x', '  a: b'),
        fc.string({ unit: 'grapheme' }).map(text => text.replaceAll(/[\r\n]/g, '')),
      ),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(lines, async given => {
        const content = given.join('\n');
        const path = writeFile(newHome(), `${TRANSCRIPTS}/c.txt`, content);
        const byLine = "read_conversations(path = $path, rows = 'line')";
        const sql = `SELECT count(*)::INTEGER AS n FROM ${byLine}`;
        const { rows } = await ask(sql, { path });
        expect(rows).toEqual([{ n: given.filter(text => !/^[ \t]*$/.test(text)).length }]);
        const texts = await rowsOf(path, 'message_content AS text, tool_name AS tool');
        const whole = texts.map(row => `${row['tool']}\n${row['text']}`).join('\n');
        for (const text of given) {
          const isMark = /^(user:|assistant:|\[Tool .*|\s*)$/.test(text);
          if (!isMark) expect(whole).toContain(text);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('one conversation told several times', () => {
  const tell = (home: string) => {
    writeFile(home, `${TRANSCRIPTS}/tide.txt`, 'user:\nHi\n');
    writeFile(home, `${TRANSCRIPTS}/tide.json`, '[{"role":"user","text":"Hi"}]');
    writeFile(home, `${TRANSCRIPTS}/tide/tide.jsonl`, line('user', said('Hi')));
    writeFile(home, `${TRANSCRIPTS}/other.txt`, 'user:\nHo\n');
  };
  const files = 'DISTINCT file_name AS f, session_id AS s';

  it('is read once, from the lines before the document before the text', async () => {
    const home = newHome();
    tell(home);
    const rows = await rowsOf(join(home, '.cursor'), 'file_name AS f, session_id AS s');
    expect(rows).toEqual([
      { f: 'other.txt', s: 'other' },
      { f: 'tide.jsonl', s: 'tide' },
    ]);
  });

  it('is read from the database where the same scan reads that', async () => {
    const home = newHome();
    tell(home);
    writeGlobal(home, { chats: TIDE });
    const found = await ask(
      `SELECT ${files} FROM read_conversations(source = 'cursor') ORDER BY ALL`,
      [],
      machine(home),
    );
    expect(found.rows).toEqual([
      { f: 'other.txt', s: 'other' },
      { f: 'state.vscdb', s: 'tide' },
    ]);
    expect(await rowsOf(join(home, '.cursor'), files)).toHaveLength(2);
  });

  it('is there in full for events and by line', async () => {
    const home = newHome();
    tell(home);
    writeGlobal(home, { chats: TIDE });
    for (const call of ['read_events(', "read_conversations(rows = 'line', "]) {
      const sql = `SELECT DISTINCT file_name AS f FROM ${call} source = 'cursor') ORDER BY ALL`;
      const { rows } = await ask(sql, [], machine(home));
      expect(rows.map(row => row['f'])).toEqual([
        ...['other.txt', 'state.vscdb', 'tide.json', 'tide.jsonl', 'tide.txt'],
      ]);
    }
  });
});

describe('the folders of Cursor', () => {
  const { homes: homesOf } = cursor.description;

  it.each([
    ['linux', posix, {}, ['/home/mira/.config/Cursor/User', '/home/mira/.cursor']],
    ['linux', posix, { XDG_CONFIG_HOME: '/x' }, ['/x/Cursor/User', '/home/mira/.cursor']],
    [
      'darwin',
      posix,
      { CURSOR_DATA_DIR: '/data' },
      ['/home/mira/Library/Application Support/Cursor/User', '/data'],
    ],
  ] as const)('on %s are these', (platform, path, variables, wanted) => {
    expect(homesOf({ platform, home: '/home/mira', variables, path })).toEqual(wanted);
  });

  it('on Windows are these', () => {
    const environment = { platform: 'win32', home: 'C:\\Users\\mira', path: win32 } as const;
    const roaming = 'C:\\Users\\mira\\AppData\\Roaming';
    const wanted = [`${roaming}\\Cursor\\User`, 'C:\\Users\\mira\\.cursor'];
    expect(homesOf({ ...environment, variables: {} })).toEqual(wanted);
    expect(homesOf({ ...environment, variables: { APPDATA: roaming } })).toEqual(wanted);
  });

  /** The harness and the part that a path below a home is taken for. */
  function partOf(path: string): string | null {
    const entry = entryAt(path, basename(path));
    if (!entry) throw new Error(`${path} is not there`);
    for (const { description, recognise } of harnesses) {
      const root = recognise(entry);
      if (root) return `${description.name} ${root.part}`;
    }
    return null;
  }

  it('and the parts in them are recognised, and those of other editors are not', () => {
    const home = newHome();
    writeGlobal(home, {});
    writeWorkspace(home, 'ab', 'file:///x', {});
    writeFile(home, `${TRANSCRIPTS}/c.txt`, 'user:\n');
    writeFile(home, `${TRANSCRIPTS}/d/d.jsonl`, line('user'));
    writeState(join(home, '.config/Code/User/globalStorage/state.vscdb'), {});
    const copied = writeFile(home, 'copy.jsonl', line('user', said('Hi')));
    const parts: Readonly<Record<string, string | null>> = {
      '.config/Cursor': 'cursor home',
      '.config/Cursor/User': 'cursor home',
      '.config/Cursor/User/globalStorage': 'cursor storage',
      '.config/Cursor/User/workspaceStorage': 'cursor workspaces',
      '.config/Cursor/User/workspaceStorage/ab': 'cursor storage',
      '.config/Cursor/User/workspaceStorage/ab/state.vscdb': 'cursor database',
      '.config/Code': null,
      '.cursor': 'cursor home',
      '.cursor/projects': 'cursor projects',
      '.cursor/projects/home-mira-tide': 'cursor project',
      [TRANSCRIPTS]: 'cursor transcripts',
      [`${TRANSCRIPTS}/d`]: 'cursor transcripts',
      [`${TRANSCRIPTS}/d/d.jsonl`]: 'cursor file',
      [`${TRANSCRIPTS}/c.txt`]: 'cursor file',
    };
    for (const [path, wanted] of Object.entries(parts)) {
      expect([path, partOf(join(home, path))]).toEqual([path, wanted]);
    }
    expect(partOf(copied)).toBe('cursor file');
  });

  it('and the parts in them give the same rows as the whole, each its own', async () => {
    const home = newHome();
    writeGlobal(home, { chats: TIDE });
    writeWorkspace(home, 'ab', 'file:///x', {
      items: { 'workbench.panel.aichat.view.aichat.chatdata': { tabs: [{ bubbles: [{}] }] } },
    });
    const count = async (path: string) => (await rowsOf(join(home, USER, path), 'uuid')).length;
    expect(await count('')).toBe(8);
    expect(await count('globalStorage')).toBe(7);
    expect(await count('globalStorage/state.vscdb')).toBe(7);
    expect(await count('workspaceStorage')).toBe(1);
    expect(await count('workspaceStorage/ab')).toBe(1);
    expect(await count('..')).toBe(8);
  });

  it('hold side files that are listed with a reason', () => {
    const home = newHome();
    const side = [
      '.cursor/projects/p/agent-tools/a.txt',
      '.cursor/projects/p/terminals/1.txt',
      '.cursor/chats/ab/cd/prompt_history.json',
      '.cursor/ai-tracking/ai-code-tracking.db',
    ];
    for (const path of side) writeFile(home, path);
    const entry = entryAt(join(home, '.cursor'), '.cursor');
    if (!entry) throw new Error('no home');
    const kinds = new Set<SourceKind>(['other']);
    const found = [...cursor.discover(cursor.assume(entry), kinds, () => undefined)];
    expect(found.map(({ path }) => path).sort()).toEqual(side.map(path => join(home, path)).sort());
    expect(found.every(({ skipped }) => skipped)).toBe(true);
  });
});

describe('a database of Cursor that cannot be read', () => {
  it.each([
    ['is damaged', 'x'.repeat(5000), 'file is not a database'],
    ['is cut short', 'SQLite', 'file is not a database: it is too short'],
  ])('because it %s is told, and an error for events', async (_title, content, reason) => {
    const path = writeFile(newHome(), `${USER}/globalStorage/state.vscdb`, content);
    const { rows, notes } = await ask('FROM read_conversations(path = $path)', { path });
    expect(rows).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(reason)]);
    expect(await refusal('FROM read_events(path = $path)', { path })).toMatchObject({
      code: 'READ',
      message: expect.stringContaining(reason),
    });
  });

  it('leaves the transcripts to be read', async () => {
    const home = newHome();
    writeFile(home, `${USER}/globalStorage/state.vscdb`, 'x'.repeat(5000));
    writeFile(home, `${TRANSCRIPTS}/c.txt`, 'user:\nHi\n');
    const sql = "SELECT session_id AS s FROM read_conversations(source = 'cursor')";
    const { rows, notes } = await ask(sql, [], machine(home));
    expect(rows).toEqual([{ s: 'c' }]);
    expect(notes.length).toBeGreaterThan(0);
  });

  it('has no rows when it has other tables, or none', async () => {
    const path = writeFile(newHome(), `${USER}/globalStorage/state.vscdb`);
    const { rows } = await ask('FROM read_events(path = $path)', { path });
    expect(rows).toEqual([]);
    expect(readdirSync(join(path, '..'))).toEqual(['state.vscdb']);
  });
});
