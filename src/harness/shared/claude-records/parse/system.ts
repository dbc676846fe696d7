/** Records of type `system`: what the harness tells of the session's course. */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { at, nonEmptyText } from '../../fields.ts';
import { instantMicros } from '../../prompt/instants.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import { tagText } from '../../prompt/tags.ts';
import { trimmed } from '../../prompt/wire-space.ts';
import { isNetworkDown, readStopHooks } from './hooks.ts';
import { addEvent, addMessage, changed, type Line, whoseTurn } from './line.ts';
import { isCommand, isOutput } from './line-kind.ts';
import { readTurnDuration } from './turns.ts';

const READERS: ReadonlyMap<string, (line: Line) => void> = new Map([
  ['turn_duration', readTurnDuration],
  ['compact_boundary', readCompaction],
  ['stop_hook_summary', readStopHooks],
  ['api_error', readApiError],
  ['model_fallback', readFallback],
  ['model_refusal_fallback', readFallback],
  ['local_command', readLocalCommand],
  ['agents_killed', line => addEvent(line, 'interrupt', { value: 'agents_killed' })],
  ['scheduled_task_fire', readScheduled],
]);

/** Takes a record of type `system`; most subtypes only count. */
export function readSystem(line: Line): void {
  const { subtype } = line.value;
  if (typeof subtype === 'string') READERS.get(subtype)?.(line);
}

function readCompaction(line: Line): void {
  const { rows, place, value } = line;
  const meta = value['compactMetadata'];
  rows.add('compaction', place, {
    event_uid: line.uid,
    ...whoseTurn(line),
    ts: line.at,
    trigger: textOf(member(meta, 'trigger')),
    pre_tokens: looseInteger(member(meta, 'preTokens')),
    post_tokens: looseInteger(member(meta, 'postTokens')),
    duration_ms: looseInteger(member(meta, 'durationMs')),
    dropped_tokens: looseInteger(member(meta, 'cumulativeDroppedTokens')),
  });
}

function readApiError(line: Line): void {
  const { value } = line;
  const status = looseInteger(at(value, 'error', 'status'));
  addEvent(line, 'api_error', {
    value: status === null ? 'error' : String(status),
    detail: {
      retry_attempt: looseInteger(value['retryAttempt']),
      max_retries: looseInteger(value['maxRetries']),
      retry_in_ms: looseInteger(value['retryInMs']),
      network_down: isNetworkDown(value),
    },
  });
  addRateLimit(line, value['rateLimits'] ?? member(value['error'], 'rateLimits'));
}

/** A limit as it stands; said again without change it is no sample. */
function addRateLimit(line: Line, limits: unknown): void {
  if (!isObject(limits)) return;
  const type = nonEmptyText(limits['rateLimitType']) ?? 'unknown';
  const window_kind = `claude_${type}`;
  const status = textOf(limits['status']);
  const resets = limits['resetsAt'];
  const overage = limits['overageStatus'] ?? limits['isUsingOverage'];
  const key = [status, resets, overage].map(String).join(' ');
  if (changed(line.state, window_kind, key) === null) return;
  const { rows, place, state, uid } = line;
  rows.add('rate_limit_sample', place, {
    event_uid: uid,
    window_kind,
    ...state.owner,
    ts: line.at,
    limit_name: type,
    used_percent: percentOf(limits['utilization']),
    resets_at: instantMicros(resets),
    reached_type: status,
  });
}

/** Shares up to 1 are of one, others are percent already. */
function percentOf(utilization: unknown): number | null {
  if (typeof utilization !== 'number' || !Number.isFinite(utilization)) return null;
  return utilization <= 1 ? utilization * 100 : utilization;
}

function readFallback(line: Line): void {
  const { value } = line;
  const from = textOf(value['originalModel']);
  const reason = textOf(value['subtype']);
  addEvent(line, 'fallback', { value: textOf(value['fallbackModel']), detail: { from, reason } });
}

function readLocalCommand(line: Line): void {
  const { value } = line;
  const text = trimmed(textOf(value['content']) ?? '');
  const told = nonEmptyText(at(value, 'commandRun', 'name'));
  const name = told ?? (isCommand(text) ? tagText(text, 'command-name') : null);
  if (name !== null) {
    addEvent(line, 'slash_command', { value: name });
    if (name === '/clear' || name === 'clear') addEvent(line, 'clear', { value: name });
  }
  if (!isOutput(text)) return;
  const facts = { messageClass: 'local_command_output', role: 'system' } as const;
  addMessage(line, { ...facts, text, detail: { source: 'local_command' } });
}

function readScheduled(line: Line): void {
  const { value } = line;
  addEvent(line, 'scheduled', { value: textOf(value['taskId']) ?? textOf(value['content']) });
}
