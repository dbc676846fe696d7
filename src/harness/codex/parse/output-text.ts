/**
 * What the output of a tool says: its text, its pictures, and how the tool ended.
 *
 * The first line tells that a person stopped it, that a script failed, or that it went on in the
 * background. Older versions give JSON with the text and the exit status in it.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { listOf } from '../../shared/fields.ts';
import { payloadParts, withoutPayloads } from '../../shared/prompt/binary.ts';
import { parsedText } from './line.ts';

/** An output, read. */
export interface Output {
  /** As it is stored; null for none. */
  readonly text: string | null;
  /** What the tool printed, taken out of JSON. */
  readonly printed: string;
  readonly exitCode: number | null;
  readonly isInterrupted: boolean;
  readonly isScriptError: boolean;
  readonly isBackground: boolean;
  readonly isTruncated: boolean;
  /** It begins as the outputs of patches do that failed. */
  readonly isRefused: boolean;
  /** Pictures and files, as JSON; null for none. */
  readonly parts: string | null;
}

const INTERRUPTED = /aborted by user/i;
const SCRIPT_ERROR = /^Script failed\b/;
const BACKGROUND = /^(?:Script running with cell ID|Process running with session ID)\b/m;
/** `…12 tokens truncated…`, the dots being one character. */
const TRUNCATED = /\xe2\x80\xa6 ?\d+ (?:tokens|chars) truncated ?\xe2\x80\xa6/;
const REFUSED =
  /^(?:error|failed|apply_patch verification failed|patch rejected|aborted|execution error)/i;
const EXITED = /^(?:Process exited with code|Exit code:) (-?\d{1,9})$/m;
const HEAD_BYTES = 1000;

/** Reads an output: a text, parts, or an object that holds either. */
export function readOutput(output: unknown): Output {
  const content = isObject(output) ? (member(output, 'content') ?? output) : output;
  const text = textIn(content);
  const json = text === null ? undefined : parsedText(text);
  const printed = textOf(member(json, 'output')) ?? text ?? '';
  const head = printed.slice(0, HEAD_BYTES);
  const firstLine = head.slice(0, head.search(/\r?\n|$/));
  const recorded = member(member(json, 'metadata'), 'exit_code');
  const parts = payloadParts(content);
  return {
    text,
    printed,
    exitCode: Number.isSafeInteger(recorded) ? Number(recorded) : exitIn(head),
    isInterrupted: INTERRUPTED.test(firstLine),
    isScriptError: SCRIPT_ERROR.test(firstLine),
    isBackground: BACKGROUND.test(head),
    isTruncated: TRUNCATED.test(text ?? ''),
    isRefused: REFUSED.test(firstLine),
    parts: parts.length === 0 ? null : recordedJson(parts),
  };
}

function exitIn(head: string): number | null {
  const digits = EXITED.exec(head)?.[1];
  return digits === undefined ? null : Number(digits);
}

function textIn(content: unknown): string | null {
  const bare = withoutPayloads(content);
  if (typeof bare === 'string') return bare;
  if (bare === null || bare === undefined) return null;
  if (!Array.isArray(bare)) return recordedJson(bare);
  let text = '';
  for (const part of listOf(bare)) {
    const own = textOf(member(part, 'text'));
    if (own === null) continue;
    text += text === '' || text.endsWith('\n') ? own : `\n${own}`;
  }
  return text;
}
