/**
 * The columns of `conversations` for Claude Code, each a function of a row's unit.
 *
 * Identity: `session_id` is the record's `sessionId`, else the file's; `project_path` the record's
 * `cwd`, else the first `cwd` in the file, else the decoded folder name. A session is a sub-agent's
 * when its file is `agent-*.jsonl` or lies in `subagents/`; its lines carry the parent's session.
 * The session that one was forked from stands on the record that tells it, `fork-context-ref`; a
 * session that names itself there was not forked.
 *
 * Usage is the model call's, and repeated on every line of the call (`response_id` joins them).
 * Input tokens exclude the cache. Cache creation is the larger of the flat member and the sum of
 * its parts: some versions write only one of the two.
 */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { partAsJson } from '../../../bytes/json-print.ts';
import type { conversations } from '../../../relations/index.ts';
import type { Cells, Reader, ReadOptions, SourceContext } from '../../harness.ts';
import { isAgentFile } from '../address.ts';
import { blocksOf } from '../blocks.ts';
import { problemOfTyped } from '../diagnosis.ts';
import { at, nonEmptyText, topLevelText } from '../fields.ts';
import { authorOf } from './author.ts';
import { contentOf } from './content.ts';
import { blockUnits, type ClaudeUnit, isToolCall, lineUnit } from './units.ts';

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, options: ReadOptions): Reader<ClaudeUnit> {
  return {
    kinds: ['transcript', 'journal'],
    start: () => null,
    read: options.rows === 'line' ? lineUnit : blockUnits,
    cells: conversationCells(source),
  };
}

function conversationCells(source: string): Cells<typeof conversations, ClaudeUnit> {
  return {
    source: () => source,
    session_id: (unit, context) => sessionId(unit.record.value, context),
    project_path: projectPath,
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? '',
    is_agent: (_unit, context) => isAgentFile(context),
    message_type: messageType,
    uuid: topLevelText('uuid'),
    parent_uuid: topLevelText('parentUuid'),
    timestamp: topLevelText('timestamp'),
    message_role: role,
    message_content: contentOf,
    model: unit => (isAssistant(unit) ? textOf(at(unit.record.value, 'message', 'model')) : null),
    tool_name: toolName,
    tool_use_id: toolUseId,
    tool_input: toolInput,
    input_tokens: unit => usage(unit, 'input_tokens'),
    output_tokens: unit => usage(unit, 'output_tokens'),
    cache_creation_tokens: cacheCreationTokens,
    cache_read_tokens: unit => usage(unit, 'cache_read_input_tokens'),
    slug: topLevelText('slug'),
    git_branch: topLevelText('gitBranch'),
    cwd: topLevelText('cwd'),
    version: topLevelText('version'),
    stop_reason: unit =>
      carriesUsage(unit) ? textOf(at(unit.record.value, 'message', 'stop_reason')) : null,
    reasoning_effort: topLevelText('effort'),
    event_type: topLevelText('type'),
    client: topLevelText('entrypoint'),
    parent_session_id: parentSession,
    forked_from_session_id: forkedFrom,
    turn_id: topLevelText('promptId'),
    response_id: unit => textOf(at(unit.record.value, 'message', 'id')),
    agent_path: (_unit, context) => context.source.facts['agentPath'] ?? null,
    agent_role: (_unit, context) => textOf(member(context.companion('meta'), 'agentType')),
    status,
    usage_scope: unit => (usageOf(unit) === undefined ? null : 'response'),
    usage_source_line: unit => (usageOf(unit) === undefined ? null : unit.record.lineNumber),
    parse_error: unit => problemOfTyped(unit.record),
    author: authorOf,
  };
}

function sessionId(value: unknown, context: SourceContext): string {
  return nonEmptyText(member(value, 'sessionId')) ?? context.source.sessionId ?? '';
}

function isAssistant(unit: ClaudeUnit): boolean {
  return member(unit.record.value, 'type') === 'assistant';
}

