/**
 * How a prompt that a person sent came to be.
 *
 * `launch_message` starts a loop: its first 8,000 characters tell a model that it is the root
 * (of a campaign, loop or wave), or the whole message is one path to a `launch-*.txt` or
 * `launch-*.md`, which may stand in backticks. `pasted` holds a mark of pasted text. All else is
 * `typed`. Callers know better for commands, skills and the like.
 */

import { fromWire } from '../../../bytes/text.ts';
import { afterCodePoints, trimmed } from './wire-space.ts';

/** What the text of a prompt tells about its origin. */
export type PromptOrigin = 'launch_message' | 'pasted' | 'typed';

const HEAD_CHARACTERS = 8000;
const MAYBE_ROOT = /you are the /i;
const ROOT = /(?<![\p{L}\p{N}_])you are the (?:campaign |loop |wave )?root(?![\p{L}\p{N}_])/iu;

const LAUNCH_END = /\.(?:txt|md)$/i;
const LAUNCH_NAME = /^launch-[\p{L}\p{N}_.-]+\.(?:txt|md)$/iu;
const PASTED_MARKS = ['<pasted_content', '[Pasted text #'];

/** The origin of a prompt, from its wire text. */
export function promptOrigin(text: string): PromptOrigin {
  if (namesTheRoot(text) || isLaunchPath(text)) return 'launch_message';
  return PASTED_MARKS.some(mark => text.includes(mark)) ? 'pasted' : 'typed';
}

function namesTheRoot(text: string): boolean {
  const isShort = text.length <= HEAD_CHARACTERS;
  const end = isShort ? null : afterCodePoints(text, 0, HEAD_CHARACTERS);
  const head = text.slice(0, end ?? text.length);
  // Which letters end a word is a question about characters, not about bytes.
  return MAYBE_ROOT.test(head) && ROOT.test(fromWire(head));
}

function isLaunchPath(text: string): boolean {
  const message = trimmed(text);
  const from = message.startsWith('`') ? 1 : 0;
  const to = message.endsWith('`') ? -1 : undefined;
  const path = trimmed(message.slice(from, to));
  if (!LAUNCH_END.test(path.slice(-4))) return false;
  const words = fromWire(path);
  return LAUNCH_NAME.test(words.slice(words.lastIndexOf('/') + 1)) && !/\s/.test(words);
}
