/**
 * What Claude Code tells a session about a task that ended: a `<task-notification>`.
 *
 * Its members are elements without attributes; the first of each name counts, white space at the
 * ends of its text does not. The result is free text, which may quote any of the tags: it ends at
 * the first closing tag after which the notification goes on as notifications do, and the other
 * members are read outside of it.
 */

import { createHash } from 'node:crypto';
import { strictCount } from './numbers.ts';
import { skipSpace, trimmed } from './wire-space.ts';

/** A task notification. What it does not say is null. */
export interface TaskNotification {
  readonly taskId: string | null;
  readonly toolUseId: string | null;
  readonly status: string | null;
  readonly summary: string | null;
  readonly result: string | null;
  readonly subagentTokens: number | null;
  readonly toolUses: number | null;
  readonly durationMs: number | null;
}

const OPENING = '<task-notification>';

/** The text of the first element `<name>` of wire text, trimmed; null for none and for blank. */
export function tagText(text: string, name: string): string | null {
  const opening = `<${name}>`;
  const at = text.indexOf(opening);
  if (at < 0) return null;
  const start = at + opening.length;
  const end = text.indexOf(`</${name}>`, start);
  return end < 0 ? null : trimmed(text.slice(start, end)) || null;
}

/** Reads wire text that begins, white space aside, with `<task-notification>`; null for others. */
export function taskNotification(text: string): TaskNotification | null {
  if (!text.startsWith(OPENING, skipSpace(text, 0))) return null;
  const { result, rest } = cutResult(text);
  return {
    taskId: tagText(rest, 'task-id'),
    toolUseId: tagText(rest, 'tool-use-id'),
    status: tagText(rest, 'status'),
    summary: tagText(rest, 'summary'),
    result,
    subagentTokens: tagCount(rest, 'subagent_tokens'),
    toolUses: tagCount(rest, 'tool_uses'),
    durationMs: tagCount(rest, 'duration_ms'),
  };
}

/** The identity of a notification: copies of one text have the same. */
export function notificationKey(notification: TaskNotification, text: string): string {
  const hash = createHash('sha256').update(text, 'latin1').digest('hex');
  return `tn:${notification.taskId ?? '-'}:${hash.slice(0, 16)}`;
}

const RESULT_OPENING = '<result>';
const RESULT_CLOSING = '</result>';
const AFTER_RESULT = ['<usage>', '<failures>', '</task-notification>'];

function cutResult(text: string): { result: string | null; rest: string } {
  const at = text.indexOf(RESULT_OPENING);
  const start = at + RESULT_OPENING.length;
  const end = at < 0 ? -1 : resultEnd(text, start);
  if (end < 0) return { result: null, rest: text };
  const rest = text.slice(0, at) + text.slice(end + RESULT_CLOSING.length);
  return { result: trimmed(text.slice(start, end)) || null, rest };
}

/** Where the result's closing tag begins; -1 when there is none. */
function resultEnd(text: string, start: number): number {
  const first = text.indexOf(RESULT_CLOSING, start);
  for (let at = first; at >= 0; at = text.indexOf(RESULT_CLOSING, at + 1)) {
    const next = skipSpace(text, at + RESULT_CLOSING.length);
    const isEnd = next === text.length || AFTER_RESULT.some(tag => text.startsWith(tag, next));
    if (isEnd) return at;
  }
  return first;
}

const DIGITS = /^[0-9]+$/;

function tagCount(text: string, name: string): number | null {
  const digits = tagText(text, name);
  return digits !== null && DIGITS.test(digits) ? strictCount(Number(digits)) : null;
}
