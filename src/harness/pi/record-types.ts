/**
 * The record types that pi is known to write, formats 1 to 3, and its extension for sub-agents.
 * Others are ordinary rows too; `read_events` marks them with `is_known_type = false`.
 */

import { member, textOf } from '../../bytes/json.ts';
import { at } from '../shared/fields.ts';

/** Roles of messages; `hookMessage` is the name that format 2 had for `custom`. */
const ROLES = [
  'assistant',
  'bashExecution',
  'branchSummary',
  'compactionSummary',
  'custom',
  'hookMessage',
  'system',
  'toolResult',
  'user',
];

/** Record types and the subtypes that belong to each; an empty list stands for any. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  // Sessions.
  branch_summary: [],
  compaction: [],
  context_edit: [],
  context_transform: [],
  custom: [],
  custom_message: [],
  ephemeral: [],
  label: [],
  message: ROLES,
  model_change: [],
  session: [],
  session_info: [],
  thinking_level_change: [],
  usage: [],
  // The streams of sub-agents.
  agent_end: [],
  agent_start: [],
  message_end: ROLES,
  message_start: ROLES,
  message_update: ROLES,
  stderr: [],
  stdout: [],
  tool_end: [],
  tool_execution_end: [],
  tool_execution_start: [],
  tool_execution_update: [],
  tool_result_end: ROLES,
  tool_start: [],
  truncated: [],
  turn_end: [],
  turn_start: [],
};

/** The type of a record; in the copies that the extension keeps it is called `recordType`. */
export function typeOf(value: unknown): string | null {
  return textOf(member(value, 'type')) ?? textOf(member(value, 'recordType'));
}

/** The second-level type of a record: the role of a message, or an extension's own type. */
export function subtypeOf(value: unknown): string | null {
  return textOf(at(value, 'message', 'role')) ?? textOf(member(value, 'customType'));
}
