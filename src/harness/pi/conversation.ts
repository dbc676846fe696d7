/**
 * The columns of `conversations` for pi, each a function of a row's unit.
 *
 * - `message_type` is the role of a message (`user`, `assistant`, `tool_result`, `bash_execution`),
 *   `thinking` or `tool_call` for a block of one, and the record type of everything else. What an
 *   extension says, a branch's summary and a compaction's have one name each, whether they are
 *   records of their own or messages, as in format 2.
 * - `author`: the model's text, thinking and calls are the agent's, results the tools'; what stands
 *   in the user's slot is the caller's in a sub-agent, else the user's, and so is a command that
 *   the user ran; the rest is the system's.
 * - Usage is the model call's, on the row that stands for its message. Input excludes the cache.
 *   The cost is in `metadata`, in US dollars.
 * - Ids of entries are unique within a file only: `record_id` puts the session before them, and for
 *   format 1, which has none, before the offset.
 */

import { integerOf, isObject, member, textOf } from '../../bytes/json.ts';
import { compactJson, partAsJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { isAgentFile } from '../shared/address.ts';
import { blocksOf } from '../shared/blocks.ts';
import { problemOfTyped } from '../shared/diagnosis.ts';
import { at, isoOfMs, lookUp, topLevelText } from '../shared/fields.ts';
import { contentOf } from './content.ts';
import { metadataOf } from './metadata.ts';
import { NO_SETTINGS, type PiState, startState, takeRecord } from './session.ts';
import { blockUnits, isToolCall, type PiUnit, recordUnit, roleOf } from './units.ts';

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, options: ReadOptions): Reader<PiUnit> {
  return {
    kinds: ['transcript'],
    start: startState,
    read(state, record, emit, context) {
      const known = state as PiState;
      takeRecord(known, record, context.source);
      const { session, settings } = known;
      if (options.rows === 'block') blockUnits(record, { session, settings }, emit);
      else emit(recordUnit(record, { session, settings: NO_SETTINGS }));
    },
    cells: conversationCells(source),
  };
}

function conversationCells(source: string): Cells<typeof conversations, PiUnit> {
  return {
    source: () => source,
    session_id: unit => unit.session.id,
    project_path: unit => unit.session.cwd,
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? null,
    is_agent: (_unit, context) => isAgentFile(context),
    message_type: messageType,
    uuid: unit => (isHeader(unit) ? null : textOf(member(unit.record.value, 'id'))),
    parent_uuid: topLevelText('parentId'),
    timestamp,
    message_role: role,
    message_content: contentOf,
    model: unit => ofMessage(unit, 'model') ?? textOf(member(unit.record.value, 'modelId')),
    tool_name: toolName,
    tool_use_id: toolUseId,
    tool_input: toolInput,
    input_tokens: unit => usage(unit, 'input'),
    output_tokens: unit => usage(unit, 'output'),
    cache_creation_tokens: unit => usage(unit, 'cacheWrite'),
    cache_read_tokens: unit => usage(unit, 'cacheRead'),
    reasoning_tokens: unit => usage(unit, 'reasoning'),
    slug: unit => unit.settings.name,
    cwd: unit => unit.session.cwd,
    version: unit => unit.session.version,
    stop_reason: unit => (unit.kind === 'record' ? ofMessage(unit, 'stopReason') : null),
    reasoning_effort: effort,
    record_id: recordId,
    event_type: topLevelText('type'),
    parent_session_id: unit => unit.session.parentId,
    forked_from_session_id: unit => unit.session.forkedFromId,
    response_id: unit => ofMessage(unit, 'responseId'),
    model_provider: unit =>
      ofMessage(unit, 'provider') ?? textOf(member(unit.record.value, 'provider')),
    agent_path: (_unit, context) => context.source.facts['agentPath'] ?? null,
    status,
    session_created_at: unit => unit.session.createdAt,
    usage_scope: unit => (usageOf(unit) === undefined ? null : 'response'),
    usage_source_line: unit => (usageOf(unit) === undefined ? null : unit.record.lineNumber),
    parse_error: unit => problemOfTyped(unit.record),
    metadata: metadataOf,
    author,
  };
}

function isHeader(unit: PiUnit): boolean {
  return member(unit.record.value, 'type') === 'session';
}

/** A text of the message that a record carries. */
function ofMessage({ record }: PiUnit, key: string): string | null {
  return roleOf(record.value) === null ? null : textOf(at(record.value, 'message', key));
}

/** The types of rows for the roles that are not named as rows are. */
const TYPE_OF_ROLE: Readonly<Record<string, string>> = {
  bashExecution: 'bash_execution',
  branchSummary: 'branch_summary',
  compactionSummary: 'compaction',
  custom: 'custom_message',
  hookMessage: 'custom_message',
  toolResult: 'tool_result',
};

