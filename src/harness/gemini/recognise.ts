/**
 * Whether a folder or file is Gemini CLI's.
 *
 * A folder `tmp/` does not tell. It is Gemini CLI's when `installation_id` lies beside it, or when
 * a folder in it holds chats (`session-*.json`, `.jsonl`) or a log of prompts. Qwen Code began as a
 * copy of Gemini CLI and writes the same files, but its home is called `.qwen` or has a folder
 * `projects/`. A file is a chat when it lies among chats, or when it begins like one.
 */

import { join } from 'node:path';
import { type Entry, isFolderAt } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import { chatPartOf, homeAbove, likelyChatPart } from '../shared/gemini-chats/recognise.ts';

/** The part of Gemini CLI's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  const part = isOfQwen(entry.path) ? null : chatPartOf(entry);
  return part && { entry, part };
}

/** The part that an entry is most likely, when the caller says that it is Gemini CLI's. */
export function assume(entry: Entry): Root {
  return { entry, part: likelyChatPart(entry) };
}

/** Whether a path is the home of Qwen Code, or a place in it where both write the same. */
function isOfQwen(path: string): boolean {
  if (/(^|[\\/])\.qwen([\\/]|$)/.test(path)) return true;
  return isFolderAt(join(homeAbove(path) ?? path, 'projects'));
}
