/**
 * Whether a folder or file is Codex's.
 *
 * A home has a folder `sessions` with a folder whose name is digits (a year), or with rollouts in
 * it; a folder called `.codex` is one too when it has any of the files of a home. A file is a
 * rollout by its name, or when one of its first records opens a session of Codex.
 */

import { join } from 'node:path';
import { isObject } from '../../bytes/json.ts';
import { type Entry, entryAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { firstRecords } from '../shared/probe.ts';
import { type Part, ROLLOUT } from './discover.ts';
import { payloadOf } from './record-types.ts';

const HOME_NAMES = new Set([
  'sessions',
  'archived_sessions',
  'history.jsonl',
  'session_index.jsonl',
]);
const ARCHIVE = 'archived_sessions';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of Codex's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return isRollout(entry) ? root(entry, 'file') : null;
  if (isHome(entry)) return root(entry, 'home');
  if (entry.name === 'sessions') return holdsSessions(entry.path) ? root(entry, 'sessions') : null;
  if (entry.name === ARCHIVE) return holdsRollouts(entry.path) ? root(entry, 'archived') : null;
  return isDateFolder(entry.path) || holdsRollouts(entry.path) ? root(entry, 'folder') : null;
}

/** The part that an entry is most likely, when the caller says that it is Codex's. */
export function assume(entry: Entry): Root {
  if (!entry.isFolder) return root(entry, 'file');
  if (entry.name === 'sessions') return root(entry, 'sessions');
  if (entry.name === ARCHIVE) return root(entry, 'archived');
  const isPart = isDateFolder(entry.path) || holdsRollouts(entry.path);
  return root(entry, isPart ? 'folder' : 'home');
}

function isHome(entry: Entry): boolean {
  if (entry.name === '.codex') return namesIn(entry.path).some(name => HOME_NAMES.has(name));
  const sessions = entryAt(join(entry.path, 'sessions'), 'sessions');
  if (sessions?.isFolder && holdsSessions(sessions.path)) return true;
  return holdsRollouts(join(entry.path, ARCHIVE));
}

function holdsSessions(path: string): boolean {
  return namesIn(path).some(name => isYear(path, name) || ROLLOUT.test(name));
}

function isYear(folder: string, name: string): boolean {
  return /^\d+$/.test(name) && entryAt(join(folder, name), name)?.isFolder === true;
}

function holdsRollouts(path: string): boolean {
  return namesIn(path).some(name => ROLLOUT.test(name));
}

function isDateFolder(path: string): boolean {
  return /[\\/]sessions[\\/]\d{4}([\\/]\d\d){0,2}$/.test(path);
}

function isRollout(entry: Entry): boolean {
  if (ROLLOUT.test(entry.name)) return true;
  return entry.name.endsWith('.jsonl') && firstRecords(entry.path).some(opensSession);
}

function opensSession(record: unknown): boolean {
  if (!isObject(record) || record['type'] !== 'session_meta') return false;
  const payload = payloadOf(record);
  return isObject(payload) && typeof payload['id'] === 'string';
}
