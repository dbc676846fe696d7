/** Sources as the walk finds them, before their place has told more. */

import { type Entry, entriesIn, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Source, SourceForm, SourceKind } from '../harness.ts';

/** A source of which only the file itself is known: no session, no facts, no companions. */
export function plainSource(kind: SourceKind, form: SourceForm, entry: Entry): Source {
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

const SIDE_FILE = 'side file, no transcript';

/** A file that no relation reads, with the reason. */
export function skippedSource(entry: Entry, skipped = SIDE_FILE): Source {
  return { ...plainSource('other', 'document', entry), skipped };
}

/** A file that no relation reads, where such files are wanted. */
export function* sideFile(entry: Entry, kinds: Kinds, skipped = SIDE_FILE): Generator<Source> {
  if (kinds.has('other') && entry.isFile) yield skippedSource(entry, skipped);
}

/** Every file below a folder as one that no relation reads. */
export function* sideFilesBelow(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  skipped = SIDE_FILE,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (!kinds.has('other') || above.includes(folder.identity)) return;
  const below = [...above, folder.identity];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) yield* sideFilesBelow(entry, kinds, onProblem, skipped, below);
    else yield* sideFile(entry, kinds, skipped);
  }
}
