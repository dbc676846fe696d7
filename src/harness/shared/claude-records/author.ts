/**
 * Who wrote a row of Claude Code. `message_role` is the provider's word, and calls the brief of a
 * sub-agent and the result of a tool `user`; this is the answer to the question people ask.
 *
 * - `agent`: what the model said, thought or called;
 * - `tool`: results of tools;
 * - in the user's slot, in this order:
 *   `system` for what the harness put there (`isMeta`, `isCompactSummary`, `promptSource: system`,
 *   a task notification), `caller` for what a program put there (a sub-agent's brief,
 *   `turnOrigin: sdk`, or `entrypoint: sdk-cli` where no origin is recorded), else `user`;
 * - `system`: every other record.
 */

import { member } from '../../../bytes/json.ts';
import type { SourceContext } from '../../harness.ts';
import { isAgentFile } from '../address.ts';
import { blocksOf } from '../blocks.ts';
import { at } from '../fields.ts';
import { type ClaudeUnit, isToolResult } from './units.ts';

/** The value of `author`. */
export type Author = 'user' | 'caller' | 'agent' | 'tool' | 'system';

/** Who wrote a row; never null. */
export function authorOf(unit: ClaudeUnit, context: SourceContext): Author {
  const { value } = unit.record;
  const type = member(value, 'type');
  if (unit.kind === 'tool_result') return 'tool';
  if (type === 'assistant') return 'agent';
  if (type !== 'user') return 'system';
  return unit.kind === 'line' && isOnlyResults(value) ? 'tool' : authorOfUserSlot(value, context);
}

function isOnlyResults(value: unknown): boolean {
  const blocks = blocksOf(value);
  return blocks.length > 0 && blocks.every(isToolResult);
}

function authorOfUserSlot(value: unknown, context: SourceContext): Author {
  if (
    member(value, 'isMeta') === true ||
    member(value, 'isCompactSummary') === true ||
    member(value, 'promptSource') === 'system' ||
    at(value, 'origin', 'kind') === 'task-notification'
  ) {
    return 'system';
  }
  if (isAgentFile(context)) return 'caller';
  const origin = member(value, 'turnOrigin');
  if (origin === 'sdk') return 'caller';
  const isUnrecorded = origin === undefined || origin === null;
  return isUnrecorded && member(value, 'entrypoint') === 'sdk-cli' ? 'caller' : 'user';
}
