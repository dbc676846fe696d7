/**
 * What happens in a Copilot CLI session beside the talk: its events, compactions and hooks.
 *
 * - A compaction is one when it is complete and did not fail; it took as long as since
 *   `session.compaction_start`.
 * - A hook is told twice, when it begins and when it ends; one that never ends is told at the end
 *   of the file, without an outcome.
 */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import type { Rows } from '../../parser.ts';
import { entriesOf, forget, remember } from '../../shared/bounded.ts';
import { at, lookUp, nonEmptyText } from '../../shared/fields.ts';
import type { CliParse, OpenHook } from './state.ts';
import { addEvent, addMessage, momentOf, ownerOf, type Step, turnOf } from './step.ts';
import { turnBroken } from './turns.ts';

/** An event: its kind, the member that it is about, and the members that tell more. */
type Told = readonly [kind: string, value: string | null, ...detail: readonly string[]];

const EVENTS: Readonly<Record<string, Told>> = {
  'session.autopilot_objective_changed': ['objective_change', 'status', 'operation'],
  'session.context_changed': ['cwd_change', 'cwd', 'branch', 'repository'],
  'session.handoff': ['handoff', 'sourceType', 'summary'],
  'session.info': ['info', 'message', 'infoType'],
  'session.mode_changed': ['mode_change', 'newMode', 'previousMode'],
  'session.plan_changed': ['plan_change', 'operation'],
  'session.resume': ['resume', 'resumeTime', 'eventCount'],
  'session.snapshot_rewind': ['rewind', 'upToEventId', 'eventsRemoved'],
  'session.task_complete': ['task_complete', 'summary'],
  'session.truncation': [
    'truncation',
    'performedBy',
    ...['tokenLimit', 'preTruncationTokensInMessages', 'postTruncationTokensInMessages'],
    ...['tokensRemovedDuringTruncation', 'messagesRemovedDuringTruncation'],
  ],
  'session.warning': ['warning', 'message', 'warningType'],
  'subagent.selected': ['agent_selected', 'agentName'],
  'tool.user_requested': ['local_command', 'toolName'],
};

/** Adds the event that a record of this type always is. */
export function plainEvent(step: Step): void {
  const { type, data } = step;
  const [kind, value = null, ...detail] = lookUp(EVENTS, type) ?? [];
  if (kind === undefined) return;
  addEvent(step, kind, value === null ? null : textOf(member(data, value)), detailOf(data, detail));
}

