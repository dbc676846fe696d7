/**
 * The record types that Qwen Code is known to write, versions 0.5 and later, and those of the chats
 * that earlier versions wrote. Others are ordinary rows too.
 */

import { member, textOf } from '../../bytes/json.ts';
import { chatRecordType, chatRecordTypes } from '../shared/gemini-chats/record-types.ts';

const SUBTYPES = [
  'agent_bootstrap',
  'agent_launch_prompt',
  'agent_retry',
  'agent_session_ready',
  'at_command',
  'attribution_snapshot',
  'background_task_completed',
  'branch_checkpoint',
  'chat_compression',
  'cron',
  'custom_title',
  'file_history_snapshot',
  'goal_runtime',
  'goal_state',
  'goal_turn_end',
  'managed_session_commit_v1',
  'managed_session_event_v1',
  'managed_session_header_v1',
  'mid_turn_user_message',
  'notification',
  'omni_recall',
  'parent_session',
  'realtime_message',
  'rewind',
  'session_approval_mode',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_execution_engine',
  'session_model',
  'session_notes',
  'session_source',
  'session_sources_snapshot',
  'slash_command',
  'turn_result',
  'ui_telemetry',
  'user_text_elements',
];

/** Known types with their subtypes. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  ...chatRecordTypes,
  assistant: SUBTYPES,
  system: SUBTYPES,
  tool_result: SUBTYPES,
  user: SUBTYPES,
};

/** The type of a record; in earlier chats also the name of what has no type. */
export function typeOf(value: unknown): string | null {
  return member(value, 'uuid') === undefined
    ? chatRecordType(value)
    : textOf(member(value, 'type'));
}

/** The subtype of a record, or null. */
export function subtypeOf(value: unknown): string | null {
  return textOf(member(value, 'subtype'));
}
