/**
 * Model calls and what they used.
 *
 * - From version 0.153 on each call has a `token_usage_record`. From the first one on, and in files
 *   of such versions, nothing else counts; records of another scope than one response never do.
 * - Before, `token_count` tells the usage of the last call and a running total. It is repeated
 *   whenever limits change, so it counts only when the total is another one than before. Where the
 *   usage of the last call is missing it is what the total grew by; a total that fell begins anew.
 * - A call takes from the last thing that it waited for to its record: the beginning of its turn,
 *   the output of a tool, or the count before. Where that is not certain the time is unknown.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { readLimits } from './limits.ts';
import { type Line, ownerOf, told } from './line.ts';
import type { ParseState, TurnState } from './state.ts';
import { sizeOf, type Tokens, tokensIn, tokensSince, usageColumns } from './tokens.ts';
import { turnStateOf } from './turns.ts';

/** `token_usage_record`. */
export function readUsageRecord(line: Line): void {
  const { state, payload } = line;
  const scope = told(line, 'scope') ?? 'response';
  const tokens = tokensIn(member(payload, 'usage') ?? member(payload, 'token_usage'));
  if (scope !== 'response' || tokens === null) return;
  state.hasUsageRecords = true;
  const turn = turnStateOf(line);
  const duration = turn === null ? null : latencyOf(line, turn);
  addCall(line, told(line, 'response_id') ?? `codex-tur:${line.uid}`, tokens, turn, duration);
  if (turn) turn.boundaryAt = null;
}

/** `token_count`. */
export function readTokenCount(line: Line): void {
  const { state } = line;
  readLimits(line);
  const before = state.total;
  const { last, total, isNew } = noteCount(line);
  const turn = turnStateOf(line);
  const used = last ?? (total === null ? null : tokensSince(total, before));
  if (isNew && used !== null && isLegacy(state)) {
    addCall(line, `codex-legacy:${line.uid}`, used, turn, null);
  }
  if (turn && line.at !== null) {
    turn.boundaryAt = line.at;
    turn.boundaryLine = line.place.lineNumber;
  }
}

/** Takes the running total of a count that makes no rows. */
export function noteTotal(line: Line): void {
  if (line.subtype === 'token_count') noteCount(line);
}

function noteCount({ state, payload }: Line) {
  const info = isObject(member(payload, 'info')) ? member(payload, 'info') : payload;
  const last = tokensIn(member(info, 'last_token_usage'));
  const recorded = member(info, 'total_token_usage');
  const total = tokensIn(recorded);
  const key = total === null ? null : recordedJson(recorded);
  const isNew = key === null ? last !== null : key !== state.totalKey;
  if (key !== null) {
    state.totalKey = key;
    state.total = total;
  }
  return { last, total, isNew };
}

const VERSION = /^0\.(\d+)/;
const FIRST_WITH_RECORDS = 153;

/** Whether `token_count` is all that tells usage. */
function isLegacy({ hasUsageRecords, firstVersion }: ParseState): boolean {
  const minor = VERSION.exec(firstVersion ?? '')?.[1];
  return !hasUsageRecords && (minor === undefined || Number(minor) < FIRST_WITH_RECORDS);
}

function addCall(
  line: Line,
  response: string,
  tokens: Tokens,
  turn: TurnState | null,
  duration: number | null,
): void {
  const { state, rows } = line;
  state.contextTokens = sizeOf(tokens);
  if (!rows.wants('llm_call')) return;
  const { session_uid, agent_id } = ownerOf(line);
  const counts = usageColumns(tokens);
  // One by one: copying them with a spread makes an object that V8 handles slowly.
  const row = {
    session_uid,
    agent_id,
    response_id: response,
    turn_key: line.turn,
    ts: line.at,
    model: turn?.model ?? state.model,
    effort: turn?.effort ?? state.effort,
    input_uncached: counts.input_uncached,
    cache_read: counts.cache_read,
    cache_write_5m: counts.cache_write_5m,
    cache_write_1h: counts.cache_write_1h,
    output: counts.output,
    reasoning: counts.reasoning,
    service_tier: state.serviceTier,
    context_window: turn?.window ?? null,
    is_sidechain: state.isSubagent,
    line_count: 1,
    duration_ms: duration,
    latency_basis: duration === null ? null : 'codex_prev_boundary_to_usage',
  };
  rows.add('llm_call', line.place, row, true);
}

const MICROS = 1000;

function latencyOf(line: Line, turn: TurnState): number | null {
  const { state, at } = line;
  const { boundaryAt, boundaryLine, isOpen } = turn;
  if (at === null || boundaryAt === null || !isOpen || at < boundaryAt) return null;
  const open = [...state.turns.values()].filter(one => one.isOpen);
  if (line.ownTurn === null && open.length > 1) return null;
  const isWaiting = [...state.calls.values()].some(
    call => call.turn === line.turn && call.line < boundaryLine,
  );
  return isWaiting ? null : Math.trunc((at - boundaryAt) / MICROS);
}

/** Settings that hold until others are told. */
export function readServiceTier(line: Line): void {
  const settings = member(line.payload, 'thread_settings') ?? line.payload;
  const tier = member(settings, 'service_tier');
  if (tier !== undefined) line.state.serviceTier = nonEmptyText(tier);
}
