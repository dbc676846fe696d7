/**
 * Turns.
 *
 * A prompt opens a turn, known by its `promptId`, else by the prompt itself. A weak line (what the
 * harness put there) opens one too, but its origin counts only when no prompt follows before the
 * model answers, the turn ends, or another begins. Results of tools open none: they may carry the
 * identifier of the parent's turn. An interrupt without an identifier belongs to the turn that it
 * interrupts.
 */

import { integerOf, textOf } from '../../../../bytes/json.ts';
import { at, nonEmptyText } from '../../fields.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import type { Line } from './line.ts';
import type { LineKind } from './line-kind.ts';

/** Takes a line of the user's slot into a turn, its own or the one that goes on. */
export function enterTurn(line: Line, { origin, isStrong }: LineKind): void {
  const { state, rows, place } = line;
  const running = origin === 'interrupt' ? (state.turn?.key ?? null) : null;
  const key = nonEmptyText(line.value['promptId']) ?? running ?? `u:${line.uid}`;
  if (state.turn?.key !== key) {
    settleOrigin(line);
    state.turn = { key, isFinal: false, weakOrigin: null, model: null, effort: null };
  }
  const { turn } = state;
  const isTold = isStrong && !turn.isFinal;
  if (isTold) {
    turn.isFinal = true;
    turn.weakOrigin = null;
  } else if (!isStrong && !turn.isFinal) {
    turn.weakOrigin ??= origin;
  }
  if (!rows.wants('turn')) return;
  rows.add('turn', place, {
    ...state.owner,
    turn_key: key,
    started_at: line.at,
    origin: isTold ? origin : null,
    ...telemetry(line),
  });
}

function telemetry({ value }: Line) {
  return {
    permission_mode: textOf(value['permissionMode']),
    origin_hint: textOf(value['turnOrigin']),
    prompt_index: looseInteger(at(value, 'turnPosition', 'promptIndex')),
    turn_index: looseInteger(at(value, 'turnPosition', 'turnIndex')),
  };
}

/** No prompt came: what the weak lines of the turn said is its origin. */
function settleOrigin({ state, rows, place }: Line): void {
  const { turn } = state;
  if (turn === null || turn.isFinal || turn.weakOrigin === null) return;
  turn.isFinal = true;
  rows.add('turn', place, { ...state.owner, turn_key: turn.key, origin: turn.weakOrigin });
  turn.weakOrigin = null;
}

/** The model that answers in the turn, and how hard it thinks. */
export function noteAnswer(line: Line, model: string | null, effort: string | null): void {
  settleOrigin(line);
  const { turn, owner } = line.state;
  if (turn === null) return;
  const isSame = (model ?? turn.model) === turn.model && (effort ?? turn.effort) === turn.effort;
  if (isSame) return;
  turn.model = model ?? turn.model;
  turn.effort = effort ?? turn.effort;
  line.rows.add('turn', line.place, { ...owner, turn_key: turn.key, model, effort });
}

/** The turn was cut off. */
export function abortTurn({ state, rows, place }: Line, reason: string): void {
  if (state.turn === null) return;
  const turn_key = state.turn.key;
  rows.add('turn', place, { ...state.owner, turn_key, status: 'aborted', abort_reason: reason });
}

/** The record that closes a turn. */
export function readTurnDuration(line: Line): void {
  settleOrigin(line);
  const { state, rows, place, value } = line;
  if (state.turn === null) return;
  rows.add('turn', place, {
    ...state.owner,
    turn_key: state.turn.key,
    completed_at: line.at,
    duration_ms: looseInteger(value['durationMs']),
    message_count: integerOf(value['messageCount']),
    status: 'complete',
    pending_bg_agents: integerOf(value['pendingBackgroundAgentCount']),
    pending_workflows: integerOf(value['pendingWorkflowCount']),
  });
}
