/**
 * From the chat of a Grok session to rows of `conversations`.
 *
 * A line is an object with a string `type`; the oldest format has a `role` instead, as OpenAI's
 * messages have.
 *
 * By block (the default), the line of an assistant gives one row for its text, unless it is empty
 * beside tool calls, and one row for each tool call; a line of the oldest format first one for its
 * reasoning. Every other line gives one row, of a known type or not.
 *
 * By line, each line gives one row.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';
import { listOf, lookUp, nonEmptyText } from '../shared/fields.ts';
import type { Usage } from './clock.ts';

/** What a row stands for: a whole line, or a part of it. */
export type GrokUnitKind = 'line' | 'text' | 'reasoning' | 'tool_call';

/** A row in the making. */
export interface GrokUnit extends Unit {
  readonly kind: GrokUnitKind;
  /** Position in `tool_calls`, or -1. */
  readonly callIndex: number;
  /** The time of the line, from the updates; null when they have none for it. */
  readonly timestamp: string | null;
  readonly usage: Usage | null;
}

/** What all rows of a line share. */
export type Known = Pick<GrokUnit, 'timestamp' | 'usage'>;

/** The row of a whole line. */
export function lineUnit(record: SourceRecord, known: Known): GrokUnit {
  return { record, kind: 'line', callIndex: -1, ...known };
}

/** Gives the rows of a line, block by block. */
export function blockUnits(
  record: SourceRecord,
  known: Known,
  emit: (unit: GrokUnit) => void,
): void {
  const { value } = record;
  if (typeOfLine(value) !== 'assistant') {
    emit(lineUnit(record, known));
    return;
  }
  const calls = toolCallsOf(value);
  const part = { record, callIndex: -1, ...known };
  if (nonEmptyText(member(value, 'reasoning_content'))) emit({ ...part, kind: 'reasoning' });
  if (hasContent(value) || calls.length === 0) emit({ ...part, kind: 'text' });
  for (const callIndex of calls.keys()) emit({ ...part, kind: 'tool_call', callIndex });
}

/** The types of lines for the roles that are not named as lines are. */
const TYPE_OF_ROLE: Readonly<Record<string, string>> = { tool: 'tool_result' };

/** The type of a line, by its role in the oldest format; null for what is no line of the chat. */
export function typeOfLine(value: unknown): string | null {
  const type = textOf(member(value, 'type'));
  if (type !== null) return type;
  const role = textOf(member(value, 'role'));
  if (role === null) return null;
  return lookUp(TYPE_OF_ROLE, role) ?? role;
}

/** The tool calls of an assistant's line. */
export function toolCallsOf(value: unknown): readonly unknown[] {
  return listOf(member(value, 'tool_calls'));
}

function hasContent(value: unknown): boolean {
  const content = member(value, 'content');
  return content !== undefined && content !== null && content !== '';
}
