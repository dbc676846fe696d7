/** Calls of tools in a chat, and their results. */

import { commandOf, decodedInput } from '../../efficiency/finished-call.ts';
import { genericResultClass } from '../../efficiency/generic.ts';
import { lookUp } from '../../fields.ts';
import { mcpParts } from '../../prompt/links.ts';
import { commandVerb, sshTarget } from '../../shell/verb.ts';
import type { RowFacts } from './facts.ts';
import { launches, spawnRow, touchRows } from './outcomes.ts';
import type { ChatRow } from './parser.ts';
import { callOf, type OpenCall, openCall, useForCall, useForResult } from './state.ts';

/** Adds the call that a row makes; where the row has its result too, that as well. */
export function callRows(row: ChatRow): void {
  const { facts, state, place, at, rules } = row;
  const tool = facts.text('tool_name');
  const input = facts.text('tool_input');
  if (tool === null || input === null) {
    if (row.type !== 'tool_call') return;
  }
  const id = facts.text('tool_use_id') ?? row.uid;
  const repeat = rules.repeatsIdentifiers ? useForCall(state, id) : 0;
  const known = callOf(state, id, repeat);
  const call: OpenCall = {
    tool: tool ?? known?.tool ?? 'unknown',
    at: at ?? known?.at ?? null,
    byteOffset: known?.byteOffset ?? place.byteOffset,
    seq: known?.seq ?? place.lineNumber * 10 + 2,
    repeat,
  };
  openCall(state, id, call);
  const uid = callUid(row.scope, id, repeat);
  addCall(row, uid, call, input);
  const hasResult = row.author === 'tool' || facts.text('status') !== null;
  if (!hasResult) return;
  if (rules.repeatsIdentifiers) useForResult(state, id);
  // A record that tells both has one time: how long the call took is not known.
  addResult(row, uid, { ...call, at: null }, input);
}

/** Adds the result that a row is. One of a call that nobody made is an issue and a call. */
export function resultRows(row: ChatRow): void {
  const { facts, state, place, rules } = row;
  const id = facts.text('tool_use_id');
  const repeat = id !== null && rules.repeatsIdentifiers ? useForResult(state, id) : 0;
  const known = id === null ? null : callOf(state, id, repeat);
  if (known === null) diagnose(row, id === null ? 'missing_call_id' : 'orphan_output', id);
  const call: OpenCall = known ?? {
    tool: facts.text('tool_name') ?? 'unknown',
    at: null,
    byteOffset: null,
    seq: place.lineNumber * 10 + 2,
    repeat,
  };
  // A record that tells both has one time: how long the call took is not known.
  const isOneRecord = call.seq === place.lineNumber * 10 + 2;
  const told = isOneRecord ? { ...call, at: null } : call;
  addResult(row, callUid(row.scope, id ?? row.uid, repeat), told, null);
}

/** A record of several results has one diagnosis of a kind. */
function diagnose({ state, rows, place }: ChatRow, kind: string, detail: string | null): void {
  const told = state.rowsOfRecord === 0 ? [] : state.issues;
  if (!told.includes(kind)) rows.issue(place, kind, detail);
  state.issues = [...told, kind];
}

/** The identifier of a call; those that share the harness's get a number from the second on. */
export function callUid(scope: string, id: string, repeat = 0): string {
  const own = id.startsWith(`${scope}:`) ? id : `${scope}:${id}`;
  return repeat === 0 ? own : `${own}#${repeat + 1}`;
}

function addCall(row: ChatRow, call_uid: string, call: OpenCall, input: string | null): void {
  const { rows, place, scope, owner, state, at, facts } = row;
  const whose = { ...owner, turn_key: state.turn };
  const response = facts.text('response_id');
  const { server, tool: mcpTool } = mcpParts(call.tool);
  const mcp_server = server ?? facts.text('mcp_server');
  rows.add('tool_call', place, {
    call_uid,
    ...whose,
    response_id: response === null ? null : `${scope}:${response}`,
    tool_name: call.tool,
    tool_family: mcp_server === null ? familyOf(row, call.tool) : 'mcp',
    mcp_server,
    mcp_tool: mcpTool ?? facts.text('mcp_tool'),
    started_at: at,
    input_bytes: input === null ? null : input.length,
    meta: metaOf(input),
    seq: call.seq,
  });
  rows.add('tool_io', place, {
    io_uid: call_uid,
    kind: 'call',
    call_uid,
    ...whose,
    tool_name: call.tool,
    ts: at,
    input_text: input,
    seq: call.seq,
  });
  touchRows(row, call_uid, call.tool, input);
  spawnRow(row, call_uid, call.tool, input);
}

