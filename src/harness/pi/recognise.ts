/**
 * Whether a folder or file is pi's.
 *
 * A folder `sessions/` alone does not tell: other harnesses have one too. It is pi's when a folder
 * in it is named as pi names projects (`--…--`), or when a transcript in it, at most three folders
 * deep, begins with the header that only pi writes: a `session` with an id and a working folder.
 */

import { join } from 'node:path';
import { member } from '../../bytes/json.ts';
import { type Entry, entriesIn, entryAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { firstRecords } from '../shared/probe.ts';
import { isProjectName, type Part, RUN_HISTORY, SESSIONS } from './discover.ts';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of pi's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return isTranscript(entry) ? root(entry, 'file') : null;
  if (holdsSessions(folderIn(entry, SESSIONS))) return root(entry, 'home');
  if (holdsSessions(folderIn(entry, 'agent', SESSIONS))) return root(entry, 'above');
  const isBelow = entry.name === SESSIONS || entry.path.split(/[\\/]/).some(isProjectName);
  return holdsSessions(entry, isBelow ? DEPTH : 0) ? root(entry, partOf(entry)) : null;
}

/** The part that an entry is most likely, when the caller says that it is pi's. */
export function assume(entry: Entry): Root {
  const known = recognise(entry);
  if (known) return known;
  if (!entry.isFolder) return root(entry, 'file');
  if (entry.name === SESSIONS) return root(entry, 'sessions');
  if (folderIn(entry, SESSIONS)) return root(entry, 'home');
  if (folderIn(entry, 'agent', SESSIONS)) return root(entry, 'above');
  // A new home has no sessions yet, but extensions with files of their own.
  const isHome = !namesIn(entry.path).some(name => name.endsWith('.jsonl') && name !== RUN_HISTORY);
  return root(entry, isHome ? 'home' : 'folder');
}

function partOf(entry: Entry): Part {
  const isTop = entry.name === SESSIONS || namesIn(entry.path).some(isProjectName);
  return isTop ? 'sessions' : 'folder';
}

function folderIn(entry: Entry, ...names: readonly string[]): Entry | null {
  const path = join(entry.path, ...names);
  const found = entryAt(path, names.at(-1) ?? entry.name);
  return found?.isFolder ? found : null;
}

/** How deep a transcript is looked for below a folder of sessions. */
const DEPTH = 3;

function holdsSessions(folder: Entry | null, depth = DEPTH): boolean {
  if (folder === null) return false;
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path)) {
    if (entry.isFolder && isProjectName(entry.name)) return true;
    if (entry.isFolder) folders.push(entry);
    // The first transcript tells about all of them.
    else if (entry.name.endsWith('.jsonl')) return isTranscript(entry);
  }
  return depth > 0 && folders.some(entry => holdsSessions(entry, depth - 1));
}

function isTranscript(entry: Entry): boolean {
  if (!entry.name.endsWith('.jsonl')) return false;
  return firstRecords(entry.path).some(
    record =>
      member(record, 'type') === 'session' &&
      typeof member(record, 'id') === 'string' &&
      typeof member(record, 'cwd') === 'string',
  );
}
