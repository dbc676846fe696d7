/**
 * Calls of tools, as the model asks for them. What comes of them is a second sighting.
 *
 * A call that was met before, in a copy of its line, is not told again. Calls stay open until
 * their result comes, or for a day of the transcript: then they have none.
 */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { partAsJson, recordedJson } from '../../../../bytes/json-print.ts';
import { blocksOf } from '../../blocks.ts';
import { claudeResultClass } from '../../efficiency/claude.ts';
import { lookUp, nonEmptyText } from '../../fields.ts';
import { withoutPayloads } from '../../prompt/binary.ts';
import { jsonByteLength } from '../../prompt/blocks.ts';
import { mcpParts } from '../../prompt/links.ts';
import { looseFlag } from '../../prompt/numbers.ts';
import { provedGitOperations } from '../../shell/grammar.ts';
import { ghPullRequestAction } from '../../shell/pull-requests.ts';
import { commandVerb, sshTarget } from '../../shell/verb.ts';
import { joinEarlyResult } from './early.ts';
import { type Line, RANK_OF_CALL, seqOf, tell, whoseTurn } from './line.ts';
import { isShell } from './shells.ts';
import { addSpawn } from './spawns.ts';
import type { OpenCall } from './state.ts';
import { addToolEvents } from './tool-events.ts';
import { addTouches } from './touches.ts';

/** A call of a tool. */
export interface ToolCall {
  readonly uid: string;
  readonly tool: string;
  readonly input: unknown;
}

const COLLABORATION: ReadonlySet<string> = new Set([
  ...['Agent', 'Task', 'SendMessage', 'SubagentHandback', 'StructuredOutput', 'Workflow'],
  ...['TeamCreate', 'TeamDelete', 'TaskStop'],
]);

/** Takes the block that calls a tool; `responseId` is the model call that asks for it. */
export function readCall(line: Line, block: unknown, index: number, responseId: string): void {
  const { state } = line;
  const id = nonEmptyText(member(block, 'id'));
  if (id === null) tell(line, 'missing_call_id', textOf(member(block, 'name')));
  const uid = id ?? `${line.uid}:call:${index}`;
  if (state.openCalls.has(uid) || state.closedCalls.has(uid)) return;
  const tool = nonEmptyText(member(block, 'name')) ?? '';
  const call: ToolCall = { uid, tool, input: member(block, 'input') };
  const open = openCall(line, call);
  addCallRow(line, call, { block, responseId });
  addInput(line, call, index);
  if (!joinEarlyResult(line, uid, open)) {
    // What falls out of the list only loses its pairing by time: its result is one without a call.
    if (id !== null) state.openCalls.set(uid, open);
  }
  addSpawn(line, call);
  addTouches(line, call);
  addToolEvents(line, call);
}

function openCall(line: Line, { tool, input }: ToolCall): OpenCall {
  const isAsked = READ_FROM_COMMANDS.some(name => line.rows.wants(name));
  const command = isAsked && isShell(tool) ? textOf(member(input, 'command')) : null;
  const finished = { tool, input, result: undefined, outputText: null, isInterrupted: false };
  return {
    tool,
    at: line.at,
    turn: line.state.turn?.key ?? null,
    place: line.place,
    shellClass: command === null ? null : claudeResultClass(finished),
    gitOperations: command?.includes('git') === true ? provedGitOperations(command) : [],
    pullRequestAction: command?.includes('gh') === true ? ghPullRequestAction(command) : null,
  };
}

/** What the command of a call decides. */
const READ_FROM_COMMANDS = ['tool_call', 'git_event'] as const;

interface CallContext {
  readonly block: unknown;
  readonly responseId: string;
}

function addCallRow(line: Line, call: ToolCall, { block, responseId }: CallContext): void {
  const { rows, place, value } = line;
  if (!rows.wants('tool_call')) return;
  const { uid, tool, input } = call;
  rows.add('tool_call', place, {
    call_uid: uid,
    ...whoseTurn(line),
    response_id: responseId,
    tool_name: tool,
    ...familyOf(tool, block),
    started_at: line.at,
    input_bytes: rows.wantsColumn('tool_call', 'input_bytes') ? jsonByteLength(input) : null,
    background: looseFlag(member(input, 'run_in_background')),
    attribution_skill: textOf(value['attributionSkill']),
    attribution_plugin: textOf(value['attributionPlugin']),
    meta: rows.wantsColumn('tool_call', 'meta') ? metaOf(call, block) : null,
    seq: seqOf(place, RANK_OF_CALL),
  });
}

function familyOf(tool: string, block: unknown) {
  if (member(block, 'type') === 'mcp_tool_use') {
    const server = textOf(member(block, 'server_name'));
    return { tool_family: 'mcp', mcp_server: server, mcp_tool: tool };
  }
  if (tool.startsWith('mcp__')) {
    const { server, tool: name } = mcpParts(tool);
    return { tool_family: 'mcp', mcp_server: server, mcp_tool: name };
  }
  return { tool_family: COLLABORATION.has(tool) ? 'collaboration' : 'builtin' };
}

const META_OF_TOOL: Readonly<Record<string, readonly [name: string, from: string]>> = {
  Skill: ['skill', 'skill'],
  Agent: ['subagent_type', 'subagent_type'],
  Task: ['subagent_type', 'subagent_type'],
};

/** Names and targets, never arguments. */
function metaOf({ tool, input }: ToolCall, block: unknown): string | null {
  const meta: Record<string, unknown> = {};
  const caller = member(member(block, 'caller'), 'type');
  if (typeof caller === 'string') meta['caller'] = caller;
  if (isShell(tool)) Object.assign(meta, shellMeta(member(input, 'command')));
  const [name, from] = lookUp(META_OF_TOOL, tool) ?? [];
  const told = from === undefined ? null : nonEmptyText(member(input, from));
  if (name !== undefined && told !== null) meta[name] = told;
  return Object.keys(meta).length === 0 ? null : recordedJson(meta);
}

function shellMeta(command: unknown): Record<string, unknown> {
  const verb = commandVerb(command);
  const target = sshTarget(command);
  return {
    ...(verb === null ? {} : { cmd_verb: verb }),
    ...(target === null ? {} : { target_host: target.host }),
    ...(target?.verb == null ? {} : { remote_verb: target.verb }),
  };
}

const INPUT_COLUMNS = ['input_text', 'input_bytes', 'input_sha256'];

function addInput(line: Line, { uid, tool, input }: ToolCall, index: number): void {
  const { rows, place, record } = line;
  if (!rows.wants('tool_io')) return;
  const wantsText = INPUT_COLUMNS.some(name => rows.wantsColumn('tool_io', name));
  rows.add('tool_io', place, {
    io_uid: uid,
    ...whoseTurn(line),
    kind: 'call',
    tool_name: tool,
    call_uid: uid,
    ts: line.at,
    input_text: wantsText ? inputText(record, input, index) : null,
    seq: seqOf(place, RANK_OF_CALL),
  });
}

function inputText(record: Line['record'], input: unknown, index: number): string | null {
  if (typeof input === 'string') return input;
  if (!isObject(input) && !Array.isArray(input)) return recordedJson(input);
  return partAsJson(
    record,
    root => withoutPayloads(member(blocksOf(root)[index], 'input')),
    'recorded',
  );
}
