/**
 * Launches of sub-agents and workflows, in the session that launches them.
 *
 * The call tells what was asked for and holds the brief; its result tells who was launched and,
 * where the parent waited, how that ended. A sub-agent hands its report back by a call of its own.
 */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { nonEmptyText } from '../../fields.ts';
import { looseFlag, looseInteger } from '../../prompt/numbers.ts';
import { addMessage, type Line, shortened, whoseTurn } from './line.ts';
import type { CallResult } from './outcome.ts';
import type { ToolCall } from './tool-calls.ts';

const AGENTS: ReadonlySet<string> = new Set(['Agent', 'Task']);
const REPORTS: ReadonlySet<string> = new Set(['SubagentHandback', 'StructuredOutput']);
const WORKFLOW = 'Workflow';
const DEFAULT_TYPE = 'general-purpose';
const LABEL_CHARACTERS = 200;

/** Takes a call that launches something, or that hands a report back. */
export function addSpawn(line: Line, call: ToolCall): void {
  const { tool, uid, input } = call;
  if (AGENTS.has(tool)) {
    addAgent(line, call);
    const text = textOf(member(input, 'prompt'));
    if (text !== null && text !== '') {
      addMessage(line, { messageClass: 'subagent_brief', uid: `${uid}:brief`, text });
    }
  } else if (tool === WORKFLOW) addWorkflow(line, call);
  else if (REPORTS.has(tool) && line.state.identity.role !== 'main') addReport(line, call);
}

function addAgent(line: Line, { uid, input }: ToolCall): void {
  line.state.spawns.set(uid, { kind: 'agent', at: line.at });
  if (!line.rows.wants('subagent_spawn')) return;
  const type = nonEmptyText(member(input, 'subagent_type'));
  line.rows.add('subagent_spawn', line.place, {
    spawn_uid: uid,
    ...whoseTurn(line),
    call_uid: uid,
    spawned_at: line.at,
    requested_type: type ?? DEFAULT_TYPE,
    requested_type_source: type === null ? 'default' : 'explicit',
    requested_model: textOf(member(input, 'model')),
    background: looseFlag(member(input, 'run_in_background')),
    isolation: textOf(member(input, 'isolation')),
    name: textOf(member(input, 'name')),
    description: labelOf(input),
  });
}

function addWorkflow(line: Line, { uid, input }: ToolCall): void {
  line.state.spawns.set(uid, { kind: 'workflow', at: line.at });
  if (!line.rows.wants('subagent_spawn')) return;
  line.rows.add('subagent_spawn', line.place, {
    spawn_uid: uid,
    ...whoseTurn(line),
    call_uid: uid,
    spawned_at: line.at,
    requested_type: 'workflow',
    requested_type_source: 'explicit',
    name: textOf(member(input, 'name')),
    description: labelOf(input),
  });
}

function labelOf(input: unknown): string | null {
  const label = textOf(member(input, 'description'));
  return label === null ? null : shortened(label, LABEL_CHARACTERS);
}

const REPORT_MEMBERS = ['report', 'result', 'message', 'summary', 'content', 'text'];

function addReport(line: Line, { uid, input }: ToolCall): void {
  if (!line.rows.wants('message')) return;
  const texts = REPORT_MEMBERS.map(name => nonEmptyText(member(input, name)));
  const only = isObject(input) && Object.keys(input).length === 1;
  const said = texts.find(text => text !== null) ?? null;
  const text = only && said !== null ? said : recordedJson(input);
  if (text === null) return;
  const facts = { messageClass: 'subagent_report', role: 'assistant', text } as const;
  addMessage(line, { ...facts, uid: `${uid}:report`, detail: { source: 'call' } });
}

const COMPLETED = 'completed';

/** What the result of a launching call tells. */
export function addSpawnResult(line: Line, { callUid, tool, structured }: CallResult): void {
  const isAgent = AGENTS.has(tool ?? '');
  if ((!isAgent && tool !== WORKFLOW) || !line.rows.wants('subagent_spawn')) return;
  const { rows, place, state } = line;
  const row = { spawn_uid: callUid, ...whoseTurn(line), call_uid: callUid };
  if (!isAgent) {
    const workflow_id = textOf(member(structured, 'runId'));
    const launch_status = textOf(member(structured, 'status'));
    rows.add('subagent_spawn', place, { ...row, workflow_id, launch_status });
    return;
  }
  const agent = nonEmptyText(member(structured, 'agentId'));
  const status = textOf(member(structured, 'status'));
  rows.add('subagent_spawn', place, {
    ...row,
    child_session_uid: agent === null ? null : state.owner.session_uid,
    child_agent_id: agent,
    resolved_model: textOf(member(structured, 'resolvedModel')),
    launch_status: status,
    background: looseFlag(member(structured, 'isAsync')),
    ...(status === COMPLETED ? completion(line, structured) : {}),
  });
}

function completion(line: Line, structured: unknown) {
  return {
    completion_status: COMPLETED,
    completed_at: line.at,
    reported_tokens: looseInteger(member(structured, 'totalTokens')),
    reported_tool_uses: looseInteger(member(structured, 'totalToolUseCount')),
    reported_duration_ms: looseInteger(member(structured, 'totalDurationMs')),
  };
}
