/** Whose a folder is: what is not taken for Claude Code's, what `source` changes, what is said. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locate } from '../../src/scan/locate.ts';
import { ask, machine, refusal } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { promptLine, texts, writeHome, writeSession } from './claude-home.ts';

const FUNCTIONS = ['conversations', 'plans', 'todos', 'history', 'stats'];

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

/** The harness that would read a path, or null. */
function readerOf(path: string): string | null {
  const { places } = locate({ path, source: null }, machine(folder), () => {});
  return places[0]?.harness.description.name ?? null;
}

describe('a folder with projects/', () => {
  it.each([
    ['transcripts of Cursor', 'agent-transcripts/a1/a1.jsonl'],
    ['tools of Cursor and nothing else', 'mcps/browser/tools/click.json'],
    ['chats of Qwen', 'chats/session.jsonl'],
  ])('is not taken for Claude Code when its projects hold %s', (_, file) => {
    writeFile(folder, `projects/home-mira-tide/${file}`, '{"role":"user"}\n');
    expect(readerOf(folder)).not.toBe('claude');
  });

  it('is Claude Code when it is new and still empty', async () => {
    mkdirSync(join(folder, 'projects'));
    const note = `no files to read in '${folder}'`;
    expect((await texts('path = $path', { path: folder })).notes).toEqual([
      `read_conversations: ${note}`,
    ]);
    const { rows, notes } = await ask('FROM read_events(path = $path)', { path: folder });
    expect([rows, notes]).toEqual([[], [`read_events: ${note}`]]);
  });

  it.each([
    ['an index', 'sessions-index.json'],
    ['notes', 'memory/MEMORY.md'],
    ['long results', '5b2f6c1e-0000-4000-8000-0123456789ab/tool-results/a.txt'],
  ])('is Claude Code when all that is left of its sessions are %s', async (_, file) => {
    writeFile(folder, `projects/-a/${file}`);
    writeFile(folder, 'projects/-a/.DS_Store');
    const { notes } = await texts('path = $path', { path: folder });
    expect(notes).toEqual([`read_conversations: no files to read in '${folder}'`]);
  });

  it('is Claude Code when one of its projects is, whatever lies in the others', async () => {
    writeFile(folder, 'projects/-a/chats/session.jsonl', '{}');
    writeSession(folder, '-b', 'one');
    expect((await texts('path = $path', { path: folder })).texts).toEqual(['one']);
  });

  it('is Claude Code when all that is left of a session are its sub-agents', async () => {
    writeFile(folder, 'projects/-a/one/subagents/agent-sub.jsonl', promptLine('one', 'sub'));
    expect((await texts('path = $path', { path: folder })).texts).toEqual(['sub']);
  });
});

describe('a transcript outside a home', () => {
  const beginnings: [string, string][] = [
    ['a snapshot', '{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n'],
    ['a summary', '{"type":"summary","summary":"s","leafUuid":"u"}\n'],
    ['a line that is cut off', '{"type":"us\n'],
    ['a type from the future', '{"type":"tide-mark","sessionId":"s"}\n'],
  ];

  it.each(beginnings)('is known although it begins with %s', async (_, beginning) => {
    const path = writeFile(folder, 'kept.jsonl', beginning + promptLine('one', 'one'));
    expect((await texts('path = $path', { path })).texts).toContain('one');
  });

  it.each([
    ['of Qwen', '{"type":"user","sessionId":"s","message":{"role":"user","parts":[]}}\n'],
    ['of Codex', '{"type":"session_meta","timestamp":"t","payload":{"id":"s"}}\n'],
    ['of nobody', '{"a":1}\n[]\n"x"\n'],
    ['without a line', ''],
  ])('%s is not taken for one of Claude Code', (_, content) => {
    expect(readerOf(writeFile(folder, 'kept.jsonl', content))).not.toBe('claude');
  });
});

