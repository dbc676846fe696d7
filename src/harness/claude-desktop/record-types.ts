/**
 * The record types of Claude Desktop: those of Claude Code's transcripts, and those that only the
 * audit log of a task has.
 */

import { member, textOf } from '../../bytes/json.ts';
import {
  subtypeOf as claudeSubtypeOf,
  recordTypes as claudeTypes,
} from '../shared/claude-records/record-types.ts';

const AUDIT_SYSTEM_SUBTYPES = ['init', 'permission_request', 'permission_response', 'status'];

const RESULT_SUBTYPES = [
  'error_during_execution',
  'error_max_budget_usd',
  'error_max_turns',
  'success',
];

/** Record types and the subtypes that belong to each; an empty list stands for no subtypes. */
export const recordTypes: Readonly<Record<string, readonly string[]>> = {
  ...claudeTypes,
  system: [...(claudeTypes['system'] ?? []), ...AUDIT_SYSTEM_SUBTYPES],
  result: RESULT_SUBTYPES,
  tool_use_summary: [],
};

/** The second-level type of a record. */
export function subtypeOf(value: unknown): string | null {
  if (member(value, 'type') === 'result') return textOf(member(value, 'subtype'));
  return claudeSubtypeOf(value);
}
