/**
 * Model calls: one for each answer, and one for each record about a call aside, which writes a
 * summary or keeps the cache warm.
 *
 * pi's input excludes the cache, so its counts are disjoint as they are. It does not tell for how
 * long the cache keeps what was written to it: all of it counts as 5 minutes, none as an hour.
 * Usage that is all zero without a reason why the model stopped was made up by a proxy: unknown.
 *
 * The request of an answer begins with the time of its message, in milliseconds, and ends with the
 * time of its entry, when that names a zone. An extension may record the time of the first token,
 * the attempts, and headers of the response.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { recall } from '../../shared/bounded.ts';
import { at, nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { valueWithCounts } from './counts.ts';
import { failureOf } from './failures.ts';
import { messageText, type Step } from './state.ts';
import { effortOf } from './turns.ts';

/** Adds the call of an answer; a failed one counts even where it has no usage. */
export function addCallOfAnswer(step: Step, responseId: string, turnKey: string): void {
  const { message, rows, place, owner, isAgent } = step;
  const stopReason = messageText(step, 'stopReason');
  const isFailed = stopReason === 'error';
  if (!rows.wants('llm_call') || !(isFailed || isObject(member(message, 'usage')))) return;
  const counted = member(valueWithCounts(step.record, 'usage', 'loopPiTiming'), 'message');
  const model = nonEmptyText(member(message, 'model'));
  const failure = isFailed ? failureOf(messageText(step, 'errorMessage')) : null;
  rows.add('llm_call', place, {
    ...{ response_id: responseId, ...owner, turn_key: turnKey, ts: step.at, model },
    ...usageOf(message, counted, stopReason !== null),
    ...{ stop_reason: stopReason, effort: effortOf(step), is_sidechain: isAgent, line_count: 1 },
    ...{ is_api_error: isFailed, error_kind: failure?.kind ?? null },
    api_error_status: failure?.status ?? null,
    ...{ api: messageText(step, 'api'), provider: messageText(step, 'provider') },
    ...timesOf(step, counted),
    service_tier: tierOf(step, model),
  });
}

/** Adds the call that a record tells of aside, if it has usage. */
export function addCallAside(step: Step, stopReason: string): void {
  const { value, rows, place, owner, uid, state } = step;
  if (!rows.wants('llm_call') || !isObject(member(value, 'usage'))) return;
  rows.add('llm_call', place, {
    ...{ response_id: `pi:${uid}`, ...owner, turn_key: state.turn, ts: step.at },
    model: nonEmptyText(member(value, 'model')),
    provider: nonEmptyText(member(value, 'provider')),
    ...usageOf(value, valueWithCounts(step.record, 'usage'), true),
    ...{ stop_reason: stopReason, is_sidechain: step.isAgent, line_count: 1 },
  });
}

function usageOf(holder: unknown, counted: unknown, isTold: boolean) {
  const count = (name: string) => strictCount(at(counted, 'usage', name));
  const [input, output] = [count('input'), count('output')];
  const [read, written] = [count('cacheRead'), count('cacheWrite')];
  if (!isTold && input === 0 && output === 0 && !read && !written) return {};
  return {
    ...{ input_uncached: input, cache_read: read, cache_write_5m: written, output },
    cache_write_1h: written === null ? null : 0,
    reasoning: count('reasoning'),
    cost_usd: costOf(at(holder, 'usage', 'cost')),
  };
}

function costOf(cost: unknown): number | null {
  const total = isObject(cost) ? cost['total'] : undefined;
  return typeof total === 'number' && Number.isFinite(total) && total >= 0 ? total : null;
}

const MICROS = 1000;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

function timesOf({ value }: Step, counted: unknown) {
  const requestedAt = strictCount(member(counted, 'timestamp'));
  const written = member(value, 'timestamp');
  const endedAt = typeof written === 'string' && ZONE.test(written) ? instantMicros(written) : null;
  const end = endedAt === null ? null : Math.floor(endedAt / MICROS);
  const duration = difference(requestedAt, end);
  const timing = (name: string) => strictCount(at(counted, 'loopPiTiming', name));
  return {
    duration_ms: duration,
    latency_basis: duration === null ? null : 'pi_request_to_entry',
    ttft_ms: difference(requestedAt, timing('firstTokenAt')),
    attempts: timing('attempts'),
    processing_ms: timing('processingMs'),
    request_id: nonEmptyText(headerOf(counted, 'x-request-id')),
  };
}

function difference(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : to - from;
}

function headerOf(message: unknown, name: string): unknown {
  return member(at(message, 'loopPiTiming', 'headers'), name);
}

/** The tier that the response names, else the one that the session runs the model with. */
function tierOf({ message, state }: Step, model: string | null): string | null {
  const told = nonEmptyText(headerOf(message, 'service-tier'));
  return told ?? (model === null ? null : recall(state.tiers, model));
}
