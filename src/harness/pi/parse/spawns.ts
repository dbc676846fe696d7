/**
 * Launches of sub-agents by the tool of the extension for them.
 *
 * A call that hands out one task and lets the parent go on is a launch under the call's identifier,
 * when its result names the run. Where the call does not say whether the parent goes on, the result
 * must show it: one task, a run of its own with the identifier of a background run, no results, no
 * error. What ran in the foreground has its results in the result, one launch each. The children of
 * a workflow are told of by notices, under their own runs. Calls that list, wait or look launch
 * nothing.
 */

import { booleanOf, member, textOf } from '../../../bytes/json.ts';
import { remember } from '../../shared/bounded.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { isBlank, trimmed } from '../../shared/prompt/wire-space.ts';
import { valueWithCounts } from './counts.ts';
import { taskNameOf } from './lineage.ts';
import { addMessage, shortened } from './message.ts';
import type { Launch, OpenCall, Step } from './state.ts';

const LABEL_BYTES = 200;
const STARTS = ['run', 'start', 'spawn'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a call asks for. */
export function launchOf(input: unknown): Launch {
  const label = (key: string) => shortened(nonEmptyText(member(input, key)), LABEL_BYTES);
  const task = textOf(member(input, 'task')) ?? '';
  return {
    ...{ action: label('action'), agent: label('agent'), model: label('model') },
    description: label('description') ?? label('label'),
    isSingle: !isBlank(task),
    isAsync: booleanOf(member(input, 'async')),
  };
}

/** What a call, and later its result, tell of the launch in short. */
export function launchMeta(launch: Launch, details?: unknown): object | undefined {
  const mode = shortened(nonEmptyText(member(details, 'mode')), LABEL_BYTES);
  const run = runOf(details);
  const meta = {
    ...(launch.action === null ? {} : { action: launch.action }),
    ...(launch.isAsync === null ? {} : { async: launch.isAsync }),
    ...(mode === null ? {} : { mode }),
    ...(run === null ? {} : { run_id: run }),
    ...(launch.agent === null ? {} : { subagent_type: launch.agent }),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** Adds the tasks that a call hands out. */
export function addBriefs(step: Step, callUid: string, input: unknown, turnKey: string): void {
  const tasks = [input, ...listOf(member(input, 'tasks'))].map(holder => member(holder, 'task'));
  const briefs = tasks.flatMap(task => (typeof task === 'string' ? trimmed(task) || [] : []));
  for (const [index, text] of briefs.entries()) {
    const uid = `${step.uid}:brief:${callUid}:${index}`;
    addMessage(step, { uid, messageClass: 'subagent_brief', role: 'assistant', text, turnKey });
  }
}

/** The run that a result names. */
function runOf(details: unknown): string | null {
  const run = nonEmptyText(member(details, 'asyncId')) ?? nonEmptyText(member(details, 'runId'));
  return run !== null && UUID.test(run) ? run : null;
}

/** Adds the launches that a result tells of. */
export function addSpawns(step: Step, callUid: string, call: OpenCall): void {
  const { launch } = call;
  if (launch === null || (launch.action !== null && !STARTS.includes(launch.action))) return;
  const counted = member(member(valueWithCounts(step.record, 'details'), 'message'), 'details');
  for (const [index, result] of listOf(member(counted, 'results')).entries()) {
    addForeground(step, callUid, call, index, result);
  }
  const run = runInBackground(step, launch, counted);
  if (run !== null) addBackground(step, callUid, call, run, counted);
}

function addForeground(
  { rows, owner, at, place }: Step,
  callUid: string,
  { turn, at: spawnedAt }: OpenCall,
  index: number,
  result: unknown,
): void {
  const summary = member(result, 'progressSummary');
  const agent = shortened(nonEmptyText(member(result, 'agent')), LABEL_BYTES);
  rows.add('subagent_spawn', place, {
    ...{ spawn_uid: `${callUid}:${index}`, ...owner, turn_key: turn, call_uid: callUid },
    child_task_name: taskNameOf(textOf(member(result, 'sessionFile')) ?? ''),
    ...{ spawned_at: spawnedAt, completed_at: at, background: false },
    ...{ requested_type: agent, requested_type_source: agent === null ? null : 'explicit' },
    resolved_model: shortened(nonEmptyText(member(result, 'model')), LABEL_BYTES),
    completion_status: completionOf(result),
    reported_tokens: strictCount(member(summary, 'tokens')),
    reported_tool_uses: strictCount(member(summary, 'toolCount')),
    reported_duration_ms: strictCount(member(summary, 'durationMs')),
  });
}

function completionOf(result: unknown): string | null {
  const exitCode = member(result, 'exitCode');
  if (typeof exitCode === 'number') return exitCode === 0 ? 'completed' : 'failed';
  return shortened(nonEmptyText(member(result, 'status')), LABEL_BYTES);
}

/** The run of a single task that went to the background; null for anything else. */
function runInBackground({ message }: Step, launch: Launch, details: unknown): string | null {
  const { action, isSingle, isAsync } = launch;
  const isPlain =
    member(message, 'isError') === false && listOf(member(details, 'results')).length === 0;
  if (action !== null || !isSingle || isAsync === false || !isPlain) return null;
  const [mode, runId, asyncId] = ['mode', 'runId', 'asyncId'].map(key => member(details, key));
  if (isAsync === null) return mode === 'single' && runId === asyncId ? runOf({ asyncId }) : null;
  return mode === undefined || mode === 'single' ? runOf(details) : null;
}

function addBackground(
  { rows, owner, message }: Step,
  callUid: string,
  { launch, turn, at, place }: OpenCall,
  run: string,
  details: unknown,
): void {
  const type = launch?.agent ?? null;
  rows.add('subagent_spawn', place, {
    ...{ spawn_uid: callUid, ...owner, turn_key: turn, call_uid: callUid, spawned_at: at },
    ...{ requested_type: type, requested_type_source: type === null ? null : 'explicit' },
    ...{ requested_model: launch?.model ?? null, description: launch?.description ?? null },
    ...{ background: true, launch_status: 'launched', workflow_id: run },
    timeout_ms: strictCount(member(details, 'timeoutMs')),
    deadline_at: instantMicros(member(member(message, 'details'), 'deadlineAt')),
    run_fanout_budget: budgetOf(member(details, 'runFanoutBudget'), 'limit'),
    spawn_budget: budgetOf(member(details, 'spawnBudget'), 'remaining'),
    active_async_capacity: budgetOf(member(details, 'activeAsyncCapacity'), 'limit'),
  });
}

/** A budget is a number, or an object that has the number. */
function budgetOf(budget: unknown, key: string): number | null {
  return strictCount(budget) ?? strictCount(member(budget, key));
}

/** Remembers the run that a call started, for the notices about it. */
export function noteRun(step: Step, callUid: string, call: OpenCall): void {
  const { state, message } = step;
  const details = member(message, 'details');
  const run = runOf(details);
  const { launch, turn, place } = call;
  if (launch === null || run === null || member(message, 'isError') === true) return;
  if (launch.action !== null && !STARTS.includes(launch.action)) return;
  const isSpawn = runInBackground(step, launch, details) !== null;
  remember(state.runs, run, { call: callUid, turn, isSpawn, place });
}
