/**
 * Where Grok Build keeps its files.
 *
 *     <home>/sessions/<project>/<session>/chat_history.jsonl   what was said, without times
 *     <home>/sessions/<project>/<session>/updates.jsonl        the same as it came, with times
 *     <home>/sessions/<project>/<session>/summary.json, signals.json, plan.md, …
 *     <home>/sessions/<project>/<session>/subagents/<child>/meta.json
 *     <home>/sessions/<project>/.cwd    the path, where it is too long to be a name
 *
 * `<project>` is the working folder, percent-encoded. A sub-agent is a session like any other; that
 * it is one, and whose, tells the folder `subagents` of its parent.
 *
 * `conversations` reads the chat; the updates repeat it, so they are a journal that only `events`
 * reads, and so are the other files of lines. The counts of all sessions are one source of `stats`,
 * as its rows are days: it has the place of the first summary, and the others as companions.
 *
 * Order: project by project, session by session, names in byte order.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, isFileAt, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Root, Source, SourceKind } from '../harness.ts';
import { plainSource, sideFile, sideFilesBelow } from '../shared/sources.ts';
import { type Child, childrenBelow, NO_CHILDREN, SUBAGENTS } from './children.ts';
import { statsSource } from './stats-source.ts';

/** The places in Grok's tree that a path may name. */
export type Part = 'home' | 'sessions' | 'project' | 'session' | 'file';

/** The folder of sessions. */
export const SESSIONS = 'sessions';

/** What was said in a session. */
export const CHAT = 'chat_history.jsonl';

/** The same as it came. */
export const UPDATES = 'updates.jsonl';

/** A session: its folder, and what is known of its place. */
interface SessionPlace {
  readonly folder: Entry;
  /** The folder of the project. */
  readonly project: string;
  /** Null where the folder of the project holds the files itself. */
  readonly sessionId: string | null;
}

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  const part = root.part as Part;
  const places = [...sessionsOf(entry, part, onProblem)];
  const children = kinds.has('transcript') ? childrenBelow(topOf(entry, part)) : NO_CHILDREN;
  if (part === 'file') {
    for (const place of places) yield* file(entry, place, children, kinds);
    return;
  }
  for (const place of places) yield* session(place, children, kinds, onProblem);
  const stats = kinds.has('stats') ? statsSource(places.map(({ folder }) => folder)) : null;
  if (stats) yield stats;
}

function* sessionsOf(entry: Entry, part: Part, onProblem: OnProblem): Generator<SessionPlace> {
  switch (part) {
    case 'home': {
      const sessions = entryAt(join(entry.path, SESSIONS), SESSIONS, onProblem);
      if (sessions?.isFolder) yield* sessionsOf(sessions, 'sessions', onProblem);
      break;
    }
    case 'sessions':
      for (const project of entriesIn(entry.path, onProblem)) {
        if (project.isFolder) yield* sessionsOf(project, 'project', onProblem);
      }
      break;
    case 'project':
      if (holdsChat(entry)) yield { folder: entry, project: entry.path, sessionId: null };
      for (const folder of entriesIn(entry.path, onProblem)) {
        if (!folder.isFolder || folder.name === SUBAGENTS) continue;
        yield { folder, project: entry.path, sessionId: folder.name };
      }
      break;
    case 'session':
      yield placeOf(entry);
      break;
    case 'file': {
      const folder = entryAt(dirname(entry.path), basename(dirname(entry.path)), onProblem);
      if (folder) yield placeOf(folder);
    }
  }
}

function placeOf(folder: Entry): SessionPlace {
  const isProject = isProjectName(folder.name);
  const project = isProject ? folder.path : dirname(folder.path);
  return { folder, project, sessionId: isProject ? null : folder.name };
}

/** The folder of all sessions, for a part of the home. */
function topOf({ path }: Entry, part: Part): string {
  const depth = { home: -1, sessions: 0, project: 1, session: 2, file: 3 }[part];
  if (depth < 0) return join(path, SESSIONS);
  return join(path, ...Array.from({ length: depth }, () => '..'));
}

function* session(
  place: SessionPlace,
  children: ReadonlyMap<string, Child>,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  for (const entry of entriesIn(place.folder.path, onProblem)) {
    if (entry.isFile) yield* file(entry, place, children, kinds);
    // In the folder of a project the other folders are sessions.
    else if (entry.isFolder && place.sessionId !== null)
      yield* sideFilesBelow(entry, kinds, onProblem);
  }
}

function* file(
  entry: Entry,
  place: SessionPlace,
  children: ReadonlyMap<string, Child>,
  kinds: Kinds,
): Generator<Source> {
  const kind = kindOf(entry.name);
  if (kind === 'other') yield* sideFile(entry, kinds);
  else if (kinds.has(kind)) yield source(entry, kind, place, children);
}

function kindOf(name: string): SourceKind {
  if (name === CHAT) return 'transcript';
  if (name === 'plan.md') return 'plan';
  return name.endsWith('.jsonl') ? 'journal' : 'other';
}

function source(
  entry: Entry,
  kind: SourceKind,
  { folder, project, sessionId }: SessionPlace,
  children: ReadonlyMap<string, Child>,
): Source {
  const child = children.get(sessionId ?? '');
  return {
    ...plainSource(kind, kind === 'plan' ? 'document' : 'lines', entry),
    sessionId,
    facts: {
      projectDir: basename(project),
      parentSession: child?.parentSession ?? null,
      agentPath: child?.agentPath ?? null,
    },
    isWoven: kind === 'transcript',
    companions: {
      cwd: join(project, '.cwd'),
      summary: join(folder.path, 'summary.json'),
      updates: join(folder.path, UPDATES),
      ...(child ? { meta: child.metaPath } : {}),
      ...(entry.name === UPDATES ? childMetas(sessionId, children) : {}),
    },
  };
}

/** What a session noted of its sub-agents, by the session of each. */
function childMetas(
  sessionId: string | null,
  children: ReadonlyMap<string, Child>,
): Readonly<Record<string, string>> {
  const own = [...children].filter(([, { parentSession }]) => parentSession === sessionId);
  return Object.fromEntries(own.map(([id, { metaPath }]) => [`child ${id}`, metaPath]));
}

/** Whether a folder holds the chat of a session. */
export function holdsChat({ path }: Entry): boolean {
  return isFileAt(join(path, CHAT));
}

/** Whether a name is a percent-encoded absolute path, of Windows too. */
export function isProjectName(name: string): boolean {
  return /^(%|[A-Za-z]%3A)/i.test(name);
}
