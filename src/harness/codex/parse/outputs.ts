/**
 * What tools gave back, joined to their calls.
 *
 * An output without a call is an issue, and so that nothing is lost its text is kept. An output
 * that comes again for one of the last calls is kept beside the first, which stays as it is.
 */

import { member } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { codexResultClass } from '../../shared/efficiency/codex.ts';
import { callSeq } from './calls.ts';
import { addGitEvents } from './git.ts';
import { type Line, ownerOf, told } from './line.ts';
import { type Output, readOutput } from './output-text.ts';
import { addLaunch } from './spawns.ts';
import type { OpenCall } from './state.ts';
import { addTouches } from './touches.ts';
import { turnStateOf } from './turns.ts';

/** The relations with rows that outputs make or complete. */
const READ_FROM_OUTPUTS = [
  ...(['tool_call', 'tool_io', 'file_touch', 'git_event', 'artifact'] as const),
  ...(['subagent_spawn', 'message', 'session_event'] as const),
];

const MAX_DONE = 64;
const MICROS = 1000;

/** A response item that a tool gave. */
export function readCallOutput(line: Line): void {
  const { state, place, payload } = line;
  const call = told(line, 'call_id');
  if (call === null) line.rows.issue(place, 'missing_call_id', line.subtype);
  const name = call ?? line.uid;
  const open = state.calls.get(name);
  markBoundary(line);
  if (open && !READ_FROM_OUTPUTS.some(relation => line.rows.wants(relation))) {
    state.calls.delete(name);
    noteDone(line, name);
    return;
  }
  const output = readOutput(outputIn(payload));
  if (!open) {
    const isRepeated = state.doneCalls.includes(name);
    if (!isRepeated && call !== null) line.rows.issue(place, 'orphan_output', name);
    addOutput(line, isRepeated ? `${name}:${line.uid}` : name, call, output);
    if (!isRepeated) noteDone(line, name);
    return;
  }
  state.calls.delete(name);
  noteDone(line, name);
  addResult(line, name, open, output);
  addOutput(line, name, name, output);
  if (open.isSpawn) addLaunch(line, name, output.printed);
  const hasFailed = outcomeOf(open, output) !== 'ok';
  if (!hasFailed && !output.isRefused) {
    addTouches(line, open.edits, { owner: name, tool: open.tool, call: name, item: null });
  }
  if (open.git) {
    const { printed, exitCode } = output;
    const end = { owner: name, call: name, cwd: null, output: printed, isProved: exitCode === 0 };
    addGitEvents(line, open.git, end);
  }
}

function outputIn(payload: unknown): unknown {
  const output = member(payload, 'output');
  return output === undefined ? recordedJson(member(payload, 'tools')) : output;
}

function noteDone({ state }: Line, call: string): void {
  state.doneCalls.push(call);
  if (state.doneCalls.length > MAX_DONE) state.doneCalls.shift();
}

/** The next model call waits for this output. */
function markBoundary(line: Line): void {
  const turn = turnStateOf(line);
  if (!turn) return;
  turn.boundaryAt = line.at;
  turn.boundaryLine = line.place.lineNumber;
}

type Outcome = 'ok' | 'error' | 'interrupted';

function outcomeOf(open: OpenCall, { isInterrupted, isScriptError, exitCode }: Output): Outcome {
  if (isInterrupted) return 'interrupted';
  const isError = isScriptError || open.hasFailed || (exitCode !== null && exitCode !== 0);
  return isError ? 'error' : 'ok';
}

function addResult(line: Line, call: string, open: OpenCall, output: Output): void {
  if (!line.rows.wants('tool_call')) return;
  const outcome = outcomeOf(open, output);
  const { at } = line;
  const waited = at === null || open.at === null ? null : Math.trunc((at - open.at) / MICROS);
  const { session_uid, agent_id } = ownerOf(line);
  const row = {
    session_uid,
    agent_id,
    call_uid: call,
    ended_at: at,
    duration_ms: open.durationMs ?? waited,
    output_bytes: output.text?.length ?? null,
    outcome,
    is_error: outcome === 'interrupted' ? null : outcome === 'error',
    exit_code: output.exitCode,
    interrupted: outcome === 'interrupted',
    background: output.isBackground ? true : null,
    trigger_class: hasEnded(open, output) ? open.ended : open.quiet,
    output_byte_offset: line.place.byteOffset,
  };
  line.rows.add('tool_call', line.place, row, true);
}

/** Whether the output tells that what was waited for has ended. */
function hasEnded({ tool, quiet, ended }: OpenCall, { printed, text }: Output): boolean {
  if (quiet === ended) return false;
  const isForAgents = tool.slice(tool.lastIndexOf('.') + 1) === 'wait_agent';
  const outputText = printed === '' ? text : printed;
  const asked = { tool: isForAgents ? 'wait_agent' : 'wait', input: undefined, result: undefined };
  return codexResultClass({ ...asked, outputText, isInterrupted: false }) === 'event';
}

function addOutput(line: Line, io: string, call: string | null, output: Output): void {
  if (!line.rows.wants('tool_io')) return;
  const { session_uid, agent_id } = ownerOf(line);
  const row = {
    session_uid,
    agent_id,
    io_uid: io,
    kind: 'call',
    call_uid: call,
    turn_key: line.turn,
    ts: line.at,
    output_at: line.at,
    output_text: output.text,
    output_truncated: output.isTruncated,
    output_parts: output.parts,
    output_byte_offset: line.place.byteOffset,
    seq: callSeq(line),
  };
  line.rows.add('tool_io', line.place, row, true);
}
