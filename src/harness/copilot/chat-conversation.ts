/**
 * The columns of `conversations` for the chats of VS Code, each a function of a row's unit.
 *
 * - Times are milliseconds in the file and become ISO 8601 in UTC, as the CLI writes them.
 * - The project is the folder that `workspace.json` beside the chats names; chats of a window
 *   without a folder have none. `project_dir` is the name of the workspace's folder.
 * - Usage is the request's, on its `assistant` row (by line on the request): `usage_scope` is
 *   `request`. The prompt tokens are those of its last model call and include the cache; reasoning
 *   tokens are the sum over its calls.
 */

import { integerOf, member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, SourceContext } from '../harness.ts';
import { at, isoOfMs, listOf, nonEmptyText } from '../shared/fields.ts';
import { pathOfUri } from '../shared/file-uri.ts';
import {
  markdown,
  otherText,
  responseText,
  thinkingText,
  toolArguments,
  toolResult,
  toolStatus,
} from './chat-parts.ts';
import type { ChatUnit } from './chat-units.ts';

/** The cells of a row. */
export function chatCells(): Cells<typeof conversations, ChatUnit> {
  return {
    session_id: sessionId,
    project_path: (_unit, context) => projectOf(context) ?? '',
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? '',
    is_agent: () => false,
    message_type: messageType,
    uuid,
    parent_uuid: parentUuid,
    timestamp,
    message_role: role,
    message_content: contentOf,
    model: unit => (isResponse(unit) ? modelOf(unit.request) : null),
    tool_name: unit => (isTool(unit) ? textOf(member(unit.part, 'toolId')) : null),
    tool_use_id: unit => (isTool(unit) ? textOf(member(unit.part, 'toolCallId')) : null),
    tool_input: unit =>
      unit.kind === 'tool_start' ? toolArguments(unit.request, unit.part) : null,
    input_tokens: unit => usage(unit, 'promptTokens', 'promptTokens'),
    output_tokens: unit => usage(unit, 'outputTokens', 'completionTokens'),
    reasoning_tokens: reasoningTokens,
    slug: (unit, context) => textOf(member(chatOf(unit, context), 'customTitle')),
    cwd: (_unit, context) => cwdOf(context),
    client: (_unit, context) => context.source.facts['client'] ?? 'vscode',
    turn_id: unit => textOf(member(unit.request, 'requestId')),
    response_id: unit => (isResponse(unit) ? textOf(member(unit.request, 'responseId')) : null),
    status,
    session_created_at: (unit, context) => isoOfMs(member(chatOf(unit, context), 'creationDate')),
    session_updated_at: (unit, context) =>
      isoOfMs(member(chatOf(unit, context), 'lastMessageDate')),
    usage_scope: unit => (hasUsage(unit) ? 'request' : null),
    usage_source_line: unit => (hasUsage(unit) ? unit.record.lineNumber : null),
    parse_error: unit => unit.problem,
    metadata,
    author,
  };
}

/** The chat around the requests. */
function chatOf(unit: ChatUnit, context: SourceContext): unknown {
  return unit.chat ?? (context.source.form === 'elements' ? context.rest() : undefined);
}

function sessionId(unit: ChatUnit, context: SourceContext): string {
  const own = nonEmptyText(member(chatOf(unit, context), 'sessionId'));
  return own ?? context.source.sessionId ?? '';
}

/** The folder or the file of the workspace as a path; as a URI when it lies on another machine. */
function projectOf(context: SourceContext): string | null {
  const workspace = context.companion('workspace');
  const uri = nonEmptyText(member(workspace, 'folder') ?? member(workspace, 'workspace'));
  return uri === null ? null : pathOfUri(uri);
}

/** A workspace of several folders has no one folder that is worked in. */
function cwdOf(context: SourceContext): string | null {
  const folder = nonEmptyText(member(context.companion('workspace'), 'folder'));
  return folder?.startsWith('file:') ? projectOf(context) : null;
}

function isTool(unit: ChatUnit): boolean {
  return unit.kind === 'tool_start' || unit.kind === 'tool_result';
}

function isResponse(unit: ChatUnit): boolean {
  return unit.request !== undefined && unit.kind !== 'user' && unit.kind !== 'error';
}

const ENTRIES = ['chat', 'set', 'append', 'delete'];

function messageType(unit: ChatUnit): string {
  switch (unit.kind) {
    case 'error':
      return '_parse_error';
    case 'session':
      return 'session_start';
    case 'request':
      return 'user';
    case 'part':
      return nonEmptyText(member(unit.part, 'kind')) ?? 'unknown';
    case 'entry':
      return ENTRIES[integerOf(member(unit.record.value, 'kind')) ?? -1] ?? 'unknown';
    default:
      return unit.kind;
  }
}

function uuid(unit: ChatUnit): string | null {
  switch (unit.kind) {
    case 'user':
    case 'request':
      return textOf(member(unit.request, 'requestId'));
    case 'assistant':
      return textOf(member(unit.request, 'responseId'));
    case 'reasoning':
      return textOf(member(unit.part, 'id'));
    default:
      return null;
  }
}

