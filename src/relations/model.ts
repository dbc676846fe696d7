/** Model calls, what they used, and the limits on that. */

import { flag, instant, integer, json, real, requiredText, text } from './column.ts';
import { origin, owner, place } from './origin.ts';
import { relation } from './relation.ts';

const KEEP = { merge: 'KEEP' } as const;
const MAX = { merge: 'MAX' } as const;
/** Columns of the line with the most output; the later line on a tie. */
const WINNER = { merge: 'WINNER' } as const;

/** Rows of `read_llm_calls()`: one per model call. Every figure of usage is a sum over these. */
export const llmCall = relation({
  name: 'llm_call',
  functionName: 'read_llm_calls',
  meaning: 'Model calls with what they used; sum these, never the columns of conversations',
  key: ['source', 'response_id'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    response_id: requiredText('Identifier of the call', KEEP),
    ...owner,
    turn_key: text('Turn it belongs to', KEEP),
    ts: instant('First record of the call', { merge: 'MIN' }),
    model: text('Model that answered', WINNER),
    input_uncached: integer('Input tokens that came neither from the cache nor went there', WINNER),
    cache_read: integer('Input tokens read from the cache', WINNER),
    cache_write_5m: integer('Input tokens written to the cache for 5 minutes', WINNER),
    cache_write_1h: integer('Input tokens written to the cache for an hour', WINNER),
    output: integer('Output tokens, reasoning included', WINNER),
    reasoning: integer('Output tokens that were reasoning', WINNER),
    web_search_requests: integer('Searches at the provider', WINNER),
    web_fetch_requests: integer('Fetches at the provider', WINNER),
    iterations: integer('Iterations at the provider', WINNER),
    service_tier: text('Tier of the service', WINNER),
    speed: text('Speed that was asked for', WINNER),
    inference_geo: text('Where it was computed', WINNER),
    stop_reason: text('Why the model stopped'),
    raw_stop_reason: text("The provider's own word for it"),
    request_id: text('Identifier of the request'),
    context_window: integer('Size of the context window in tokens'),
    effort: text('Reasoning effort that was asked for'),
    is_api_error: flag('It failed', { merge: 'OR' }),
    error_kind: text('How it failed'),
    api_error_status: integer('HTTP status of the failure'),
    is_sidechain: flag('It belongs to a sub-agent'),
    line_count: integer('Lines that the call is spread over', MAX),
    duration_ms: integer('How long it took, where the records tell'),
    latency_basis: text('What the duration is measured from and to'),
    ttft_ms: integer('Time to the first token'),
    thinking_ms: integer('Time that was spent thinking', MAX),
    processing_ms: integer('Time that the provider worked'),
    attempts: integer('Attempts until it succeeded'),
    cost_usd: real('Cost in US dollars, as recorded'),
    api: text('Programming interface that was used'),
    provider: text('Who served the model'),
    cache_miss_type: text('Why the cache was missed'),
    cache_missed_tokens: integer('Tokens that missed the cache'),
    input_transform_types: json('Transformations of the input, as a list'),
    advisor_model: text('Model that advised'),
    ...place,
  },
});

/** Rows of `read_rate_limit_samples()`: one per change of a limit. */
export const rateLimitSample = relation({
  name: 'rate_limit_sample',
  functionName: 'read_rate_limit_samples',
  meaning: 'Rate limits, whenever they changed',
  key: ['source', 'event_uid', 'window_kind'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the record'),
    window_kind: requiredText('Which limit: primary, secondary, credits, claude_five_hour …'),
    ...owner,
    ts: instant('When it was told'),
    limit_id: text('Identifier of the limit'),
    limit_name: text('Name of the limit'),
    plan_type: text('Plan of the account'),
    used_percent: real('How much is used, in percent'),
    window_minutes: integer('Length of the window'),
    resets_at: instant('When it begins anew'),
    reached_type: text('Which limit is reached, or how it stands'),
    ...place,
  },
});

/** Rows of `read_cost_states()`: one per running total of a session's cost. */
export const costState = relation({
  name: 'cost_state',
  functionName: 'read_cost_states',
  meaning: 'Running totals of what a session cost, as the harness counts; the last one counts',
  key: ['source', 'event_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the record'),
    ...owner,
    ts: instant('When it was told'),
    total_cost_usd: real('Cost so far in US dollars'),
    api_duration_ms: integer('Time in model calls'),
    api_duration_no_retry_ms: integer('The same without retries'),
    tool_duration_ms: integer('Time in tools'),
    total_duration_ms: integer('Time in all'),
    lines_added: integer('Lines added'),
    lines_removed: integer('Lines removed'),
    model_usage: json('Usage by model'),
    has_unknown_model_cost: flag('Some model had no price', { merge: 'UPDATE' }),
    start_time: instant('When the process began that counts'),
    ...place,
  },
});
