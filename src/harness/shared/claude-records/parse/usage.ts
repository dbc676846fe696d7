/**
 * What a model call used, as one of its lines tells it.
 *
 * Input tokens exclude the cache. What was written to the cache is the larger of the flat member
 * and the sum of its parts; what no part claims was written for five minutes. Usage that is all
 * zero, of a line without a stop reason, is what some proxies write: nothing is known.
 */

import { member, textOf } from '../../../../bytes/json.ts';
import { at } from '../../fields.ts';
import { strictCount } from '../../prompt/numbers.ts';

/** The columns of `llm_call` that the line with the most output decides. */
export interface Usage {
  readonly input_uncached: number | null;
  readonly cache_read: number | null;
  readonly cache_write_5m: number | null;
  readonly cache_write_1h: number | null;
  readonly output: number | null;
  readonly reasoning: number | null;
  readonly web_search_requests: number | null;
  readonly web_fetch_requests: number | null;
  readonly iterations: number | null;
  readonly service_tier: string | null;
  readonly speed: string | null;
  readonly inference_geo: string | null;
}

/** What the usage of a message tells; its counts are null where they are unknown. */
export function usageOf(message: unknown): Usage {
  const usage = member(message, 'usage');
  if (typeof usage !== 'object' || usage === null) return NOTHING;
  const server = member(usage, 'server_tool_use');
  const writes = cacheWrites(usage);
  const iterations = member(usage, 'iterations');
  const told: Usage = {
    input_uncached: strictCount(member(usage, 'input_tokens')),
    cache_read: strictCount(member(usage, 'cache_read_input_tokens')),
    cache_write_5m: writes.fiveMinutes,
    cache_write_1h: writes.oneHour,
    output: strictCount(member(usage, 'output_tokens')),
    reasoning: strictCount(at(usage, 'output_tokens_details', 'thinking_tokens')),
    web_search_requests: strictCount(member(server, 'web_search_requests')),
    web_fetch_requests: strictCount(member(server, 'web_fetch_requests')),
    iterations: Array.isArray(iterations) ? iterations.length : null,
    service_tier: textOf(member(usage, 'service_tier')),
    speed: textOf(member(usage, 'speed')),
    inference_geo: textOf(member(usage, 'inference_geo')),
  };
  return isMade(told, message) ? withoutCounts(told) : told;
}

const NOTHING: Usage = {
  input_uncached: null,
  cache_read: null,
  cache_write_5m: null,
  cache_write_1h: null,
  output: null,
  reasoning: null,
  web_search_requests: null,
  web_fetch_requests: null,
  iterations: null,
  service_tier: null,
  speed: null,
  inference_geo: null,
};

function withoutCounts({ service_tier, speed, inference_geo, iterations }: Usage): Usage {
  return { ...NOTHING, iterations, service_tier, speed, inference_geo };
}

function cacheWrites(usage: object): { fiveMinutes: number | null; oneHour: number | null } {
  const flat = strictCount(member(usage, 'cache_creation_input_tokens'));
  const parts = member(usage, 'cache_creation');
  const fiveMinutes = strictCount(member(parts, 'ephemeral_5m_input_tokens'));
  const oneHour = strictCount(member(parts, 'ephemeral_1h_input_tokens'));
  if (flat === null && fiveMinutes === null && oneHour === null) {
    return { fiveMinutes: null, oneHour: null };
  }
  const long = oneHour ?? 0;
  return { fiveMinutes: Math.max(flat ?? 0, (fiveMinutes ?? 0) + long) - long, oneHour: long };
}

/** Whether all counts are zero and nothing says that the model stopped. */
function isMade(told: Usage, message: unknown): boolean {
  if (told.output !== 0 && told.output !== null) return false;
  const stop = member(message, 'stop_reason');
  if (stop !== undefined && stop !== null) return false;
  const { input_uncached: input, cache_read: read, cache_write_5m: short } = told;
  return (input ?? 0) + (read ?? 0) + (short ?? 0) + (told.cache_write_1h ?? 0) === 0;
}
