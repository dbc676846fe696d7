/** What happened beside the talk, one row each. */

import { recordedJson } from '../../../bytes/json-print.ts';
import { afterCodePoints } from '../../shared/prompt/wire-space.ts';
import { type Line, ownerOf } from './line.ts';

const VALUE_CHARACTERS = 200;

/** Adds an event of a kind; its value is cut at 200 characters. */
export function addEvent(
  line: Line,
  kind: string,
  value: string | null,
  detail: Readonly<Record<string, unknown>> | null,
): void {
  if (!line.rows.wants('session_event')) return;
  line.rows.add('session_event', line.place, {
    ...ownerOf(line),
    event_uid: line.uid,
    kind,
    turn_key: line.turn,
    ts: line.at,
    value: value === null ? null : value.slice(0, endOfValue(value)),
    detail: detail === null ? null : recordedJson(detail),
  });
}

function endOfValue(value: string): number {
  return afterCodePoints(value, 0, VALUE_CHARACTERS) ?? value.length;
}
