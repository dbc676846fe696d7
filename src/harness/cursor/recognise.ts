/**
 * Whether a folder or file is Cursor's.
 *
 * - A `.vscdb` file is, and a folder with a `state.vscdb` in it.
 * - A `User` folder has the same parts in every editor of this family: it is Cursor's when the
 *   folder above is called so.
 * - `~/.cursor` has a folder `projects/`, as other harnesses have: it is Cursor's when a project
 *   has folders that only Cursor's agent makes.
 * - Chats of the command line lie in `chats/` in folders named by a hash; a home may have nothing
 *   else.
 * - A file is a transcript when it lies in `agent-transcripts/`, or when its first records are
 *   messages with a role and without a type.
 */

import { basename, dirname, join } from 'node:path';
import { isObject, member } from '../../bytes/json.ts';
import { type Entry, entriesIn, entryAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { at } from '../shared/fields.ts';
import { firstRecords } from '../shared/probe.ts';
import { CHATS, isChatStore } from './chat-stores.ts';
import { databaseIn, isUserFolder } from './databases.ts';
import type { Part } from './discover.ts';
import { isTranscript, TRANSCRIPTS } from './transcripts.ts';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** Folders that only Cursor's agent makes in a project. */
const OWN_FOLDERS = new Set([TRANSCRIPTS, 'agent-tools', 'agent-notes', 'terminals', 'mcps']);

/** The part of Cursor's folders that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return recogniseFile(entry);
  if (databaseIn(entry.path)) return root(entry, 'storage');
  const user = userFolder(entry);
  if (user) return user;
  if (holdsProjects(join(entry.path, 'projects'))) return root(entry, 'home');
  if (entry.name === 'projects' && holdsProjects(entry.path)) return root(entry, 'projects');
  if (namesIn(entry.path).includes(TRANSCRIPTS)) return root(entry, 'project');
  if (isInTranscripts(entry.path)) return root(entry, 'transcripts');
  if (isChatStore(entry)) return root(entry, 'stores');
  const chats = entryAt(join(entry.path, CHATS), CHATS);
  return chats && isChatStore(chats) ? root(entry, 'home') : null;
}

/** The part that an entry is most likely, when the caller says that it is Cursor's. */
export function assume(entry: Entry): Root {
  const found = recognise(entry);
  if (found) return found;
  if (!entry.isFolder) return root(entry, 'file');
  const names = new Set(namesIn(entry.path));
  if (isUserFolder(entry.path) || names.has('projects') || names.has(CHATS)) {
    return root(entry, 'home');
  }
  if (entry.name === 'workspaceStorage') return root(entry, 'workspaces');
  if (entry.name === 'projects') return root(entry, 'projects');
  return root(entry, names.size > 0 ? 'transcripts' : 'home');
}

function recogniseFile(entry: Entry): Root | null {
  if (entry.name.endsWith('.vscdb')) return root(entry, 'database');
  if (isChatStore(entry)) return root(entry, 'store');
  if (!isTranscript(entry.name)) return null;
  const isKnown = isInTranscripts(dirname(entry.path)) || looksLikeCursor(entry);
  return isKnown ? root(entry, 'file') : null;
}

/** A `User` folder, the application's folder above it, or the workspaces in it. */
function userFolder(entry: Entry): Root | null {
  const isCursor = (path: string) => basename(path).startsWith('Cursor');
  if (isUserFolder(entry.path)) return isCursor(dirname(entry.path)) ? root(entry, 'home') : null;
  if (entry.name === 'workspaceStorage' && isCursor(dirname(dirname(entry.path)))) {
    return root(entry, 'workspaces');
  }
  const user = isCursor(entry.path) ? entryAt(join(entry.path, 'User'), 'User') : null;
  return user && isUserFolder(user.path) ? root(user, 'home') : null;
}

function holdsProjects(path: string): boolean {
  for (const project of entriesIn(path)) {
    if (project.isFolder && namesIn(project.path).some(name => OWN_FOLDERS.has(name))) return true;
  }
  return false;
}

function isInTranscripts(path: string): boolean {
  return path.split(/[\\/]/).includes(TRANSCRIPTS);
}

function looksLikeCursor(entry: Entry): boolean {
  if (!entry.name.endsWith('.jsonl')) return false;
  const [first] = firstRecords(entry.path);
  const content = at(first, 'message', 'content');
  return (
    isObject(first) &&
    typeof member(first, 'role') === 'string' &&
    member(first, 'type') === undefined &&
    Array.isArray(content)
  );
}
