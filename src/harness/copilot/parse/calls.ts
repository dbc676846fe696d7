/**
 * Calls of tools in a Copilot CLI session, as the model asks for them.
 *
 * - An answer lists its calls (`toolRequests`): there a call was made. `tool.execution_start` is
 *   when it began to run; calls that no answer lists are made there.
 * - A call is named by `toolCallId` within its session.
 * - `task` launches a sub-agent; its prompt is a message to that.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { partAsJson } from '../../../bytes/json-print.ts';
import { recall, remember } from '../../shared/bounded.ts';
import type { ResultClass } from '../../shared/efficiency/finished-call.ts';
import { commandOf } from '../../shared/efficiency/finished-call.ts';
import { genericResultClass } from '../../shared/efficiency/generic.ts';
import { at, listOf, lookUp, nonEmptyText } from '../../shared/fields.ts';
import type { FileOperation } from '../../shared/parsed/chats/rules.ts';
import { type FileTouch, touchesOf } from '../../shared/parsed/chats/touches.ts';
import { gitCommandOf } from '../../shared/parsed/git-evidence.ts';
import { mcpParts } from '../../shared/prompt/links.ts';
import { commandVerb, sshTarget } from '../../shared/shell/verb.ts';
import type { OpenCall } from './state.ts';
import { addMessage, ownerOf, type Step, turnOf } from './step.ts';

/** A call as a record holds it. */
interface Asked {
  readonly id: string;
  readonly tool: string;
  readonly server: string | null;
  readonly mcpTool: string | null;
  readonly input: unknown;
  /** The way to the input in the record. */
  readonly pick: (root: unknown) => unknown;
}

/** The calls that an answer asks for. */
export function requestedCalls(step: Step, response: string): void {
  const requests = (root: unknown) => listOf(at(root, 'data', 'toolRequests'));
  const calls = requests(step.record.value).map((request, index) => {
    const pick = (root: unknown) => member(requests(root)[index], 'arguments');
    return askedOf(request, textOf(member(request, 'name')), pick);
  });
  for (const asked of calls) if (asked) addCall(step, asked, response);
  if (calls.includes(null)) step.rows.issue(step.place, 'missing_call_id');
}

/** `tool.execution_start`. */
export function startedCall(step: Step): void {
  const { data, state, rows, place, at: startedAt } = step;
  const pick = (root: unknown) => at(root, 'data', 'arguments');
  const asked = askedOf(data, textOf(member(data, 'toolName')), pick);
  if (asked === null) {
    rows.issue(place, 'missing_call_id');
    return;
  }
  const known = recall(state.calls, asked.id);
  if (known) known.startedAt = startedAt ?? known.startedAt;
  else addCall(step, asked, null);
}

/** A call without an identifier is none. */
function askedOf(value: unknown, tool: string | null, pick: Asked['pick']): Asked | null {
  const id = nonEmptyText(member(value, 'toolCallId'));
  if (id === null) return null;
  const parts = mcpParts(tool ?? '');
  const server = textOf(member(value, 'mcpServerName')) ?? parts.server;
  const mcpTool = textOf(member(value, 'mcpToolName')) ?? parts.tool;
  const input = member(value, 'arguments');
  return { id, tool: tool ?? 'unknown', server, mcpTool, input, pick };
}

function addCall(step: Step, asked: Asked, response_id: string | null): void {
  const { rows, place, at: started_at, session } = step;
  const { id, tool, server, mcpTool } = asked;
  const call_uid = `${session}:${id}`;
  const seq = place.lineNumber * 10 + 2;
  const text = inputText(step, asked);
  const owner = { ...ownerOf(step), turn_key: turnOf(step) };
  remember(step.state.calls, id, openCall(step, asked, seq));
  rows.add('tool_call', place, {
    call_uid,
    ...owner,
    response_id,
    tool_name: tool,
    tool_family: familyOf(tool, server),
    mcp_server: server,
    mcp_tool: mcpTool,
    started_at,
    input_bytes: text?.length ?? null,
    meta: metaOf(asked),
    seq,
  });
  rows.add('tool_io', place, {
    io_uid: call_uid,
    kind: 'call',
    call_uid,
    ...owner,
    tool_name: tool,
    ts: started_at,
    input_text: text,
    seq,
  });
  if (tool === 'task') launched(step, asked, call_uid);
}

