/**
 * Lines of the model: one call of it is spread over several lines with one `message.id`.
 *
 * Each line counts, and adds its own figures; texts and calls of tools come from all of them. A
 * line that stands for a failed request says nothing of its own.
 */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { at, nonEmptyText } from '../../fields.ts';
import { textBlocks } from '../../prompt/blocks.ts';
import { linkedPaths } from '../../prompt/links.ts';
import { strictCount } from '../../prompt/numbers.ts';
import { isToolCall, isToolResult } from '../units.ts';
import { countLine, durationOf } from './latency.ts';
import { addEvent, addMessage, changed, type Line, TEXT, tell } from './line.ts';
import { readProviderResult } from './results.ts';
import { readCall } from './tool-calls.ts';
import { addArtifact } from './touches.ts';
import { abortTurn, noteAnswer } from './turns.ts';
import { usageOf } from './usage.ts';

const SYNTHETIC = '<synthetic>';
const LATENCY_BASIS = 'claude_parent_to_last_line';

/** Takes a record of type `assistant`. */
export function readAssistant(line: Line): void {
  const { value } = line;
  const { message } = value;
  if (!isObject(message)) tell(line, 'missing_field', 'message');
  const isError = value['isApiErrorMessage'] === true;
  const id = nonEmptyText(member(message, 'id'));
  const model = textOf(member(message, 'model'));
  const effort = textOf(value['effort']) ?? textOf(value['perTurnEffort']);
  noteAnswer(line, model === SYNTHETIC ? null : model, effort);
  line.state.afterCommand = null;
  addCall(line, id, { model, effort, isError });
  noteChanges(line, model, effort);
  if (isError) {
    const status = strictCount(value['apiErrorStatus']);
    const kind = textOf(value['error']);
    addEvent(line, 'api_error', { value: kind ?? 'error', detail: { status } });
  }
  if (value['isAbortedMidStream'] === true) {
    addEvent(line, 'interrupt', { value: 'mid_stream' });
    abortTurn(line, 'mid_stream');
  }
  const content = member(message, 'content');
  if (!isError) addSpeech(line, content, model);
  readBlocks(line, content, { id, model });
}

interface CallFacts {
  readonly model: string | null;
  readonly effort: string | null;
  readonly isError: boolean;
}

function addCall(line: Line, id: string | null, { model, effort, isError }: CallFacts): void {
  const { rows, place, value } = line;
  if (!rows.wants('llm_call')) return;
  const response = countLine(line, id);
  const { message } = value;
  const { owner, turn } = line.state;
  const usage = usageOf(message);
  const duration = durationOf(line, response);
  const missed = at(message, 'diagnostics', 'cache_miss_reason');
  rows.add('llm_call', place, {
    response_id: id ?? line.uid,
    session_uid: owner.session_uid,
    agent_id: owner.agent_id,
    turn_key: turn?.key ?? null,
    ts: line.at,
    model,
    // One by one: copying them with a spread makes an object that V8 handles slowly.
    input_uncached: usage.input_uncached,
    cache_read: usage.cache_read,
    cache_write_5m: usage.cache_write_5m,
    cache_write_1h: usage.cache_write_1h,
    output: usage.output,
    reasoning: usage.reasoning,
    web_search_requests: usage.web_search_requests,
    web_fetch_requests: usage.web_fetch_requests,
    iterations: usage.iterations,
    service_tier: usage.service_tier,
    speed: usage.speed,
    inference_geo: usage.inference_geo,
    stop_reason: textOf(member(message, 'stop_reason')),
    request_id: textOf(value['requestId']),
    effort,
    is_api_error: isError,
    error_kind: isError ? textOf(value['error']) : null,
    api_error_status: isError ? strictCount(value['apiErrorStatus']) : null,
    is_sidechain: value['isSidechain'] === true || line.state.identity.role !== 'main',
    line_count: response.lines,
    duration_ms: duration,
    latency_basis: duration === null ? null : LATENCY_BASIS,
    thinking_ms: strictCount(value['thinkingDurationMs']),
    cache_miss_type: textOf(member(missed, 'type')),
    cache_missed_tokens: strictCount(member(missed, 'cache_missed_input_tokens')),
    input_transform_types: transformTypes(member(message, 'input_transformations')),
    advisor_model: textOf(value['advisorModel']),
  });
}

/** The types of the transformations; null when one of them has none. */
function transformTypes(transformations: unknown): string | null {
  if (!Array.isArray(transformations)) return null;
  const types = transformations.map(each => textOf(member(each, 'type')));
  return types.includes(null) ? null : recordedJson(types);
}

/** A switch is told only after something to switch from. */
function noteChanges(line: Line, model: string | null, effort: string | null): void {
  const { state } = line;
  if (model !== null && model !== SYNTHETIC) {
    const before = changed(state, 'model', model);
    if (before) addEvent(line, 'model_switch', { value: model, detail: { from: before } });
  }
  if (effort === null) return;
  const before = changed(state, 'effort', effort);
  if (before) addEvent(line, 'effort_change', { value: effort, detail: { from: before } });
}

function addSpeech(line: Line, content: unknown, model: string | null): void {
  const { rows } = line;
  if (!rows.wants('message') && !rows.wants('artifact')) return;
  const text = textBlocks(content, TEXT);
  if (text === '') return;
  addMessage(line, { messageClass: 'assistant_text', text, role: 'assistant', model });
  if (!rows.wants('artifact')) return;
  for (const path of linkedPaths(text)) {
    const evidence = 'assistant-markdown';
    addArtifact(line, { uid: line.uid, callUid: null, path, action: 'linked', evidence });
  }
}

interface Answer {
  readonly id: string | null;
  readonly model: string | null;
}

function readBlocks(line: Line, content: unknown, answer: Answer): void {
  if (!Array.isArray(content)) return;
  content.forEach((block, index) => {
    if (isToolCall(block)) readCall(line, block, index, answer.id ?? line.uid);
    else if (isToolResult(block)) readProviderResult(line, block);
    else addThinking(line, block, index, answer.model);
  });
}

function addThinking(line: Line, block: unknown, index: number, model: string | null): void {
  if (!line.rows.wants('message')) return;
  const thought = thoughtOf(block);
  if (thought === null) return;
  addMessage(line, {
    messageClass: 'reasoning',
    uid: `${line.uid}:think:${index}`,
    role: 'assistant',
    model,
    ...thought,
  });
}

/** What a block says of the model's thoughts; null for one that says nothing. */
function thoughtOf(block: unknown): { text: string; detail?: { source: string } } | null {
  const type = member(block, 'type');
  if (type === 'redacted_thinking') return { text: '', detail: { source: 'redacted' } };
  if (type !== 'thinking') return null;
  const text = textOf(member(block, 'thinking')) ?? '';
  if (text !== '') return { text };
  const isSigned = nonEmptyText(member(block, 'signature')) !== null;
  return isSigned ? { text, detail: { source: 'signature_only' } } : null;
}
