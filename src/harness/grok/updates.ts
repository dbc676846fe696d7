/**
 * What the updates of a session (`updates.jsonl`) tell that its chat does not.
 *
 * - `turn_completed` has the usage of all model calls of one prompt: they are one `llm_call`,
 *   called by the prompt. Told again, with more, it is the same one. Input includes the cache,
 *   output the reasoning. The cost counts 1e-10 US dollars; it is not known where the usage or the
 *   cost is said to be a part of the whole.
 * - `auto_compact_completed` is a compaction, also one that the person asked for.
 * - `subagent_spawned` and `subagent_finished` tell of a sub-agent; what kind it was asked to be,
 *   the `meta.json` of the parent tells, too.
 * - `retry_state` is a model call that is tried again.
 *
 * The updates name prompts by identifiers that the chat does not have: the turn is not known.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceContext } from '../harness.ts';
import type { Place, Rows } from '../parser.ts';
import { at, nonEmptyText } from '../shared/fields.ts';
import { instantMicros } from '../shared/prompt/instants.ts';
import { strictCount } from '../shared/prompt/numbers.ts';
import * as session from './session.ts';
import { spawnFacts } from './spawn.ts';

/** An update on its way, and where its rows go. */
interface Update {
  readonly update: unknown;
  readonly place: Place;
  readonly rows: Rows;
  readonly context: SourceContext;
  readonly session: string;
  readonly uid: string;
  readonly at: number | null;
}

/** Adds what an update tells. */
export function updateRows(value: unknown, place: Place, rows: Rows, context: SourceContext): void {
  const update = at(value, 'params', 'update');
  const own = session.idOf(context);
  if (!isObject(update) || own === '') return;
  const meta = at(value, 'params', '_meta');
  const id = nonEmptyText(member(meta, 'eventId')) ?? `u${place.byteOffset}`;
  const ms = strictCount(member(meta, 'agentTimestampMs'));
  const told = instantMicros(ms ?? member(value, 'timestamp'));
  const row: Update = { update, place, rows, context, session: own, uid: `${own}:${id}`, at: told };
  switch (member(update, 'sessionUpdate')) {
    case 'turn_completed':
      usageRow(row);
      break;
    case 'auto_compact_completed':
      compactionRows(row);
      break;
    case 'subagent_spawned':
    case 'subagent_finished':
      spawnRow(row);
      break;
    case 'retry_state': {
      const attempt = strictCount(member(update, 'attempt'));
      eventRow(row, 'api_retry', attempt === null ? null : `${attempt}`);
      break;
    }
    default:
  }
}

function ownerOf({ session: session_uid }: Update) {
  return { session_uid, agent_id: '' };
}

function usageRow(row: Update): void {
  const { update, rows, place, context, at: ts } = row;
  const usage = member(update, 'usage');
  if (!isObject(usage) || !rows.wants('llm_call')) return;
  const prompt = nonEmptyText(member(update, 'prompt_id'));
  const duration_ms = strictCount(usage['apiDurationMs']);
  rows.add('llm_call', place, {
    response_id: prompt === null ? row.uid : `${row.session}:${prompt}`,
    ...ownerOf(row),
    ts,
    model: modelOf(usage) ?? session.text(context, 'current_model_id'),
    ...bucketsOf(usage),
    stop_reason: textOf(member(update, 'stop_reason')),
    is_sidechain: session.isAgent(context),
    iterations: strictCount(usage['modelCalls']),
    duration_ms,
    latency_basis: duration_ms === null ? null : 'grok_api_duration',
    cost_usd: costOf(usage),
  });
}

/** The model, when all calls of the turn were of one. */
function modelOf(usage: unknown): string | null {
  const byModel = member(usage, 'modelUsage');
  const names = isObject(byModel) ? Object.keys(byModel) : [];
  return names.length === 1 ? (names[0] ?? null) : null;
}

function bucketsOf(usage: unknown) {
  const count = (name: string) => strictCount(member(usage, name));
  const input = count('inputTokens');
  const read = count('cachedReadTokens');
  const write = count('cacheCreationTokens');
  const whole = input === null ? null : Math.max(input - (read ?? 0) - (write ?? 0), 0);
  return {
    input_uncached: whole,
    cache_read: read,
    cache_write_5m: write,
    cache_write_1h: write === null ? null : 0,
    output: count('outputTokens'),
    reasoning: count('reasoningTokens'),
  };
}

const TICKS_IN_DOLLAR = 1e10;

function costOf(usage: unknown): number | null {
  const isPart = ['usageIsIncomplete', 'costIsPartial'].some(name => member(usage, name) === true);
  const ticks = strictCount(member(usage, 'costUsdTicks'));
  return isPart || ticks === null ? null : ticks / TICKS_IN_DOLLAR;
}

function compactionRows(row: Update): void {
  const { rows, place, uid, update, at: ts } = row;
  rows.add('compaction', place, {
    event_uid: uid,
    ...ownerOf(row),
    ts,
    pre_tokens: strictCount(member(update, 'tokens_before')),
    post_tokens: strictCount(member(update, 'tokens_after')),
  });
  eventRow(row, 'compaction', null);
}

function eventRow(row: Update, kind: string, value: string | null): void {
  const { rows, place, uid, at: ts } = row;
  rows.add('session_event', place, { event_uid: uid, kind, ...ownerOf(row), ts, value });
}

function spawnRow(row: Update): void {
  const { rows, place, update, context, at: told } = row;
  const child =
    nonEmptyText(member(update, 'child_session_id')) ?? nonEmptyText(member(update, 'subagent_id'));
  if (child === null) return;
  const isEnd = member(update, 'sessionUpdate') === 'subagent_finished';
  rows.add('subagent_spawn', place, {
    ...spawnFacts(row.session, child, context.companion(`child ${child}`), update),
    ...(isEnd ? { completed_at: told } : { spawned_at: told }),
    reported_tokens: strictCount(member(update, 'tokens_used')),
    reported_tool_uses: strictCount(member(update, 'tool_calls')),
    reported_duration_ms: strictCount(member(update, 'duration_ms')),
  });
}
