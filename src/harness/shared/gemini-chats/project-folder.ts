/**
 * The folder that the Gemini CLI keeps for a project, `<home>/tmp/<project>/`:
 *
 *     chats/session-<time>-<id>.json, .jsonl    a chat
 *     chats/<session>/<id>.jsonl                a chat of a sub-agent that the session launched
 *     logs.json                                 the prompts
 *     plans/*.md, <session>/plans/*.md          plans
 *     .project_root                             the path of the project
 *
 * Everything else is listed as a side file. Order: chats, sub-agents, prompts, plans, side files;
 * each in the byte order of the names.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, type OnProblem } from '../../../bytes/walk.ts';
import type { Kinds, Source } from '../../harness.ts';
import { plainSource, sideFile } from '../sources.ts';

const CHATS = 'chats';
const CHAT = /\.jsonl?$/;

/** Every file of the wanted kinds in the folders of projects in `tmp`. */
export function* projectFolders(tmp: string, kinds: Kinds, onProblem: OnProblem) {
  for (const entry of entriesIn(tmp, onProblem)) {
    if (entry.isFolder) yield* projectFolder(entry, kinds, onProblem);
    else yield* sideFile(entry, kinds);
  }
}

/** Every file of the wanted kinds in the folder of a project. */
export function* projectFolder(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  const chats = entryAt(join(folder.path, CHATS), CHATS, onProblem);
  if (chats?.isFolder) yield* chatFolder(chats, kinds, onProblem);
  const log = entryAt(join(folder.path, 'logs.json'), 'logs.json', onProblem);
  if (log?.isFile && kinds.has('history')) yield promptLog(log);
  if (kinds.has('plan')) yield* plans(folder, onProblem);
  if (kinds.has('other')) yield* sideFiles(folder, kinds, onProblem);
}

/** The chats in a folder `chats/`, then those of sub-agents in the folders in it. */
export function* chatFolder(folder: Entry, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else yield* chatFile(entry, kinds);
  }
  for (const entry of folders) yield* agentFolder(entry, kinds, onProblem);
}

/** The chats of the sub-agents of a session. */
export function* agentFolder(folder: Entry, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) yield* everyFile(entry, kinds, onProblem);
    else yield* chatFile(entry, kinds);
  }
}

/** A file among chats; the names of the folders above tell the project and the parent. */
export function* chatFile(entry: Entry, kinds: Kinds): Generator<Source> {
  if (!entry.isFile || !CHAT.test(entry.name)) yield* sideFile(entry, kinds);
  else if (kinds.has('transcript')) yield chat(entry);
}

function chat(entry: Entry): Source {
  const source = plainSource('transcript', 'lines', entry);
  const isDocument = entry.name.endsWith('.json');
  const form = isDocument
    ? ({ form: 'elements', arrayPath: ['messages'] } as const)
    : ({ isFolded: true } as const);
  const stem = entry.name.replace(CHAT, '');
  const place = placeOf(entry.path);
  if (!place) return { ...source, ...form, sessionId: stem };
  const { projectFolder: folder, parentSession } = place;
  const agentPath = parentSession === null ? null : `${parentSession}/${entry.name}`;
  return {
    ...source,
    ...form,
    sessionId: parentSession === null ? null : stem,
    facts: { projectDir: basename(folder), parentSession, agentPath },
    companions: companionsOf(folder),
  };
}

/** A log of prompts. */
export function promptLog(entry: Entry): Source {
  const folder = dirname(entry.path);
  return {
    ...plainSource('history', 'elements', entry),
    arrayPath: [],
    facts: { projectDir: basename(folder) },
    companions: companionsOf(folder),
  };
}

function companionsOf(folder: string): Source['companions'] {
  return {
    projects: join(dirname(dirname(folder)), 'projects.json'),
    root: join(folder, '.project_root'),
  };
}

/** The project and the parent of a chat, by the folders above it; null outside `chats/`. */
function placeOf(path: string): { projectFolder: string; parentSession: string | null } | null {
  const folder = dirname(path);
  const above = dirname(folder);
  if (basename(folder) === CHATS) return { projectFolder: above, parentSession: null };
  if (basename(above) !== CHATS) return null;
  return { projectFolder: dirname(above), parentSession: basename(folder) };
}

function* plans(folder: Entry, onProblem: OnProblem): Generator<Source> {
  yield* planFiles(folder.path, null, onProblem);
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) yield* planFiles(entry.path, entry.name, onProblem);
  }
}

function* planFiles(
  folder: string,
  sessionId: string | null,
  onProblem: OnProblem,
): Generator<Source> {
  for (const entry of entriesIn(join(folder, 'plans'), onProblem)) {
    if (entry.isFile && isPlan(entry))
      yield { ...plainSource('plan', 'document', entry), sessionId };
  }
}

function isPlan(entry: Entry): boolean {
  return entry.name.endsWith('.md');
}

function* sideFiles(folder: Entry, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.name === CHATS || entry.name === 'logs.json') continue;
    if (entry.isFolder) yield* everyFile(entry, kinds, onProblem);
    else yield* sideFile(entry, kinds);
  }
}

/** Every file below a folder as a side file, but the plans. */
function* everyFile(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (!kinds.has('other') || above.includes(folder.identity)) return;
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) yield* everyFile(entry, kinds, onProblem, [...above, folder.identity]);
    else if (folder.name !== 'plans' || !isPlan(entry)) yield* sideFile(entry, kinds);
  }
}
