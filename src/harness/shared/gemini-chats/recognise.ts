/** Which part of a home of the Gemini CLI, or of one with the same files, a path is. */

import { basename, dirname, join } from 'node:path';
import { ElementReader } from '../../../bytes/elements.ts';
import { member } from '../../../bytes/json.ts';
import { type Entry, entriesIn, isFileAt, isFolderAt, namesIn } from '../../../bytes/walk.ts';
import { firstRecords } from '../probe.ts';
import { isHeader } from './chat.ts';
import type { ChatPart } from './discover.ts';

const CHAT = /^session-.*\.jsonl?$/;

/** The part that an entry is, by what is in it; null for none. */
export function chatPartOf(entry: Entry): ChatPart | null {
  if (!entry.isFolder) return isChatFile(entry) ? 'file' : null;
  const tmp = join(entry.path, 'tmp');
  if (isFolderAt(tmp)) {
    const isHome = isFileAt(join(entry.path, 'installation_id'));
    return isHome || holdsProjects(tmp) ? 'home' : null;
  }
  if (entry.name === 'tmp' && holdsProjects(entry.path)) return 'tmp';
  if (isProject(entry.path)) return 'project';
  if (entry.name === 'chats' && holdsChats(entry.path)) return 'chats';
  return isAgents(entry) ? 'agents' : null;
}

/** The part that an entry is most likely, by its name and place. */
export function likelyChatPart(entry: Entry): ChatPart {
  if (!entry.isFolder) return 'file';
  const above = basename(dirname(entry.path));
  if (isFolderAt(join(entry.path, 'tmp'))) return 'home';
  if (entry.name === 'chats') return 'chats';
  if (above === 'chats') return 'agents';
  if (above === 'tmp' || isFolderAt(join(entry.path, 'chats'))) return 'project';
  return entry.name === 'tmp' ? 'tmp' : 'home';
}

/** The folder that holds the `tmp/` which a path is or lies in; null for other paths. */
export function homeAbove(path: string): string | null {
  return /^(.+)[\\/]tmp(?:[\\/][^\\/]+){0,4}$/s.exec(path)?.[1] ?? null;
}

function holdsProjects(tmp: string): boolean {
  for (const entry of entriesIn(tmp)) {
    if (!entry.isFolder) continue;
    const isLogged = isFileAt(join(entry.path, 'logs.json'));
    if (isLogged || isProject(entry.path)) return true;
  }
  return false;
}

function isProject(path: string): boolean {
  return holdsChats(join(path, 'chats'));
}

/** Whether a folder holds chats, of sessions or of the sub-agents of sessions. */
function holdsChats(path: string): boolean {
  if (namesIn(path).some(name => CHAT.test(name))) return true;
  for (const entry of entriesIn(path)) if (entry.isFolder && isAgents(entry)) return true;
  return false;
}

function isAgents(folder: Entry): boolean {
  if (basename(dirname(folder.path)) !== 'chats') return false;
  for (const entry of entriesIn(folder.path)) if (isChatFile(entry)) return true;
  return false;
}

function isChatFile(entry: Entry): boolean {
  if (CHAT.test(entry.name) && basename(dirname(entry.path)) === 'chats') return true;
  if (entry.name.endsWith('.jsonl')) return firstRecords(entry.path).some(isGeminiHeader);
  return entry.name.endsWith('.json') && isGeminiHeader(headerOfDocument(entry.path));
}

function isGeminiHeader(value: unknown): boolean {
  return isHeader(value) && typeof member(value, 'projectHash') === 'string';
}

function headerOfDocument(path: string): unknown {
  try {
    return new ElementReader(path, ['messages']).readRest();
  } catch {
    // Not readable: the scan will say so, with the reason.
    return undefined;
  }
}
