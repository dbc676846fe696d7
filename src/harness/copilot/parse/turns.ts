/**
 * Turns of a Copilot CLI session, each agent with its own.
 *
 * - What a person or a program says opens a turn, called by `interactionId`, else by the record.
 *   What is said while the agent works (`delivery: steering`) opens none.
 * - `assistant.turn_start` is one model call of a turn, whatever its name says: it opens a turn
 *   only where nothing did. `assistant.turn_end` completes the turn when the last answer asked for
 *   no tools.
 * - `abort` and `session.error` end a turn, until the model is asked again.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { recall, remember } from '../../shared/bounded.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import type { OpenTurn } from './state.ts';
import { ownerOf, type Step, turnOf } from './step.ts';

/** Opens the turn of a prompt. */
export function openTurn(step: Step, origin: string | null): OpenTurn {
  const { state, data, uid, agent, rows, place, at } = step;
  const key = nonEmptyText(member(data, 'interactionId')) ?? uid;
  const turn: OpenTurn = { key, status: 'open', isAsking: false, askedAt: null };
  remember(state.turns, agent, turn);
  rows.add('turn', place, {
    ...ownerOf(step),
    turn_key: key,
    origin,
    started_at: at,
    status: 'open',
    collaboration_mode: textOf(member(data, 'agentMode')),
  });
  return turn;
}

/** The turn that the agent is in; one is opened where there is none. */
export function currentTurn(step: Step): OpenTurn {
  const known = recall(step.state.turns, step.agent);
  return known ?? openTurn(step, step.agent === '' ? null : 'subagent_brief');
}

/** `assistant.turn_start`: the model is asked. */
export function turnStarted(step: Step): void {
  const turn = currentTurn(step);
  turn.askedAt = step.at;
  if (turn.status !== 'open') setStatus(step, turn, 'open');
}

/** `assistant.turn_end`: the model has answered, and its tools have run. */
export function turnEnded(step: Step): void {
  const turn = recall(step.state.turns, step.agent);
  if (turn === null) return;
  if (turn.status === 'open' && !turn.isAsking) setStatus(step, turn, 'complete');
  else setStatus(step, turn, turn.status);
}

/** A sub-agent is done, and with it its turn. */
export function turnClosed(step: Step, hasFailed: boolean): void {
  const turn = recall(step.state.turns, step.agent);
  if (turn !== null) setStatus(step, turn, hasFailed ? 'error' : 'complete');
}

/** `abort` and `session.error`. */
export function turnBroken(step: Step, status: 'aborted' | 'error', reason: string | null): void {
  const turn = recall(step.state.turns, step.agent);
  if (turn === null || turn.status === 'complete') return;
  setStatus(step, turn, status, status === 'aborted' ? reason : null);
}

function setStatus(
  step: Step,
  turn: OpenTurn,
  status: OpenTurn['status'],
  abort_reason: string | null = null,
): void {
  turn.status = status;
  step.rows.add('turn', step.place, {
    ...ownerOf(step),
    turn_key: turn.key,
    completed_at: status === 'open' ? null : step.at,
    status,
    abort_reason,
  });
}

/** What an answer tells about its turn. */
export function turnAnswered(step: Step, model: string | null, isAsking: boolean): void {
  const turn = currentTurn(step);
  turn.isAsking = isAsking;
  turn.askedAt = null;
  const { effort } = step.state.session.facts;
  step.rows.add('turn', step.place, {
    ...ownerOf(step),
    turn_key: turnOf(step) ?? turn.key,
    completed_at: step.at,
    model,
    effort: step.agent === '' ? effort : null,
  });
}
