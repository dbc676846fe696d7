/**
 * Model calls of a Copilot CLI session, so that the sum over `llm_call` is what the session used.
 *
 * - Every `assistant.message` is a model call, and so is a compaction. Answers tell their output;
 *   what a call took in is known only where `session-store.db` has it. Unknown is NULL.
 * - `session.shutdown` counts by model what the calls of its leg used, those of sub-agents too.
 *   What it counts beyond the calls that were told is one more row for each model, with
 *   `stop_reason` `usage:session_shutdown`: no call, but the rest of the bill. So nothing counts
 *   twice, and where each call is known in full there is no such row.
 * - A resumed session has a shutdown for each leg: each counts, so they are summed. But newer
 *   versions count on after a resume: when no figure of a model is smaller than in the shutdown
 *   before, and the number of its requests fits both legs better than the last, only the
 *   difference counts. A compaction may make the counters begin anew: then figures are smaller,
 *   and count as they are.
 * - Calls of models that the shutdown does not name are taken from its models in their order. A
 *   compaction is taken off only where the figures can hold it: some versions leave it out.
 * - Input includes what came from the cache and what went there; output includes the reasoning.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { type Bounded, entriesOf, nothing, recall, remember } from '../../shared/bounded.ts';
import { at, listOf } from '../../shared/fields.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { type CliUnit, modelFigures } from '../cli-units.ts';
import { storedCall, type TokenColumn, tokens } from '../cli-usage.ts';
import type { Counts, ModelUsage } from './state.ts';
import { ownerOf, type Step, turnOf } from './step.ts';

const COLUMNS: Readonly<Record<keyof Counts, TokenColumn>> = {
  input: 'input_tokens',
  read: 'cache_read_tokens',
  write: 'cache_creation_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_tokens',
};

const NAMES: readonly (keyof Counts)[] = ['input', 'read', 'write', 'output', 'reasoning'];

const NO_COUNTS: Counts = { input: null, read: null, write: null, output: null, reasoning: null };

function countsBy(countOf: (name: keyof Counts) => number | null): Counts {
  const counts = { ...NO_COUNTS };
  for (const name of NAMES) counts[name] = countOf(name);
  return counts;
}

/** What usage is read from: the record as the rows of `conversations` know it. */
function unitOf({ record, state, answer }: Step, model: string | null): CliUnit {
  const { facts } = state.session;
  return { format: 'cli', kind: 'record', record, facts, place: answer, model };
}

/** The model of an answer: its own, else the sub-agent's, else the session's. */
export function modelOfAnswer({ data, state, agent }: Step): string | null {
  const own = textOf(member(data, 'model'));
  const { agents, model } = state.session.facts;
  if (own !== null || agent === '') return own ?? model;
  return Object.hasOwn(agents, agent) ? (agents[agent]?.model ?? null) : null;
}

/** Adds the model call of an answer; gives its identifier. */
export function answerCall(step: Step, model: string | null): string {
  const { data, context, session, uid } = step;
  const unit = unitOf(step, null);
  const stored = storedCall(unit, context);
  tellStore(step);
  const native = textOf(member(data, 'apiCallId')) ?? textOf(member(data, 'messageId'));
  const response = native === null ? uid : `${session}:${native}`;
  const stop = textOf(stored?.['finish_reason']);
  const counts = countsBy(name => strictCount(tokens(unit, context, COLUMNS[name])));
  addCall(step, response, model, counts, stop);
  return response;
}

function tellStore({ state, rows, place, context }: Step): void {
  const problem = state.hasToldStore ? null : context.companionProblem('store');
  if (problem === null) return;
  state.hasToldStore = true;
  rows.issue(place, 'companion_error', `session-store.db: ${problem}`);
}

/** Adds the model call that wrote the summary of a compaction. */
export function compactionCall(step: Step): void {
  const { data, state, context, uid } = step;
  if (member(data, 'compactionTokensUsed') === undefined) return;
  const model = textOf(at(data, 'compactionTokensUsed', 'model')) ?? state.session.facts.model;
  const counts = countsBy(name => strictCount(tokens(unitOf(step, null), context, COLUMNS[name])));
  addCall(step, uid, model, counts, 'compaction');
}

function addCall(
  step: Step,
  response_id: string,
  model: string | null,
  counts: Counts,
  stop_reason: string | null,
): void {
  const { rows, place, at: ts, agent, state, data } = step;
  const isCompaction = step.type !== 'assistant.message';
  add(isCompaction ? state.compacted : state.leg, model ?? '', counts);
  const isUnknown = stop_reason === null && NAMES.every(name => (counts[name] ?? 0) === 0);
  const askedAt = recall(state.turns, agent)?.askedAt ?? null;
  const isTimed = !isCompaction && askedAt !== null && ts !== null;
  rows.add('llm_call', place, {
    response_id,
    ...ownerOf(step),
    turn_key: turnOf(step),
    ts,
    model,
    effort: agent === '' ? state.session.facts.effort : null,
    stop_reason,
    request_id: textOf(member(data, 'requestId')),
    is_sidechain: agent !== '',
    duration_ms: isTimed && ts >= askedAt ? Math.trunc((ts - askedAt) / MICROS_IN_MS) : null,
    latency_basis: isTimed && ts >= askedAt ? 'copilot_turn_start_to_message' : null,
    ...bucketsOf(isUnknown ? NO_COUNTS : counts),
  });
}