describe('a path that nobody recognises', () => {
  const path = () => writeFile(folder, 'letters/a.txt', 'Dear Mira').replace('/a.txt', '');

  it.each(FUNCTIONS)('gives read_%s no rows and the marks that it looked for', async name => {
    const where = path();
    const { rows, notes } = await ask(`FROM read_${name}(path = $path)`, { path: where });
    expect(rows).toEqual([]);
    const [note = ''] = notes;
    expect(notes).toHaveLength(1);
    expect(note.startsWith(`read_${name}: no harness recognises '${where}'; looked for `)).toBe(
      true,
    );
    expect(note).toMatch(/projects\/.*\(Claude Code\)/);
    expect(notes[0]).toContain('pass source=');
  });

  it('makes read_events fail', async () => {
    const where = path();
    const error = await refusal('FROM read_events(path = $path)', { path: where });
    expect([error.code, error.path]).toEqual(['UNSUPPORTED', where]);
    expect(error.message).toMatch(/^read_events: unsupported provider for path '/);
  });

  it('is read all the same when the source is named', async () => {
    writeFile(folder, 'plans/quiet-fox.md', '# Plan\n');
    const sql = "SELECT plan_name FROM read_plans(path = $path, source = 'claude')";
    expect((await ask(sql, { path: folder })).rows).toEqual([{ plan_name: 'quiet-fox' }]);
  });
});

describe('a home of another harness than the one that is named', () => {
  const ROLLOUT = '.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-a-b-c-d-e.jsonl';
  const writeCodex = () => writeFile(folder, ROLLOUT, '{"type":"session_meta","payload":{}}\n');

  it.each(FUNCTIONS)('gives read_%s no rows and whose it is', async name => {
    writeCodex();
    const path = join(folder, '.codex');
    const sql = `FROM read_${name}(path = $path, source = 'copilot')`;
    const { rows, notes } = await ask(sql, { path });
    const said = `'${path}' is a home of OpenAI Codex: ask with source = 'codex', or with none`;
    expect([rows, notes]).toEqual([[], [`read_${name}: ${said}`]]);
  });

  it('makes read_events fail', async () => {
    writeCodex();
    const path = join(folder, '.codex');
    const error = await refusal("FROM read_events(path = $path, source = 'copilot')", { path });
    expect([error.code, error.path]).toEqual(['UNSUPPORTED', path]);
    expect(error.message).toContain("is a home of OpenAI Codex: ask with source = 'codex'");
  });

  it('is left out where a pattern finds the named one too', async () => {
    writeCodex();
    writeHome(folder);
    const path = `${folder}/.c*`;
    const events = "SELECT DISTINCT source FROM read_events(path = $path, source = 'claude')";
    expect(await ask(events, { path })).toEqual({ rows: [{ source: 'claude' }], notes: [] });
  });

  it('may be the named one’s where both look the same', async () => {
    const chat = '{"sessionId":"s","projectHash":"p","messages":[{"type":"user","content":"a"}]}';
    writeFile(folder, 'copy/tmp/abc/chats/session-x.json', chat);
    const path = join(folder, 'copy');
    expect(readerOf(path)).toBe('gemini');
    expect((await texts("path = $path, source = 'qwen'", { path })).texts).toContain('a');
  });

  it('is no matter for a single file', async () => {
    const path = writeCodex();
    const { rows } = await ask("FROM read_events(path = $path, source = 'claude')", { path });
    expect(rows).toMatchObject([{ source: 'claude', event_type: 'session_meta' }]);
  });
});

describe('a path that does not exist', () => {
  it.each(FUNCTIONS)('gives read_%s no rows and a note', async name => {
    const path = join(folder, 'gone');
    const { rows, notes } = await ask(`FROM read_${name}(path = $path)`, { path });
    expect([rows, notes]).toEqual([[], [`read_${name}: path '${path}' does not exist`]]);
  });

  it('makes read_events fail', async () => {
    const path = join(folder, 'gone');
    const error = await refusal('FROM read_events(path = $path)', { path });
    expect(error.message).toBe(`read_events: path '${path}' does not exist`);
    expect([error.code, error.path]).toEqual(['NOT_FOUND', path]);
  });

  it('says so although the source is named', async () => {
    const path = join(folder, 'gone');
    const { notes } = await texts("path = $path, source = 'claude'", { path });
    expect(notes).toEqual([`read_conversations: path '${path}' does not exist`]);
  });
});

describe('a source', () => {
  it.each(['claude', 'Claude', ' CLAUDE ', '\tclaude\n'])('may be spelled %j', async source => {
    const path = writeHome(folder);
    const found = await texts('path = $path, source = $source', { path, source });
    expect(found.texts).toHaveLength(4);
  });

  it.each(['claude_', 'claud', 'chatgpt', '', "o'hara"])('called %j is unknown', async source => {
    const path = writeHome(folder);
    for (const name of FUNCTIONS) {
      const sql = `FROM read_${name}(path = $path, source = $source)`;
      const error = await refusal(sql, { path, source });
      expect(error.code).toBe('USAGE');
      expect(error.message).toMatch(new RegExp(`^read_${name}: unknown source '`));
      expect(error.message).toMatch(/known are .*'claude'/);
    }
    const error = await refusal('FROM read_events(source = $source)', { source });
    expect(error.code).toBe('UNSUPPORTED');
    expect(error.message).toMatch(/^read_events: unsupported provider '.*known are .*'claude'/s);
  });
});
