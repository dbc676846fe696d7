/**
 * What the rows of a chat mean beyond the columns of `conversations`.
 *
 * - A message that begins with `<state_snapshot>` in the user's slot is the harness's: it stands
 *   for everything before it, after a compaction.
 * - A call holds its result. A cancelled call was denied when the result says so, else interrupted.
 * - Tools of MCP servers tell their server in the name that people see: `tool (server MCP Server)`.
 * - A call with an `agentId` launched a sub-agent, whose session has that name.
 * - Thoughts are `{subject, description, timestamp}`; each is a message of its own.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { partAsJson } from '../../../bytes/json-print.ts';
import type { CellFunction, Reader, SourceContext, Unit } from '../../harness.ts';
import { listOf, nonEmptyText } from '../fields.ts';
import { attachmentRows } from '../parsed/chats/attachments.ts';
import { callUid } from '../parsed/chats/calls.ts';
import type { ChatRow } from '../parsed/chats/parser.ts';
import { messageRow } from '../parsed/chats/texts.ts';
import { instantMicros } from '../prompt/instants.ts';
import { attachedParts, resultText, shownJson } from './content.ts';
import { chatsReader } from './conversation.ts';
import { chatRecordType } from './record-types.ts';
import { type ChatUnit, callsOf, messageIn, messageOf } from './units.ts';

/** Tools that touch files, of the Gemini CLI and of those that began as it. */
export const FILE_TOOLS = {
  edit: 'edit',
  read_file: 'read',
  read_many_files: 'read',
  replace: 'edit',
  write_file: 'create',
} as const;

/** Types of messages that are events. */
export const EVENT_TYPES = { error: 'api_error', info: 'info', warning: 'warning' } as const;

/** The type of a row that tells of a compaction. */
export const COMPACTION = 'compaction';

/** The reader of chats for parsers, for the harness called `source`. */
export function meaningReader(source: string): Reader<ChatUnit> {
  const reader = chatsReader(source, { rows: 'block' });
  const own: Readonly<Record<string, CellFunction<ChatUnit>>> = {
    message_type: orSnapshot('message_type', COMPACTION),
    author: orSnapshot('author', 'system'),
    message_content: (unit, context) =>
      callOf(unit) === undefined
        ? (reader.cells['message_content']?.(unit, context) ?? null)
        : null,
    event_kind: eventKind,
    response_id: unit => textOf(member(messageOf(unit), 'id')),
    status: (unit, context) =>
      isDenied(unit) ? 'denied' : (reader.cells['status']?.(unit, context) ?? null),
    tool_input: recordedInput,
    tool_output: outputOf,
    result_json: unit => shownJson(member(callOf(unit), 'resultDisplay')),
    mcp_tool: unit => mcpOf(unit)[1] ?? null,
    mcp_server: unit => mcpOf(unit)[2] ?? null,
    spawned_session: unit => nonEmptyText(member(callOf(unit), 'agentId')),
  };
  function orSnapshot(column: string, instead: string): CellFunction<ChatUnit> {
    return (unit: ChatUnit, context: SourceContext) =>
      isSnapshot(messageOf(unit)) ? instead : (reader.cells[column]?.(unit, context) ?? null);
  }
  return { ...reader, cells: { ...reader.cells, ...own } };
}

/** Rows of a message beyond those of every chat: thoughts, images and files, ends of sub-agents. */
export function moreChatRows(row: ChatRow): void {
  const { unit } = row.facts;
  if (!isChatUnit(unit)) return;
  const message = messageOf(unit);
  const call = callOf(unit);
  if (call !== undefined) {
    const id = nonEmptyText(member(call, 'id')) ?? row.uid;
    attachmentRows(row, attachedParts(member(call, 'result')), callUid(row.scope, id));
    spawnEndRow(row, id, call);
    return;
  }
  attachmentRows(row, attachedParts(member(message, 'content')));
  if (row.rows.wants('message')) thoughtRows(row, message);
}

/** Whether a unit is one of a chat: Qwen Code has others too. */
function isChatUnit(unit: Unit): unit is ChatUnit {
  return 'messageIndex' in unit;
}

/** The call that a row stands for. */
function callOf(unit: ChatUnit): unknown {
  return unit.kind === 'tool_call' ? callsOf(messageOf(unit))[unit.callIndex] : undefined;
}

const SNAPSHOT = /^\s*<state_snapshot>/;

/** Whether a message is the summary that stands for what went before. */
export function isSnapshot(message: unknown): boolean {
  if (chatRecordType(message) !== 'user') return false;
  const content = member(message, 'content');
  const text = Array.isArray(content) ? member(content[0], 'text') : content;
  return typeof text === 'string' && SNAPSHOT.test(text);
}

const CANCELLED = 'Request cancelled.';

function eventKind(unit: ChatUnit): string | null {
  const message = messageOf(unit);
  if (unit.kind !== 'message' || member(message, 'type') !== 'info') return null;
  return member(message, 'content') === CANCELLED ? 'interrupt' : null;
}

function recordedInput({ record, kind, messageIndex, callIndex }: ChatUnit): string | null {
  if (kind !== 'tool_call') return null;
  const args = (root: unknown) => member(callsOf(messageIn(root, messageIndex))[callIndex], 'args');
  return partAsJson(record, args, 'recorded');
}

function outputOf(unit: ChatUnit): string | null {
  const result = member(callOf(unit), 'result');
  if (typeof result === 'string') return result;
  const texts = listOf(result)
    .map(part => resultText(part) ?? textOf(member(part, 'text')))
    .filter(text => text !== null);
  return texts.length === 0 ? null : texts.join('\n');
}

const DENIED = /\b(did not allow|denied|declined|rejected)\b/i;

function isDenied(unit: ChatUnit): boolean {
  const isCancelled = member(callOf(unit), 'status') === 'cancelled';
  return isCancelled && DENIED.test(outputOf(unit) ?? '');
}

const MCP = /^(.+) \((.+) MCP Server\)$/;

function mcpOf(unit: ChatUnit): readonly string[] {
  return MCP.exec(textOf(member(callOf(unit), 'displayName')) ?? '') ?? [];
}

function thoughtRows(row: ChatRow, message: unknown): void {
  listOf(member(message, 'thoughts')).forEach((thought, index) => {
    const parts = [member(thought, 'subject'), member(thought, 'description')];
    const text = parts.filter(part => nonEmptyText(part) !== null).join('\n');
    if (text === '') return;
    const at = instantMicros(member(thought, 'timestamp')) ?? row.at;
    messageRow({ ...row, uid: `${row.uid}:thought:${index}`, at }, 'reasoning', text);
  });
}

/** How sub-agents end, by the status of the call that launched them. */
const ENDS: ReadonlyMap<unknown, string> = new Map([
  ['success', 'completed'],
  ['error', 'failed'],
  ['cancelled', 'cancelled'],
]);

function spawnEndRow({ rows, place, owner, scope, at: ended }: ChatRow, id: string, call: unknown) {
  const end = ENDS.get(member(call, 'status'));
  if (end === undefined || nonEmptyText(member(call, 'agentId')) === null) return;
  rows.add('subagent_spawn', place, {
    spawn_uid: callUid(scope, id),
    ...owner,
    completion_status: end,
    completed_at: ended,
  });
}
