/**
 * The folder `projects/` that Claude Code keeps, in its own home and in those of other programs.
 *
 *     projects/<project>/<session>.jsonl             a session
 *     projects/<project>/agent-<id>.jsonl            a sub-agent, until version 2.0
 *     projects/<project>/<session>/subagents/*.jsonl sub-agents, with <name>.meta.json
 *     …/subagents/workflows/<workflow>/agent-*.jsonl, journal.jsonl
 *     …/<session>/tool-results/*, <project>/memory/*.md, <project>/sessions-index.json
 *
 * Order: project by project, in each the sessions, then the sub-agents session by session; names
 * in byte order. The folder name of a project is an encoded path; what is lost in it is lost.
 */

import { basename, dirname } from 'node:path';
import { type Entry, entriesIn, type OnProblem } from '../../../bytes/walk.ts';
import type { Kinds, Source } from '../../harness.ts';
import { plainSource, sideFile, sideFilesBelow } from '../sources.ts';

/** The files of every project in a folder `projects/`. */
export function* projects(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(path, onProblem)) {
    if (entry.isFolder) yield* project(entry, kinds, onProblem);
    else yield* sideFile(entry, kinds);
  }
}

/** The files of one project. */
export function* project(folder: Entry, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else if (!entry.name.endsWith('.jsonl')) yield* sideFile(entry, kinds);
    else if (entry.isFile && kinds.has('transcript')) yield topLevelTranscript(entry, folder.name);
  }
  for (const entry of folders) {
    if (entry.name === 'memory') yield* sideFilesBelow(entry, kinds, onProblem);
    else yield* session(entry, folder.name, kinds, onProblem);
  }
}

/** The files in the folder of a session. `projectDir` is the name of the folder above it. */
export function* session(
  folder: Entry,
  projectDir: string,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  const place = { projectDir, parentSession: folder.name };
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (!entry.isFolder) yield* sideFile(entry, kinds);
    else if (entry.name === 'subagents') {
      yield* subagents(entry, { ...place, path: `${folder.name}/subagents` }, kinds, onProblem);
    } else yield* sideFilesBelow(entry, kinds, onProblem);
  }
}

/** Where a `subagents` folder, or one in it, lies. */
export interface AgentPlace {
  readonly projectDir: string;
  readonly parentSession: string;
  /** The folder's path below the project, with slashes. */
  readonly path: string;
}

/** A `subagents` folder, and the folders of workflows in it, however deep they lie. */
export function* subagents(
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
    else if (!entry.name.endsWith('.jsonl')) yield* sideFile(entry, kinds);
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
    ...plainSource(kind, 'lines', entry),
    sessionId: parentSession,
    facts: { projectDir, parentSession, agentPath: `${place.path}/${entry.name}` },
    companions: { meta: entry.path.replace(/\.jsonl$/, '.meta.json') },
  };
}

function topLevelTranscript(entry: Entry, projectDir: string): Source {
  const agentPath = entry.name.startsWith('agent-') ? entry.name : null;
  return {
    ...plainSource('transcript', 'lines', entry),
    sessionId: entry.name.replace(/\.jsonl$/, ''),
    facts: { projectDir, parentSession: null, agentPath },
  };
}

/** A file named by the caller: its place tells what the walk from the home would have told. */
export function* singleFile(entry: Entry, kinds: Kinds): Generator<Source> {
  const place = agentPlaceOf(dirname(entry.path));
  if (place) yield* agentTranscript(entry, place, kinds);
  else yield topLevelTranscript(entry, basename(dirname(entry.path)));
}

/** The place of a `subagents` folder or of a folder in it; null for any other. */
export function agentPlaceOf(path: string): AgentPlace | null {
  const parts = path.split(/[\\/]/);
  const depth = parts.lastIndexOf('subagents');
  if (depth < 2) return null;
  const [projectDir = '', parentSession = ''] = parts.slice(depth - 2, depth);
  return { projectDir, parentSession, path: parts.slice(depth - 1).join('/') };
}
