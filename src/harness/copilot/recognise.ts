/**
 * Whether a folder or file is Copilot's.
 *
 * A folder `session-state/` makes a home of the CLI. A folder `workspaceStorage/` is in the homes
 * of all editors that come from VS Code: it is Copilot's when a workspace in it has
 * `chatSessions/`, or the editor has chats without a workspace; Cursor's folder is left to Cursor.
 * Files are recognised by the folder that they lie in, or by their first records.
 */

import { join } from 'node:path';
import { type Entry, entriesIn, entryAt, isFolderAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import type { Part } from './discover.ts';
import { recognisedFormat } from './formats.ts';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of Copilot's trees that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return recognisedFormat(entry) ? root(entry, 'file') : null;
  const part = partOf(entry);
  return part === null || isCursors(entry.path) ? null : root(entry, part);
}

/** The part that an entry is most likely, when the caller says that it is Copilot's. */
export function assume(entry: Entry): Root {
  if (!entry.isFolder) return root(entry, 'file');
  const part = partOf(entry);
  if (part !== null) return root(entry, part);
  return root(entry, namesIn(entry.path).some(isTranscript) ? 'files' : 'home');
}

function partOf(entry: Entry): Part | null {
  const { name, path } = entry;
  if (SESSION_FOLDERS.some(one => isFolderAt(join(path, one)))) return 'home';
  if (holdsChats(join(path, 'workspaceStorage')) || isFolderAt(join(path, WINDOWS))) return 'home';
  if (SESSION_FOLDERS.includes(name)) return 'sessions';
  if (name === 'workspaceStorage' && holdsChats(path)) return 'workspaces';
  if (name === 'chatSessions' || name === 'emptyWindowChatSessions') return 'chats';
  if (isFolderAt(join(path, 'chatSessions'))) return 'workspace';
  const events = entryAt(join(path, 'events.jsonl'), 'events.jsonl');
  return events && recognisedFormat(events) === 'cli' ? 'session' : null;
}

const SESSION_FOLDERS = ['session-state', 'history-session-state'];
const WINDOWS = join('globalStorage', 'emptyWindowChatSessions');

function holdsChats(path: string): boolean {
  for (const workspace of entriesIn(path)) {
    if (workspace.isFolder && isFolderAt(join(workspace.path, 'chatSessions'))) return true;
  }
  return false;
}

/** `Cursor/User` and what lies in it. */
function isCursors(path: string): boolean {
  return /[\\/]Cursor[\\/]User([\\/]|$)/.test(path);
}

function isTranscript(name: string): boolean {
  return /\.jsonl?$/.test(name);
}
