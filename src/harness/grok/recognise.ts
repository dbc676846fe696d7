/**
 * Whether a folder or file is Grok Build's.
 *
 * A folder `sessions/` alone does not tell: other harnesses have one too. It is Grok's when a
 * folder in it is named by a percent-encoded path, or holds a file `.cwd` with the path. A session
 * is a folder with a chat and a summary or updates; a file is one by its name and such a folder.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, isFileAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { CHAT, holdsChat, isProjectName, type Part, SESSIONS, UPDATES } from './discover.ts';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of Grok's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return isInSession(entry) ? root(entry, 'file') : null;
  const sessions = entryAt(join(entry.path, SESSIONS), SESSIONS);
  if (sessions?.isFolder && holdsProjects(sessions)) return root(entry, 'home');
  if (isSession(entry) && !isProject(entry)) return root(entry, 'session');
  if (isProject(entry)) return root(entry, 'project');
  return holdsProjects(entry) ? root(entry, 'sessions') : null;
}

/** The part that an entry is most likely, when the caller says that it is Grok's. */
export function assume(entry: Entry): Root {
  const known = recognise(entry);
  if (known) return known;
  if (!entry.isFolder) return root(entry, 'file');
  if (entry.name === SESSIONS) return root(entry, 'sessions');
  return root(entry, holdsChat(entry) ? 'session' : 'home');
}

function holdsProjects(sessions: Entry): boolean {
  for (const entry of entriesIn(sessions.path)) if (entry.isFolder && isProject(entry)) return true;
  return false;
}

function isProject(entry: Entry): boolean {
  return isProjectName(entry.name) || isFileAt(join(entry.path, '.cwd'));
}

function isSession(entry: Entry): boolean {
  const names = namesIn(entry.path);
  return names.includes(CHAT) && (names.includes('summary.json') || names.includes(UPDATES));
}

function isInSession(entry: Entry): boolean {
  if (entry.name !== CHAT && entry.name !== UPDATES) return false;
  const path = dirname(entry.path);
  const folder = entryAt(path, basename(path));
  return folder !== null && (isSession(folder) || isProjectName(basename(dirname(path))));
}
