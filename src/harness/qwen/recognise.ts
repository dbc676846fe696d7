/**
 * Whether a folder or file is Qwen Code's.
 *
 * A folder `projects/` does not tell: Claude Code and Cursor have one too. It is Qwen Code's when a
 * project in it has `chats/` or `subagents/` with transcripts. Versions of 2025 kept chats in
 * `tmp/` as Gemini CLI does; those are Qwen Code's in a home called `.qwen` or with `projects/`.
 * A file is a transcript when it lies in such a home, or when one of its first records looks like
 * Qwen Code's.
 */

import { join } from 'node:path';
import { member } from '../../bytes/json.ts';
import { type Entry, entriesIn, isFolderAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { chatPartOf, homeAbove, likelyChatPart } from '../shared/gemini-chats/recognise.ts';
import { firstRecords } from '../shared/probe.ts';
import type { Part } from './discover.ts';
import { recordTypes } from './record-types.ts';

/** The part of Qwen Code's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  const part = partOf(entry);
  return part && { entry, part };
}

/** The part that an entry is most likely, when the caller says that it is Qwen Code's. */
export function assume(entry: Entry): Root {
  return { entry, part: partOf(entry) ?? likelyPart(entry) };
}

function likelyPart(entry: Entry): Part {
  const isInTmp = homeAbove(entry.path) !== null;
  if (!entry.isFolder) return isJsonl(entry.name) && !isInTmp ? 'file' : 'old-file';
  if (entry.name === 'projects') return 'projects';
  if (isFolderAt(join(entry.path, 'projects')) || isFolderAt(join(entry.path, 'tmp')))
    return 'home';
  const isChats = entry.name === 'chats' && !isInTmp;
  if (isChats || namesIn(entry.path).some(isJsonl)) return 'folder';
  return isInTmp ? `old-${likelyChatPart(entry)}` : 'home';
}

function partOf(entry: Entry): Part | null {
  if (!entry.isFolder) return partOfFile(entry);
  if (isFolderAt(join(entry.path, 'projects')) || entry.name === '.qwen') {
    return isHome(entry) ? 'home' : null;
  }
  if (entry.name === 'projects' && holdsProjects(entry.path)) return 'projects';
  const chatPart = isOld(entry.path) ? chatPartOf(entry) : null;
  if (chatPart !== null && chatPart !== 'home') return `old-${chatPart}`;
  if (isProject(entry.path)) return 'project';
  return holdsTranscripts(entry.path) ? 'folder' : null;
}

function partOfFile(entry: Entry): Part | null {
  if (isJsonl(entry.name)) return looksLikeQwen(entry.path) ? 'file' : null;
  return isOld(entry.path) && chatPartOf(entry) !== null ? 'old-file' : null;
}

function isHome({ name, path }: Entry): boolean {
  const hasFolders = isFolderAt(join(path, 'projects')) || isFolderAt(join(path, 'tmp'));
  return holdsProjects(join(path, 'projects')) || (name === '.qwen' && hasFolders);
}

/** Whether a path lies in the `tmp/` of a home of Qwen Code. */
function isOld(path: string): boolean {
  const home = homeAbove(path);
  if (home === null) return false;
  return /[\\/]\.qwen$/.test(home) || holdsProjects(join(home, 'projects'));
}

function holdsProjects(path: string): boolean {
  return foldersIn(path).some(isProject);
}

/** Whether a folder has transcripts where a project has them. */
function isProject(path: string): boolean {
  if (holdsTranscripts(join(path, 'chats'))) return true;
  return foldersIn(join(path, 'subagents')).some(holdsTranscripts);
}

function foldersIn(path: string): readonly string[] {
  return [...entriesIn(path)].filter(({ isFolder }) => isFolder).map(entry => entry.path);
}

/** Whether one of the files in a folder is a transcript. An empty file tells nothing. */
function holdsTranscripts(path: string): boolean {
  return namesIn(path).some(name => isJsonl(name) && looksLikeQwen(join(path, name)));
}

function isJsonl(name: string): boolean {
  return name.endsWith('.jsonl');
}

function looksLikeQwen(path: string): boolean {
  return firstRecords(path).some(record => {
    const type = member(record, 'type');
    const isRecord = typeof type === 'string' && Object.hasOwn(recordTypes, type);
    if (!isRecord || typeof member(record, 'uuid') !== 'string') return false;
    const hasParts = Array.isArray(member(member(record, 'message'), 'parts'));
    return hasParts || member(record, 'systemPayload') !== undefined;
  });
}
