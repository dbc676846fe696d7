/**
 * What Qwen Code measured: `ui_telemetry` records with an event in `systemPayload.uiEvent`.
 *
 * - `api_response` tells how long a model call took. It is the call of the answer that names it as
 *   its parent or has the same counts, and that comes before or behind it. One that belongs to no
 *   answer is a call of its own: the harness asked the model something.
 * - `api_error` is a call that failed.
 * - `tool_call` tells how long a tool took; the next result of that tool is the call's.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { Place } from '../parser.ts';
import { at, listOf, nonEmptyText } from '../shared/fields.ts';
import { callUid } from '../shared/parsed/chats/calls.ts';
import { firstCharacters } from '../shared/parsed/chats/texts.ts';
import { strictCount } from '../shared/prompt/numbers.ts';
import type { QwenLine } from './records.ts';

/** A measured call that waits for its answer. */
interface Response {
  readonly uuid: string;
  readonly place: Place;
  readonly at: number | null;
  readonly turn: string | null;
  readonly event: Readonly<Record<string, string | number | null>>;
}

/** An answer that waits for its measured call. */
interface Answer {
  readonly responseId: string;
  readonly input: number | null;
  readonly output: number | null;
}

/** What is remembered between two records; plain JSON. */
export interface Telemetry {
  response: Response | null;
  answer: Answer | null;
  tool: {
    readonly uuid: string;
    readonly name: string | null;
    readonly durationMs: number | null;
  } | null;
}

/** Nothing was measured yet. */
export function startTelemetry(): Telemetry {
  return { response: null, answer: null, tool: null };
}

/** Adds what an event tells. */
export function telemetryRows(line: QwenLine): void {
  const event = at(line.value, 'systemPayload', 'uiEvent');
  const name = textOf(member(event, 'event.name'))?.replace(/^.*\./, '');
  if (name === 'api_response') responseRows(line, event);
  else if (name === 'api_error') errorRows(line, event);
  else if (name === 'tool_call') {
    line.telemetry.tool = {
      uuid: textOf(member(line.value, 'uuid')) ?? '',
      name: textOf(member(event, 'function_name')),
      durationMs: strictCount(member(event, 'duration_ms')),
    };
  }
}

function responseRows(line: QwenLine, event: unknown): void {
  const { telemetry, place } = line;
  const count = (name: string) => strictCount(member(event, name));
  const response: Response = {
    uuid: textOf(member(line.value, 'uuid')) ?? '',
    place,
    at: line.at,
    turn: line.turn,
    event: {
      duration: count('duration_ms'),
      input: count('input_token_count'),
      output: count('output_token_count'),
      cached: count('cached_content_token_count'),
      thoughts: count('thoughts_token_count'),
      total: count('total_token_count'),
      model: textOf(member(event, 'model')),
      request: textOf(member(event, 'response_id')),
    },
  };
  const { answer } = telemetry;
  telemetry.answer = null;
  if (answer !== null && isSame(answer, response)) {
    measuredRow(line, response, answer.responseId);
    return;
  }
  flushResponse(line);
  telemetry.response = response;
}

/** Adds to the call of an answer how long it took, or waits for who tells. */
export function answerRows(line: QwenLine): void {
  const usage = member(line.value, 'usageMetadata');
  const { telemetry, value } = line;
  const answer: Answer = {
    responseId: line.uid,
    input: strictCount(member(usage, 'promptTokenCount')),
    output: strictCount(member(usage, 'candidatesTokenCount')),
  };
  const { response } = telemetry;
  const isNamed = response !== null && member(value, 'parentUuid') === response.uuid;
  if (response === null || !(isNamed || isSame(answer, response))) {
    telemetry.answer = isObject(usage) ? answer : null;
    return;
  }
  telemetry.response = null;
  telemetry.answer = null;
  measuredRow(line, response, answer.responseId, isObject(usage) ? null : response);
}

function isSame({ input, output }: Answer, { event }: Response): boolean {
  return input !== null && input === event['input'] && output === event['output'];
}

