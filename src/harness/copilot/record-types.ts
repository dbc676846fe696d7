/**
 * The record types that the Copilot CLI is known to write, versions 0.0 to 1.0. Others are ordinary
 * rows too; `read_events` marks them with `is_known_type = false`. Types that are only streamed and
 * never written (deltas, progress, `assistant.usage`) are not among them.
 */

import { member, textOf } from '../../bytes/json.ts';
import { at, lookUp } from '../shared/fields.ts';

const PERMISSION_KINDS = [
  'custom-tool',
  'extension-management',
  'hook',
  'mcp',
  'memory',
  'read',
  'shell',
  'url',
  'write',
];

/** The types, with their subtypes where these are a closed list. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  abort: [],
  'assistant.message': [],
  'assistant.reasoning': [],
  'assistant.turn_end': [],
  'assistant.turn_start': [],
  'external_tool.completed': [],
  'external_tool.requested': [],
  'hook.end': [],
  'hook.start': [],
  'permission.completed': [],
  'permission.requested': PERMISSION_KINDS,
  'session.autopilot_objective_changed': [],
  'session.binary_asset': [],
  'session.compaction_complete': [],
  'session.compaction_start': [],
  'session.context_changed': [],
  'session.error': [],
  'session.handoff': [],
  'session.info': [],
  'session.mode_changed': [],
  'session.model_change': [],
  'session.permissions_changed': [],
  'session.plan_changed': ['create', 'delete', 'update'],
  'session.remote_steerable_changed': [],
  'session.resume': [],
  'session.session_limits_changed': [],
  'session.shutdown': ['error', 'routine'],
  'session.snapshot_rewind': [],
  'session.start': [],
  'session.task_complete': [],
  'session.todos_changed': [],
  'session.truncation': [],
  'session.usage_checkpoint': [],
  'session.warning': [],
  'session.workspace_file_changed': ['create', 'update'],
  'skill.invoked': [],
  'subagent.completed': [],
  'subagent.configured': [],
  'subagent.deselected': [],
  'subagent.failed': [],
  'subagent.selected': [],
  'subagent.started': [],
  'system.message': ['developer', 'system'],
  'system.notification': [],
  'tool.execution_complete': [],
  'tool.execution_start': [],
  'tool.user_requested': [],
  'user.message': [],
};

/** The member of `data` that holds the subtype of a record type. */
const SUBTYPE_MEMBER: Readonly<Record<string, string>> = {
  'hook.end': 'hookType',
  'hook.start': 'hookType',
  'session.error': 'errorType',
  'session.info': 'infoType',
  'session.plan_changed': 'operation',
  'session.shutdown': 'shutdownType',
  'session.warning': 'warningType',
  'session.workspace_file_changed': 'operation',
  'system.message': 'role',
};

/** The second-level type of a record, or null: the kind of hook, of error, of permission … */
export function subtypeOf(value: unknown): string | null {
  const type = member(value, 'type');
  const data = member(value, 'data');
  if (type === 'permission.requested') return textOf(at(data, 'permissionRequest', 'kind'));
  if (type === 'system.notification') return textOf(at(data, 'kind', 'type'));
  const name = lookUp(SUBTYPE_MEMBER, type);
  return name === undefined ? null : textOf(member(data, name));
}
