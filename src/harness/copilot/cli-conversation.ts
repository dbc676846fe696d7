/**
 * The columns of `conversations` for the Copilot CLI, each a function of a row's unit.
 *
 * - Session, folder, branch, repository, version and model are the session's at that moment
 *   (`cli-session.ts`); a record that names its own model is believed.
 * - Types have the names that agent_data gives them; those it has no name for are `unknown`, with
 *   their own name in `event_type`, except `session_shutdown`.
 * - `message_role` follows the type and `author` the role, with two exceptions. A `tool_start` has
 *   the role `tool`, but the model wrote the call: it is the `agent`'s. In the user's slot stand
 *   more than people: the brief of a sub-agent is `caller`, and whatever else names a source
 *   (`system`, a skill, a schedule) is `system`.
 * - A sub-agent writes into the file of its session: its rows are `is_agent`, with its identifier
 *   in `agent_path`.
 */

import { integerOf, type JsonObject, member, textOf } from '../../bytes/json.ts';
import { compactJson, partAsJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { CellFunction, Cells, SourceContext } from '../harness.ts';
import { diagnosisOf, problemOfTyped } from '../shared/diagnosis.ts';
import { at, contentText, lookUp, nonEmptyText, topLevelText } from '../shared/fields.ts';
import { type Agent, agentOf } from './cli-session.ts';
import type { CliUnit } from './cli-units.ts';
import { storedCall, type TokenColumn, tokens, usageScope } from './cli-usage.ts';

type MessageType = readonly [type: string, role: string | null];

const MESSAGE_TYPES: Readonly<Record<string, MessageType>> = {
  abort: ['abort', null],
  'assistant.message': ['assistant', 'assistant'],
  'assistant.reasoning': ['reasoning', 'assistant'],
  'assistant.turn_end': ['turn_end', 'assistant'],
  'assistant.turn_start': ['turn_start', 'assistant'],
  'session.compaction_complete': ['compaction_complete', null],
  'session.compaction_start': ['compaction_start', null],
  'session.error': ['session_error', null],
  'session.info': ['session_info', null],
  'session.model_change': ['model_change', null],
  'session.resume': ['session_resume', null],
  'session.shutdown': ['session_shutdown', null],
  'session.start': ['session_start', null],
  'session.truncation': ['truncation', null],
  'tool.execution_complete': ['tool_result', 'tool'],
  'tool.execution_start': ['tool_start', 'tool'],
  'user.message': ['user', 'user'],
};

const UNKNOWN: MessageType = ['unknown', null];

/** The cells of a row. */
export function cliCells(): Cells<typeof conversations, CliUnit> {
  return {
    session_id: unit => unit.facts.sessionId,
    project_path: unit => unit.facts.cwd ?? '',
    project_dir: () => '',
    is_agent: isOfAgent,
    message_type: unit => messageType(unit)[0],
    uuid: topLevelText('id'),
    parent_uuid: topLevelText('parentId'),
    timestamp: topLevelText('timestamp'),
    message_role: unit => messageType(unit)[1],
    message_content: contentOf,
    model: modelOf,
    tool_name: unit => toolCall(unit, 'toolName', 'name'),
    tool_use_id: unit => toolCall(unit, 'toolCallId', 'toolCallId'),
    tool_input: toolInput,
    ...tokenCells(),
    slug: unit => unit.facts.title,
    git_branch: unit => unit.facts.branch,
    cwd: unit => nonEmptyText(unit.facts.cwd),
    version: unit => unit.facts.version,
    stop_reason: (unit, context) => textOf(storedCall(unit, context)?.['finish_reason']),
    reasoning_effort: unit => (isOfAgent(unit) ? null : unit.facts.effort),
    repository: unit => unit.facts.repository,
    event_type: topLevelText('type'),
    client: unit => unit.facts.client,
    originator: unit => unit.facts.producer,
    turn_id: unit => textOf(dataOf(unit, 'turnId')),
    response_id: responseId,
    git_commit: unit => unit.facts.commit,
    agent_path: unit => agentOf(unit.record.value),
    agent_nickname: unit => agentFact(unit, 'title'),
    agent_role: unit => agentFact(unit, 'name'),
    channel: unit => textOf(dataOf(unit, 'phase')),
    status,
    session_created_at: unit => unit.facts.createdAt,
    session_updated_at: unit => unit.facts.updatedAt,
    usage_scope: usageScope,
    usage_source_line: usageLine,
    parse_error: parseError,
    metadata,
    author,
  };
}

function tokenCells(): Readonly<Record<TokenColumn, CellFunction<CliUnit>>> {
  const cell = (column: TokenColumn) => (unit: CliUnit, context: SourceContext) =>
    tokens(unit, context, column);
  return {
    input_tokens: cell('input_tokens'),
    output_tokens: cell('output_tokens'),
    cache_creation_tokens: cell('cache_creation_tokens'),
    cache_read_tokens: cell('cache_read_tokens'),
    reasoning_tokens: cell('reasoning_tokens'),
  };
}

function dataOf(unit: CliUnit, key: string): unknown {
  return at(unit.record.value, 'data', key);
}

function isAnswer(unit: CliUnit): boolean {
  return member(unit.record.value, 'type') === 'assistant.message';
}

function messageType(unit: CliUnit): MessageType {
  if (unit.kind === 'error') return ['_parse_error', null];
  if (unit.kind === 'reasoning') return ['reasoning', 'assistant'];
  return lookUp(MESSAGE_TYPES, member(unit.record.value, 'type')) ?? UNKNOWN;
}

/** Members of `data` that hold the text of a record, the first one that is there. */
const TEXT_MEMBERS = ['content', 'message', 'summaryContent', 'summary', 'errorReason', 'reason'];

function contentOf(unit: CliUnit): string | null {
  if (unit.kind === 'error') return `Parse error: ${diagnosisOf(unit.record)}`;
  if (unit.kind === 'reasoning') return textOf(dataOf(unit, 'reasoningText'));
  const data = member(unit.record.value, 'data');
  if (member(unit.record.value, 'type') === 'tool.execution_complete') {
    return contentText(at(data, 'result', 'content')) ?? textOf(at(data, 'error', 'message'));
  }
  const name = TEXT_MEMBERS.find(one => typeof member(data, one) === 'string');
  return name === undefined ? contentText(member(data, 'content')) : textOf(member(data, name));
}

/** The call of a record: its own, or the first that an answer asks for. */
function toolCall(unit: CliUnit, own: string, requested: string): string | null {
  if (unit.kind === 'reasoning') return null;
  return isAnswer(unit) ? textOf(member(firstRequest(unit), requested)) : textOf(dataOf(unit, own));
}

function toolInput(unit: CliUnit): string | null {
  if (unit.kind === 'reasoning') return null;
  return partAsJson(unit.record, root => {
    const data = member(root, 'data');
    const call = isAnswer(unit) ? firstOf(member(data, 'toolRequests')) : data;
    return member(call, 'arguments') ?? undefined;
  });
}

function firstRequest(unit: CliUnit): unknown {
  return firstOf(dataOf(unit, 'toolRequests'));
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function responseId(unit: CliUnit): string | null {
  if (!isAnswer(unit)) return null;
  return textOf(dataOf(unit, 'apiCallId')) ?? textOf(dataOf(unit, 'messageId'));
}

function isOfAgent(unit: CliUnit): boolean {
  return agentOf(unit.record.value) !== null;
}

/** A sub-agent does not work with the model of its session. */
function modelOf(unit: CliUnit): string | null {
  const own = unit.model ?? textOf(dataOf(unit, 'model'));
  return own ?? (isOfAgent(unit) ? agentFact(unit, 'model') : unit.facts.model);
}

function agentFact(unit: CliUnit, fact: keyof Agent): string | null {
  return lookUp(unit.facts.agents, agentOf(unit.record.value))?.[fact] ?? null;
}

function status(unit: CliUnit): string | null {
  switch (member(unit.record.value, 'type')) {
    case 'abort':
      return 'interrupted';
    case 'subagent.completed':
      return 'completed';
    case 'subagent.failed':
      return 'failed';
  }
  const success = dataOf(unit, 'success');
  if (typeof success !== 'boolean') return null;
  return success ? 'completed' : 'failed';
}

/** Figures of the store come from no line. */
function usageLine(unit: CliUnit, context: SourceContext): number | null {
  if (usageScope(unit, context) === null) return null;
  return storedCall(unit, context) === null ? unit.record.lineNumber : null;
}

function parseError(unit: CliUnit, context: SourceContext): string | null {
  const problem = problemOfTyped(unit.record);
  if (problem !== null || unit.place === null) return problem;
  // The store is only a part of what a row tells: the row stays, and says what is missing.
  storedCall(unit, context);
  const unread = context.companionProblem('store');
  return unread === null ? null : `token usage is not known: session-store.db: ${unread}`;
}

/** Where stored usage came from, and all that a shutdown says about its models. */
function metadata(unit: CliUnit, context: SourceContext): string | null {
  const { model, record } = unit;
  if (member(record.value, 'type') === 'session.shutdown') {
    return partAsJson(record, root => {
      const metrics = at(root, 'data', 'modelMetrics');
      return model === null ? metrics : member(metrics, model);
    });
  }
  const call: JsonObject | null = storedCall(unit, context);
  const key = integerOf(call?.['id']);
  if (call === null) return null;
  return compactJson({ usage_from: `session-store.db assistant_usage_events:${key ?? '?'}` });
}

function author(unit: CliUnit): string {
  const [type, role] = messageType(unit);
  if (role === 'assistant' || type === 'tool_start') return 'agent';
  if (role !== 'user') return role ?? 'system';
  const source = nonEmptyText(dataOf(unit, 'source'));
  if (isOfAgent(unit) || source?.startsWith('agent-')) return 'caller';
  return source === null || source === 'user' ? 'user' : 'system';
}
