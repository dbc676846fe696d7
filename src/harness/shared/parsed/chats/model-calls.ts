/**
 * Model calls of a chat, with disjoint counts of input whatever the harness counts.
 *
 * Usage whose counts are all zero, of a call that nothing says has ended, is unknown.
 */

import type { RowFacts } from './facts.ts';
import type { ChatRow } from './parser.ts';
import type { ChatRules } from './rules.ts';

/** Adds the model call whose usage the row has. */
export function usageRows({
  rows,
  rules,
  place,
  owner,
  scope,
  uid,
  state,
  at,
  facts,
  isAgent,
}: ChatRow): void {
  if (!rows.wants('llm_call')) return;
  const usageScope = facts.text('usage_scope');
  if (usageScope === null || !rules.callScopes.has(usageScope)) return;
  const stop_reason = facts.text('stop_reason');
  const response = facts.text('response_id');
  rows.add('llm_call', place, {
    response_id: response === null ? uid : `${scope}:${response}`,
    ...owner,
    turn_key: state.turn,
    ts: at,
    model: facts.text('model'),
    effort: facts.text('reasoning_effort'),
    stop_reason,
    is_sidechain: isAgent,
    provider: facts.text('model_provider'),
    ...bucketsOf(facts, rules, stop_reason !== null),
  });
}

/** Token counts in disjoint buckets; null for unknown. */
interface Buckets {
  readonly input_uncached: number | null;
  readonly cache_read: number | null;
  readonly cache_write_5m: number | null;
  readonly cache_write_1h: number | null;
  readonly output: number | null;
  readonly reasoning: number | null;
}

const UNKNOWN: Buckets = {
  input_uncached: null,
  cache_read: null,
  cache_write_5m: null,
  cache_write_1h: null,
  output: null,
  reasoning: null,
};

function bucketsOf(facts: RowFacts, rules: ChatRules, hasEnded: boolean): Buckets {
  const input = facts.count('input_tokens');
  const read = facts.count('cache_read_tokens');
  const write = facts.count('cache_creation_tokens');
  const said = facts.count('output_tokens');
  const reasoning = facts.count('reasoning_tokens');
  const isZero = [input, read, write, said, reasoning].every(count => (count ?? 0) === 0);
  if (isZero && !hasEnded) return UNKNOWN;
  const included =
    (rules.inputIncludes === 'nothing' ? 0 : (read ?? 0)) +
    (rules.inputIncludes === 'cache_reads_and_writes' ? (write ?? 0) : 0);
  const apart = rules.outputIncludesReasoning ? 0 : (reasoning ?? 0);
  return {
    input_uncached: input === null ? null : Math.max(input - included, 0),
    cache_read: read,
    cache_write_5m: write,
    // Nobody but Claude and pi tells how long what was written is kept.
    cache_write_1h: write === null ? null : 0,
    output: said === null ? null : said + apart,
    reasoning,
  };
}
