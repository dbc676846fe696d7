/**
 * The record types that Grok Build is known to write: lines of `chat_history.jsonl`, and in
 * `updates.jsonl` messages of the agent client protocol, whose subtype says what happened. Others
 * are ordinary rows too; `read_events` marks them with `is_known_type = false`.
 */

import { member, textOf } from '../../bytes/json.ts';
import { at } from '../shared/fields.ts';

const UPDATES = [
  'agent_message_chunk',
  'agent_thought_chunk',
  'available_commands_update',
  'current_mode_update',
  'plan',
  'tool_call',
  'tool_call_update',
  'user_message_chunk',
];

const OWN_UPDATES = [
  'auto_compact_cancelled',
  'auto_compact_completed',
  'auto_compact_failed',
  'auto_compact_started',
  'git_branch_update',
  'goal_updated',
  'memory_files',
  'memory_flush_completed',
  'memory_flush_started',
  'model_changed',
  'retry_state',
  'subagent_finished',
  'subagent_progress',
  'subagent_spawned',
  'turn_completed',
];

/** Record types and the subtypes that belong to each; an empty list stands for no subtypes. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  assistant: [],
  backend_tool_call: [],
  reasoning: [],
  system: [],
  tool_result: [],
  user: [],
  'session/update': [...UPDATES, ...OWN_UPDATES],
  '_x.ai/session/update': [...UPDATES, ...OWN_UPDATES],
};

/** The type of a line of the chat, or the method of an update. */
export function typeOf(value: unknown): string | null {
  return textOf(member(value, 'type')) ?? textOf(member(value, 'method'));
}

/** What an update says. */
export function subtypeOf(value: unknown): string | null {
  return textOf(member(at(value, 'params', 'update'), 'sessionUpdate'));
}
