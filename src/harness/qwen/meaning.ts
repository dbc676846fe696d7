/**
 * What the records of Qwen Code mean beyond the columns of `conversations`.
 *
 * - A sub-agent has its own file and no session of its own: its `agentId` tells it apart.
 * - A record with `forkedFrom` was copied from another session, and counts there.
 * - `system` records are no talk: what they tell is in `records.ts`; a `chat_compression` that
 *   succeeded (`compressionStatus` 1) is a compaction, the first text of the new history its
 *   summary.
 * - What a person says while the agent is at work (`mid_turn_user_message`) opens no turn.
 * - A `notification` tells that a background task has ended: an event, from no person.
 * - Reasoning is apart from the output, unless the total is that of prompt and output alone.
 */

import { integerOf, member, textOf } from '../../bytes/json.ts';
import { partAsJson } from '../../bytes/json-print.ts';
import type { CellFunction, Reader } from '../harness.ts';
import { readerByForm } from '../shared/by-form.ts';
import { at, listOf, nonEmptyText } from '../shared/fields.ts';
import { attachedParts, partsText, resultText, shownJson } from '../shared/gemini-chats/content.ts';
import { COMPACTION, meaningReader, moreChatRows } from '../shared/gemini-chats/meaning.ts';
import { attachmentRows } from '../shared/parsed/chats/attachments.ts';
import type { ChatRow } from '../shared/parsed/chats/parser.ts';
import { messageRow } from '../shared/parsed/chats/texts.ts';
import { strictCount } from '../shared/prompt/numbers.ts';
import { lineReader } from './conversation.ts';
import { partsOf, type QwenUnit } from './units.ts';

/** The reader of transcripts and of earlier chats, for parsers. */
export function qwenReader(source: string): Reader {
  const lines = lineReader(source, { rows: 'block' });
  const { message_type, message_content, status } = lines.cells;
  const own: Readonly<Record<string, CellFunction<QwenUnit>>> = {
    message_type: (unit, context) =>
      isCompaction(unit) ? COMPACTION : (message_type?.(unit, context) ?? null),
    message_content: (unit, context) =>
      isOfSystem(unit)
        ? summaryOf(unit)
        : (spokenText(unit) ?? message_content?.(unit, context) ?? null),
    status: (unit, context) => (isDenied(unit) ? 'denied' : (status?.(unit, context) ?? null)),
    agent_id: (_unit, context) => agentOf(context.source.facts['agentPath'] ?? null),
    agent_type: (_unit, context) => textOf(member(context.companion('meta'), 'agentType')),
    parent_agent_id: (_unit, context) => textOf(member(context.companion('meta'), 'parentAgentId')),
    is_inherited: unit => member(unit.record.value, 'forkedFrom') !== undefined,
    is_queued: unit => subtypeIs(unit, 'mid_turn_user_message'),
    message_class: unit => (subtypeIs(unit, 'notification') ? 'agent_message' : null),
    trigger_class: unit => (subtypeIs(unit, 'notification') ? 'event' : null),
    custom_title: unit => titleOf(unit, false),
    title: unit => titleOf(unit, true),
    response_id: unit => (isOfAssistant(unit) ? textOf(member(unit.record.value, 'uuid')) : null),
    output_tokens: outputTokens,
    tool_input: recordedInput,
    tool_output: (unit, context) =>
      unit.kind === 'tool_result'
        ? resultText(partsOf(unit.record.value)[unit.partIndex])
        : (message_content?.(unit, context) ?? null),
    result_json: unit => shownJson(at(unit.record.value, 'toolCallResult', 'resultDisplay')),
    pre_tokens: unit => compressionCount(unit, 'originalTokenCount'),
    post_tokens: unit => compressionCount(unit, 'newTokenCount'),
  };
  return readerByForm({
    lines: { ...lines, cells: { ...lines.cells, ...own } },
    elements: meaningReader(source),
  });
}

/** Rows beyond those of every chat: images and files, and what a task has ended with. */
export function moreQwenRows(row: ChatRow): void {
  const { value } = row.facts.unit.record;
  if (row.context.source.form === 'elements') {
    moreChatRows(row);
    return;
  }
  if (row.state.rowsOfRecord > 0) return;
  attachmentRows(row, attachedParts(member(member(value, 'message'), 'parts')));
  const told = nonEmptyText(at(value, 'systemPayload', 'displayText'));
  if (member(value, 'subtype') === 'notification' && told !== null) {
    messageRow({ ...row, uid: `${row.uid}:summary` }, 'task_notification_summary', told, 'user');
  }
}

/** The identifier of the sub-agent whose file this is: the name of the file; '' for a session. */
export function agentOf(agentPath: string | null): string | null {
  const name = /([^/]*)\.jsonl$/.exec(agentPath ?? '')?.[1];
  return name === undefined ? null : name.replace(/^agent-/, '');
}

function subtypeIs({ record }: QwenUnit, subtype: string): boolean {
  return member(record.value, 'subtype') === subtype;
}

function isOfSystem({ record }: QwenUnit): boolean {
  return member(record.value, 'type') === 'system';
}

function isOfAssistant({ record }: QwenUnit): boolean {
  return member(record.value, 'type') === 'assistant';
}

/** Without a status, as the first versions wrote it, a compression has succeeded. */
function isCompaction(unit: QwenUnit): boolean {
  if (!isOfSystem(unit) || !subtypeIs(unit, 'chat_compression')) return false;
  return (infoOf(unit, 'compressionStatus') ?? 1) === 1;
}

function infoOf({ record }: QwenUnit, name: string): unknown {
  return member(at(record.value, 'systemPayload', 'info'), name);
}

function compressionCount(unit: QwenUnit, name: string): number | null {
  return isCompaction(unit) ? strictCount(infoOf(unit, name)) : null;
}

function summaryOf(unit: QwenUnit): string | null {
  if (!isCompaction(unit)) return null;
  const [first] = listOf(at(unit.record.value, 'systemPayload', 'compressedHistory'));
  return partsText(member(first, 'parts'));
}

/** What a person typed, without the words that the harness put around it. */
function spokenText(unit: QwenUnit): string | null {
  if (!subtypeIs(unit, 'mid_turn_user_message')) return null;
  return nonEmptyText(at(unit.record.value, 'systemPayload', 'displayText'));
}

function titleOf(unit: QwenUnit, isAutomatic: boolean): string | null {
  if (!subtypeIs(unit, 'custom_title')) return null;
  const payload = member(unit.record.value, 'systemPayload');
  const isAuto = member(payload, 'titleSource') === 'auto';
  return isAuto === isAutomatic ? nonEmptyText(member(payload, 'customTitle')) : null;
}

function recordedInput({ record, kind, partIndex }: QwenUnit): string | null {
  if (kind !== 'tool_call') return null;
  const args = (root: unknown) => at(partsOf(root)[partIndex], 'functionCall', 'args');
  return partAsJson(record, args, 'recorded');
}

const DENIED = 'execution_denied';

function isDenied({ record }: QwenUnit): boolean {
  return at(record.value, 'toolCallResult', 'errorType') === DENIED;
}

function outputTokens({ record, partIndex }: QwenUnit): number | null {
  const usage = partIndex < 0 ? member(record.value, 'usageMetadata') : undefined;
  const count = (name: string) => integerOf(member(usage, name));
  const output = count('candidatesTokenCount');
  const thoughts = count('thoughtsTokenCount') ?? 0;
  if (output === null) return null;
  const isInside = count('totalTokenCount') === (count('promptTokenCount') ?? 0) + output;
  return isInside ? Math.max(output - thoughts, 0) : output;
}
