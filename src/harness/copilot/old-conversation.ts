/**
 * From `history-session-state/<session>.json`, where the Copilot CLI of autumn 2025 kept a session,
 * to rows of `conversations`.
 *
 * The file is `{sessionId, startTime, chatMessages[], timeline[]}`. A message is what was sent to
 * the model: `{role, content, tool_calls[{id, function{name, arguments}}], tool_call_id}`. It has
 * neither time nor identifier. By block, an answer gives one row with its text and first tool call
 * and one row, `tool_start`, for each further call, which the agent wrote; every other message
 * gives one row. What surrounds the messages is one row, `session_start`. By line, every element is
 * one row.
 */

import { member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, SourceContext, Unit } from '../harness.ts';
import { notAnObject } from '../shared/diagnosis.ts';
import { at, contentText, listOf, lookUp, nonEmptyText } from '../shared/fields.ts';

/** A row in the making of an old session. */
export interface OldUnit extends Unit {
  readonly format: 'old';
  readonly kind: 'session' | 'message' | 'call' | 'error';
  /** The tool call that the row shows. */
  readonly call: unknown;
}

type EmitUnit = (unit: OldUnit) => void;

/** One row for an element, or for what surrounds the elements. */
export function oldLine(record: SourceRecord, emit: EmitUnit): void {
  const isError = notAnObject(record) !== null;
  const kind = isError ? 'error' : record.lineNumber === 0 ? 'session' : 'message';
  emit({ format: 'old', record, kind, call: callsOf(record)[0] });
}

/** The rows of an element, or of what surrounds the elements. */
export function oldBlocks(record: SourceRecord, emit: EmitUnit): void {
  oldLine(record, emit);
  for (const call of callsOf(record).slice(1)) emit({ format: 'old', record, kind: 'call', call });
}

function callsOf(record: SourceRecord): readonly unknown[] {
  return listOf(member(record.value, 'tool_calls'));
}

const MESSAGE_TYPES: Readonly<Record<string, string>> = {
  assistant: 'assistant',
  tool: 'tool_result',
  user: 'user',
};

/** The cells of a row. */
export function oldCells(): Cells<typeof conversations, OldUnit> {
  const created = (context: SourceContext) => textOf(member(context.rest(), 'startTime'));
  return {
    session_id: (_unit, context) =>
      nonEmptyText(member(context.rest(), 'sessionId')) ?? context.source.sessionId ?? '',
    project_path: () => '',
    project_dir: () => '',
    is_agent: () => false,
    message_type: messageType,
    timestamp: (unit, context) => (unit.kind === 'session' ? created(context) : null),
    message_role: role,
    message_content: contentOf,
    tool_name: unit => textOf(at(unit.call, 'function', 'name')),
    tool_use_id: unit =>
      textOf(member(unit.call, 'id')) ?? textOf(member(unit.record.value, 'tool_call_id')),
    tool_input: toolInput,
    session_created_at: (_unit, context) => created(context),
    parse_error: unit => notAnObject(unit.record),
    author: unit => {
      const own = role(unit);
      return own === 'assistant' || unit.kind === 'call' ? 'agent' : (own ?? 'system');
    },
  };
}

function messageType(unit: OldUnit): string {
  if (unit.kind === 'error') return '_parse_error';
  if (unit.kind === 'session') return 'session_start';
  if (unit.kind === 'call') return 'tool_start';
  return lookUp(MESSAGE_TYPES, member(unit.record.value, 'role')) ?? 'unknown';
}

function role(unit: OldUnit): string | null {
  if (unit.kind === 'call') return 'tool';
  const own = member(unit.record.value, 'role');
  const isKnown = own === 'user' || own === 'assistant' || own === 'tool';
  return unit.kind === 'message' && isKnown ? own : null;
}

function contentOf(unit: OldUnit): string | null {
  if (unit.kind === 'error') return `Parse error: ${notAnObject(unit.record)}`;
  return unit.kind === 'message' ? contentText(member(unit.record.value, 'content')) : null;
}

function toolInput(unit: OldUnit): string | null {
  const given = at(unit.call, 'function', 'arguments');
  return typeof given === 'string' ? given : compactJson(given);
}
