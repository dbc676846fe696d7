/**
 * How long a model call took: from the record that its first line answers to its last line.
 *
 * Both times must be the records' own, and the end must not lie before the start. A record that was
 * seen with two times tells none. Memory is bounded: the times of the last 2,048 records and the
 * last 512 calls are known. A call that fell out is never begun anew, as its next line would name
 * another parent: a filter knows all calls that ever were, and a false alarm only costs a duration.
 */

import type { Line } from './line.ts';
import type { ResponseState } from './state.ts';

const MICROS_PER_MS = 1000;

/** The columns that need the times of records. */
const DURATIONS = ['duration_ms', 'latency_basis'];

/** Notes the time of a record, for the call that answers it. */
export function noteTime({ state, value, ownAt, rows }: Line): void {
  // Nobody asks how long calls took: most queries, and every one about other relations.
  if (!DURATIONS.some(column => rows.wantsColumn('llm_call', column))) return;
  const { uuid } = value;
  if (ownAt === null || typeof uuid !== 'string') return;
  const { recordTimes } = state;
  const known = recordTimes.get(uuid);
  if (known === undefined) recordTimes.set(uuid, ownAt);
  else if (known !== ownAt) recordTimes.set(uuid, null);
}

/** Counts a line of the call `id`; lines without an identifier of the call are no call's. */
export function countLine({ state, value }: Line, id: string | null): ResponseState {
  if (id === null) return { start: null, lines: 1 };
  const known = state.responses.get(id);
  if (known !== undefined) {
    known.lines++;
    return known;
  }
  const isSeen = state.seenResponses.add(id);
  const parent = value['parentUuid'];
  const start = isSeen || typeof parent !== 'string' ? undefined : state.recordTimes.get(parent);
  const response = { start: start ?? null, lines: 1 };
  state.responses.set(id, response);
  return response;
}

/** Milliseconds from the start of a call to this line, or null. */
export function durationOf({ ownAt }: Line, { start }: ResponseState): number | null {
  if (ownAt === null || start === null || ownAt < start) return null;
  return Math.trunc((ownAt - start) / MICROS_PER_MS);
}
