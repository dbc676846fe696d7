/**
 * A record on its way through the parser: its envelope is open, and it has a name.
 *
 * The name is the thread with the ordinal of the record where ordinals rise through the file, else
 * with the offset of the record: a copy of the file gives the same names.
 */

import { isObject, type JsonObject, member, parseJson } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { itemOf } from '../items.ts';
import { payloadOf, typeOf } from '../record-types.ts';
import { ownTurnId } from '../turn.ts';
import { type Held, heldRecord } from './held.ts';
import type { ParseState } from './state.ts';

/** A record with everything that its handlers ask for. */
export interface Line {
  readonly state: ParseState;
  readonly record: SourceRecord;
  readonly place: Place;
  readonly rows: Rows;
  readonly context: SourceContext;
  /** The type in the words of today's versions; '' for none. */
  readonly type: string;
  readonly payload: unknown;
  /** The type that the payload names; '' for none. */
  readonly subtype: string;
  /** The item of an `item_completed`; undefined in other records. */
  readonly item: unknown;
  readonly thread: string;
  readonly uid: string;
  readonly at: number | null;
  /** The turn that the record names. */
  readonly ownTurn: string | null;
  /** The same, else the turn around it. */
  readonly turn: string | null;
}

/** What a record is read with. */
export type Reading = Pick<Line, 'state' | 'rows' | 'context'>;

/** Opens a record. `names` are those that it has already. */
export function openLine(
  reading: Reading,
  record: SourceRecord,
  place: Place,
  names: Partial<Pick<Line, 'uid' | 'turn'>> = {},
): Line {
  const { state, rows, context } = reading;
  const { value } = record;
  const type = typeOf(value) ?? '';
  const payload = payloadOf(value);
  const thread = state.thread ?? '';
  const ownTurn = ownTurnId(payload);
  const isCompleted = type === 'event_msg' && member(payload, 'type') === 'item_completed';
  const time = member(value, 'timestamp') ?? member(payload, 'timestamp');
  // Spelled out: every record is opened, and copies of objects cost more than all the rest.
  return {
    state,
    record,
    place,
    rows,
    context,
    type,
    payload,
    thread,
    ownTurn,
    subtype: nonEmptyText(member(payload, 'type')) ?? '',
    item: isCompleted ? itemOf(payload) : undefined,
    uid: names.uid ?? uidOf(state, thread, value, place, rows),
    at: instantMicros(time),
    turn: ownTurn ?? names.turn ?? state.turn,
  };
}

/** A record that was held, opened again. */
export function openHeld(reading: Reading, held: Held): Line {
  const { place, uid, turn } = held;
  return openLine(reading, heldRecord(held, reading.context), place, { uid, turn });
}

function uidOf(
  state: ParseState,
  thread: string,
  value: unknown,
  place: Place,
  rows: Rows,
): string {
  const ordinal = member(value, 'ordinal');
  if (typeof ordinal === 'number' && Number.isSafeInteger(ordinal)) {
    if (state.lastOrdinal === null || ordinal > state.lastOrdinal) {
      state.lastOrdinal = ordinal;
      return `${thread}:${ordinal}`;
    }
    rows.issue(place, 'ordinal_not_monotonic', `${ordinal} after ${state.lastOrdinal}`);
  }
  return `${thread}:o${place.byteOffset ?? place.lineNumber}`;
}

/** The columns that say whose a row is. */
export function ownerOf(line: Pick<Line, 'thread'>): { session_uid: string; agent_id: string } {
  return { session_uid: line.thread, agent_id: '' };
}

/** A text in the payload that is not empty, or null. */
export function told(line: Pick<Line, 'payload'>, name: string): string | null {
  return nonEmptyText(member(line.payload, name));
}

/** The object that a text holds as JSON, or that a value is; undefined for anything else. */
export function parsedText(text: unknown): JsonObject | undefined {
  if (isObject(text)) return text;
  if (typeof text !== 'string' || !/^\s*\{/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'latin1');
  try {
    const value = parseJson(bytes, 0, bytes.length);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
