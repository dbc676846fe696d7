/**
 * The record types that Claude Code is known to write, versions 1.0 to 2.1; `started` and `result`
 * are those of a workflow's journal. Others are ordinary rows too; `read_events` marks them with
 * `is_known_type = false`.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { at } from '../fields.ts';

const SYSTEM_SUBTYPES = [
  'agents_killed',
  'api_error',
  'away_summary',
  'bridge_status',
  'compact_boundary',
  'informational',
  'local_command',
  'microcompact_boundary',
  'model_fallback',
  'model_refusal_fallback',
  'scheduled_task_fire',
  'stop_hook_summary',
  'turn_duration',
];

const PROGRESS_KINDS = [
  'agent_progress',
  'bash_progress',
  'hook_progress',
  'mcp_progress',
  'query_update',
  'search_results_received',
  'waiting_for_task',
];

const ATTACHMENT_KINDS = [
  'agent_listing_delta',
  'async_hook_response',
  'auto_mode',
  'auto_mode_exit',
  'bash_output_audience_note',
  'batching_reminder_sent',
  'budget_usd',
  'command_permissions',
  'compact_file_reference',
  'critical_system_reminder',
  'date',
  'date_change',
  'deferred_tools_delta',
  'diagnostics',
  'directory',
  'edited_text_file',
  'file',
  'hook_additional_context',
  'hook_blocking_error',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_stopped_continuation',
  'hook_success',
  'hook_system_message',
  'instructions',
  'invoked_skills',
  'max_turns_reached',
  'mcp_instructions_delta',
  'model',
  'nested_memory',
  'output_style',
  'output_style_instructions',
  'plan_mode',
  'plan_mode_exit',
  'plan_mode_reentry',
  'prompt_snapshot',
  'queued_command',
  'read_truncation_notice',
  'silent_turn_reminder',
  'skill_listing',
  'structured_output',
  'task_reminder',
  'thinking_drop',
  'thinking_stripped',
  'todo_reminder',
  'total_tokens_reminder',
  'ultra_effort_enter',
  'ultra_effort_exit',
  'ultrathink_effort',
];

/** Record types and the subtypes that belong to each; an empty list stands for no subtypes. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  'agent-name': [],
  'agent-setting': [],
  'ai-title': [],
  'artifact-autoreact-ledger': [],
  'artifact-comment-monitor': [],
  assistant: [],
  'atis-latch': [],
  attachment: ATTACHMENT_KINDS,
  'bridge-session': [],
  'continued-in': [],
  'cost-state': [],
  'custom-title': [],
  'file-history-delta': [],
  'file-history-snapshot': [],
  'fork-context-ref': [],
  'frame-link': [],
  'last-prompt': [],
  mode: [],
  'permission-mode': [],
  'pr-link': [],
  progress: PROGRESS_KINDS,
  'queue-operation': ['enqueue', 'dequeue', 'remove', 'popAll'],
  result: [],
  started: [],
  summary: [],
  system: SYSTEM_SUBTYPES,
  tag: [],
  user: [],
  'worktree-state': [],
};

/** The second-level type of a record: `subtype`, `operation`, or the type of what it carries. */
export function subtypeOf(value: unknown): string | null {
  switch (member(value, 'type')) {
    case 'system':
      return textOf(member(value, 'subtype'));
    case 'queue-operation':
      return textOf(member(value, 'operation'));
    case 'attachment':
      return textOf(at(value, 'attachment', 'type'));
    case 'progress':
      return textOf(at(value, 'data', 'type'));
    default:
      return null;
  }
}
