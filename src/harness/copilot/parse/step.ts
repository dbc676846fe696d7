/** A record of a Copilot CLI session on its way through the parser. */

import { member, textOf } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { recall } from '../../shared/bounded.ts';
import type { MessageClass } from '../../shared/prompt/classes.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { agentOf, type CallPlace } from '../cli-session.ts';
import type { CliParse } from './state.ts';

/** A record with what the parser knows of it. */
export interface Step {
  readonly state: CliParse;
  readonly record: SourceRecord;
  readonly place: Place;
  readonly rows: Rows;
  readonly context: SourceContext;
  readonly type: string;
  readonly data: unknown;
  readonly at: number | null;
  readonly session: string;
  /** The sub-agent that wrote the record; '' for the session itself. */
  readonly agent: string;
  /** Identifier of the record. */
  readonly uid: string;
  /** Where the model call of an answer stands, else null. */
  readonly answer: CallPlace | null;
}

/** The step of a record whose facts `state` has taken in. */
export function stepOf(
  state: CliParse,
  record: SourceRecord,
  place: Place,
  rows: Rows,
  context: SourceContext,
  answer: CallPlace | null,
): Step {
  const { value } = record;
  const session = state.session.facts.sessionId;
  return {
    ...{ state, record, place, rows, context, answer, session },
    type: textOf(member(value, 'type')) ?? '',
    data: member(value, 'data'),
    at: instantMicros(member(value, 'timestamp')),
    agent: agentOf(value) ?? '',
    uid: `${session}:${textOf(member(value, 'id')) ?? `o${place.byteOffset}`}`,
  };
}

/** The columns of the session that a row of the record belongs to. */
export function ownerOf({ session, agent }: Step): { session_uid: string; agent_id: string } {
  return { session_uid: session, agent_id: agent };
}

/** The turn that the agent of the record is in, or null. */
export function turnOf({ state, agent }: Step): string | null {
  return recall(state.turns, agent)?.key ?? null;
}

/** The session, turn and time of a row of the record. */
export function momentOf(step: Step): {
  session_uid: string;
  agent_id: string;
  turn_key: string | null;
  ts: number | null;
} {
  return { ...ownerOf(step), turn_key: turnOf(step), ts: step.at };
}

/** What a message has beside its text. */
export interface MessageMore {
  readonly role?: 'user' | 'assistant' | 'system';
  readonly uid?: string;
  readonly model?: string | null;
  readonly phase?: string | null;
  readonly prompt_origin?: string;
  readonly trigger_class?: string;
  readonly detail?: string;
}

/** Adds a message of the record; one without a text is none. */
export function addMessage(
  step: Step,
  messageClass: MessageClass,
  text: string | null,
  { uid = step.uid, role = 'user', ...more }: MessageMore = {},
): void {
  if (text === null || text === '' || !step.rows.wants('message')) return;
  step.rows.add('message', step.place, {
    event_uid: uid,
    ...momentOf(step),
    role,
    message_class: messageClass,
    text,
    is_sidechain: step.agent !== '',
    seq: step.place.lineNumber * 10 + (messageClass === 'reasoning' ? 0 : 1),
    ...more,
  });
}

/** Values of events are cut, as their column says. */
const VALUE_BYTES = 200;

/** Adds an event of the session. */
export function addEvent(
  step: Step,
  kind: string,
  value: string | null,
  detail: string | null = null,
): void {
  step.rows.add('session_event', step.place, {
    event_uid: step.uid,
    kind,
    ...momentOf(step),
    value: value?.slice(0, VALUE_BYTES) ?? null,
    detail,
  });
}