function parentUuid(unit: ChatUnit): string | null {
  const isPrompt = unit.kind === 'user' || unit.kind === 'request';
  return isPrompt ? unit.previous : textOf(member(unit.request, 'requestId'));
}

function timestamp(unit: ChatUnit, context: SourceContext): string | null {
  if (unit.kind === 'session') return isoOfMs(member(chatOf(unit, context), 'creationDate'));
  const completed = at(unit.request, 'modelState', 'completedAt');
  const isDone = unit.kind === 'assistant' && integerOf(completed) !== null;
  return isoOfMs(isDone ? completed : member(unit.request, 'timestamp'));
}

function role(unit: ChatUnit): string | null {
  if (unit.kind === 'user' || unit.kind === 'request') return 'user';
  if (unit.kind === 'assistant' || unit.kind === 'reasoning') return 'assistant';
  return isTool(unit) ? 'tool' : null;
}

/** Kinds of parts that hold what the model wrote into files. */
const EDITS: ReadonlySet<unknown> = new Set(['notebookEditGroup', 'textEditGroup']);

/**
 * A prompt is a person's, unless the editor made it to tell that something has happened. Edits and
 * the calls of tools are the model's.
 */
function author(unit: ChatUnit): string {
  if (unit.kind === 'part' && EDITS.has(member(unit.part, 'kind'))) return 'agent';
  if (unit.kind === 'tool_start') return 'agent';
  if (role(unit) === 'user') {
    return member(unit.request, 'isSystemInitiated') === true ? 'system' : 'user';
  }
  return role(unit) === 'assistant' ? 'agent' : (role(unit) ?? 'system');
}

function contentOf(unit: ChatUnit, context: SourceContext): string | null {
  const { request, part } = unit;
  switch (unit.kind) {
    case 'error':
      return `Parse error: ${unit.problem}`;
    case 'session':
      return textOf(member(chatOf(unit, context), 'customTitle'));
    case 'assistant':
      return responseText(listOf(member(request, 'response')));
    case 'reasoning':
      return thinkingText(part);
    case 'tool_start':
      return markdown(member(part, 'invocationMessage'));
    case 'tool_result':
      return toolResult(request, part);
    case 'part':
      return otherText(part);
    case 'entry':
      return pathText(member(unit.record.value, 'k'));
    default:
      return promptText(member(request, 'message'));
  }
}

function promptText(message: unknown): string | null {
  const text = textOf(message) ?? textOf(member(message, 'text'));
  const parts = member(message, 'parts');
  if (text !== null || !Array.isArray(parts)) return text;
  return parts.map(part => textOf(member(part, 'text')) ?? '').join('');
}

function pathText(path: unknown): string | null {
  return Array.isArray(path) ? path.join('.') : null;
}

/** The model that answered; before the answer is complete, the one that was chosen. */
function modelOf(request: unknown): string | null {
  const resolved = textOf(at(member(request, 'result'), 'metadata', 'resolvedModel'));
  return resolved ?? textOf(member(request, 'modelId'));
}

function hasUsage(unit: ChatUnit): boolean {
  return (
    usage(unit, 'promptTokens', 'promptTokens') !== null ||
    usage(unit, 'outputTokens', 'completionTokens') !== null
  );
}

function usage(unit: ChatUnit, inResult: string, inRequest: string): number | null {
  if (unit.kind !== 'assistant' && unit.kind !== 'request') return null;
  const { request } = unit;
  return (
    integerOf(at(member(request, 'result'), 'metadata', inResult)) ??
    integerOf(at(request, 'usage', inRequest)) ??
    integerOf(member(request, inRequest))
  );
}

function reasoningTokens(unit: ChatUnit): number | null {
  if (unit.kind !== 'assistant' && unit.kind !== 'request') return null;
  const rounds = at(member(unit.request, 'result'), 'metadata', 'toolCallRounds');
  let sum: number | null = null;
  for (const round of listOf(rounds)) {
    const figure = integerOf(at(round, 'thinking', 'tokens'));
    if (figure !== null) sum = (sum ?? 0) + figure;
  }
  return sum;
}

const STATES = ['in_progress', 'completed', 'interrupted', 'failed', 'in_progress'];

function status(unit: ChatUnit): string | null {
  if (unit.kind === 'tool_result') return toolStatus(unit.part);
  if (unit.kind !== 'assistant' && unit.kind !== 'request') return null;
  const { request } = unit;
  if (member(request, 'isCanceled') === true) return 'interrupted';
  if (at(request, 'result', 'errorDetails')) return 'failed';
  return STATES[integerOf(at(request, 'modelState', 'value')) ?? -1] ?? null;
}

/** The agent and the mode that a request was for. */
function metadata(unit: ChatUnit): string | null {
  if (unit.kind !== 'user' && unit.kind !== 'request') return null;
  const agent = textOf(at(unit.request, 'agent', 'id'));
  const mode = textOf(at(unit.request, 'modeInfo', 'kind'));
  if (agent === null && mode === null) return null;
  return compactJson({ ...(agent && { agent }), ...(mode && { mode }) });
}