const MICROS_IN_MS = 1000;

function bucketsOf({ input, read, write, output, reasoning }: Counts) {
  const uncached = input === null ? null : Math.max(input - (read ?? 0) - (write ?? 0), 0);
  return {
    input_uncached: uncached,
    cache_read: read,
    cache_write_5m: write,
    // Nothing tells how long it is kept.
    cache_write_1h: write === null ? null : 0,
    output,
    reasoning,
  };
}

/** Notes what a call used, until a shutdown counts it. */
function add(leg: Bounded<ModelUsage>, model: string, counts: Counts): void {
  const known = recall(leg, model) ?? { calls: 0, counts: NO_COUNTS };
  const sum = countsBy(name => plus(known.counts[name], counts[name]));
  remember(leg, model, { calls: known.calls + 1, counts: sum });
}

function plus(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** Adds what a shutdown counts beyond the calls of its leg. */
export function shutdownRows(step: Step): void {
  const { state, record } = step;
  const figures = modelFigures(record.value);
  const unnamed = countsBy(name => {
    const others = entriesOf(state.leg).filter(([model]) =>
      figures.every(([one]) => one !== model),
    );
    return others.reduce<number | null>((sum, [, { counts }]) => plus(sum, counts[name]), null);
  });
  for (const [model, value] of figures) {
    const counted = countedBy(value);
    const leg = legOf(step, model, counted);
    remember(state.counted, model, counted);
    const answers = recall(state.leg, model)?.counts ?? NO_COUNTS;
    const told = withCompactions(answers, recall(state.compacted, model)?.counts, leg);
    const rest = countsBy(name => restOf(leg[name], told[name], unnamed, name));
    restRow(step, model, rest);
  }
  if (figures.length === 0) return;
  state.leg = nothing();
  state.compacted = nothing();
}

function countedBy(value: unknown): ModelUsage {
  const usage = member(value, 'usage');
  const counts = {
    input: strictCount(member(usage, 'inputTokens')),
    read: strictCount(member(usage, 'cacheReadTokens')),
    write: strictCount(member(usage, 'cacheWriteTokens')),
    output: strictCount(member(usage, 'outputTokens')),
    reasoning: strictCount(member(usage, 'reasoningTokens')),
  };
  return { calls: strictCount(at(value, 'requests', 'count')) ?? 0, counts };
}

/** What the leg used: all that was counted, or what was counted since the shutdown before. */
function legOf({ state }: Step, model: string, counted: ModelUsage): Counts {
  const before = recall(state.counted, model);
  if (before === null || !countsOn(counted, before, recall(state.leg, model)?.calls ?? 0)) {
    return counted.counts;
  }
  return countsBy(name => {
    const count = counted.counts[name];
    return count === null ? null : count - (before.counts[name] ?? 0);
  });
}

function countsOn(counted: ModelUsage, before: ModelUsage, calls: number): boolean {
  const isSmaller = NAMES.some(name => (counted.counts[name] ?? 0) < (before.counts[name] ?? 0));
  if (isSmaller || counted.calls < before.calls) return false;
  const offAnew = Math.abs(counted.calls - calls);
  const offOn = Math.abs(counted.calls - before.calls - calls);
  return offOn < offAnew;
}

/** What answers and compactions told; without the compactions where that is more than counted. */
function withCompactions(answers: Counts, compacted: Counts | undefined, counted: Counts): Counts {
  if (!compacted) return answers;
  const told = countsBy(name => plus(answers[name], compacted[name]));
  const isHeld = NAMES.every(name => (compacted[name] ?? 0) === 0 || fits(told, counted, name));
  return isHeld ? told : answers;
}

function fits(told: Counts, counted: Counts, name: keyof Counts): boolean {
  return (told[name] ?? 0) <= (counted[name] ?? 0);
}

/** What is left of a count; calls of models without figures are taken off too, each once. */
function restOf(
  count: number | null,
  told: number | null,
  unnamed: Counts,
  name: keyof Counts,
): number | null {
  if (count === null) return null;
  const left = Math.max(count - (told ?? 0), 0);
  const taken = Math.min(left, unnamed[name] ?? 0);
  unnamed[name] = (unnamed[name] ?? 0) - taken;
  return left - taken;
}

function restRow(step: Step, model: string, rest: Counts): void {
  if (NAMES.every(name => (rest[name] ?? 0) === 0)) return;
  step.rows.add('llm_call', step.place, {
    response_id: `${step.uid}:usage:${model}`,
    ...ownerOf(step),
    ts: step.at,
    model,
    stop_reason: 'usage:session_shutdown',
    is_sidechain: false,
    ...bucketsOf(rest),
  });
}

/** Whether an answer asks for tools. */
export function asksForTools({ data }: Step): boolean {
  return listOf(member(data, 'toolRequests')).length > 0;
}
