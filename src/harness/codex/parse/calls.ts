/**
 * Calls of tools by the model.
 *
 * - Every response item that calls is a row, tools of the provider too; those have no output, and
 *   the status of the item is their outcome.
 * - Until the output comes the call is open: 2,048 at most, and none for longer than a day. What
 *   leaves without an output has the outcome `no_result`.
 * - A patch is read at the call; it counts at the output, unless a record tells what was changed.
 */

import { member } from '../../../bytes/json.ts';
import { partAsJson, recordedJson } from '../../../bytes/json-print.ts';
import { patchFiles } from '../../shared/edits/patch.ts';
import { codexResultClass } from '../../shared/efficiency/codex.ts';
import { commandOf } from '../../shared/efficiency/finished-call.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { withoutPayloads } from '../../shared/prompt/binary.ts';
import { mcpParts } from '../../shared/prompt/links.ts';
import { commandVerb, sshTarget } from '../../shared/shell/verb.ts';
import { payloadOf } from '../record-types.ts';
import { inputIn, toolIn } from '../tools.ts';
import { gitPlanOf } from './git.ts';
import { type Line, ownerOf, parsedText, told } from './line.ts';
import { addEvent } from './session-event.ts';
import { addSpawn, isSpawnTool } from './spawns.ts';
import { type OpenCall, type ParseState, remember } from './state.ts';

const MAX_CALLS = 2048;
const DAY_MICROS = 86_400_000_000;
const MAX_EDITS = 256;
const CALL_RANK = 2;

/** The place of a call's rows in the file. */
export function callSeq(line: Line): number {
  return line.place.lineNumber * 10 + CALL_RANK;
}

/** A response item that calls a tool. */
export function readCall(line: Line): void {
  const { subtype, payload, state } = line;
  const tool = toolIn(payload) ?? '';
  const call = callName(line);
  const input = inputIn(payload);
  const command = shellCommand(tool, input);
  addCallRow(line, { call, tool, command, input });
  addInput(line, call, tool, input);
  tellEvents(line, tool, input);
  const isSpawn = isSpawnTool(tool);
  if (isSpawn) addSpawn(line, call, input);
  if (subtype === 'web_search_call' || subtype === 'image_generation_call') {
    finishOfProvider(line, call);
    return;
  }
  dropOld(line);
  const open = openCall(line, { call, tool, command, input }, isSpawn);
  const evicted = remember(state.calls, call, open, MAX_CALLS);
  if (evicted) addNoResult(line, evicted[0]);
}

/** The name of a call; one without a name is an issue, but for tools of the provider. */
function callName(line: Line): string {
  const named = told(line, 'call_id');
  if (named !== null) return named;
  const { subtype, state, place } = line;
  if (subtype === 'web_search_call') {
    const { searchEnd } = state;
    const isJoined = searchEnd !== null && searchEnd.line === place.lineNumber - 1;
    return told(line, 'id') ?? (isJoined ? searchEnd.call : `ws:${line.uid}`);
  }
  const id = told(line, 'id');
  if (subtype !== 'image_generation_call' || id === null) {
    line.rows.issue(place, 'missing_call_id', subtype);
  }
  return id ?? line.uid;
}

const SHELL_TOOLS: ReadonlySet<string> = new Set([
  ...['exec_command', 'shell', 'shell_command', 'local_shell'],
]);

/** The command that a shell tool runs, or null for other tools. */
function shellCommand(tool: string, input: unknown): string | null {
  if (!SHELL_TOOLS.has(tool.slice(tool.lastIndexOf('.') + 1))) return null;
  return commandOf(parsedText(input));
}

/** A call, read. */
interface Asked {
  readonly call: string;
  readonly tool: string;
  /** Of a shell tool. */
  readonly command: string | null;
  readonly input: unknown;
}

function openCall(line: Line, { tool, command, input }: Asked, isSpawn: boolean): OpenCall {
  const { rows } = line;
  const finished = { tool, input, result: undefined, isInterrupted: false };
  // What nobody reads of a call is not worked out.
  const isClassed = rows.wants('tool_call');
  const hasEdits = rows.wants('file_touch') || rows.wants('artifact');
  const quiet = isClassed ? codexResultClass({ ...finished, outputText: null }) : 'work';
  // Only waiting becomes something else when the output tells an end.
  const isWait = quiet === 'wait';
  return {
    tool,
    line: line.place.lineNumber,
    at: line.at,
    turn: line.turn,
    isSpawn,
    quiet,
    ended: isWait ? codexResultClass({ ...finished, outputText: ENDED }) : quiet,
    edits: hasEdits ? editsOf(tool, command, input).slice(0, MAX_EDITS) : [],
    git: rows.wants('git_event') ? gitPlanOf(command) : null,
    hasFailed: false,
    durationMs: null,
  };
}

/** An output that tells everything which may end a wait. */
const ENDED = 'Process exited with code 0 "timed_out":false';

function editsOf(tool: string, command: string | null, input: unknown) {
  if (tool !== 'apply_patch' && !command?.includes('*** Begin Patch')) return [];
  const text = command ?? (typeof input === 'string' ? input : recordedJson(input));
  return text === null ? [] : patchFiles(text);
}

