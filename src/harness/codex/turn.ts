/** What the harness says once for all records that follow, until it says otherwise. */

import { member } from '../../bytes/json.ts';
import { nonEmptyText } from '../shared/fields.ts';

/** The settings of the turn that a record belongs to; unknown ones are null. */
export interface Turn {
  readonly id: string | null;
  readonly rootId: string | null;
  readonly responseId: string | null;
  readonly cwd: string | null;
  readonly model: string | null;
  readonly effort: string | null;
}

/** Nothing is known. */
export const NO_TURN: Turn = {
  id: null,
  rootId: null,
  responseId: null,
  cwd: null,
  model: null,
  effort: null,
};

/** The settings that a payload gives. */
export function turnIn(payload: unknown): Turn {
  const text = (name: string) => nonEmptyText(member(payload, name));
  return {
    id: text('turn_id'),
    rootId: text('root_turn_id'),
    responseId: text('response_id'),
    cwd: text('cwd'),
    model: text('model'),
    effort: text('reasoning_effort') ?? text('effort'),
  };
}

/** `turn` with what `later` says; what it does not say stays. */
export function mergeTurns(turn: Turn, later: Turn): Turn {
  return {
    id: later.id ?? turn.id,
    rootId: later.rootId ?? turn.rootId,
    responseId: later.responseId ?? turn.responseId,
    cwd: later.cwd ?? turn.cwd,
    model: later.model ?? turn.model,
    effort: later.effort ?? turn.effort,
  };
}

/** The turn that a response item or event names itself, or null. */
export function ownTurnId(payload: unknown): string | null {
  const passed = member(payload, 'internal_chat_message_metadata_passthrough');
  return (
    nonEmptyText(member(payload, 'turn_id')) ??
    nonEmptyText(member(passed, 'turn_id')) ??
    nonEmptyText(member(member(payload, 'metadata'), 'turn_id'))
  );
}
