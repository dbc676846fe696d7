/**
 * Where Claude Desktop keeps its files.
 *
 *     <home>/local-agent-mode-sessions/…/<task>.json          what the app knows of a task
 *     <home>/local-agent-mode-sessions/…/<task>/.claude/…     what Claude Code wrote for it
 *     <home>/local-agent-mode-sessions/…/<task>/audit.jsonl   the messages as the app saw them
 *     %LOCALAPPDATA%\Packages\Claude_*\LocalCache\Roaming\Claude   a home, built for the store
 *
 * A task is any folder with a folder `.claude`, however deep it lies; its name begins with
 * `local_`. Inside `.claude` only Claude Code's own files are looked for. Order: by path.
 *
 * `audit.jsonl` repeats the messages of the transcripts, so it is a journal: `events` reads it,
 * `conversations` does not. The journal of a workflow is no such copy and counts as a transcript.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Root, Source } from '../harness.ts';
import {
  type Part as ClaudePart,
  discover as discoverClaude,
} from '../shared/claude-records/discover.ts';
import { plainSource, skippedSource } from '../shared/sources.ts';

/** The folder that marks a home. */
export const TASKS = 'local-agent-mode-sessions';

/** The log of a task. */
export const AUDIT = 'audit.jsonl';

/** The places in Claude Desktop's tree that a path may name. */
export type Part = 'packages' | 'home' | 'tree' | 'audit' | `claude ${ClaudePart}`;

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  const part = root.part as Part;
  switch (part) {
    case 'packages':
      yield* packages(entry.path, kinds, onProblem);
      break;
    case 'home':
      yield* home(entry.path, kinds, onProblem);
      break;
    case 'tree':
      yield* tree(entry, kinds, onProblem);
      break;
    case 'audit':
      if (kinds.has('journal')) yield audit(entry);
      break;
    default:
      yield* claude(entry, part.slice('claude '.length) as ClaudePart, kinds, onProblem);
  }
}

function* packages(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(path, onProblem)) {
    if (!entry.isFolder || !entry.name.startsWith('Claude_')) continue;
    yield* home(join(entry.path, 'LocalCache', 'Roaming', 'Claude'), kinds, onProblem);
  }
}

function* home(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const tasks = entryAt(join(path, TASKS), TASKS, onProblem);
  if (tasks?.isFolder) yield* tree(tasks, kinds, onProblem);
}

/** A folder of tasks, a task, or a folder in one. */
function* tree(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(folder.identity)) return;
  const below = [...above, folder.identity];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (!entry.isFolder) yield* file(entry, kinds);
    else if (entry.name === '.claude') yield* claude(entry, 'home', kinds, onProblem);
    else yield* tree(entry, kinds, onProblem, below);
  }
}

function* file(entry: Entry, kinds: Kinds): Generator<Source> {
  if (!entry.isFile) return;
  const isAudit = entry.name === AUDIT && basename(dirname(entry.path)).startsWith('local_');
  if (isAudit && kinds.has('journal')) yield audit(entry);
  if (isAudit || !kinds.has('other')) return;
  const describesTask = entry.name.startsWith('local_') && entry.name.endsWith('.json');
  yield skippedSource(
    entry,
    describesTask ? 'read with the transcripts of its task' : 'file of a task, no transcript',
  );
}

function audit(entry: Entry): Source {
  return { ...plainSource('journal', 'lines', entry), sessionId: basename(dirname(entry.path)) };
}

/** The files of one part of a folder `.claude`, with what describes its task. */
function* claude(
  entry: Entry,
  part: ClaudePart,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  const wanted = new Set(kinds);
  wanted.delete('journal');
  if (kinds.has('transcript')) wanted.add('journal');
  for (const source of discoverClaude({ entry, part }, wanted, onProblem)) yield ofTask(source);
}

function ofTask(source: Source): Source {
  const task = /^(.*)[\\/]\.claude[\\/]/s.exec(source.path)?.[1];
  const companions = { ...source.companions, ...(task ? { task: `${task}.json` } : {}) };
  return { ...source, kind: source.kind === 'journal' ? 'transcript' : source.kind, companions };
}
