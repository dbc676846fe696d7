/**
 * Tokens of the Copilot CLI. Nothing is subtracted: input tokens include those of the cache.
 *
 * - `assistant.message` may tell its output tokens. What the call took in is only in
 *   `session-store.db`, table `assistant_usage_events`, one row a call: the n-th row of a user turn
 *   is the n-th answer of it, of a sub-agent its n-th answer. The row is taken only when nothing
 *   speaks against it: the same model, the same output tokens, and `finish_reason` `tool_calls`
 *   just when the answer calls tools. `usage_scope` is `response`.
 * - `session.shutdown` counts the session by model (`session_total`); a row for the whole record
 *   has the sums.
 * - `session.compaction_complete` counts the call that wrote the summary (`response`).
 * - `session.truncation` tells the size of the context before and after in the input and output
 *   columns, as agent_data has it (`context`).
 */

import { integerOf, type JsonObject, member, textOf } from '../../bytes/json.ts';
import type { SourceContext } from '../harness.ts';
import { at } from '../shared/fields.ts';
import { agentOf } from './cli-session.ts';
import { type CliUnit, modelFigures } from './cli-units.ts';

/** The token columns. */
export type TokenColumn =
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_creation_tokens'
  | 'cache_read_tokens'
  | 'reasoning_tokens';

/** The names of a column: in a shutdown, in the store, in a compaction (two versions of it). */
const NAMES: Readonly<Record<TokenColumn, readonly [string, string, readonly string[]]>> = {
  input_tokens: ['inputTokens', 'input_tokens', ['input', 'inputTokens']],
  output_tokens: ['outputTokens', 'output_tokens', ['output', 'outputTokens']],
  cache_creation_tokens: ['cacheWriteTokens', 'cache_write_tokens', ['cacheWriteTokens']],
  cache_read_tokens: ['cacheReadTokens', 'cache_read_tokens', ['cachedInput', 'cacheReadTokens']],
  reasoning_tokens: ['reasoningTokens', 'reasoning_tokens', []],
};

const COLUMNS = Object.keys(NAMES) as TokenColumn[];

/** One figure of a row, or null. */
export function tokens(unit: CliUnit, context: SourceContext, column: TokenColumn): number | null {
  const { value } = unit.record;
  const data = member(value, 'data');
  switch (usageScope(unit, context)) {
    case 'session_total':
      return ofShutdown(unit, column);
    case 'context':
      return ofTruncation(data, column);
    case 'response':
      return member(value, 'type') === 'assistant.message'
        ? ofAnswer(unit, context, column)
        : ofCompaction(data, column);
    default:
      return null;
  }
}

/** What the figures of a row count, or null when it has none. */
export function usageScope(unit: CliUnit, context: SourceContext): string | null {
  const { value } = unit.record;
  if (unit.kind === 'reasoning') return null;
  const data = member(value, 'data');
  switch (member(value, 'type')) {
    case 'session.shutdown':
      return modelFigures(value).length > 0 ? 'session_total' : null;
    case 'session.truncation':
      return COLUMNS.some(one => ofTruncation(data, one) !== null) ? 'context' : null;
    case 'session.compaction_complete':
      return COLUMNS.some(one => ofCompaction(data, one) !== null) ? 'response' : null;
    case 'assistant.message': {
      const isKnown = integerOf(member(data, 'outputTokens')) !== null;
      return isKnown || storedCall(unit, context) !== null ? 'response' : null;
    }
    default:
      return null;
  }
}

/** The row of the store for the model call of a row, or null. */
export function storedCall(unit: CliUnit, context: SourceContext): JsonObject | null {
  const { facts, place, record } = unit;
  if (place === null) return null;
  const { sessionId } = facts;
  const rows = context.companionRows('store', 'assistant_usage_events', 'session_id', sessionId);
  const agent = agentOf(record.value);
  const call = callsOf(rows).get(groupOf(agent, place.turn))?.[place.position] ?? null;
  return call && agrees(call, member(record.value, 'data')) ? call : null;
}

/** The model calls of a session, grouped once: a scan asks for each answer and column. */
const groups = new WeakMap<readonly JsonObject[], ReadonlyMap<string, readonly JsonObject[]>>();

function callsOf(rows: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const known = groups.get(rows);
  if (known) return known;
  const calls = new Map<string, JsonObject[]>();
  for (const row of rows) {
    const agent = textOf(row['agent_id']) ?? textOf(row['parent_tool_call_id']);
    const turn = integerOf(row['turn_index']);
    if (agent === null && turn === null) continue;
    const group = groupOf(agent, turn ?? 0);
    const found = calls.get(group);
    if (found) found.push(row);
    else calls.set(group, [row]);
  }
  groups.set(rows, calls);
  return calls;
}

function groupOf(agent: string | null, turn: number): string {
  return agent === null ? `turn ${turn}` : `agent ${agent}`;
}

function agrees(call: JsonObject, data: unknown): boolean {
  const model = textOf(member(data, 'model'));
  const models = [call['model'], call['copilot_usage_model']];
  if (model !== null && !models.includes(model)) return false;
  const output = integerOf(member(data, 'outputTokens'));
  const stored = integerOf(call['output_tokens']);
  if (output !== null && stored !== null && output !== stored) return false;
  const reason = call['finish_reason'];
  const requests = member(data, 'toolRequests');
  const callsTools = Array.isArray(requests) && requests.length > 0;
  return typeof reason !== 'string' || (reason === 'tool_calls') === callsTools;
}

function ofAnswer(unit: CliUnit, context: SourceContext, column: TokenColumn): number | null {
  const stored = integerOf(storedCall(unit, context)?.[NAMES[column][1]]);
  if (stored !== null || column !== 'output_tokens') return stored;
  return integerOf(at(unit.record.value, 'data', 'outputTokens'));
}

function ofShutdown(unit: CliUnit, column: TokenColumn): number | null {
  let sum: number | null = null;
  for (const [model, figures] of modelFigures(unit.record.value)) {
    const figure = integerOf(at(figures, 'usage', NAMES[column][0]));
    const isMeant = unit.model === null || unit.model === model;
    if (isMeant && figure !== null) sum = (sum ?? 0) + figure;
  }
  return sum;
}

function ofCompaction(data: unknown, column: TokenColumn): number | null {
  const used = member(data, 'compactionTokensUsed');
  const name = NAMES[column][2].find(one => integerOf(member(used, one)) !== null);
  return name === undefined ? null : integerOf(member(used, name));
}

function ofTruncation(data: unknown, column: TokenColumn): number | null {
  if (column === 'input_tokens') return integerOf(member(data, 'preTruncationTokensInMessages'));
  if (column !== 'output_tokens') return null;
  return integerOf(member(data, 'postTruncationTokensInMessages'));
}
