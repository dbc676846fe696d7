/**
 * The columns of `conversations` for Qwen Code, each a function of a row's unit.
 *
 * Identity: `session_id` is the record's `sessionId`, else the file's; `project_path` the record's
 * `cwd`, else the first `cwd` in the file. A session is a sub-agent's when its file lies in
 * `subagents/<session>/`; its lines carry the parent's session.
 *
 * Usage is one model call's, and a record is one call, so `response_id` is its `uuid`: a branched
 * session repeats it. `input_tokens` is the whole prompt, the cached part included, as recorded;
 * `cache_read_tokens` is that part. Reasoning is not part of the output.
 *
 * In the user's slot `author` is, in this order: `system` for what the harness put there (its
 * `provenance` or `subtype` says so), `caller` in a sub-agent's session, else `user`.
 */

import { integerOf, isObject, member, textOf } from '../../bytes/json.ts';
import { partAsJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { CellFunction, Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { isAgentFile } from '../shared/address.ts';
import { readerByForm } from '../shared/by-form.ts';
import { problemOfTyped } from '../shared/diagnosis.ts';
import { at, nonEmptyText, topLevelText } from '../shared/fields.ts';
import { chatsReader } from '../shared/gemini-chats/conversation.ts';
import { contentOf } from './content.ts';
import { blockUnits, isToolCall, isToolResult, lineUnit, partsOf, type QwenUnit } from './units.ts';

/** The reader of `conversations`, by block or by line, from transcripts and from earlier chats. */
export function conversationsReader(source: string, options: ReadOptions): Reader {
  const lines = lineReader(source, options);
  return readerByForm({ lines, elements: chatsReader(source, options) });
}

/** The reader of `conversations` from transcripts. */
export function lineReader(source: string, options: ReadOptions): Reader<QwenUnit> {
  return {
    kinds: ['transcript'],
    start: () => null,
    read: options.rows === 'line' ? lineUnit : blockUnits,
    cells: conversationCells(source),
  };
}

function conversationCells(source: string): Cells<typeof conversations, QwenUnit> {
  return {
    source: () => source,
    session_id: (unit, context) =>
      nonEmptyText(member(unit.record.value, 'sessionId')) ?? context.source.sessionId ?? '',
    project_path: (unit, context) =>
      nonEmptyText(member(unit.record.value, 'cwd')) ?? context.firstText('cwd') ?? '',
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? '',
    is_agent: (_unit, context) => isAgentFile(context),
    message_type: messageType,
    uuid: topLevelText('uuid'),
    parent_uuid: topLevelText('parentUuid'),
    timestamp: topLevelText('timestamp'),
    message_role: role,
    message_content: contentOf,
    model: topLevelText('model'),
    tool_name: unit => textOf(member(toolOf(unit), 'name')),
    tool_use_id: toolUseId,
    tool_input: toolInput,
    input_tokens: usage('promptTokenCount'),
    output_tokens: usage('candidatesTokenCount'),
    cache_read_tokens: usage('cachedContentTokenCount'),
    reasoning_tokens: usage('thoughtsTokenCount'),
    git_branch: topLevelText('gitBranch'),
    cwd: topLevelText('cwd'),
    version: topLevelText('version'),
    event_type: topLevelText('type'),
    parent_session_id: parentSession,
    forked_from_session_id: unit => textOf(at(unit.record.value, 'forkedFrom', 'sessionId')),
    turn_id: topLevelText('promptId'),
    response_id: unit => (hasUsage(unit) ? textOf(member(unit.record.value, 'uuid')) : null),
    agent_path: (_unit, context) => context.source.facts['agentPath'] ?? null,
    agent_nickname: topLevelText('agentName'),
    agent_role: (_unit, context) => textOf(member(context.companion('meta'), 'agentType')),
    status,
    usage_scope: unit => (hasUsage(unit) ? 'response' : null),
    usage_source_line: unit => (hasUsage(unit) ? unit.record.lineNumber : null),
    parse_error: unit => problemOfTyped(unit.record),
    author,
  };
}

function typeOf(unit: QwenUnit): string | null {
  return textOf(member(unit.record.value, 'type'));
}

function messageType(unit: QwenUnit): string {
  const isPart = unit.kind !== 'line' && unit.kind !== 'record';
  return isPart ? unit.kind : (typeOf(unit) ?? '_parse_error');
}

function role(unit: QwenUnit): string | null {
  const type = typeOf(unit);
  if (type === 'tool_result') return 'tool';
  return type === 'user' || type === 'assistant' ? type : null;
}

/** The call or result of a row: its own, or the first of a whole record. */
function toolOf(unit: QwenUnit): unknown {
  const part = toolPart(unit, unit.record.value);
  return member(part, 'functionCall') ?? member(part, 'functionResponse');
}

function toolPart({ kind, partIndex }: QwenUnit, value: unknown): unknown {
  const parts = partsOf(value);
  if (partIndex >= 0) return parts[partIndex];
  return kind === 'line' ? parts.find(part => isToolCall(part) || isToolResult(part)) : undefined;
}

/** Early results name their call beside the message only. */
function toolUseId(unit: QwenUnit): string | null {
  const own = textOf(member(toolOf(unit), 'id'));
  if (own !== null || typeOf(unit) !== 'tool_result') return own;
  return textOf(at(unit.record.value, 'toolCallResult', 'callId'));
}

function toolInput(unit: QwenUnit): string | null {
  return partAsJson(unit.record, root => at(toolPart(unit, root), 'functionCall', 'args'));
}

function status(unit: QwenUnit): string | null {
  if (typeOf(unit) !== 'tool_result') return null;
  const recorded = textOf(at(unit.record.value, 'toolCallResult', 'status'));
  if (recorded === 'success') return 'completed';
  return recorded === 'error' ? 'failed' : recorded;
}

/** The rows that stand for the record carry its usage; those for a part of it do not. */
function hasUsage(unit: QwenUnit): boolean {
  return unit.partIndex < 0 && isObject(member(unit.record.value, 'usageMetadata'));
}

function usage(name: string): CellFunction<QwenUnit> {
  return unit => (hasUsage(unit) ? integerOf(at(unit.record.value, 'usageMetadata', name)) : null);
}

/** A session that an agent opened beside its own says so near its beginning. */
function parentSession(_unit: QwenUnit, context: SourceContext): string | null {
  const known = context.source.facts['parentSession'];
  if (typeof known === 'string') return known;
  const isParent = (value: unknown) => member(value, 'subtype') === 'parent_session';
  const record = context.firstRecord('"parent_session"', isParent);
  return nonEmptyText(at(record, 'systemPayload', 'parentSessionId'));
}

/** What the harness puts in the user's slot, by subtype, in versions without a provenance. */
const SYSTEM_PROMPTS = new Set([
  'background_task_completed',
  'cron',
  'goal_runtime',
  'notification',
]);

function author(unit: QwenUnit, context: SourceContext): string {
  switch (typeOf(unit)) {
    case 'assistant':
      return 'agent';
    case 'tool_result':
      return 'tool';
    case 'user':
      return authorOfUserSlot(unit.record.value, context);
    default:
      return 'system';
  }
}

function authorOfUserSlot(value: unknown, context: SourceContext): string {
  const provenance = textOf(member(value, 'provenance'));
  const isOfHarness = provenance !== null && provenance !== 'real_user';
  if (isOfHarness || SYSTEM_PROMPTS.has(textOf(member(value, 'subtype')) ?? '')) return 'system';
  return isAgentFile(context) ? 'caller' : 'user';
}
