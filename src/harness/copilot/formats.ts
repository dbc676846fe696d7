/**
 * What a file of Copilot holds: events of the CLI (`cli`), a session of autumn 2025 (`old`), a chat
 * of VS Code (`chat`) or the journal of one (`journal`).
 *
 * `.json` is an old session in `history-session-state/` and a chat anywhere else. `.jsonl` in a
 * folder of chats is a journal, in a folder of the CLI events; elsewhere its first records tell.
 */

import { integerOf, isObject, member } from '../../bytes/json.ts';
import type { Entry } from '../../bytes/walk.ts';
import { at } from '../shared/fields.ts';
import { firstRecords } from '../shared/probe.ts';

/** The formats of transcripts. */
export type Format = 'cli' | 'old' | 'chat' | 'journal';

const CLI_PLACE = /[\\/](history-)?session-state[\\/]/;
const OLD_PLACE = /[\\/]history-session-state[\\/][^\\/]+$/;
const CHAT_PLACE = /[\\/](chatSessions|emptyWindowChatSessions)[\\/][^\\/]+$/;

/** The format of a file, or null when its name is that of no transcript. */
export function fileFormat({ name, path }: Entry): Format | null {
  if (name.endsWith('.json')) return OLD_PLACE.test(path) ? 'old' : 'chat';
  if (!name.endsWith('.jsonl')) return null;
  if (CHAT_PLACE.test(path)) return 'journal';
  if (CLI_PLACE.test(path)) return 'cli';
  return firstRecords(path).some(isEntry) ? 'journal' : 'cli';
}

/** The format of a file that is certainly Copilot's, or null. */
export function recognisedFormat(entry: Entry): Format | null {
  const { name, path } = entry;
  if (!entry.isFile || !/\.jsonl?$/.test(name)) return null;
  const isPlace = name.endsWith('.json') ? OLD_PLACE.test(path) : CLI_PLACE.test(path);
  if (isPlace || CHAT_PLACE.test(path)) return fileFormat(entry);
  if (name.endsWith('.json')) return null;
  const records = firstRecords(path);
  if (records.some(isEvent)) return 'cli';
  return records.some(isEntry) ? 'journal' : null;
}

/** An event of the CLI: its type has two words, its content lies in `data`. */
function isEvent(record: unknown): boolean {
  const type = member(record, 'type');
  if (typeof type !== 'string' || !isObject(member(record, 'data'))) return false;
  return /^[a-z_]+\.[a-z_]+$/.test(type) && typeof member(record, 'id') === 'string';
}

/** The beginning of a journal: the whole chat. */
function isEntry(record: unknown): boolean {
  const isWhole = integerOf(member(record, 'kind')) === 0;
  return isWhole && Array.isArray(at(record, 'v', 'requests'));
}
