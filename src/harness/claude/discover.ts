/**
 * Where Claude Code keeps its files.
 *
 *     <home>/history.jsonl, stats-cache.json, plans/*.md, todos/<session>-agent-<agent>.json
 *     <home>/projects/<project>/<session>.jsonl             a session
 *     <home>/projects/<project>/agent-<id>.jsonl            a sub-agent, until version 2.0
 *     <home>/projects/<project>/<session>/subagents/*.jsonl sub-agents, with <name>.meta.json
 *     …/subagents/workflows/<workflow>/agent-*.jsonl, journal.jsonl
 *     …/<session>/tool-results/*, <project>/memory/*.md, <project>/sessions-index.json
 *
 * Order: project by project, in each the sessions, then the sub-agents session by session; names
 * in byte order. The folder name of a project is an encoded path; what is lost in it is lost.
 */

import { dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, type OnProblem } from '../../bytes/walk.ts';
import type { Root, Source, SourceKind } from '../harness.ts';

/** The places in Claude Code's tree that a path may name. */
export type Part = 'home' | 'projects' | 'project' | 'session' | 'agents' | 'file';

type Kinds = ReadonlySet<SourceKind>;

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  switch (root.part as Part) {
    case 'home':
      yield* home(entry.path, kinds, onProblem);
      break;
    case 'projects':
      yield* projects(entry.path, kinds, onProblem);
      break;
    case 'project':
      yield* project(entry, kinds, onProblem);
      break;
    case 'session':
      yield* session(entry, nameOfParent(entry.path), kinds, onProblem);
      break;
    case 'agents': {
      const place = agentPlaceOf(entry.path);
      if (place) yield* subagents(entry, place, kinds, onProblem);
      break;
    }
    case 'file':
      yield* singleFile(entry, kinds);
  }
}

function* home(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const needsProjects = ['transcript', 'journal', 'other'].some(k => kinds.has(k as SourceKind));
  if (needsProjects) yield* projects(join(path, 'projects'), kinds, onProblem);
  if (kinds.has('plan')) yield* folderOf('plan', join(path, 'plans'), '.md', onProblem);
  if (kinds.has('todo')) yield* folderOf('todo', join(path, 'todos'), '.json', onProblem);
  if (kinds.has('history')) yield* oneFile('history', join(path, 'history.jsonl'), onProblem);
  if (kinds.has('stats')) yield* oneFile('stats', join(path, 'stats-cache.json'), onProblem);
}

function* projects(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(path, onProblem)) {
    if (entry.isFolder) yield* project(entry, kinds, onProblem);
    else yield* other(entry, kinds);
  }
}

function* project(folder: Entry, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else if (!entry.name.endsWith('.jsonl')) yield* other(entry, kinds);
    else if (entry.isFile && kinds.has('transcript')) yield topLevelTranscript(entry, folder.name);
  }
  for (const entry of folders) {
    if (entry.name === 'memory') yield* others(entry, kinds, onProblem);
    else yield* session(entry, folder.name, kinds, onProblem);
  }
}

function* session(
  folder: Entry,
  projectDir: string,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  const place = { projectDir, parentSession: folder.name };
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (!entry.isFolder) yield* other(entry, kinds);
    else if (entry.name === 'subagents') {
      yield* subagents(entry, { ...place, path: `${folder.name}/subagents` }, kinds, onProblem);
    } else yield* others(entry, kinds, onProblem);
  }
}

interface AgentPlace {
  readonly projectDir: string;
  readonly parentSession: string;
  /** The folder's path below the project, with slashes. */
  readonly path: string;
}

/** A `subagents` folder, and the folders of workflows in it, however deep they lie. */
function* subagents(
  folder: Entry,
  place: AgentPlace,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(folder.identity)) return;
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else if (!entry.name.endsWith('.jsonl')) yield* other(entry, kinds);
    else if (entry.isFile) yield* agentTranscript(entry, place, kinds);
  }
  for (const entry of folders) {
    const below = { ...place, path: `${place.path}/${entry.name}` };
    yield* subagents(entry, below, kinds, onProblem, [...above, folder.identity]);
  }
}

function* agentTranscript(entry: Entry, place: AgentPlace, kinds: Kinds): Generator<Source> {
  const kind = entry.name === 'journal.jsonl' ? 'journal' : 'transcript';
  if (!kinds.has(kind)) return;
  const { projectDir, parentSession } = place;
  yield {
    ...source(kind, 'lines', entry),
    sessionId: parentSession,
    facts: { projectDir, parentSession, agentPath: `${place.path}/${entry.name}` },
    companions: { meta: entry.path.replace(/\.jsonl$/, '.meta.json') },
  };
}

function topLevelTranscript(entry: Entry, projectDir: string): Source {
  const agentPath = entry.name.startsWith('agent-') ? entry.name : null;
  return {
    ...source('transcript', 'lines', entry),
    sessionId: stemOf(entry.name),
    facts: { projectDir, parentSession: null, agentPath },
  };
}

/** A file named by the caller: its place tells what the walk from the home would have told. */
function* singleFile(entry: Entry, kinds: Kinds): Generator<Source> {
  const place = agentPlaceOf(dirname(entry.path));
  if (place) yield* agentTranscript(entry, place, kinds);
  else yield topLevelTranscript(entry, nameOfParent(entry.path));
}

/** The place of a `subagents` folder or of a folder in it; null for any other. */
export function agentPlaceOf(path: string): AgentPlace | null {
  const parts = path.split(/[\\/]/);
  const depth = parts.lastIndexOf('subagents');
  if (depth < 2) return null;
  const [projectDir = '', parentSession = ''] = parts.slice(depth - 2, depth);
  return { projectDir, parentSession, path: parts.slice(depth - 1).join('/') };
}

function* folderOf(
  kind: SourceKind,
  folder: string,
  ending: string,
  onProblem: OnProblem,
): Generator<Source> {
  for (const entry of entriesIn(folder, onProblem)) {
    if (entry.isFile && entry.name.endsWith(ending)) yield source(kind, 'document', entry);
  }
}

function* oneFile(kind: SourceKind, path: string, onProblem: OnProblem): Generator<Source> {
  const entry = entryAt(path, path.split(/[\\/]/).at(-1) ?? path, onProblem);
  if (entry?.isFile) yield source(kind, kind === 'history' ? 'lines' : 'document', entry);
}

const SIDE_FILE = 'side file, no transcript';

function* other(entry: Entry, kinds: Kinds): Generator<Source> {
  if (!kinds.has('other') || !entry.isFile) return;
  yield { ...source('other', 'document', entry), skipped: SIDE_FILE };
}

function* others(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  if (!kinds.has('other') || above.includes(folder.identity)) return;
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (!entry.isFolder) yield* other(entry, kinds);
    else yield* others(entry, kinds, onProblem, [...above, folder.identity]);
  }
}

function source(kind: SourceKind, form: Source['form'], entry: Entry): Source {
  return {
    kind,
    form,
    path: entry.path,
    fileName: entry.name,
    byteLength: entry.byteLength,
    modifiedMs: entry.modifiedMs,
    identity: entry.identity,
    sessionId: null,
    facts: {},
    companions: {},
  };
}

function stemOf(name: string): string {
  return name.replace(/\.jsonl$/, '');
}

function nameOfParent(path: string): string {
  return path.split(/[\\/]/).at(-2) ?? '';
}
