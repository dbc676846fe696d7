/** The envelope of a record, opened once: nearly every cell asks for what stands there. */

import { isObject, type JsonObject, member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { diagnosisOf } from '../shared/diagnosis.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { itemOf } from './items.ts';
import { payloadOf, typeOf } from './record-types.ts';
import { isCall, isOutput } from './tools.ts';

/** What a record is, before its parts are looked at. */
export interface Envelope {
  /** Why the record is not an ordinary one, or null. */
  readonly problem: string | null;
  /** Its type in the words of today's versions, or null. */
  readonly type: string | null;
  readonly payload: unknown;
  /** The type that the payload names, or null. */
  readonly subtype: string | null;
  /** The item that an event completes; undefined in other records. */
  readonly item: unknown;
  readonly isResponse: boolean;
  /** The usage that a response item carries itself, or null. */
  readonly usage: JsonObject | null;
  /** It is a response item that calls a tool. */
  readonly isCall: boolean;
  /** It is a response item that a tool gave. */
  readonly isOutput: boolean;
}

function objectOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** Decodes a record and opens its envelope. */
export function openEnvelope(record: SourceRecord): Envelope {
  const { error, value } = record;
  const type = typeOf(value);
  const payload = payloadOf(value);
  const isResponse = type === 'response_item';
  return {
    problem: error === null && type !== null ? null : diagnosisOf(record),
    type,
    payload,
    subtype: nonEmptyText(member(payload, 'type')),
    item: itemOf(payload),
    isResponse,
    usage: isResponse ? objectOf(member(payload, 'usage')) : null,
    isCall: isResponse && isCall(payload),
    isOutput: isResponse && isOutput(payload),
  };
}
