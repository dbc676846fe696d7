/** Where Copilot is looked for, what is recognised as its own, and its `workspace.yaml`. */

import { basename, join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { copilot } from '../../src/harness/copilot/index.ts';
import { parseWorkspace } from '../../src/harness/copilot/workspace.ts';
import type { Environment } from '../../src/places.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const LINUX = { platform: 'linux', home: '/home/mira', path: posix } as const;
const MAC = { platform: 'darwin', home: '/Users/mira', path: posix } as const;
const WINDOWS = { platform: 'win32', home: 'C:\\Users\\mira', path: win32 } as const;

const homes = (machine: Omit<Environment, 'variables'>, variables: Environment['variables'] = {}) =>
  copilot.description.homes({ ...machine, variables });

describe('the default homes', () => {
  it('are those of the CLI and of three editors on Linux', () => {
    expect(homes(LINUX)).toEqual([
      '/home/mira/.copilot',
      '/home/mira/.config/Code/User',
      '/home/mira/.config/Code - Insiders/User',
      '/home/mira/.config/VSCodium/User',
    ]);
  });

  it('lie in the folder of applications on macOS and Windows', () => {
    expect(homes(MAC).slice(0, 2)).toEqual([
      '/Users/mira/.copilot',
      '/Users/mira/Library/Application Support/Code/User',
    ]);
    expect(homes(WINDOWS).slice(0, 2)).toEqual([
      'C:\\Users\\mira\\.copilot',
      'C:\\Users\\mira\\AppData\\Roaming\\Code\\User',
    ]);
    expect(homes(WINDOWS, { APPDATA: 'D:\\Data' })[1]).toBe('D:\\Data\\Code\\User');
  });

  it('are moved by COPILOT_HOME, and have an older place in XDG_STATE_HOME', () => {
    const moved = { COPILOT_HOME: '/elsewhere', XDG_STATE_HOME: '/state' };
    expect(homes(LINUX, moved)[0]).toBe('/elsewhere');
    expect(homes(LINUX, moved)).not.toContain('/state/.copilot');
    const older = homes(LINUX, { XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config' });
    expect(older.slice(0, 3)).toEqual([
      '/home/mira/.copilot',
      '/state/.copilot',
      '/config/Code/User',
    ]);
    expect(homes(LINUX, { XDG_STATE_HOME: 'relative' })[1]).toBe('/home/mira/.config/Code/User');
  });
});

const EVENT = '{"type":"user.message","data":{"content":"x"},"id":"1"}\n';
const JOURNAL = '{"kind":0,"v":{"sessionId":"s","requests":[]}}\n';

function partOf(path: string): string | null {
  const full = join(folder, path);
  const entry = entryAt(full, basename(full));
  if (!entry) throw new Error(`${full} is not there`);
  return copilot.recognise(entry)?.part ?? null;
}

describe('a place', () => {
  it('of the CLI is recognised at every level', () => {
    writeFile(folder, '.copilot/session-state/s1/events.jsonl', EVENT);
    writeFile(folder, '.copilot/session-state/s2.jsonl', '');
    expect(partOf('.copilot')).toBe('home');
    expect(partOf('.copilot/session-state')).toBe('sessions');
    expect(partOf('.copilot/session-state/s1')).toBe('session');
    expect(partOf('.copilot/session-state/s1/events.jsonl')).toBe('file');
    expect(partOf('.copilot/session-state/s2.jsonl')).toBe('file');
    expect(partOf('.')).toBeNull();
  });

  it('of VS Code is recognised at every level', () => {
    writeFile(folder, 'Code/User/workspaceStorage/w/chatSessions/c.json', '{}');
    writeFile(folder, 'Other/User/globalStorage/emptyWindowChatSessions/c.jsonl', JOURNAL);
    expect(partOf('Code/User')).toBe('home');
    expect(partOf('Code/User/workspaceStorage')).toBe('workspaces');
    expect(partOf('Code/User/workspaceStorage/w')).toBe('workspace');
    expect(partOf('Code/User/workspaceStorage/w/chatSessions')).toBe('chats');
    expect(partOf('Code/User/workspaceStorage/w/chatSessions/c.json')).toBe('file');
    expect(partOf('Other/User')).toBe('home');
  });

  it('without chats, or of Cursor, is left to others', () => {
    writeFile(folder, 'Code/User/workspaceStorage/w/state.vscdb', '');
    writeFile(folder, 'Cursor/User/workspaceStorage/w/chatSessions/c.json', '{}');
    expect(partOf('Code/User')).toBeNull();
    expect(partOf('Code/User/workspaceStorage')).toBeNull();
    expect(partOf('Cursor/User')).toBeNull();
    expect(partOf('Cursor/User/workspaceStorage')).toBeNull();
  });

  it.each([
    ['events', EVENT, 'file'],
    ['a journal', JOURNAL, 'file'],
    ['something else', '{"type":"user","message":{}}\n', null],
    ['nothing', '', null],
  ])('that is a lone file of %s is judged by its first records', (_what, content, part) => {
    writeFile(folder, 'lone.jsonl', content);
    expect(partOf('lone.jsonl')).toBe(part);
  });
});

describe('the folder of prompts of newer versions', () => {
  it('is listed with a reason, and read by nothing', async () => {
    writeFile(folder, 'session-state/s1/events.jsonl', EVENT);
    const path = writeFile(folder, 'command-history-state/a/b.json', '["prompt"]');
    const entry = entryAt(folder, basename(folder));
    if (!entry) throw new Error('no home');
    const found = [...copilot.discover(copilot.assume(entry), new Set(['other']), () => undefined)];
    expect(found.map(source => [source.path, source.skipped])).toEqual([
      [path, 'prompts in a form that is not known'],
    ]);
    const { rows } = await ask('FROM read_history(path = $path)', { path: folder });
    expect(rows).toEqual([]);
  });
});

describe('one session', () => {
  it('is the same rows whatever part of its path is given', async () => {
    writeFile(folder, 'session-state/s1/workspace.yaml', 'id: from-yaml\ncwd: /here\n');
    const events = writeFile(folder, 'session-state/s1/events.jsonl', EVENT);
    const sql = 'FROM read_conversations(path = $path)';
    const [wanted, ...others] = await Promise.all(
      [folder, join(folder, 'session-state'), join(folder, 'session-state/s1'), events].map(
        async path => (await ask(sql, { path })).rows,
      ),
    );
    expect(wanted).toMatchObject([{ session_id: 'from-yaml', cwd: '/here' }]);
    for (const rows of others) expect(rows).toEqual(wanted);
  });

  it('is read from a folder of other names when the caller says so', async () => {
    writeFile(folder, 'moved/a.jsonl', EVENT);
    writeFile(folder, 'moved/b.jsonl', JOURNAL);
    writeFile(folder, 'moved/c.json', '{"sessionId":"c","requests":[]}');
    const sql = `
      SELECT file_name, message_type
        FROM read_conversations(path = $path, source = 'copilot')`;
    const { rows } = await ask(sql, { path: join(folder, 'moved') });
    expect(rows.map(row => Object.values(row))).toEqual([
      ['a.jsonl', 'user'],
      ['b.jsonl', 'session_start'],
      ['c.json', 'session_start'],
    ]);
  });
});

describe('workspace.yaml', () => {
  it.each([
    ['a plain value', ['cwd: /home/a b'], '/home/a b'],
    ['a comment', ['cwd: /home # here'], '/home'],
    ['a hash in a value', ['cwd: /home/a#b'], '/home/a#b'],
    ['single quotes', ["cwd: 'it''s' # x"], "it's"],
    ['double quotes', ['cwd: "a\\"b\\u0142\\n" # x'], 'a"bł\n'],
    ['an escape that JSON has not', ['cwd: "a\\x41"'], 'a\\x41'],
    ['quotes that do not end', ['cwd: "a'], undefined],
    ['null', ['cwd: null'], undefined],
    ['a tilde', ['cwd: ~'], undefined],
    ['nothing', ['cwd:'], undefined],
    ['a block', ['cwd: |-', '  one', '    two', '', '  three', 'next: 1'], 'one\n  two\n\nthree'],
    ['a folded block', ['cwd: >', '  one', '  two', '', '  three'], 'one two\nthree'],
    ['a block without lines', ['cwd: |', 'next: 1'], undefined],
    ['a nested key', ['outer:', '  cwd: /no'], undefined],
    ['the last of two', ['cwd: /one', 'cwd: /two'], '/two'],
    ['CRLF', ['cwd: /home\r'], '/home'],
  ])('reads %s', (_what, lines, value) => {
    expect(parseWorkspace(lines).get('cwd')).toBe(value);
  });

  it('never fails, and gives back what is quoted as JSON', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (value, noise) => {
        parseWorkspace(noise);
        const quoted = parseWorkspace([`name: ${JSON.stringify(value)}`]).get('name');
        expect(quoted).toBe(value === '' ? undefined : value);
      }),
    );
  });
});
