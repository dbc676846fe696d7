/** Small records beside the talk: the queue, what a session cost. */

import { booleanOf, isObject, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { instantMicros } from '../../prompt/instants.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import { addEvent, type Line } from './line.ts';

/** Takes a record of what happens to the commands that wait. */
export function readQueueOperation(line: Line): void {
  const { value } = line;
  const reason = textOf(value['reason']);
  addEvent(line, 'queue_op', {
    value: textOf(value['operation']),
    ...(reason === null ? {} : { detail: { reason } }),
  });
}

/** Takes a running total of what the session cost. */
export function readCostState(line: Line): void {
  const { value, rows, place, state } = line;
  if (!rows.wants('cost_state')) return;
  const { session_uid, agent_id } = state.owner;
  const start = instantMicros(value['startTime']);
  rows.add('cost_state', place, {
    event_uid: `${session_uid}/${agent_id}@${place.byteOffset}`,
    ...state.owner,
    ts: line.ownAt ?? start,
    total_cost_usd: numberOf(value['totalCostUSD']),
    api_duration_ms: looseInteger(value['totalAPIDuration']),
    api_duration_no_retry_ms: looseInteger(value['totalAPIDurationWithoutRetries']),
    tool_duration_ms: looseInteger(value['totalToolDuration']),
    total_duration_ms: looseInteger(value['totalDuration'] ?? value['totalWallDuration']),
    lines_added: looseInteger(value['totalLinesAdded']),
    lines_removed: looseInteger(value['totalLinesRemoved']),
    model_usage: modelUsage(value['modelUsage']),
    has_unknown_model_cost: booleanOf(value['hasUnknownModelCost']),
    start_time: start,
  });
}

/** A number as it is recorded, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Usage by model: numbers and what holds them. */
export function modelUsage(usage: unknown): string | null {
  return isObject(usage) ? recordedJson(numbersIn(usage, DEPTH_MAX)) : null;
}

const DEPTH_MAX = 4;

function numbersIn(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
      if (typeof part === 'number') return [[name, part]];
      return isObject(part) && depth > 0 ? [[name, numbersIn(part, depth - 1)]] : [];
    }),
  );
}
