/**
 * From the records of a chat of the Gemini CLI to rows of `conversations`.
 *
 * A message is `{id, timestamp, type, content, …}`; the model's (`type: gemini`) also has `model`,
 * `tokens`, `thoughts` and `toolCalls`, each call with its result.
 *
 * By block (the default), each message gives a row of its own, then one `tool_call` row for each
 * call; the message's row names no tool. Headers and directives (see `fold.ts`) have no row.
 * By line, each record gives one row, also the rest of a document; it names the first call.
 *
 * What has no type is one `_parse_error` row either way, and so is the rest of a document that is
 * cut short or has no messages.
 */

import { isObject, member } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { Unit } from '../../harness.ts';
import { diagnosisOf } from '../diagnosis.ts';
import { at, listOf } from '../fields.ts';
import { chatRecordType } from './record-types.ts';

/** A row in the making: a record, or a part of what it holds. */
export interface ChatUnit extends Unit {
  /** `line` is a whole record, whatever it holds. */
  readonly kind: 'line' | 'message' | 'tool_call';
  /** Position of the message in the checkpoint that the record is, or -1. */
  readonly messageIndex: number;
  /** Position of the call among those of the message, or -1. */
  readonly callIndex: number;
  /** When the chat last changed, where that is known beside the header. */
  readonly updatedAt: string | null;
}

/** Receives the rows of a record. */
export type EmitUnit = (unit: ChatUnit) => void;

const WHOLE = { messageIndex: -1, callIndex: -1, updatedAt: null };

/** One row for a record. The record is not decoded here. */
export function lineUnit(record: SourceRecord, emit: EmitUnit): void {
  emit({ ...WHOLE, record, kind: 'line' });
}

/** The rows of an element of a document, or of its rest. */
export function elementUnits(record: SourceRecord, emit: EmitUnit): void {
  if (record.isRest && problemOf(record, record.value) === null) return;
  emit({ ...WHOLE, record, kind: 'message' });
  const calls = callsOf(record.value);
  for (let callIndex = 0; callIndex < calls.length; callIndex++) {
    emit({ ...WHOLE, record, kind: 'tool_call', callIndex });
  }
}

/** The message of a row; for other records the record itself. */
export function messageOf({ record, messageIndex }: ChatUnit): unknown {
  return messageIn(record.value, messageIndex);
}

/** The message in a record, which is one itself or a checkpoint of many. */
export function messageIn(value: unknown, messageIndex: number): unknown {
  return messageIndex < 0 ? value : checkpointOf(value)[messageIndex];
}

/** The messages that a directive sets. */
export function checkpointOf(value: unknown): readonly unknown[] {
  return listOf(at(value, '$set', 'messages'));
}

/** The tool calls of a message. */
export function callsOf(message: unknown): readonly unknown[] {
  return listOf(member(message, 'toolCalls'));
}

/** Why a record, or the message of a checkpoint in it, is not an ordinary one; null if it is. */
export function problemOf(record: SourceRecord, message: unknown): string | null {
  if (record.error !== null) return record.error;
  if (record.isRest) return problemOfRest(record);
  if (message !== record.value && !isObject(message)) return 'the message is not an object';
  return chatRecordType(message) === null ? diagnosisOf(record) : null;
}

function problemOfRest(record: SourceRecord): string | null {
  if (!isObject(record.value)) return diagnosisOf(record);
  const messages = member(record.value, 'messages');
  if (!Array.isArray(messages)) return 'the document has no messages';
  // The elements of the first array are not here: these are a second one's.
  return messages.length > 0 ? 'the document has messages twice; the first are read' : null;
}
