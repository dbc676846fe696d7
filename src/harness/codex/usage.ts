/** The token counts of Codex: where they stand in records, and which row they belong to. */

import { integerOf, isObject, member } from '../../bytes/json.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { payloadOf } from './record-types.ts';
import type { RowState } from './state.ts';
import { ownTurnId } from './turn.ts';
import type { CodexUnit, Usage } from './unit.ts';

/** One count, under the names that it has had. */
const NAMES = {
  input: ['input_tokens'],
  output: ['output_tokens'],
  cacheCreation: ['cache_write_input_tokens', 'cache_creation_input_tokens'],
  cacheRead: ['cached_input_tokens', 'cache_read_input_tokens'],
  reasoning: ['reasoning_output_tokens', 'reasoning_tokens'],
  total: ['total_tokens'],
} as const;

/** What is counted. Input includes what was read from the cache, output the reasoning. */
export type Count = keyof typeof NAMES;

/** A count of a usage, or null. */
export function countOf(usage: Usage, count: Count): number | null {
  usage.tokens ??= JSON.parse(usage.json);
  const { tokens } = usage;
  for (const name of NAMES[count]) {
    const found = integerOf(member(tokens, name));
    if (found !== null) return found;
  }
  return null;
}

/** What a `token_count` event tells, as JSON; null for what it leaves out. */
export interface TokenCount {
  readonly last: string | null;
  readonly total: string | null;
}

/** The usage in a `token_count` event. */
export function tokenCountIn(payload: unknown): TokenCount {
  const info = isObject(member(payload, 'info')) ? member(payload, 'info') : payload;
  const [last, total] = [member(info, 'last_token_usage'), member(info, 'total_token_usage')];
  const flat = integerOf(member(info, 'total_tokens')) === null ? null : JSON.stringify(info);
  return {
    last: isObject(last) ? JSON.stringify(last) : null,
    total: isObject(total) ? JSON.stringify(total) : flat,
  };
}

/** The usage in a `token_usage_record` as JSON, or null. */
export function usageInRecord(payload: unknown): string | null {
  const usage = member(payload, 'usage') ?? member(payload, 'token_usage');
  return isObject(usage) ? JSON.stringify(usage) : null;
}

/** What a `token_usage_record` counts: one response, unless it says otherwise. */
export function scopeOfRecord(payload: unknown): string {
  const scope = nonEmptyText(member(payload, 'scope')) ?? 'response';
  return scope === 'thread' ? 'thread_total' : scope;
}

/** Whether the last usage of a `token_count` is that of a call that was not counted yet. */
export function isNewCall(state: RowState, { last, total }: TokenCount): boolean {
  const isRepeated = total !== null && total === state.lastTotal;
  if (total !== null) state.lastTotal = total;
  return last !== null && !isRepeated && !state.hasUsageRecords;
}

/** Gives usage to the nearest row that the model made and that has none; false without one. */
export function giveToNearest({ window }: RowState, usage: Usage): boolean {
  const unit = window.findLast(one => one.product !== null && !hasUsage(one));
  if (unit) unit.usage = usage;
  return unit !== null;
}

/** Gives usage to the last answer or thought of its response, else of its turn. */
export function giveToResponse({ window }: RowState, payload: unknown, usage: Usage): boolean {
  const response = nonEmptyText(member(payload, 'response_id'));
  const turn = ownTurnId(payload);
  const isFree = (unit: CodexUnit) =>
    (unit.product === 'answer' || unit.product === 'thought') && !isCounted(unit);
  const unit =
    (response === null
      ? null
      : window.findLast(one => isFree(one) && responseOf(one) === response)) ??
    (turn === null
      ? null
      : window.findLast(one => isFree(one) && !hasUsage(one) && turnOf(one) === turn));
  if (unit) unit.usage = usage;
  return unit !== null;
}

/** The response that made a row, as far as it is known. */
export function responseOf({ record, turn }: Pick<CodexUnit, 'record' | 'turn'>): string | null {
  const own = nonEmptyText(member(payloadOf(record.value), 'response_id'));
  return own ?? turn?.responseId ?? null;
}

/** The turn of a row: its own, else that of the records around it. */
export function turnOf({ record, turn }: Pick<CodexUnit, 'record' | 'turn'>): string | null {
  return ownTurnId(payloadOf(record.value)) ?? turn?.id ?? null;
}

/** The usage that a response item carries itself as JSON, or null. */
export function inlineUsage(payload: unknown): string | null {
  const usage = member(payload, 'usage');
  return isObject(usage) ? JSON.stringify(usage) : null;
}

/** Looks at the text first: nearly no item has usage, and decoding it would be for nothing. */
function hasInlineUsage({ record }: Pick<CodexUnit, 'record'>): boolean {
  return record.wire.includes('"usage"') && inlineUsage(payloadOf(record.value)) !== null;
}

function hasUsage(unit: Pick<CodexUnit, 'record' | 'usage'>): boolean {
  return unit.usage !== null || hasInlineUsage(unit);
}

/** The usage of a response came, not that of a `token_count`, which it replaces. */
function isCounted(unit: CodexUnit): boolean {
  return unit.usage?.scope === 'response' || hasInlineUsage(unit);
}
