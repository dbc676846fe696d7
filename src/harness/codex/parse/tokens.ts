/**
 * Counts of tokens. Codex counts what came from the cache as input and reasoning as output; here
 * the three kinds of input are apart. What is written to the cache is kept for five minutes or
 * longer, which the records do not tell apart: all of it is in the first bucket.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';

/** The counts of a record; those that it does not tell are null. */
export interface Tokens {
  readonly input: number | null;
  readonly cached: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly reasoning: number | null;
  /** Input and output; it is never added to anything. */
  readonly total: number | null;
}

/** The counts of a usage object, or null for anything else. */
export function tokensIn(usage: unknown): Tokens | null {
  if (!isObject(usage)) return null;
  const count = (...names: string[]) => {
    for (const name of names) {
      const found = strictCount(member(usage, name));
      if (found !== null) return found;
    }
    return null;
  };
  return {
    input: count('input_tokens'),
    cached: count('cached_input_tokens', 'cache_read_input_tokens'),
    cacheWrite: count('cache_write_input_tokens', 'cache_creation_input_tokens'),
    output: count('output_tokens'),
    reasoning: count('reasoning_output_tokens', 'reasoning_tokens'),
    total: count('total_tokens'),
  };
}

/** What came since `before`; a total that fell counts from nothing. */
export function tokensSince(now: Tokens, before: Tokens | null): Tokens {
  const fell = before !== null && sizeOf(now) < sizeOf(before);
  if (before === null || fell) return now;
  const since = (name: keyof Tokens) => {
    const value = now[name];
    return value === null ? null : Math.max(value - (before[name] ?? 0), 0);
  };
  return {
    input: since('input'),
    cached: since('cached'),
    cacheWrite: since('cacheWrite'),
    output: since('output'),
    reasoning: since('reasoning'),
    total: since('total'),
  };
}

/** How large a context is that was used so. */
export function sizeOf({ total, input, output }: Tokens): number {
  return total ?? (input ?? 0) + (output ?? 0);
}

/** The columns of `llm_call`; all NULL for a breakdown of zeros, which tells nothing. */
export function usageColumns(tokens: Tokens) {
  const { input, cached, cacheWrite, output, reasoning } = tokens;
  const isEmpty = [input, cached, cacheWrite, output, reasoning].every(count => !count);
  if (isEmpty) return NOTHING;
  const [read, written] = [cached ?? 0, cacheWrite ?? 0];
  return {
    input_uncached: input === null ? null : Math.max(input - read - written, 0),
    cache_read: read,
    cache_write_5m: written,
    cache_write_1h: 0,
    output,
    reasoning,
  };
}

const NOTHING = {
  input_uncached: null,
  cache_read: null,
  cache_write_5m: null,
  cache_write_1h: null,
  output: null,
  reasoning: null,
};
