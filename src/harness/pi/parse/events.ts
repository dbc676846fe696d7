/**
 * What happens beside the talk: other models and levels, names, labels, edits of the context,
 * summaries of what the context loses.
 *
 * Both a compaction and the summary of a branch that was left have a summary, and a model call that
 * wrote it, where its usage is recorded; only the first is a compaction. How many tokens were left
 * after it pi does not record.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { remember } from '../../shared/bounded.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { trimmed } from '../../shared/prompt/wire-space.ts';
import { valueWithCounts } from './counts.ts';
import { addMessage, shortened } from './message.ts';
import type { Step } from './state.ts';
import { addCallAside } from './usage.ts';

const VALUE_BYTES = 200;

function addEvent(step: Step, kind: string, value: string | null, detail?: object): void {
  const { rows, place, owner, uid, at, state } = step;
  rows.add('session_event', place, {
    ...{ event_uid: uid, kind, ...owner, turn_key: state.turn, ts: at },
    ...{ value: shortened(value, VALUE_BYTES), detail: recordedJson(detail) },
  });
}

/** Takes the change to another model. */
export function readModelChange(step: Step): void {
  const { state, value } = step;
  state.model = nonEmptyText(member(value, 'modelId'));
  state.provider = nonEmptyText(member(value, 'provider')) ?? state.provider;
  const { model, provider } = state;
  addEvent(step, 'model_switch', model, provider === null ? undefined : { provider });
}

/** Takes the change to another thinking level. */
export function readEffortChange(step: Step): void {
  const { state, value } = step;
  state.effort = nonEmptyText(member(value, 'thinkingLevel'));
  addEvent(step, 'effort_change', state.effort);
}

/** Takes the name that the session got. */
export function readSessionInfo({ state, value }: Step): void {
  state.title = nonEmptyText(member(value, 'name')) ?? state.title;
}

/** Takes a label that an entry got, or lost. */
export function readLabel(step: Step): void {
  addEvent(step, 'label', nonEmptyText(member(step.value, 'label')), targetOf(step));
}

/** Takes an edit of the context: an entry was left out, or replaced. */
export function readContextEdit(step: Step): void {
  const target = targetOf(step);
  const isReplaced = (member(step.value, 'replacement') ?? null) !== null;
  const value = target === undefined ? null : isReplaced ? 'replace' : 'omit';
  addEvent(step, 'context_edit', value, target);
}

function targetOf({ value }: Step): { readonly target: string } | undefined {
  const target = nonEmptyText(member(value, 'targetId'));
  return target === null ? undefined : { target };
}

/** Takes what an extension keeps for itself: the tiers that models run with are worth knowing. */
export function readCustomEntry({ state, value }: Step): void {
  if (member(value, 'customType') !== 'loop-pi-runtime') return;
  const models = member(member(value, 'data'), 'models');
  for (const [model, settings] of Object.entries(isObject(models) ? models : {})) {
    const tier = nonEmptyText(member(settings, 'service_tier'));
    if (tier !== null) remember(state.tiers, model, tier);
  }
}

/** Takes a compaction. */
export function readCompaction(step: Step): void {
  const { rows, place, owner, uid, at, state } = step;
  const before = strictCount(member(valueWithCounts(step.record, 'tokensBefore'), 'tokensBefore'));
  rows.add('compaction', place, {
    ...{ event_uid: uid, ...owner, turn_key: state.turn, ts: at, pre_tokens: before },
  });
  addEvent(step, 'compaction', null, { before_tokens: before, after_tokens: null });
  addSummary(step, member(step.value, 'summary'), 'compaction');
  addCallAside(step, 'compaction');
}

/** Takes the summary of a branch that was left. */
export function readBranchSummary(step: Step): void {
  addSummary(step, member(step.value, 'summary'), 'branch_summary');
  addCallAside(step, 'branch_summary');
}

/** Adds a summary. */
export function addSummary(step: Step, summary: unknown, source: string): void {
  const { state, uid } = step;
  const text = trimmed(textOf(summary) ?? '');
  const said = { uid, role: 'user', turnKey: state.turn, detail: { source } } as const;
  if (text !== '') addMessage(step, { ...said, messageClass: 'compaction_summary', text });
}

/** Takes the usage of a model call that belongs to no answer. */
export function readUsage(step: Step): void {
  const kind = nonEmptyText(member(step.value, 'kind')) ?? 'unknown';
  addCallAside(step, `usage:${kind}`);
}