function familyOf(tool: string, server: string | null): string {
  if (server !== null) return 'mcp';
  return tool === 'task' ? 'collaboration' : 'builtin';
}

/** Text as it is, anything else as JSON. */
function inputText({ record }: Step, { input, pick }: Asked): string | null {
  if (typeof input === 'string') return input;
  return input === undefined || input === null ? null : partAsJson(record, pick, 'recorded');
}

function metaOf({ input }: Asked): string | null {
  const command = commandOf(input);
  if (command === null) return null;
  const verb = commandVerb(command);
  const target = sshTarget(command);
  const meta = {
    ...(verb === null ? {} : { cmd_verb: verb }),
    ...(target === null ? {} : { target_host: target.host, remote_verb: target.verb }),
  };
  return Object.keys(meta).length === 0 ? null : JSON.stringify(meta);
}

function openCall(step: Step, { tool, input }: Asked, seq: number): OpenCall {
  return {
    tool,
    agent: step.agent,
    turn: turnOf(step),
    byteOffset: step.place.byteOffset,
    seq,
    startedAt: step.at,
    denial: null,
    resultClass: resultClassOf(tool, input),
    git: gitCommandOf(commandOf(input)),
    touches: fileTouches(tool, input),
  };
}

/** Tools that look at what runs, that wait for it, that tell agents something, that ask. */
const RESULT_CLASSES: Readonly<Record<string, ResultClass>> = {
  ask_user: 'user',
  list_agents: 'status',
  list_bash: 'status',
  list_powershell: 'status',
  read_agent: 'wait',
  read_bash: 'wait',
  read_powershell: 'wait',
  task: 'orchestrate',
  write_agent: 'orchestrate',
};

function resultClassOf(tool: string, input: unknown): ResultClass {
  const own = lookUp(RESULT_CLASSES, tool);
  const nothing = { result: undefined, outputText: null, isInterrupted: false };
  return own ?? genericResultClass({ tool, input, ...nothing });
}

const OPERATIONS: Readonly<Record<string, FileOperation>> = {
  apply_patch: 'edit',
  create: 'create',
  edit: 'edit',
  insert: 'edit',
  str_replace: 'edit',
  undo_edit: 'edit',
  view: 'read',
};

/** What a call does to files, when it succeeds; `str_replace_editor` says so in a word. */
function fileTouches(tool: string, input: unknown): readonly FileTouch[] {
  const word = tool === 'str_replace_editor' ? textOf(member(input, 'command')) : tool;
  const operation = lookUp(OPERATIONS, word);
  return operation === undefined ? [] : touchesOf(operation, input);
}

const LABEL_BYTES = 200;

function launched(step: Step, { input }: Asked, call_uid: string): void {
  const { rows, place, at: spawned_at } = step;
  if (!isObject(input)) return;
  const type = textOf(input['agent_type']);
  const mode = textOf(input['mode']);
  rows.add('subagent_spawn', place, {
    spawn_uid: call_uid,
    ...ownerOf(step),
    turn_key: turnOf(step),
    call_uid,
    spawned_at,
    requested_type: type,
    requested_type_source: type === null ? null : 'explicit',
    requested_model: textOf(input['model']),
    background: mode === null ? null : mode === 'background',
    name: textOf(input['name']),
    description: textOf(input['description'])?.slice(0, LABEL_BYTES) ?? null,
  });
  const brief = textOf(input['prompt']);
  addMessage(step, 'subagent_brief', brief, { uid: `${call_uid}:brief`, role: 'assistant' });
}
