/**
 * A folder `.claude`, in the user's home or wherever another program keeps one.
 *
 *     history.jsonl, stats-cache.json, plans/*.md, todos/<session>-agent-<agent>.json
 *     projects/…  as `projects.ts` says
 */

import { basename, join } from 'node:path';
import { entriesIn, entryAt, type OnProblem } from '../../../bytes/walk.ts';
import type { Kinds, Source, SourceKind } from '../../harness.ts';
import { plainSource } from '../sources.ts';
import { projects } from './projects.ts';

const IN_PROJECTS: readonly SourceKind[] = ['transcript', 'journal', 'other'];

/** The transcripts and side files of a folder `.claude`. */
export function* home(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  if (IN_PROJECTS.some(kind => kinds.has(kind)))
    yield* projects(join(path, 'projects'), kinds, onProblem);
  if (kinds.has('plan')) yield* folderOf('plan', join(path, 'plans'), '.md', onProblem);
  if (kinds.has('todo')) yield* folderOf('todo', join(path, 'todos'), '.json', onProblem);
  if (kinds.has('history')) yield* oneFile('history', join(path, 'history.jsonl'), onProblem);
  if (kinds.has('stats')) yield* oneFile('stats', join(path, 'stats-cache.json'), onProblem);
}

function* folderOf(
  kind: SourceKind,
  folder: string,
  ending: string,
  onProblem: OnProblem,
): Generator<Source> {
  for (const entry of entriesIn(folder, onProblem)) {
    if (entry.isFile && entry.name.endsWith(ending)) yield plainSource(kind, 'document', entry);
  }
}

function* oneFile(kind: SourceKind, path: string, onProblem: OnProblem): Generator<Source> {
  const entry = entryAt(path, basename(path), onProblem);
  if (entry?.isFile) yield plainSource(kind, kind === 'history' ? 'lines' : 'document', entry);
}