function familyOf(row: ChatRow, tool: string): string {
  if (tool.startsWith('mcp__')) return 'mcp';
  return launches(row, tool) ? 'collaboration' : 'builtin';
}

/** The program that a shell command runs, and the host that it reaches. */
function metaOf(input: string | null): string | null {
  const command = commandOf(decodedInput(input));
  if (command === null) return null;
  const verb = commandVerb(command);
  const target = sshTarget(command);
  const meta = {
    ...(verb === null ? {} : { cmd_verb: verb }),
    ...(target === null ? {} : { target_host: target.host, remote_verb: target.verb }),
  };
  return Object.keys(meta).length === 0 ? null : JSON.stringify(meta);
}

/** Outcomes by the words that harnesses have for them. */
const OUTCOMES: Readonly<Record<string, string>> = {
  aborted: 'interrupted',
  canceled: 'interrupted',
  cancelled: 'interrupted',
  completed: 'ok',
  denied: 'denied',
  error: 'error',
  failed: 'error',
  interrupted: 'interrupted',
  ok: 'ok',
  rejected: 'denied',
  success: 'ok',
  timeout: 'timeout',
};

function addResult(row: ChatRow, call_uid: string, call: OpenCall, input: string | null): void {
  const { rows, place, owner, state, at, facts } = row;
  const whose = { ...owner, turn_key: state.turn };
  const output = outputOf(facts);
  const status = facts.text('status')?.toLowerCase() ?? null;
  const outcome = lookUp(OUTCOMES, status) ?? null;
  const isInterrupted = outcome === 'interrupted';
  const finished = { tool: call.tool, input, result: undefined, outputText: output, isInterrupted };
  const output_byte_offset = place.byteOffset === call.byteOffset ? null : place.byteOffset;
  rows.add('tool_call', place, {
    call_uid,
    ...whose,
    tool_name: call.tool,
    ended_at: at,
    duration_ms: facts.count('duration_ms') ?? durationOf(call.at, at),
    output_bytes: output === null ? null : output.length,
    outcome,
    is_error: outcome === null ? null : outcome !== 'ok',
    interrupted: isInterrupted,
    timed_out: outcome === 'timeout',
    trigger_class: launches(row, call.tool) ? 'orchestrate' : genericResultClass(finished),
    output_byte_offset,
    seq: call.seq,
  });
  const result_json = rows.wantsColumn('tool_io', 'result_json') ? facts.text('result_json') : null;
  const texts = { output_at: at, output_text: output, result_json, output_byte_offset };
  const which = { io_uid: call_uid, kind: 'call', call_uid, tool_name: call.tool, seq: call.seq };
  rows.add('tool_io', place, { ...which, ...whose, ...texts }, true);
  if (outcome === 'denied') deniedRow(row, call_uid, call.tool);
}

/** What a tool gave back: the text of the row, unless the reader has a cell for it. */
function outputOf(facts: RowFacts): string | null {
  return facts.text(facts.has('tool_output') ? 'tool_output' : 'message_content');
}

const MICROS_IN_MS = 1000;

function durationOf(start: number | null, end: number | null): number | null {
  if (start === null || end === null || end < start) return null;
  return Math.trunc((end - start) / MICROS_IN_MS);
}

function deniedRow(
  { rows, place, owner, state, at }: ChatRow,
  call_uid: string,
  tool: string,
): void {
  const event_uid = `${call_uid}:denial`;
  const whose = { ...owner, turn_key: state.turn, ts: at };
  rows.add('session_event', place, { event_uid, kind: 'denial', value: tool, ...whose });
}
