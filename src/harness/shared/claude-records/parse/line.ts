/** A record on its way through the parser, and the few things that every part does with it. */

import type { JsonObject } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import type { SourceRecord } from '../../../../bytes/record.ts';
import type { ParsedRow } from '../../../../relations/index.ts';
import type { Place, Rows } from '../../../parser.ts';
import type { MessageClass } from '../../prompt/classes.ts';
import type { ClaudeState, Owner } from './state.ts';

/** One record. */
export interface Line {
  readonly state: ClaudeState;
  readonly record: SourceRecord;
  readonly value: JsonObject;
  readonly place: Place;
  readonly rows: Rows;
  /** The identifier of the record: its own, else session, agent and offset. */
  readonly uid: string;
  /** Its own time, or null. */
  readonly ownAt: number | null;
  /** Its time, else that of the record before. */
  readonly at: number | null;
  /** The kinds of diagnoses that it has already. */
  issues: string;
}

/** Diagnoses a record; one of a kind is enough. */
export function tell(line: Line, kind: string, detail: string | null): void {
  if (line.issues.includes(kind)) return;
  line.issues += `${kind} `;
  line.rows.issue(line.place, kind, detail);
}

/** The blocks of a message that are its text. */
export const TEXT: ReadonlySet<string> = new Set(['text']);

/** The session and the turn of a row. */
export function whoseTurn({ state }: Line): Owner & { readonly turn_key: string | null } {
  const { session_uid, agent_id } = state.owner;
  return { session_uid, agent_id, turn_key: state.turn?.key ?? null };
}

const VALUE_CHARACTERS = 200;

/** What happened beside the talk. */
export interface EventFacts {
  readonly uid?: string;
  readonly value?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Adds a `session_event`. */
export function addEvent(line: Line, kind: string, facts: EventFacts = {}): void {
  if (!line.rows.wants('session_event')) return;
  const { uid = line.uid, value = null, detail } = facts;
  line.rows.add('session_event', line.place, {
    event_uid: uid,
    kind,
    ...whoseTurn(line),
    ts: line.at,
    value: value === null ? null : shortened(value, VALUE_CHARACTERS),
    detail: detail === undefined ? null : recordedJson(detail),
  });
}

/** The first code points of wire text. */
export function shortened(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  let left = codePoints;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x80 || code > 0xbf) && left-- === 0) return text.slice(0, at);
  }
  return text;
}

/** Notes a value that is told again and again; the one before, or null when it is the same. */
export function changed(state: ClaudeState, name: string, value: string): string | null {
  const before = Object.hasOwn(state.last, name) ? (state.last[name] ?? '') : '';
  if (before === value) return null;
  state.last[name] = value;
  return before;
}

/** A message in the making. */
export interface MessageFacts {
  readonly messageClass: MessageClass;
  readonly text: string;
  readonly uid?: string;
  readonly role?: 'user' | 'assistant' | 'system';
  readonly model?: string | null;
  readonly promptOrigin?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly trigger?: string | null;
}

const RANK_OF_REASONING = 0;
const RANK_OF_MESSAGE = 1;
/** The rank of a tool call in `seq`. */
export const RANK_OF_CALL = 2;

/** The place of a row in its file. */
export function seqOf({ lineNumber }: Place, rank: number): number {
  return lineNumber * 10 + rank;
}

/** Adds a `message`. */
export function addMessage(line: Line, facts: MessageFacts): void {
  const { rows, place, state } = line;
  if (!rows.wants('message')) return;
  const { messageClass, text, uid = line.uid, role = 'user', detail } = facts;
  const row: ParsedRow<'message'> = {
    event_uid: uid,
    ...whoseTurn(line),
    ts: line.at,
    role,
    message_class: messageClass,
    text,
    model: facts.model ?? null,
    is_sidechain: line.value['isSidechain'] === true || state.identity.role !== 'main',
    prompt_origin: facts.promptOrigin ?? null,
    trigger_class: facts.trigger ?? null,
    detail: detail === undefined ? null : recordedJson(detail),
    seq: seqOf(place, messageClass === 'reasoning' ? RANK_OF_REASONING : RANK_OF_MESSAGE),
  };
  rows.add('message', place, row);
}
