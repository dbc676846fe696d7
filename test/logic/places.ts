/**
 * The folders that scripts read, by the name that stands for them in braces:
 *
 * - `{fixtures}`: the fixtures of the project;
 * - `{home}`: the home folder of the engine's machine, with a home of every harness where it lies
 *   by default, each a link to a fixture;
 * - `{built}`: what cannot be kept as a file, made anew for every run. Databases: `cursor`, a home
 *   folder with the editor's state, and `copilot`, the basic fixture with usage and todos. Times
 *   of change: `aged/.claude`, with a transcript of 2020 and one of 2030.
 */

import { cpSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeStore, writeTodos } from '../fixtures/copilot-databases.ts';
import { TIDE, writeGlobal, writeWorkspace } from '../fixtures/cursor-state.ts';
import { writeFile } from '../support/folder.ts';
import { projectRoot } from '../support/project.ts';

const FIXTURES = join(projectRoot, 'fixtures');

/** Homes below the home folder, and the fixtures that stand for them. */
const HOMES: readonly (readonly [home: string, fixture: string])[] = [
  ['.claude', 'claude/layouts/.claude'],
  ['.config/Claude', 'claude-desktop/basic/Claude'],
  ['.config/Code/User', 'copilot/chats/User'],
  ['.codex', 'codex/basic/.codex'],
  ['.copilot', 'copilot/basic/.copilot'],
  ['.cursor', 'cursor/basic/.cursor'],
  ['.gemini', 'gemini/basic/.gemini'],
  ['.grok', 'grok/basic/.grok'],
  ['.pi', 'pi/basic/.pi'],
  ['.qwen', 'qwen/basic/.qwen'],
];

/** Where the folders are. */
export interface Places {
  readonly fixtures: string;
  readonly home: string;
  readonly built: string;
}

/** Makes in `folder` what is no fixture. */
export function makePlaces(folder: string): Places {
  const places = { fixtures: FIXTURES, home: join(folder, 'home'), built: join(folder, 'built') };
  for (const [home, fixture] of HOMES) link(join(places.home, home), join(FIXTURES, fixture));
  buildCopilot(join(places.built, 'copilot', '.copilot'));
  buildCursor(join(places.built, 'cursor'));
  buildAged(join(places.built, 'aged', '.claude', 'projects', '-home-mira-tide'));
  return places;
}

/** `sql` with the folders in the place of their names. Throws for a name that is none. */
export function withPlaces(sql: string, places: Places): string {
  return sql.replaceAll(/\{([a-z]+)\}/g, (braces: string, name: string) => {
    const folder = new Map(Object.entries(places)).get(name);
    if (folder === undefined) throw new Error(`there is no folder ${braces}`);
    return folder.replaceAll("'", "''");
  });
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

const SESSION = '0d6f3a52-1c1b-4b7e-9a34-6f1f5a8e2c01';

/** The basic fixture with two model calls, of which only the first agrees with its answer. */
function buildCopilot(home: string): void {
  cpSync(join(FIXTURES, 'copilot/basic/.copilot'), home, { recursive: true });
  const call = { session_id: SESSION, turn_index: 0, finish_reason: 'tool_calls' };
  const [first, second] = [
    { model: 'claude-sonnet-5', input_tokens: 9000, output_tokens: 142, cache_read_tokens: 8000 },
    { model: 'gpt-6-terra', input_tokens: 12000, output_tokens: 999, cache_read_tokens: 11000 },
  ];
  writeStore(join(home, 'session-store.db'), [
    { ...call, ...first },
    { ...call, ...second },
  ]);
  writeTodos(join(home, 'session-state', SESSION, 'session.db'), [
    ['offset', 'Read the offset', 'done'],
    ['date', 'Follow the date', 'in_progress'],
    ['zone', null, 'pending'],
  ]);
}

/** The state of the editor, and of the workspace that its chat belongs to. */
function buildCursor(home: string): void {
  writeGlobal(home, { chats: TIDE, items: { 'cursorAuth/accessToken': 'not for reading' } });
  writeWorkspace(home, 'aaaa', 'file:///home/mira/tide', {
    items: {
      'composer.composerData': { allComposers: [{ composerId: 'tide' }] },
      'aiService.prompts': [{ text: 'When is high water?', commandType: 4 }, { text: 'Łeba' }],
    },
  });
}

function buildAged(project: string): void {
  for (const year of ['2020', '2030']) {
    const record = { type: 'user', sessionId: year, message: { content: `prompt of ${year}` } };
    const path = writeFile(project, `${year}.jsonl`, `${JSON.stringify(record)}\n`);
    const changed = new Date(`${year}-01-01T00:00:00Z`);
    utimesSync(path, changed, changed);
  }
}
