/**
 * How a call ended. The first that holds: denied, interrupted, timeout, error, ok.
 *
 * A result is cut short when it says so itself, and out of time when it was stopped by the clock or
 * its error begins by telling so. The exit code is the one that an output begins with, else 0 for a
 * shell's command that did not fail and did not go to the background.
 */

import { booleanOf, member, textOf } from '../../../../bytes/json.ts';
import { looseFlag, looseInteger } from '../../prompt/numbers.ts';
import type { Line } from './line.ts';
import { isInterrupt } from './line-kind.ts';
import { isShell } from './shells.ts';

/** The result of a call, in the record that brings it. */
export interface CallResult {
  readonly callUid: string;
  /** The tool, as far as it is known. */
  readonly tool: string | null;
  readonly content: unknown;
  readonly isError: unknown;
  /** The structured result; undefined where there is none, or it may be another's. */
  readonly structured: unknown;
}

/** How a call ended. */
export interface Outcome {
  readonly outcome: 'ok' | 'error' | 'denied' | 'interrupted' | 'timeout';
  readonly isError: boolean | null;
  readonly denialKind: string | null;
  readonly isInterrupted: boolean;
  readonly isTimeout: boolean;
  readonly exitCode: number | null;
  readonly isBackground: boolean | null;
}

const REJECTIONS = [
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action right now",
];
const REJECTED = 'user-rejected';
const HEAD = 300;

/** How the call of `result` ended. */
export function outcomeOf({ value }: Line, result: CallResult): Outcome {
  const { structured, content } = result;
  const head = headOf(content);
  const recorded = booleanOf(result.isError);
  const isRejected = REJECTIONS.some(phrase => head.includes(phrase));
  const denialKind = textOf(value['toolDenialKind']) ?? (isRejected ? REJECTED : null);
  const isInterrupted = member(structured, 'interrupted') === true || isInterrupt(head);
  const isTimeout = ranOut(structured, recorded === true, head);
  const outcome = pick({ denialKind, isInterrupted, isTimeout, isError: recorded === true });
  const isError = recorded ?? (outcome === 'ok' ? null : true);
  const task = textOf(member(structured, 'backgroundTaskId'));
  const isBackground = task === null ? looseFlag(member(structured, 'isAsync')) : true;
  const ends = outcome === 'ok' && isBackground !== true && isShell(result.tool ?? '');
  const exitCode = printedCode(head) ?? (ends ? 0 : null);
  return { outcome, isError, denialKind, isInterrupted, isTimeout, exitCode, isBackground };
}

interface Marks {
  readonly denialKind: string | null;
  readonly isInterrupted: boolean;
  readonly isTimeout: boolean;
  readonly isError: boolean;
}

function pick({ denialKind, isInterrupted, isTimeout, isError }: Marks): Outcome['outcome'] {
  if (denialKind !== null) return 'denied';
  if (isInterrupted) return 'interrupted';
  if (isTimeout) return 'timeout';
  return isError ? 'error' : 'ok';
}

function ranOut(structured: unknown, isError: boolean, head: string): boolean {
  const after = member(structured, 'timedOutAfterMs');
  if (after !== undefined && after !== null) return true;
  return isError && (head.includes('Command timed out') || head.includes('timed out after'));
}

const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;

function printedCode(head: string): number | null {
  if (!head.startsWith('E')) return null;
  return looseInteger(EXIT_CODE.exec(head)?.[1]);
}

/** The beginning of what a result says. */
function headOf(content: unknown): string {
  if (typeof content === 'string') return content.slice(0, HEAD);
  if (!Array.isArray(content)) return '';
  const first = content.find(block => typeof member(block, 'text') === 'string');
  return (textOf(member(first, 'text')) ?? '').slice(0, HEAD);
}

const MS = 1000;

/** How long a call took as its result tells, in milliseconds, or null. */
export function recordedDuration(structured: unknown): number | null {
  const ms = looseInteger(member(structured, 'durationMs'));
  if (ms !== null) return ms;
  const total = looseInteger(member(structured, 'totalDurationMs'));
  if (total !== null) return total;
  const seconds = member(structured, 'durationSeconds');
  return typeof seconds === 'number' ? Math.trunc(seconds * MS) : null;
}

/** Milliseconds between two instants; null where one is unknown or they are the wrong way round. */
export function elapsedMs(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : Math.trunc((to - from) / MS);
}