function measuredRow(
  line: QwenLine,
  { event }: Response,
  response_id: string,
  uncounted: Response | null = null,
): void {
  const { rows, place, owner, at: ts, turn, isAgent } = line;
  const whose = { response_id, ...owner };
  rows.add('llm_call', place, { ...whose, ...timesOf(event) });
  if (uncounted === null) return;
  const when = { turn_key: turn, ts, is_sidechain: isAgent };
  rows.add('llm_call', place, { ...whose, ...when, ...countsOf(uncounted.event) });
}

/** Adds a measured call that belongs to no answer. */
export function flushResponse({ telemetry, rows, owner, scope, isAgent }: FlushLine): void {
  const { response } = telemetry;
  telemetry.response = null;
  if (response === null) return;
  const { uuid, place, at: ts, turn, event } = response;
  rows.add('llm_call', place, {
    response_id: `${scope}:${uuid}`,
    ...owner,
    turn_key: turn,
    ts,
    is_sidechain: isAgent,
    ...timesOf(event),
    ...countsOf(event),
  });
}

/** What a call that belongs to no answer needs to know. */
export type FlushLine = Pick<QwenLine, 'telemetry' | 'rows' | 'owner' | 'scope' | 'isAgent'>;

type Facts = Response['event'];

function timesOf(event: Facts) {
  const duration_ms = numberOf(event, 'duration');
  return {
    duration_ms,
    latency_basis: duration_ms === null ? null : 'qwen_api_response',
    request_id: textOf(event['request']),
  };
}

function countsOf(event: Facts) {
  const input = numberOf(event, 'input');
  const cached = numberOf(event, 'cached');
  const output = numberOf(event, 'output');
  const thoughts = numberOf(event, 'thoughts');
  const isInside = numberOf(event, 'total') === (input ?? 0) + (output ?? 0);
  return {
    model: textOf(event['model']),
    input_uncached: input === null ? null : Math.max(input - (cached ?? 0), 0),
    cache_read: cached,
    output: output === null ? null : output + (isInside ? 0 : (thoughts ?? 0)),
    reasoning: thoughts,
  };
}

function numberOf(event: Facts, name: string): number | null {
  return strictCount(event[name]);
}

const VALUE_CHARACTERS = 200;

function errorRows(line: QwenLine, event: unknown): void {
  const { rows, place, uid, owner, turn, at: ts, isAgent } = line;
  const text = (name: string) => nonEmptyText(member(event, name));
  rows.add('llm_call', place, {
    response_id: uid,
    ...owner,
    turn_key: turn,
    ts,
    model: text('model'),
    is_sidechain: isAgent,
    is_api_error: true,
    error_kind: text('error_type'),
    api_error_status: strictCount(member(event, 'status_code')),
    ...timesOf({
      duration: strictCount(member(event, 'duration_ms')),
      request: text('response_id'),
    }),
  });
  const message = text('error_message') ?? text('error');
  const value = message === null ? null : firstCharacters(message, VALUE_CHARACTERS);
  const whose = { ...owner, turn_key: turn, ts };
  rows.add('session_event', place, { event_uid: uid, kind: 'api_error', value, ...whose });
}

/** Adds to the call of a result how long the tool took. */
export function measuredResult(line: QwenLine): void {
  const { telemetry, value, rows, place, owner, scope } = line;
  const { tool } = telemetry;
  telemetry.tool = null;
  const [response] = listOf(at(value, 'message', 'parts'))
    .map(part => member(part, 'functionResponse'))
    .filter(isObject);
  const id = textOf(member(response, 'id'));
  if (tool === null || id === null) return;
  const isTools = member(value, 'parentUuid') === tool.uuid || response?.['name'] === tool.name;
  if (!isTools || tool.durationMs === null) return;
  rows.add('tool_call', place, {
    call_uid: callUid(scope, id),
    ...owner,
    duration_ms: tool.durationMs,
  });
}