function projectPath(unit: ClaudeUnit, context: SourceContext): string {
  return (
    nonEmptyText(member(unit.record.value, 'cwd')) ??
    context.firstText('cwd') ??
    decodedFolder(context.source.facts['projectDir'] ?? '')
  );
}

/** The path that a project's folder name stands for; what was not a slash before is lost. */
function decodedFolder(name: string): string {
  return name.replaceAll('-', '/');
}

function messageType(unit: ClaudeUnit): string {
  const type = textOf(member(unit.record.value, 'type'));
  switch (unit.kind) {
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
      return unit.kind;
    case 'block':
      return textOf(member(unit.block, 'type')) ?? 'block';
    default:
      return type ?? '_parse_error';
  }
}

function role(unit: ClaudeUnit): string | null {
  const type = member(unit.record.value, 'type');
  return type === 'user' || type === 'assistant' ? type : null;
}

/** The block whose tool a row names: its own, or the first call of an assistant's message. */
function toolBlock(unit: ClaudeUnit): unknown {
  if (unit.block !== undefined) return unit.block;
  return isAssistant(unit) ? blocksOf(unit.record.value).find(isToolCall) : undefined;
}

function toolName(unit: ClaudeUnit): string | null {
  if (member(unit.record.value, 'type') === 'attachment') {
    return textOf(at(unit.record.value, 'attachment', 'type'));
  }
  return textOf(member(toolBlock(unit), 'name'));
}

function toolUseId(unit: ClaudeUnit): string | null {
  const block = toolBlock(unit);
  return textOf(member(block, isToolCall(block) ? 'id' : 'tool_use_id'));
}

function toolInput(unit: ClaudeUnit): string | null {
  const { blockIndex } = unit;
  if (blockIndex < 0 && !isAssistant(unit)) return null;
  return partAsJson(unit.record, root => {
    const blocks = blocksOf(root);
    return member(blockIndex < 0 ? blocks.find(isToolCall) : blocks[blockIndex], 'input');
  });
}

/** The rows that stand for the message carry its usage; those for a block of it do not. */
function carriesUsage(unit: ClaudeUnit): boolean {
  return isAssistant(unit) && (unit.kind === 'message' || unit.kind === 'line');
}

function usageOf(unit: ClaudeUnit): unknown {
  if (!carriesUsage(unit)) return undefined;
  const found = at(unit.record.value, 'message', 'usage');
  return isObject(found) ? found : undefined;
}

function usage(unit: ClaudeUnit, name: string): number | null {
  return integerOf(member(usageOf(unit), name));
}

function cacheCreationTokens(unit: ClaudeUnit): number | null {
  const flat = usage(unit, 'cache_creation_input_tokens');
  const parts = member(usageOf(unit), 'cache_creation');
  if (parts === undefined || parts === null) return flat;
  const fiveMinutes = integerOf(member(parts, 'ephemeral_5m_input_tokens'));
  const oneHour = integerOf(member(parts, 'ephemeral_1h_input_tokens'));
  if (fiveMinutes === null && oneHour === null) return flat;
  return Math.max(flat ?? 0, (fiveMinutes ?? 0) + (oneHour ?? 0));
}

function parentSession(unit: ClaudeUnit, context: SourceContext): string | null {
  if (!isAgentFile(context)) return null;
  return (
    context.source.facts['parentSession'] ?? nonEmptyText(member(unit.record.value, 'sessionId'))
  );
}

function forkedFrom({ record }: ClaudeUnit, context: SourceContext): string | null {
  if (member(record.value, 'type') !== 'fork-context-ref') return null;
  const origin = nonEmptyText(member(record.value, 'parentSessionId'));
  return origin === sessionId(record.value, context) ? null : origin;
}

/** The outcome of a tool result; in a row for a whole line, of its first. */
function status(unit: ClaudeUnit): string | null {
  const block = unit.kind === 'line' ? blocksOf(unit.record.value)[0] : unit.block;
  const isError = member(block, 'is_error');
  if (typeof isError !== 'boolean') return null;
  return isError ? 'failed' : 'completed';
}
