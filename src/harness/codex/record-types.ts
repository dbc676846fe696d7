/**
 * The record types that Codex is known to write, from the first JSON files of spring 2025 to the
 * versions of autumn 2026. Others are ordinary rows too; `read_events` marks them with
 * `is_known_type = false`.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';

const RESPONSE_ITEMS = [
  'additional_tools',
  'agent_message',
  'compaction',
  'compaction_summary',
  'configuration_update',
  'context_compaction',
  'custom_tool_call',
  'custom_tool_call_output',
  'function_call',
  'function_call_output',
  'ghost_snapshot',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'message',
  'other',
  'reasoning',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
];

const EVENTS = [
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'background_event',
  'context_compacted',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'entered_review_mode',
  'error',
  'exec_command_end',
  'exited_review_mode',
  'hook_completed',
  'hook_started',
  'image_generation_end',
  'item_completed',
  'item_started',
  'mcp_tool_call_end',
  'patch_apply_end',
  'plan_update',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'token_count',
  'turn_aborted',
  'turn_complete',
  'turn_diff',
  'turn_started',
  'undo_completed',
  'user_message',
  'view_image_tool_call',
  'warning',
  'web_search_end',
];

const BARE_ITEMS: ReadonlySet<string> = new Set(RESPONSE_ITEMS);

/** Record types and the subtypes that belong to each; an empty list stands for any. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  compacted: [],
  event_msg: EVENTS,
  inter_agent_communication: [],
  inter_agent_communication_metadata: [],
  realtime_item: [],
  response_item: RESPONSE_ITEMS,
  retained_context: [],
  session_meta: [],
  token_usage_record: [],
  turn_context: [],
  world_state: [],
  // Until September 2025 an item was a line of its own, without the envelope.
  ...Object.fromEntries(RESPONSE_ITEMS.map(type => [type, []])),
};

/** The second-level type of a record: that of its payload. */
export function subtypeOf(value: unknown): string | null {
  return textOf(member(member(value, 'payload'), 'type'));
}

/**
 * The type of a record in the words of today's versions, or null: an item without an envelope is a
 * `response_item`, a first line without a type and the header of a JSON document a `session_meta`.
 */
export function typeOf(value: unknown): string | null {
  const type = member(value, 'type');
  if (typeof type === 'string') return isBareItem(value, type) ? 'response_item' : type;
  if (!isObject(value) || type !== undefined) return null;
  if (typeof value['record_type'] === 'string') return value['record_type'];
  return typeof value['id'] === 'string' || isObject(value['session']) ? 'session_meta' : null;
}

/** What a record carries; a record without an envelope carries itself. */
export function payloadOf(value: unknown): unknown {
  const payload = member(value, 'payload');
  if (payload !== undefined) return payload;
  const type = member(value, 'type');
  if (type === 'response_item' || type === 'event_msg') return undefined;
  const session = type === undefined ? member(value, 'session') : undefined;
  return isObject(session) ? session : value;
}

function isBareItem(value: unknown, type: string): boolean {
  return BARE_ITEMS.has(type) && member(value, 'payload') === undefined;
}
