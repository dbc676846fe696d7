/**
 * The columns of `conversations` for chats of the Gemini CLI, each a function of a row's unit.
 *
 * Identity: `session_id` is the header's, else what the place of the file tells; `project_path` is
 * found by the name of the project's folder. A chat is a sub-agent's when its header says so or it
 * lies in a folder named by the session that launched it.
 *
 * Usage is one model call's, and a message is one call: `response_id` is its `id`, which is on all
 * lines that the message was written on. `input_tokens` is the whole prompt, the cached part
 * included; `cache_read_tokens` is that part. Reasoning is not part of the output.
 *
 * `message_role` follows the type and `author` the role, but a call, whose role is `tool`, is the
 * `agent`'s: the model wrote it, and the row carries no result. What stands in the user's slot of a
 * sub-agent's chat is `caller`.
 */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { partAsJson } from '../../../bytes/json-print.ts';
import type { conversations } from '../../../relations/index.ts';
import type { CellFunction, Cells, Reader, ReadOptions, SourceContext } from '../../harness.ts';
import { byteOrderMarkProblem } from '../diagnosis.ts';
import { at, nonEmptyText } from '../fields.ts';
import { headerOf, isAgentChat, projectPathOf, sessionOf } from './chat.ts';
import { partsText } from './content.ts';
import { ChatFold } from './fold.ts';
import { chatRecordType } from './record-types.ts';
import {
  type ChatUnit,
  callsOf,
  elementUnits,
  lineUnit,
  messageIn,
  messageOf,
  problemOf,
} from './units.ts';

/** The reader of `conversations` from chats, for the harness called `source`. */
export function chatsReader(source: string, options: ReadOptions): Reader<ChatUnit> {
  const isByLine = options.rows === 'line';
  return {
    kinds: ['transcript'],
    start: ({ form }) => (form === 'lines' && !isByLine ? new ChatFold() : null),
    read(state, record, emit) {
      if (isByLine) lineUnit(record, emit);
      else if (state instanceof ChatFold) state.add(record);
      else elementUnits(record, emit);
    },
    finish(state, emit, context) {
      if (state instanceof ChatFold) state.emit(emit, context);
    },
    save: state => (state instanceof ChatFold ? state.save() : null),
    restore: saved => (saved === null ? null : ChatFold.restore(saved)),
    cells: chatCells(source),
  };
}

function chatCells(source: string): Cells<typeof conversations, ChatUnit> {
  return {
    source: () => source,
    session_id: (_unit, context) => sessionOf(context),
    project_path: (_unit, context) => projectPathOf(context),
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? '',
    is_agent: (_unit, context) => isAgentChat(context),
    message_type: messageType,
    uuid: unit => textOf(member(isCall(unit) ? callOf(unit) : messageOf(unit), 'id')),
    parent_uuid: unit => (isCall(unit) ? textOf(member(messageOf(unit), 'id')) : null),
    timestamp,
    message_role: role,
    message_content: content,
    model: unit => (isCall(unit) ? null : textOf(member(messageOf(unit), 'model'))),
    tool_name: unit => textOf(member(callOf(unit), 'name')),
    tool_use_id: unit => textOf(member(callOf(unit), 'id')),
    tool_input: toolInput,
    input_tokens: tokens('input'),
    output_tokens: tokens('output'),
    cache_read_tokens: tokens('cached'),
    reasoning_tokens: tokens('thoughts'),
    event_type: unit => chatRecordType(unit.record.value),
    parent_session_id: (_unit, context) => context.source.facts['parentSession'] ?? null,
    response_id: unit => (hasUsage(unit) ? textOf(member(messageOf(unit), 'id')) : null),
    agent_path: (_unit, context) => context.source.facts['agentPath'] ?? null,
    status,
    session_created_at: (_unit, context) => nonEmptyText(member(headerOf(context), 'startTime')),
    session_updated_at: updatedAt,
    usage_scope: unit => (hasUsage(unit) ? 'response' : null),
    usage_source_line: unit => (hasUsage(unit) ? unit.record.lineNumber : null),
    parse_error: parseError,
    author,
  };
}

function isCall(unit: ChatUnit): boolean {
  return unit.kind === 'tool_call';
}

/** The call of a row: its own, or the first of a whole record. */
function callOf(unit: ChatUnit): unknown {
  if (unit.kind === 'message') return undefined;
  return callsOf(messageOf(unit))[Math.max(unit.callIndex, 0)];
}

function messageType(unit: ChatUnit): string {
  if (isCall(unit)) return 'tool_call';
  const message = messageOf(unit);
  const type = problemOf(unit.record, message) === null ? chatRecordType(message) : null;
  return type === 'gemini' ? 'assistant' : (type ?? '_parse_error');
}

function role(unit: ChatUnit): string | null {
  if (isCall(unit)) return 'tool';
  const type = messageType(unit);
  return type === 'user' || type === 'assistant' ? type : null;
}

function author(unit: ChatUnit, context: SourceContext): string {
  switch (role(unit)) {
    case 'assistant':
    case 'tool':
      return 'agent';
    case 'user':
      return isAgentChat(context) ? 'caller' : 'user';
    default:
      return 'system';
  }
}

/** A call without a time has its message's, a message without one the chat's. */
function timestamp(unit: ChatUnit, context: SourceContext): string | null {
  const message = messageOf(unit);
  const own = textOf(member(isCall(unit) ? callOf(unit) : message, 'timestamp'));
  const type = messageType(unit);
  if (own !== null || type === '_parse_error' || type === '$rewindTo') return own;
  if (type === '$set') return textOf(at(message, '$set', 'lastUpdated'));
  return (
    textOf(member(message, 'timestamp')) ?? nonEmptyText(member(headerOf(context), 'startTime'))
  );
}

function content(unit: ChatUnit): string | null {
  const message = messageOf(unit);
  if (isCall(unit)) return textOf(member(callOf(unit), 'status'));
  const problem = problemOf(unit.record, message);
  if (problem !== null) return `Parse error: ${problem}`;
  switch (chatRecordType(message)) {
    case 'session':
      return nonEmptyText(member(message, 'summary'));
    case '$set':
      return nonEmptyText(at(message, '$set', 'summary'));
    case '$rewindTo':
      return textOf(member(message, '$rewindTo'));
    default:
      return partsText(member(message, 'content'));
  }
}

function toolInput(unit: ChatUnit): string | null {
  if (unit.kind === 'message') return null;
  const callIndex = Math.max(unit.callIndex, 0);
  return partAsJson(unit.record, root =>
    member(callsOf(messageIn(root, unit.messageIndex))[callIndex], 'args'),
  );
}

function status(unit: ChatUnit): string | null {
  const recorded = textOf(member(callOf(unit), 'status'));
  if (recorded === 'success') return 'completed';
  return recorded === 'error' ? 'failed' : recorded;
}

function hasUsage(unit: ChatUnit): boolean {
  return !isCall(unit) && isObject(member(messageOf(unit), 'tokens'));
}

function tokens(name: string): CellFunction<ChatUnit> {
  return unit => (isCall(unit) ? null : integerOf(at(messageOf(unit), 'tokens', name)));
}

function updatedAt(unit: ChatUnit, context: SourceContext): string | null {
  const known = unit.updatedAt ?? nonEmptyText(at(unit.record.value, '$set', 'lastUpdated'));
  return known ?? nonEmptyText(member(headerOf(context), 'lastUpdated'));
}

function parseError(unit: ChatUnit): string | null {
  return problemOf(unit.record, messageOf(unit)) ?? byteOrderMarkProblem(unit.record);
}
