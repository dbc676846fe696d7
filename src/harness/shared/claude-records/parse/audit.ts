/**
 * The log of a task of Claude Desktop. It repeats the messages of the transcript, which count
 * there; only here stand what was asked of the person, the answer, and what the task cost.
 */

import { textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { nonEmptyText } from '../../fields.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import type { Line } from './line.ts';
import { modelUsage, numberOf } from './side-records.ts';

/** Takes a record of the log. */
export function readAudit(line: Line): void {
  const { type, subtype } = line.value;
  if (type === 'result') addCost(line);
  else if (type === 'system' && typeof subtype === 'string' && subtype.startsWith('permission_')) {
    addPermission(line, subtype);
  }
}

/** The session is Claude Code's own, where the record names it. */
function ownerOf({ value, state }: Line) {
  return {
    ...state.owner,
    session_uid: nonEmptyText(value['session_id']) ?? state.owner.session_uid,
  };
}

function addCost(line: Line): void {
  const { value, rows, place } = line;
  rows.add('cost_state', place, {
    event_uid: line.uid,
    ...ownerOf(line),
    ts: line.at,
    total_cost_usd: numberOf(value['total_cost_usd']),
    api_duration_ms: looseInteger(value['duration_api_ms']),
    total_duration_ms: looseInteger(value['duration_ms']),
    model_usage: modelUsage(value['modelUsage']),
  });
}

function addPermission(line: Line, kind: string): void {
  const { value, rows, place } = line;
  const tool = textOf(value['tool_name']);
  const decision = textOf(value['decision']);
  const granted = value['granted'];
  rows.add('session_event', place, {
    event_uid: line.uid,
    kind,
    ...ownerOf(line),
    ts: line.at,
    value: decision ?? tool,
    detail: recordedJson({
      tool,
      ...(decision === null ? {} : { decision }),
      ...(typeof granted === 'boolean' ? { granted } : {}),
    }),
  });
}
