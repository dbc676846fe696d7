/**
 * Results that stand before their call. Nothing is lost: the two halves have one key, and what
 * only both together tell is told when the call comes. A result whose call never comes is an issue.
 */

import { member } from '../../../../bytes/json.ts';
import type { Rows } from '../../../parser.ts';
import { addUnprinted } from './git.ts';
import { type Line, whoseTurn } from './line.ts';
import { elapsedMs } from './outcome.ts';
import { triggerOf } from './result-class.ts';
import type { ClaudeState, EarlyResult, OpenCall } from './state.ts';

const ORPHAN = 'orphan_output';

/** The tool that a structured result shows; null where it may be any. */
export function inferredTool(structured: unknown): string | null {
  const has = (...names: string[]) => names.every(name => member(structured, name) !== undefined);
  if (has('stdout', 'interrupted')) return 'Bash';
  if (has('runId', 'workflowName')) return 'Workflow';
  return has('agentId', 'status') ? 'Agent' : null;
}

/** Remembers a result until its call comes. */
export function holdEarlyResult({ state, rows }: Line, callUid: string, early: EarlyResult): void {
  const evicted = state.earlyResults.set(callUid, early);
  if (evicted !== undefined) rows.issue(evicted.place, ORPHAN, null);
}

/** Joins a call with the result that came before it; whether there was one. */
export function joinEarlyResult(line: Line, callUid: string, call: OpenCall): boolean {
  const { state, rows, place } = line;
  const early = state.earlyResults.take(callUid);
  if (early === undefined) return false;
  state.closedCalls.set(callUid, true);
  const duration = early.hasDuration ? null : elapsedMs(line.at, early.at);
  rows.add('tool_call', place, {
    call_uid: callUid,
    ...whoseTurn(line),
    duration_ms: duration,
    trigger_class: triggerOf(call.tool, call.shellClass, early.marks),
  });
  rows.add('tool_io', place, { io_uid: callUid, ...whoseTurn(line), kind: 'call' }, true);
  if (!early.isError) {
    const told = { ...line, at: early.at, place: early.place };
    addUnprinted(told, callUid, call.gitOperations, early.git);
  }
  return true;
}

const DAY_MICROS = 86_400_000_000;

/** Gives up on what has waited for a day of the transcript. */
export function giveUp({ state, rows, at }: Line): void {
  if (at === null || at < state.giveUpAt) return;
  for (let old = oldCall(state, at); old !== null; old = oldCall(state, at)) {
    const [callUid, { place, turn }] = old;
    state.openCalls.take(callUid);
    const row = { ...state.owner, turn_key: turn };
    rows.add('tool_call', place, { call_uid: callUid, ...row, outcome: 'no_result' });
    rows.add('tool_io', place, { io_uid: callUid, ...row, kind: 'call' }, true);
  }
  const oldest = state.openCalls.oldest();
  state.giveUpAt = (oldest?.[1].at ?? at) + DAY_MICROS;
}

function oldCall(state: ClaudeState, now: number): readonly [string, OpenCall] | null {
  const oldest = state.openCalls.oldest();
  return oldest !== null && oldest[1].at !== null && now - oldest[1].at >= DAY_MICROS
    ? oldest
    : null;
}

/** Diagnoses the results that are still without a call at the end of a file. */
export function tellOrphans(state: ClaudeState, rows: Rows): void {
  const told = new Set<number>();
  for (const [callUid, { place }] of state.earlyResults.save()) {
    if (!told.has(place.lineNumber)) rows.issue(place, ORPHAN, callUid);
    told.add(place.lineNumber);
  }
}
