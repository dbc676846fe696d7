/**
 * The databases of the editor:
 *
 *     <User>/globalStorage/state.vscdb                 the chats
 *     <User>/workspaceStorage/<workspace>/state.vscdb  older chats, lists of chats, prompts
 *     <User>/workspaceStorage/<workspace>/workspace.json
 *
 * What was written last may lie in the log beside a database, so it is as new as its log.
 */

import { basename, dirname, join } from 'node:path';
import { keysOf } from '../../bytes/sqlite.ts';
import {
  type Entry,
  entriesIn,
  entryAt,
  isFolderAt,
  namesIn,
  type OnProblem,
} from '../../bytes/walk.ts';
import type { Kinds, Root, Source, SourceKind } from '../harness.ts';
import { plainSource, skippedSource } from '../shared/sources.ts';
import { composerRows } from './state.ts';

const STATE = 'state.vscdb';
const GLOBAL = 'globalStorage';
const WORKSPACES = 'workspaceStorage';

/** The database that a folder holds, or null. */
export function databaseIn(folder: string, onProblem?: OnProblem): Entry | null {
  const entry = entryAt(join(folder, STATE), STATE, onProblem);
  return entry?.isFile ? entry : null;
}

/** Whether a folder has the folders in which editors of this kind keep their state. */
export function isUserFolder(path: string): boolean {
  return [GLOBAL, WORKSPACES].some(name => isFolderAt(join(path, name)));
}

/** The databases below a `User` folder. */
export function* userDatabases(
  user: string,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  const entry = databaseIn(join(user, GLOBAL), onProblem);
  if (entry) yield* database(entry, kinds);
  for (const source of workspaces(join(user, WORKSPACES), kinds, onProblem)) {
    const companions = entry ? { ...source.companions, global: entry.path } : source.companions;
    yield { ...source, companions };
  }
  if (kinds.has('other')) yield* backups(join(user, GLOBAL), onProblem);
}

/** The databases below a `workspaceStorage` folder. */
export function* workspaces(folder: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const { isFolder, path } of entriesIn(folder, onProblem)) {
    const entry = isFolder ? databaseIn(path, onProblem) : null;
    if (entry) yield* database(entry, kinds);
  }
}

/** The kinds of side files that a database also is. */
const KINDS: readonly SourceKind[] = ['transcript', 'todo', 'history'];

/** One database, once for each kind that is wanted. */
export function* database(entry: Entry, kinds: Kinds): Generator<Source> {
  const wanted = KINDS.filter(kind => kinds.has(kind));
  if (wanted.length === 0) return;
  const log = entryAt(`${entry.path}-wal`, `${entry.name}-wal`);
  const folder = dirname(entry.path);
  const isWorkspace = basename(dirname(folder)) === WORKSPACES;
  for (const kind of wanted) {
    yield {
      ...plainSource(kind, 'sqlite', entry),
      byteLength: entry.byteLength + (log?.byteLength ?? 0),
      modifiedMs: Math.max(entry.modifiedMs, log?.modifiedMs ?? 0),
      facts: { workspace: isWorkspace ? basename(folder) : null },
      companions: isWorkspace
        ? { workspace: join(folder, 'workspace.json') }
        : { global: entry.path, ...workspacesBeside(folder) },
    };
  }
}

/** `state:<workspace>` and `workspace:<workspace>` of the workspaces beside a global state. */
function workspacesBeside(folder: string): Readonly<Record<string, string>> {
  if (basename(folder) !== GLOBAL) return {};
  const parent = join(dirname(folder), WORKSPACES);
  const found = namesIn(parent).flatMap(name => [
    [`state:${name}`, join(parent, name, STATE)],
    [`workspace:${name}`, join(parent, name, 'workspace.json')],
  ]);
  return Object.fromEntries(found);
}

function* backups(folder: string, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(folder, onProblem)) {
    if (!entry.isFile || !entry.name.startsWith(`${STATE}.`)) continue;
    yield skippedSource(entry, "the editor's copy of its state");
  }
}

/** The chats in the databases of some roots. What cannot be read is told, and has none. */
export function chatsIn(roots: readonly Root[], onProblem: OnProblem): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { part, entry } of roots) {
    const folder = part === 'home' ? join(entry.path, GLOBAL) : entry.path;
    const state = part === 'database' ? entry : databaseIn(folder);
    if (!state) continue;
    try {
      const prefix = composerRows.prefix ?? '';
      for (const key of keysOf(state.path, composerRows)) found.add(key.slice(prefix.length));
    } catch (error) {
      onProblem(state.path, error);
    }
  }
  return found;
}
