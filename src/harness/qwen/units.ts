/**
 * From the records of Qwen Code to rows of `conversations`.
 *
 * A record is an object with a string `type`; `user`, `assistant` and `tool_result` carry a message
 * of parts, as the Gemini API has them; `system` records tell by their `subtype` what happened.
 *
 * By block (the default), a record gives, in this order:
 * - `assistant`: one row with all the text and the usage, one row for each thought that holds text,
 *   and one for each tool call;
 * - `tool_result`: one row for each result;
 * - every other type, known or not: one row.
 *
 * By line, each record gives one row; of tool calls and results it names the first.
 *
 * What is not an object with a string `type` is one `_parse_error` row either way.
 */

import { member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';
import { at, listOf, nonEmptyText } from '../shared/fields.ts';
import { isThought } from '../shared/gemini-chats/content.ts';

/** What a row stands for. `line` is a whole record, however many parts it has. */
export type QwenUnitKind = 'line' | 'record' | 'thinking' | 'tool_call' | 'tool_result';

/** A row in the making: a record, and the place of its part among the parts of the message. */
export interface QwenUnit extends Unit {
  readonly kind: QwenUnitKind;
  /** Position of the part in `message.parts`, or -1. */
  readonly partIndex: number;
}

/** Receives the rows of a record. */
export type EmitUnit = (unit: QwenUnit) => void;

/** One row for a record. The record is not decoded here. */
export function lineUnit(_state: unknown, record: SourceRecord, emit: EmitUnit): void {
  emit({ record, kind: 'line', partIndex: -1 });
}

/** The rows of a record, part by part. */
export function blockUnits(_state: unknown, record: SourceRecord, emit: EmitUnit): void {
  const type = member(record.value, 'type');
  const parts = partsOf(record.value);
  const isResult = type === 'tool_result' && parts.some(isToolResult);
  if (!isResult) emit({ record, kind: 'record', partIndex: -1 });
  if (type !== 'assistant' && !isResult) return;
  emitParts(record, parts, isResult ? ['tool_result'] : ['thinking', 'tool_call'], emit);
}

function emitParts(
  record: SourceRecord,
  parts: readonly unknown[],
  kinds: readonly QwenUnitKind[],
  emit: EmitUnit,
): void {
  for (const kind of kinds) {
    for (const [partIndex, part] of parts.entries()) {
      if (kindOfPart(part) === kind) emit({ record, kind, partIndex });
    }
  }
}

function kindOfPart(part: unknown): QwenUnitKind | null {
  if (isThought(part)) return nonEmptyText(member(part, 'text')) === null ? null : 'thinking';
  if (isToolCall(part)) return 'tool_call';
  return isToolResult(part) ? 'tool_result' : null;
}

/** The parts of a message; none when there is no message. */
export function partsOf(value: unknown): readonly unknown[] {
  return listOf(at(value, 'message', 'parts'));
}

/** Whether a part calls a tool. */
export function isToolCall(part: unknown): boolean {
  return member(part, 'functionCall') !== undefined;
}

/** Whether a part is the result of a tool. */
export function isToolResult(part: unknown): boolean {
  return member(part, 'functionResponse') !== undefined;
}
