/**
 * Where pi keeps its files.
 *
 *     <home>/sessions/--<path>--/<time>_<id>.jsonl                     a session
 *     <home>/sessions/--<path>--/<time>_<id>/<run>/run-0/<name>.jsonl  a sub-agent of it
 *     <home>/sessions/--<path>--/subagent-artifacts/*.jsonl            copies of their work
 *     <home>/run-history.jsonl                                         one line a sub-agent
 *
 * Only the first is pi's own; the rest comes from the extension for sub-agents. A folder beside a
 * transcript of the same name, or with the name of one that is gone, holds the sub-agents of that
 * session, theirs in the same way, as deep as it goes. Programs that embed pi put sessions into
 * folders of their own, so any other folder is looked into as well.
 *
 * The copies repeat what the sub-agents' own transcripts say, so they are journals: `events` reads
 * them, `conversations` does not. Order: files before folders, names in byte order.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, isFileAt, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Root, Source } from '../harness.ts';
import { plainSource, sideFile } from '../shared/sources.ts';

/** The places in pi's tree that a path may name. */
export type Part = 'above' | 'home' | 'sessions' | 'folder' | 'file';

/** The folder of sessions. */
export const SESSIONS = 'sessions';

/** What the extension for sub-agents notes of each. */
export const RUN_HISTORY = 'run-history.jsonl';

const ARTIFACTS = 'subagent-artifacts';

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  switch (root.part as Part) {
    case 'above':
      yield* home(join(entry.path, 'agent'), kinds, onProblem);
      break;
    case 'home':
      yield* home(entry.path, kinds, onProblem);
      break;
    case 'sessions':
      yield* folder(entry, TOP, kinds, onProblem);
      break;
    case 'folder':
      yield* folder(entry, placeOf(entry.path), kinds, onProblem);
      break;
    case 'file':
      yield* file(entry, placeOf(dirname(entry.path)), kinds);
  }
}

function* home(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const sessions = entryAt(join(path, SESSIONS), SESSIONS, onProblem);
  if (sessions?.isFolder) yield* folder(sessions, TOP, kinds, onProblem);
  const runs = entryAt(join(path, RUN_HISTORY), RUN_HISTORY, onProblem);
  if (runs?.isFile && kinds.has('journal')) yield plainSource('journal', 'lines', runs);
}

/** Where a folder lies. */
interface Place {
  /** The folder of the project; null for the folder of sessions itself. */
  readonly projectDir: string | null;
  /** The path below the project, with slashes; empty for the project. */
  readonly path: string;
  /** For folders of sub-agents: the path of the session's transcript, which may be gone. */
  readonly parent: string | null;
}

const TOP: Place = { projectDir: null, path: '', parent: null };

function* folder(
  entry: Entry,
  place: Place,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(entry.identity)) return;
  const folders: Entry[] = [];
  const files = new Set<string>();
  for (const inside of entriesIn(entry.path, onProblem)) {
    if (inside.isFolder) folders.push(inside);
    else files.add(inside.name);
    if (inside.isFile) yield* file(inside, place, kinds);
  }
  for (const inside of folders) {
    const below = placeBelow(place, inside, files.has(`${inside.name}.jsonl`));
    yield* folder(inside, below, kinds, onProblem, [...above, entry.identity]);
  }
}

function placeBelow(place: Place, inside: Entry, hasTranscript: boolean): Place {
  if (place.projectDir === null && !hasTranscript) return { ...TOP, projectDir: inside.name };
  const path = place.path === '' ? inside.name : `${place.path}/${inside.name}`;
  const isSession = hasTranscript || isTranscriptName(inside.name);
  return { ...place, path, parent: isSession ? `${inside.path}.jsonl` : place.parent };
}

function* file(entry: Entry, place: Place, kinds: Kinds): Generator<Source> {
  const isCopy = basename(dirname(entry.path)) === ARTIFACTS;
  if (!entry.name.endsWith('.jsonl')) yield* sideFile(entry, kinds);
  else if (isCopy) {
    if (kinds.has('journal')) yield plainSource('journal', 'lines', entry);
  } else if (kinds.has('transcript')) {
    yield transcript(entry, place);
  }
}

function transcript(entry: Entry, { projectDir, path, parent }: Place): Source {
  const parentSession = parent === null ? null : idInName(basename(parent));
  const agentPath = path === '' ? entry.name : `${path}/${entry.name}`;
  return {
    ...plainSource('transcript', 'lines', entry),
    sessionId: idInName(entry.name) ?? entry.name.replace(/\.jsonl$/, ''),
    facts: { projectDir, parentSession, agentPath: parent === null ? null : agentPath },
    companions: parent === null ? {} : { parent },
  };
}

/** The place of a folder that the caller named, by the folders above it. */
function placeOf(path: string): Place {
  const name = basename(path);
  const above = dirname(path);
  if (name === SESSIONS || above === path) return TOP;
  if (isProjectName(name) || basename(above) === SESSIONS) return { ...TOP, projectDir: name };
  const isSession = isFileAt(`${path}.jsonl`) || isTranscriptName(name);
  const isBelow = path.split(/[\\/]/).some(part => part === SESSIONS || isProjectName(part));
  if (!isSession && !isBelow) return { ...TOP, projectDir: name };
  const outer = placeOf(above);
  return {
    projectDir: outer.projectDir,
    path: outer.path === '' ? name : `${outer.path}/${name}`,
    parent: isSession ? `${path}.jsonl` : outer.parent,
  };
}

/** Whether a name stands for a working folder, as pi writes it. */
export function isProjectName(name: string): boolean {
  return /^--.*--$/s.test(name);
}

/** Whether a name is that of a transcript without its ending: `<time>_<id>`. */
function isTranscriptName(name: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_./.test(name);
}

/** The id that the name of a transcript ends with, or null. */
export function idInName(name: string): string | null {
  return /_([^_]+)\.jsonl$/.exec(name)?.[1] ?? null;
}
