/**
 * The chats of the agent on the command line:
 *
 *     <home>/chats/<workspace>/<chat>/store.db    the workspace is the MD5 of its folder's path
 *
 * Its table `blobs` holds pieces of the chat by the hash of their content, `meta` what the chat is,
 * as JSON in hexadecimal digits. How the pieces make up messages is not published, and most are no
 * text: `events` gives every record, `conversations` none but by line. The chat is told as messages
 * by its transcript.
 */

import { basename, dirname } from 'node:path';
import type { SqliteTable } from '../../bytes/sqlite-table.ts';
import { type Entry, entriesIn, entryAt, namesIn, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Source } from '../harness.ts';
import { plainSource, sideFile } from '../shared/sources.ts';

/** The name of the folder in Cursor's home. */
export const CHATS = 'chats';

const STORE = 'store.db';
const WORKSPACE = /^[0-9a-f]{32}$/;

/** The records of a store. */
export const storeRows: readonly SqliteTable[] = [
  { table: 'blobs', key: 'id', value: 'data' },
  { table: 'meta', key: 'key', value: 'value' },
];

/** Whether an entry lies where the chats of the command line lie, and holds one or is one. */
export function isChatStore(entry: Entry): boolean {
  if (!entry.isFolder) return entry.name === STORE && isChat(dirname(entry.path));
  if (isChat(entry.path)) return namesIn(entry.path).includes(STORE);
  if (isWorkspace(entry.path)) return true;
  return entry.name === CHATS && namesIn(entry.path).some(name => WORKSPACE.test(name));
}

function isWorkspace(path: string): boolean {
  return WORKSPACE.test(basename(path)) && basename(dirname(path)) === CHATS;
}

function isChat(path: string): boolean {
  return isWorkspace(dirname(path));
}

/** The stores below a folder, each file beside them as one that no relation reads. */
export function* chatStores(
  folder: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(folder.identity)) return;
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) yield* chatStores(entry, kinds, onProblem, [...above, folder.identity]);
    else if (entry.name !== STORE) yield* sideFile(entry, kinds);
    else if (entry.isFile && kinds.has('journal')) yield chatStore(entry);
  }
}

/** One store; what was written last may lie in the log beside it. */
export function chatStore(entry: Entry): Source {
  const log = entryAt(`${entry.path}-wal`, `${entry.name}-wal`);
  return {
    ...plainSource('journal', 'sqlite', entry),
    byteLength: entry.byteLength + (log?.byteLength ?? 0),
    modifiedMs: Math.max(entry.modifiedMs, log?.modifiedMs ?? 0),
    sessionId: basename(dirname(entry.path)),
  };
}