function messageType(unit: PiUnit): string {
  const { value } = unit.record;
  if (unit.kind === 'block') {
    return textOf(member(blocksOf(value)[unit.blockIndex], 'type')) ?? 'block';
  }
  if (unit.kind !== 'record') return unit.kind;
  const spoken = roleOf(value);
  if (spoken === null) return textOf(member(value, 'type')) ?? '_parse_error';
  return lookUp(TYPE_OF_ROLE, spoken) ?? spoken;
}

/** The entry's time; the message's own, in milliseconds, where the entry has none. */
function timestamp(unit: PiUnit): string | null {
  const own = textOf(member(unit.record.value, 'timestamp'));
  return own ?? isoOfMs(at(unit.record.value, 'message', 'timestamp'));
}

const ROLES: Readonly<Record<string, string>> = {
  assistant: 'assistant',
  bash_execution: 'user',
  custom_message: 'user',
  system: 'system',
  tool_result: 'tool',
  user: 'user',
};

/** The role in which the provider sees a record: what extensions say comes as the user's. */
function role(unit: PiUnit): string | null {
  const type = unit.kind === 'record' ? messageType(unit) : 'assistant';
  return lookUp(ROLES, type) ?? null;
}

function author(unit: PiUnit, context: SourceContext): string {
  switch (roleOf(unit.record.value)) {
    case 'assistant':
      return 'agent';
    case 'toolResult':
      return 'tool';
    case 'bashExecution':
      return 'user';
    case 'user':
      return isAgentFile(context) ? 'caller' : 'user';
    default:
      return 'system';
  }
}

/** The level that a record sets, and for the model's own the level that holds. */
function effort({ record, settings }: PiUnit): string | null {
  const isModels = roleOf(record.value) === 'assistant';
  return textOf(member(record.value, 'thinkingLevel')) ?? (isModels ? settings.effort : null);
}

/** The tool call that a row names: its own block, or the first call of a message. */
function callIndex(unit: PiUnit): number {
  if (unit.kind === 'tool_call') return unit.blockIndex;
  const isMessage = unit.kind === 'record' && roleOf(unit.record.value) === 'assistant';
  return isMessage ? blocksOf(unit.record.value).findIndex(isToolCall) : -1;
}

function toolName(unit: PiUnit): string | null {
  if (roleOf(unit.record.value) === 'bashExecution') return 'bash';
  const call = blocksOf(unit.record.value)[callIndex(unit)];
  return textOf(member(call, 'name')) ?? ofMessage(unit, 'toolName');
}

function toolUseId(unit: PiUnit): string | null {
  const call = blocksOf(unit.record.value)[callIndex(unit)];
  return textOf(member(call, 'id')) ?? ofMessage(unit, 'toolCallId');
}

function toolInput(unit: PiUnit): string | null {
  if (roleOf(unit.record.value) === 'bashExecution') {
    const command = ofMessage(unit, 'command');
    return command === null ? null : compactJson({ command });
  }
  const index = callIndex(unit);
  if (index < 0) return null;
  return partAsJson(unit.record, root => member(blocksOf(root)[index], 'arguments'));
}

/** The usage of a model call: of an assistant's message, or a record about a call aside. */
function usageOf(unit: PiUnit): unknown {
  if (unit.kind !== 'record') return undefined;
  const { value } = unit.record;
  const found = roleOf(value) === 'assistant' ? at(value, 'message', 'usage') : asideUsage(value);
  return isObject(found) ? found : undefined;
}

/** Calls that write summaries, and those that only warm the cache. */
const ASIDE = ['branch_summary', 'compaction', 'usage'];

function asideUsage(value: unknown): unknown {
  const type = member(value, 'type');
  return typeof type === 'string' && ASIDE.includes(type) ? member(value, 'usage') : undefined;
}

function usage(unit: PiUnit, name: string): number | null {
  return integerOf(member(usageOf(unit), name));
}

const STATUS_OF_STOP: Readonly<Record<string, string>> = {
  aborted: 'interrupted',
  error: 'failed',
  length: 'completed',
  stop: 'completed',
  toolUse: 'completed',
};

/** The outcome of a model call, a tool or a command. */
function status(unit: PiUnit): string | null {
  if (unit.kind !== 'record') return null;
  const message = member(unit.record.value, 'message');
  switch (roleOf(unit.record.value)) {
    case 'assistant':
      return lookUp(STATUS_OF_STOP, ofMessage(unit, 'stopReason')) ?? null;
    case 'toolResult':
      return outcome(member(message, 'isError'));
    case 'bashExecution': {
      if (member(message, 'cancelled') === true) return 'interrupted';
      const exitCode = member(message, 'exitCode');
      return typeof exitCode === 'number' ? outcome(exitCode !== 0) : null;
    }
    default:
      return null;
  }
}

function outcome(isError: unknown): string | null {
  if (typeof isError !== 'boolean') return null;
  return isError ? 'failed' : 'completed';
}

function recordId(unit: PiUnit): string {
  const id = isHeader(unit) ? null : textOf(member(unit.record.value, 'id'));
  return `${unit.session.id}:${id ?? `o${unit.record.byteOffset}`}`;
}
