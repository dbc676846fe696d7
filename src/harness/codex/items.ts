/**
 * Completed items: from version 0.149 on Codex writes with each `item_completed` event what a tool
 * did, beside the response items that the model sees. An item that belongs to a row which waits
 * adds to it; any other is a row of its own, named by its type.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import { contentText, nonEmptyText } from '../shared/fields.ts';

const ROW_TYPES: Readonly<Record<string, string>> = {
  AgentMessage: 'agent_message',
  CollabAgentToolCall: 'collab_agent_tool_call',
  CommandExecution: 'command_execution',
  ContextCompaction: 'compaction_summary',
  DynamicToolCall: 'dynamic_tool_call',
  Extension: 'extension',
  FileChange: 'file_change',
  ImageView: 'image_view',
  McpToolCall: 'mcp_tool_call',
  Plan: 'plan',
  Reasoning: 'reasoning',
  SubAgentActivity: 'sub_agent_activity',
  UserMessage: 'user',
};

/** The item of an `item_completed` event. */
export function itemOf(payload: unknown): unknown {
  return member(payload, 'item');
}

/** The type of an item as versions of 2026 write it, `camelCase` too, or null. */
function typeOfItem(item: unknown): string | null {
  const type = nonEmptyText(member(item, 'type'));
  return type === null ? null : type.charAt(0).toUpperCase() + type.slice(1);
}

/** What the row of an item is called: its own name when it is not known. */
export function rowTypeOfItem(item: unknown): string {
  const type = typeOfItem(item);
  const known = type !== null && Object.hasOwn(ROW_TYPES, type) ? ROW_TYPES[type] : undefined;
  return known ?? nonEmptyText(member(item, 'type')) ?? 'item_completed';
}

/** Whose words an item is, or null when it is no message. */
export function roleOfItem(item: unknown): 'user' | 'assistant' | null {
  const type = rowTypeOfItem(item);
  if (type === 'user') return 'user';
  return type === 'agent_message' ? 'assistant' : null;
}

/** Members that hold the text of an item, most telling first. */
const TEXT_MEMBERS = [
  ...['text', 'content', 'aggregated_output', 'aggregatedOutput', 'summary_text', 'summary'],
  ...['raw_content', 'message', 'query', 'result', 'error', 'output'],
];

/** The text of an item: what was said or thought, or what a tool gave. */
export function textOfItem(item: unknown): string | null {
  for (const name of TEXT_MEMBERS) {
    const text = textIn(member(item, name));
    if (text !== null && text !== '') return text;
  }
  return null;
}

/** Results hold their text as `content`, errors as `message`; summaries are lists of strings. */
function textIn(value: unknown): string | null {
  if (isObject(value) && 'content' in value) return contentText(value['content']);
  if (isObject(value) && typeof value['message'] === 'string') return value['message'];
  if (!Array.isArray(value)) return contentText(value);
  const texts = value.map(part => (typeof part === 'string' ? part : member(part, 'text')));
  return texts.filter(text => typeof text === 'string').join('\n');
}

/** The tool that an item ran, or null. */
export function toolOfItem(item: unknown): string | null {
  if (item === undefined) return null;
  return rowTypeOfItem(item) === 'command_execution' ? 'command' : textOf(member(item, 'tool'));
}

/** The identifier of the call that an item completes. */
export function callOfItem(item: unknown): string | null {
  return nonEmptyText(member(item, 'call_id')) ?? nonEmptyText(member(item, 'id'));
}

/** What the tool was asked. */
export function inputOfItem(item: unknown): unknown {
  for (const name of ['arguments', 'input', 'command', 'prompt', 'changes', 'path']) {
    const input = member(item, name);
    if (input !== undefined && input !== null) return input;
  }
  return undefined;
}