function detailOf(data: unknown, names: readonly string[]): string | null {
  const known = names.flatMap((name): [string, unknown][] => {
    const value = member(data, name);
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return known.length === 0 ? null : recordedJson(Object.fromEntries(known));
}

/** `session.error`: the model could not be asked. */
export function failure(step: Step): void {
  const detail = detailOf(step.data, ['errorType', 'statusCode']);
  addEvent(step, 'api_error', textOf(member(step.data, 'message')), detail);
  turnBroken(step, 'error', null);
}

/** `abort`: a person stopped the agent. */
export function interruption(step: Step): void {
  const reason = textOf(member(step.data, 'reason'));
  addEvent(step, 'interrupt', reason);
  turnBroken(step, 'aborted', reason);
}

/** `session.permissions_changed`. */
export function permissionMode(step: Step): void {
  const all = member(step.data, 'allowAllPermissions');
  if (typeof all !== 'boolean') return;
  addEvent(step, 'permission_mode', all ? 'allow_all' : 'ask');
}

/** `session.model_change`: `before` is what the session worked with until then. */
export function modelChange(
  step: Step,
  before: { readonly model: string | null; readonly effort: string | null },
): void {
  const { data } = step;
  const model = textOf(member(data, 'newModel'));
  const oldModel = textOf(member(data, 'previousModel')) ?? before.model;
  if (model !== null && oldModel !== null && model !== oldModel) {
    addEvent(step, 'model_switch', model, recordedJson({ previous: oldModel }));
  }
  const effort = textOf(member(data, 'reasoningEffort'));
  const oldEffort = textOf(member(data, 'previousReasoningEffort')) ?? before.effort;
  if (effort !== null && oldEffort !== null && effort !== oldEffort) {
    addEvent(step, 'effort_change', effort, recordedJson({ previous: oldEffort }));
  }
}

const MICROS_IN_MS = 1000;

function elapsedMs(from: number | null, to: number | null): number | null {
  if (from === null || to === null || to < from) return null;
  return Math.trunc((to - from) / MICROS_IN_MS);
}

/** `session.compaction_complete`. */
export function compaction(step: Step): void {
  const { rows, place, data, uid, state, at: ts } = step;
  const began = state.compactionAt;
  state.compactionAt = null;
  if (member(data, 'success') === false) {
    addEvent(step, 'compaction_error', textOf(member(data, 'error')));
    return;
  }
  rows.add('compaction', place, {
    event_uid: uid,
    ...momentOf(step),
    pre_tokens: integerOf(member(data, 'preCompactionTokens')),
    post_tokens: integerOf(member(data, 'postCompactionTokens')),
    duration_ms: elapsedMs(began, ts),
    dropped_tokens: integerOf(member(data, 'tokensRemoved')),
    window_number: integerOf(member(data, 'checkpointNumber')),
  });
  const names = ['preCompactionMessagesLength', 'messagesRemoved', 'checkpointPath'];
  addEvent(step, 'compaction', null, detailOf(data, names));
  addMessage(step, 'compaction_summary', textOf(member(data, 'summaryContent')));
}

/** `hook.start`. */
export function hookStarted(step: Step): void {
  const id = nonEmptyText(member(step.data, 'hookInvocationId'));
  if (id !== null) remember(step.state.hooks, id, hookOf(step));
}

function hookOf(step: Step): OpenHook {
  const { place, data, at: began, agent } = step;
  return { place, type: textOf(member(data, 'hookType')), at: began, agent, turn: turnOf(step) };
}

/** `hook.end`. */
export function hookEnded(step: Step): void {
  const { rows, data, session, state, uid } = step;
  const id = nonEmptyText(member(data, 'hookInvocationId'));
  const known = id === null ? null : forget(state.hooks, id);
  const hook = known ?? hookOf(step);
  const success = member(data, 'success');
  const output = member(data, 'output');
  const isTold = isObject(output);
  rows.add('hook_event', hook.place, {
    event_uid: id === null ? uid : `${session}:${id}`,
    ...hookColumns(session, hook),
    outcome: typeof success === 'boolean' ? (success ? 'success' : 'error') : null,
    duration_ms: known ? elapsedMs(known.at, step.at) : null,
    prevented_continuation: isTold ? preventsOf(output) : null,
    output_bytes: isTold ? (recordedJson(output)?.length ?? null) : null,
  });
}

function hookColumns(session: string, { agent, turn, at: ts, type }: OpenHook) {
  return { session_uid: session, agent_id: agent, turn_key: turn, ts, hook_event: type };
}

function preventsOf(output: unknown): boolean {
  const words = [member(output, 'decision'), member(output, 'permissionDecision')];
  return words.includes('block') || words.includes('deny') || member(output, 'continue') === false;
}

/** The hooks that have not ended when the file does. */
export function unfinishedHooks(state: CliParse, rows: Rows): void {
  const session = state.session.facts.sessionId;
  for (const [id, hook] of entriesOf(state.hooks)) {
    rows.add('hook_event', hook.place, {
      event_uid: `${session}:${id}`,
      ...hookColumns(session, hook),
    });
  }
}

/** Running totals that a shutdown tells; what a session costs in dollars is not recorded. */
export function costRow(step: Step): void {
  const { rows, place, data, uid, at: ts } = step;
  const started = integerOf(member(data, 'sessionStartTime'));
  const metrics = member(data, 'modelMetrics');
  rows.add('cost_state', place, {
    event_uid: uid,
    ...ownerOf(step),
    ts,
    api_duration_ms: integerOf(member(data, 'totalApiDurationMs')),
    lines_added: integerOf(at(data, 'codeChanges', 'linesAdded')),
    lines_removed: integerOf(at(data, 'codeChanges', 'linesRemoved')),
    model_usage: isObject(metrics) ? recordedJson(metrics) : null,
    start_time: started === null ? null : started * MICROS_IN_MS,
  });
}
