/**
 * Turns, which pi does not record: what opens one, and what ends it.
 *
 * The agent is busy after an answer that did not end, and idle otherwise. What a person says while
 * it is idle opens a turn, under the identifier of that entry. What an extension says while it is
 * idle may wake it: its next answer opens a turn, under the identifier of the first such entry.
 * An answer that nothing asked for goes on with the turn: the harness tries again by itself.
 */

import { member } from '../../../bytes/json.ts';
import { lookUp } from '../../shared/fields.ts';
import type { PiParserState, Step } from './state.ts';

/** Opens a turn for the record at hand; gives its key. */
export function openTurn({ state, place, rows, owner, entry, at }: Step, origin: string): string {
  state.turn = entry;
  state.pending = null;
  rows.add('turn', place, { ...owner, turn_key: entry, origin, started_at: at, status: 'open' });
  return entry;
}

/** The turn that goes on; one is opened where there is none. */
export function currentTurn(step: Step, origin = 'unknown'): string {
  return step.state.turn ?? openTurn(step, origin);
}

/** What the entries of extensions open; others open turns of unknown origin. */
const ORIGINS: Readonly<Record<string, string>> = {
  'loop-watch': 'loop_watch',
  'loop-wake': 'loop_wake',
  'loop-continuation': 'loop_continuation',
  'subagent-notify': 'task_notification',
  'subagent-incremental-child-notify': 'task_notification',
};

const NOTICE = 'task_notification';

/** Notes that an extension may have woken the agent. */
export function awaitAnswer({ state, entry, at, place }: Step, customType: string): void {
  if (state.isBusy) return;
  const origin = lookUp(ORIGINS, customType) ?? 'unknown';
  const hasNotice = origin === NOTICE || (state.pending?.hasNotice ?? false);
  state.pending = state.pending
    ? { ...state.pending, hasNotice }
    : { turnKey: entry, origin, at, place, hasNotice };
}

/** The turn of an answer. */
export function turnOfAnswer(step: Step): string {
  const { state, rows, owner } = step;
  const { pending } = state;
  if (state.isBusy || pending === null) return currentTurn(step);
  const { turnKey, origin, at, place } = pending;
  state.turn = turnKey;
  state.pending = null;
  rows.add('turn', place, { ...owner, turn_key: turnKey, origin, started_at: at, status: 'open' });
  return turnKey;
}

/** How answers end a turn; after any other answer the agent is busy. */
const ENDS: Readonly<Record<string, string>> = {
  stop: 'complete',
  length: 'complete',
  error: 'error',
  aborted: 'aborted',
};

/** Notes how an answer leaves its turn. */
export function endAnswer(step: Step, turnKey: string, model: string | null): void {
  const { state, rows, owner, place, at, message } = step;
  const status = lookUp(ENDS, member(message, 'stopReason'));
  state.isBusy = status === undefined;
  rows.add('turn', place, {
    ...{ ...owner, turn_key: turnKey, model, effort: effortOf(step) },
    status: status ?? 'open',
    completed_at: status === undefined ? null : at,
  });
}

/** The thinking level of an answer: its own, else the one that holds. */
export function effortOf({ message, state }: Pick<Step, 'message' | 'state'>): string | null {
  const own = member(message, 'thinkingLevel');
  return typeof own === 'string' && own !== '' ? own : state.effort;
}

/** Moves the times at which a person spoke. */
export function noteHuman(state: PiParserState, at: number | null): void {
  if (at === null || state.isInherited) return;
  state.firstHuman = Math.min(state.firstHuman ?? at, at);
  state.lastHuman = Math.max(state.lastHuman ?? at, at);
}
