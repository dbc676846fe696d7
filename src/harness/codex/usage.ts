/** The token counts of Codex: where they stand in records, and which row they belong to. */

import { integerOf, isObject, type JsonObject, member } from '../../bytes/json.ts';
import { nonEmptyText } from '../shared/fields.ts';
import type { RowState } from './state.ts';
import { ownTurnId } from './turn.ts';
import { type CodexUnit, envelopeOf, type Tokens, type Usage } from './units.ts';

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
  if (typeof usage.tokens === 'string') usage.tokens = JSON.parse(usage.tokens);
  for (const name of NAMES[count]) {
    const found = integerOf(member(usage.tokens, name));
    if (found !== null) return found;
  }
  return null;
}

/** What a `token_count` event tells; null for what it leaves out. */
export interface TokenCount {
  readonly last: Tokens | null;
  readonly total: Tokens | null;
}

/** The usage in a `token_count` event. */
export function tokenCountIn(payload: unknown): TokenCount {
  const info = isObject(member(payload, 'info')) ? member(payload, 'info') : payload;
  const last = member(info, 'last_token_usage');
  const total = member(info, 'total_token_usage');
  const flat = isObject(info) && integerOf(info['total_tokens']) !== null ? info : null;
  return { last: isObject(last) ? last : null, total: isObject(total) ? total : flat };
}

/** The usage in a `token_usage_record`, or null. */
export function usageInRecord(payload: unknown): JsonObject | null {
  const usage = member(payload, 'usage') ?? member(payload, 'token_usage');
  return isObject(usage) ? usage : null;
}

/** What a `token_usage_record` counts: one response, unless it says otherwise. */
export function scopeOfRecord(payload: unknown): string {
  const scope = nonEmptyText(member(payload, 'scope')) ?? 'response';
  return scope === 'thread' ? 'thread_total' : scope;
}

/** Whether the last usage of a `token_count` is that of a call that was not counted yet. */
export function isNewCall(state: RowState, { last, total }: TokenCount): boolean {
  const isRepeated = total !== null && state.lastTotal !== null && isSame(total, state.lastTotal);
  if (total !== null) state.lastTotal = total;
  return last !== null && !isRepeated && !state.hasUsageRecords;
}

function isSame(one: Tokens, other: Tokens): boolean {
  const areDecoded = isObject(one) && isObject(other);
  // Nearly all totals differ here, and need not be printed.
  if (areDecoded && one['total_tokens'] !== other['total_tokens']) return false;
  return json(one) === json(other);
}

function json(tokens: Tokens): string {
  return typeof tokens === 'string' ? tokens : JSON.stringify(tokens);
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
export function responseOf(unit: CodexUnit): string | null {
  const own = nonEmptyText(member(envelopeOf(unit).payload, 'response_id'));
  return own ?? unit.turn?.responseId ?? null;
}

/** The turn of a row: its own, else that of the records around it. */
export function turnOf(unit: CodexUnit): string | null {
  return ownTurnId(envelopeOf(unit).payload) ?? unit.turn?.id ?? null;
}

/** Looks at the text first: nearly no item has usage, and decoding it would be for nothing. */
function hasInlineUsage(unit: CodexUnit): boolean {
  if (unit.envelope === null && !unit.record.wire.includes('"usage"')) return false;
  return envelopeOf(unit).usage !== null;
}

function hasUsage(unit: CodexUnit): boolean {
  return unit.usage !== null || hasInlineUsage(unit);
}

/** The usage of a response came, not that of a `token_count`, which it replaces. */
function isCounted(unit: CodexUnit): boolean {
  return unit.usage?.scope === 'response' || hasInlineUsage(unit);
}
