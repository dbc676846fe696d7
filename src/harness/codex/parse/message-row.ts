/** A row of `message`, with what follows from its record. */

import { recordedJson } from '../../../bytes/json-print.ts';
import type { MessageClass } from '../../shared/prompt/classes.ts';
import { type Line, ownerOf } from './line.ts';

/** What a message is. */
export interface MessageDraft {
  /** The name of its record when absent. */
  readonly uid?: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly messageClass: MessageClass;
  readonly text: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly origin?: string;
  readonly phase?: string | null;
  /** What it makes of the model call after it. */
  readonly trigger?: 'user' | 'agent_msg';
}

const REASONING_RANK = 0;
const MESSAGE_RANK = 1;

/** Adds a message. */
export function addMessage(line: Line, draft: MessageDraft): void {
  const { rows, place, state, turn } = line;
  if (!rows.wants('message')) return;
  const rank = draft.messageClass === 'reasoning' ? REASONING_RANK : MESSAGE_RANK;
  const isByModel = draft.role === 'assistant';
  const settings = turn === null ? undefined : state.turns.get(turn);
  const { session_uid, agent_id } = ownerOf(line);
  rows.add('message', place, {
    session_uid,
    agent_id,
    event_uid: draft.uid ?? line.uid,
    turn_key: turn,
    ts: line.at,
    role: draft.role,
    message_class: draft.messageClass,
    text: draft.text,
    model: isByModel ? (settings?.model ?? state.model) : null,
    is_sidechain: state.isSubagent,
    prompt_origin: draft.origin ?? null,
    phase: draft.phase ?? null,
    trigger_class: draft.trigger ?? null,
    detail: recordedJson(draft.detail),
    seq: place.lineNumber * 10 + rank,
  });
}