function addCallRow(line: Line, { call, tool, command, input }: Asked): void {
  const { rows, turn } = line;
  if (!rows.wants('tool_call')) return;
  const namespace = told(line, 'namespace');
  const { session_uid, agent_id } = ownerOf(line);
  const { mcp_server, mcp_tool } = mcpOf(tool, namespace);
  rows.add('tool_call', line.place, {
    session_uid,
    agent_id,
    call_uid: call,
    turn_key: turn,
    response_id: told(line, 'response_id'),
    tool_name: tool === '' ? null : tool,
    tool_family: familyOf(line, tool, namespace),
    mcp_server,
    mcp_tool,
    codex_namespace: namespace,
    started_at: line.at,
    input_bytes: typeof input === 'string' ? input.length : (recordedJson(input)?.length ?? null),
    meta: rows.wantsColumn('tool_call', 'meta') ? metaOf(command) : null,
    seq: callSeq(line),
  });
}

const MCP = 'mcp__';

function familyOf({ subtype }: Line, tool: string, namespace: string | null): string {
  if (subtype === 'custom_tool_call') return 'custom';
  if (tool.startsWith(MCP) || namespace?.startsWith(MCP)) return 'mcp';
  return namespace === null ? 'function' : 'collaboration';
}

function mcpOf(tool: string, namespace: string | null) {
  if (namespace?.startsWith(MCP)) {
    return { mcp_server: namespace.slice(MCP.length).replace(/_+$/, '') || null, mcp_tool: tool };
  }
  const { server, tool: name } = mcpParts(tool);
  return { mcp_server: server, mcp_tool: name };
}

function metaOf(command: string | null): string | null {
  if (command === null) return null;
  const verb = commandVerb(command);
  const target = sshTarget(command);
  const meta = {
    ...(verb === null ? {} : { cmd_verb: verb }),
    ...(target === null ? {} : { target_host: target.host }),
    ...(target?.verb ? { remote_verb: target.verb } : {}),
  };
  return Object.keys(meta).length === 0 ? null : recordedJson(meta);
}

/** Text as it was written, anything else as JSON; pictures are named only. */
function addInput(line: Line, call: string, tool: string, input: unknown): void {
  if (!line.rows.wants('tool_io')) return;
  const { session_uid, agent_id } = ownerOf(line);
  line.rows.add('tool_io', line.place, {
    session_uid,
    agent_id,
    io_uid: call,
    kind: 'call',
    tool_name: tool === '' ? null : tool,
    call_uid: call,
    turn_key: line.turn,
    ts: line.at,
    input_text: inputText(line, input),
    seq: callSeq(line),
  });
}

function inputText(line: Line, input: unknown): string | null {
  const bare = withoutPayloads(input);
  if (typeof bare === 'string') return bare;
  const isWhole = bare === input;
  return isWhole
    ? partAsJson(line.record, root => inputIn(payloadOf(root)), 'recorded')
    : recordedJson(bare);
}

const MAX_VALUE = 200;

/** What calls tell beside the talk. */
function tellEvents(line: Line, tool: string, input: unknown): void {
  const name = tool.slice(tool.lastIndexOf('.') + 1);
  if (name === 'update_plan') {
    const steps = listOf(member(parsedText(input), 'plan')).length;
    addEvent(line, 'task_list_op', name, { steps });
  } else if (name === 'request_user_input' || name === 'request_user_input_async') {
    const [first] = listOf(member(parsedText(input), 'questions'));
    const question = nonEmptyText(member(first, 'question'));
    addEvent(line, 'user_question', question?.slice(0, MAX_VALUE * 4) ?? name, null);
  } else if (name === 'interrupt_agent') {
    const asked = parsedText(input);
    const target = nonEmptyText(member(asked, 'target')) ?? nonEmptyText(member(asked, 'id'));
    addEvent(line, 'interrupt', target, null);
  }
}

/** A tool of the provider: the item tells its end. */
function finishOfProvider(line: Line, call: string): void {
  const status = told(line, 'status');
  const isError = status === null ? null : status === 'failed';
  const row = {
    ...ownerOf(line),
    call_uid: call,
    ended_at: line.at,
    outcome: status === null ? null : isError ? 'error' : 'ok',
    is_error: isError,
    trigger_class: 'work',
  };
  line.rows.add('tool_call', line.place, row, true);
  line.rows.add('tool_io', line.place, { ...ownerOf(line), io_uid: call, kind: 'call' }, true);
}

/** Calls that are open for more than a day will not end any more. */
function dropOld(line: Line): void {
  const { state, at } = line;
  if (at === null) return;
  for (const [call, { at: since }] of state.calls) {
    if (since === null || at - since <= DAY_MICROS) return;
    state.calls.delete(call);
    addNoResult(line, call);
  }
}

function addNoResult(line: Line, call: string): void {
  line.rows.add('tool_call', line.place, {
    ...ownerOf(line),
    call_uid: call,
    outcome: 'no_result',
  });
}

/** Whether a call of that name was made or has ended lately. */
export function isKnownCall(state: ParseState, call: string): boolean {
  return state.calls.has(call) || state.doneCalls.includes(call);
}
