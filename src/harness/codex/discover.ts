/**
 * Where Codex keeps its files.
 *
 *     <home>/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl   a session
 *     <home>/sessions/rollout-*.jsonl       until mid-2025
 *     <home>/sessions/rollout-*.json        spring 2025: one document a session
 *     <home>/archived_sessions/rollout-*    archived sessions; read when they are asked for
 *     …/rollout-*.jsonl.zst                 compressed after some days; the plain file wins
 *     <home>/history.jsonl                  prompts
 *     <home>/session_index.jsonl, <home>/*.sqlite, <home>/sqlite/*.sqlite
 *                                           titles and relations, read beside the sessions
 *
 * `CODEX_SQLITE_HOME` names another folder for the databases of the home that Codex uses on this
 * machine, and of no other. They count more than those that lie in the home.
 *
 * Order: by path. The home of a part of the tree is the folder above the nearest `sessions` or
 * `archived_sessions`. A rollout that the caller names is read, archived or not.
 */

import { basename, dirname, join } from 'node:path';
import {
  type Entry,
  entriesIn,
  entryAt,
  namesIn,
  type OnProblem,
  realPath,
} from '../../bytes/walk.ts';
import { type Environment, expandHome } from '../../places.ts';
import type { DiscoverOptions, Kinds, Root, Source, SourceForm } from '../harness.ts';
import { plainSource, sideFile } from '../shared/sources.ts';
import { homes } from './describe.ts';

/** The places in Codex's tree that a path may name; `folder` is one below `sessions`. */
export type Part = 'home' | 'sessions' | 'archived' | 'folder' | 'file';

/** The name of the file of a session, compressed or not. */
export const ROLLOUT = /^rollout-.*\.(jsonl|jsonl\.zst|json)$/s;

const DATABASE = /\.(sqlite|db)$/;
const ARCHIVE = 'archived_sessions';

/** What a walk through sessions knows. */
interface Walk {
  readonly kinds: Kinds;
  readonly onProblem: OnProblem;
  readonly companions: Readonly<Record<string, string>>;
  /** Why the sessions are not read, or null. */
  readonly skipped: string | null;
}

/** Every file under `root` of the kinds that are wanted. */
export function* discover(
  root: Root,
  kinds: Kinds,
  onProblem: OnProblem,
  options: DiscoverOptions = {},
): Generator<Source> {
  const { entry } = root;
  const part = root.part as Part;
  if (part === 'home') yield* home(entry.path, kinds, onProblem, options);
  else if (part === 'file') yield* singleFile(entry, kinds, options);
  else {
    const isArchive = part === 'archived' || isArchived(entry.path);
    const skipped = isArchive ? reasonToSkip(options) : null;
    const companions = companionsOf(homeOf(entry.path), options);
    yield* sessions(entry, { kinds, onProblem, companions, skipped });
  }
}

function* home(
  path: string,
  kinds: Kinds,
  onProblem: OnProblem,
  options: DiscoverOptions,
): Generator<Source> {
  if (kinds.has('transcript') || kinds.has('other')) {
    const walk = { kinds, onProblem, companions: companionsOf(path, options) };
    for (const name of [ARCHIVE, 'sessions']) {
      const entry = entryAt(join(path, name), name, onProblem);
      const skipped = name === ARCHIVE ? reasonToSkip(options) : null;
      if (entry?.isFolder) yield* sessions(entry, { ...walk, skipped });
    }
  }
  for (const name of ['history.jsonl', 'session_index.jsonl']) {
    const entry = entryAt(join(path, name), name, onProblem);
    if (!entry?.isFile) continue;
    if (name !== 'history.jsonl') yield* sideFile(entry, kinds, 'read beside the sessions');
    else if (kinds.has('history')) yield plainSource('history', 'lines', entry);
  }
}

function reasonToSkip({ includeArchived }: DiscoverOptions): string | null {
  return includeArchived ? null : 'archived; include_archived = true reads it';
}

function* sessions(folder: Entry, walk: Walk, above: readonly string[] = []): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(folder.identity)) return;
  const entries = [...entriesIn(folder.path, walk.onProblem)];
  const names = new Set(entries.map(({ name }) => name));
  for (const entry of entries) {
    if (entry.isFolder) yield* sessions(entry, walk, [...above, folder.identity]);
    else if (!ROLLOUT.test(entry.name)) yield* sideFile(entry, walk.kinds, 'no rollout');
    else if (names.has(entry.name.replace(/\.zst$/, '')) && entry.name.endsWith('.zst')) {
      yield* sideFile(entry, walk.kinds, 'the file beside it holds the same, uncompressed');
    } else if (walk.skipped !== null) yield* sideFile(entry, walk.kinds, walk.skipped);
    else if (walk.kinds.has('transcript') && entry.isFile) yield rollout(entry, walk.companions);
  }
}

function* singleFile(entry: Entry, kinds: Kinds, options: DiscoverOptions): Generator<Source> {
  if (kinds.has('transcript')) yield rollout(entry, companionsOf(homeOf(entry.path), options));
}

function rollout(entry: Entry, companions: Source['companions']): Source {
  const form = formOf(entry.name);
  return {
    ...plainSource('transcript', form, entry),
    ...(form === 'elements' ? { arrayPath: ['items'] } : {}),
    sessionId: sessionIn(entry.name),
    facts: { archived: isArchived(entry.path) ? 'true' : null },
    companions,
  };
}

function formOf(name: string): SourceForm {
  if (name.endsWith('.zst')) return 'zstd';
  return name.endsWith('.json') ? 'elements' : 'lines';
}

/** The thread in the name of a rollout: its last five groups between dashes, a UUID. */
function sessionIn(name: string): string {
  const stem = name.replace(/\.(jsonl|jsonl\.zst|json)$/, '');
  return stem.split('-').slice(-5).join('-');
}

function isArchived(path: string): boolean {
  return path.split(/[\\/]/).includes(ARCHIVE);
}

/** The home above a folder or file of the tree, or null when it lies outside of one. */
export function homeOf(path: string): string | null {
  const name = basename(path);
  if (name === 'sessions' || name === ARCHIVE) return dirname(path);
  const parent = dirname(path);
  return parent === path ? null : homeOf(parent);
}

/** The files beside the sessions that know more about them, in the order in which they count. */
function companionsOf(
  path: string | null,
  { environment }: DiscoverOptions,
): Readonly<Record<string, string>> {
  if (path === null) return {};
  const moved = environment ? movedDatabases(path, environment) : null;
  const databases = [
    ...[path, join(path, 'sqlite')].flatMap(databasesIn).sort(),
    ...(moved === null ? [] : databasesIn(moved)),
  ];
  return {
    index: join(path, 'session_index.jsonl'),
    ...Object.fromEntries(databases.map(file => [`database ${file}`, file])),
  };
}

function databasesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter(name => DATABASE.test(name))
    .map(name => join(folder, name));
}

/** Where the databases of a home were moved to, or null. */
function movedDatabases(home: string, environment: Environment): string | null {
  const moved = environment.variables['CODEX_SQLITE_HOME'] ?? '';
  if (!environment.path.isAbsolute(moved)) return null;
  const isOwn = homes(environment).some(
    own => realPath(expandHome(own, environment)) === realPath(home),
  );
  return isOwn ? moved : null;
}
