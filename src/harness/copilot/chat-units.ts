/**
 * From the chats of VS Code to rows of `conversations`.
 *
 * A chat is a document with `requests[]`, each of them a prompt with its response; older versions
 * keep it as `<chat>.json`, newer ones as a journal `<chat>.jsonl` (see `journal.ts`).
 *
 * By block (the default), a request gives, in this order: `user`, the prompt; `assistant`, all the
 * text of the response with the usage of the request, once there is a response; then by the order
 * of the parts `reasoning`, `tool_start` and `tool_result` as the CLI has them, and one row for
 * each part of another kind. What surrounds the requests is one row, `session_start`.
 *
 * By line, each element of a document is one row, and each line of a journal: what a line changes,
 * not what the chat became. A journal has no rows by block for lines that later ones overwrote.
 *
 * A request that is no object, a line that does not parse and one that does not fit the chat are
 * `_parse_error` rows.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';
import { notAnObject } from '../shared/diagnosis.ts';
import { kindOf, listOf } from '../shared/fields.ts';
import { partKind, toolResult, toolStatus } from './chat-parts.ts';
import { apply, entryProblem, type Journal, requestsOf, type Writers } from './journal.ts';

/** What a row of a chat stands for. `request` is a whole one, `entry` a line of a journal. */
export type ChatUnitKind =
  | 'session'
  | 'user'
  | 'assistant'
  | 'reasoning'
  | 'tool_start'
  | 'tool_result'
  | 'part'
  | 'request'
  | 'entry'
  | 'error';

/** A row in the making of a chat. */
export interface ChatUnit extends Unit {
  readonly format: 'chat';
  readonly kind: ChatUnitKind;
  readonly request: unknown;
  /** The part of the response that the row stands for. */
  readonly part: unknown;
  /** Identifier of the request before, or null. */
  readonly previous: string | null;
  /** The chat around the requests of a journal; a document is asked for its own. */
  readonly chat: unknown;
  /** Why an `error` is one. */
  readonly problem: string | null;
}

/** Receives the rows of a record. */
type EmitUnit = (unit: ChatUnit) => void;

/** The state while the elements of a document are read: plain JSON. */
export interface ChatState {
  /** Identifier of the request before, or null. */
  previous: string | null;
}

const NOTHING = { request: undefined, part: undefined, previous: null, chat: undefined };

/** The row of an element, or of what surrounds the elements. */
export function elementLine(record: SourceRecord, emit: EmitUnit): void {
  const problem = notAnObject(record);
  const plain = { ...NOTHING, format: 'chat', record, problem } as const;
  if (problem !== null) emit({ ...plain, kind: 'error' });
  else if (record.lineNumber === 0) emit({ ...plain, kind: 'session' });
  else emit({ ...plain, kind: 'request', request: record.value });
}

/** The rows of an element, or of what surrounds the elements. */
export function elementBlocks(state: ChatState, record: SourceRecord, emit: EmitUnit): void {
  elementLine(record, unit => {
    if (unit.kind !== 'request') emit(unit);
    else {
      const writers = { prompt: record, answer: record, parts: [] };
      requestBlocks({ ...unit, previous: state.previous }, writers, emit);
    }
  });
  state.previous = idOf(record.value);
}

/** The state while the lines of a journal are read by line: plain JSON. */
export interface EntryState {
  /** The chat of the last line of kind 0, without its requests. */
  chat: unknown;
}

/** The row of a line of a journal. */
export function entryLine(state: EntryState, record: SourceRecord, emit: EmitUnit): void {
  const { value } = record;
  const chat = member(value, 'v');
  if (member(value, 'kind') === 0 && isObject(chat)) state.chat = { sessionId: chat['sessionId'] };
  const problem = notAnObject(record) ?? entryProblem(record.value);
  const kind = problem === null ? 'entry' : 'error';
  emit({ ...NOTHING, format: 'chat', kind, record, problem, chat: state.chat });
}

/** Takes in a line of a journal; gives a row only when it cannot. */
export function entryBlocks(journal: Journal, record: SourceRecord, emit: EmitUnit): void {
  const problem = notAnObject(record) ?? entryProblem(record.value) ?? apply(journal, record);
  if (problem === null) return;
  const { chat } = journal;
  emit({ ...NOTHING, format: 'chat', kind: 'error', record, problem, chat });
}

/** The rows of a journal that is read to its end. */
export function journalBlocks({ chat, line, requests }: Journal, emit: EmitUnit): void {
  if (line === null) return;
  const plain = { ...NOTHING, format: 'chat', record: line, problem: null, chat } as const;
  emit({ ...plain, kind: 'session' });
  let previous: string | null = null;
  for (const [index, request] of requestsOf(chat).entries()) {
    const writers = requests[index] ?? { prompt: line, answer: line, parts: [] };
    const unit = { ...plain, kind: 'request', record: writers.prompt, request, previous } as const;
    if (isObject(request)) requestBlocks(unit, writers, emit);
    else
      emit({ ...unit, kind: 'error', problem: `the request is ${kindOf(request)}, not an object` });
    previous = idOf(request);
  }
}

function requestBlocks(unit: ChatUnit, writers: Writers<SourceRecord>, emit: EmitUnit): void {
  const { request } = unit;
  const parts = listOf(member(request, 'response'));
  emit({ ...unit, kind: 'user', record: writers.prompt });
  if (parts.length > 0 || isObject(member(request, 'result'))) {
    emit({ ...unit, kind: 'assistant', record: writers.answer });
  }
  for (const [index, part] of parts.entries()) {
    const record = writers.parts[index] ?? writers.answer;
    for (const kind of rowsOfPart(request, part)) emit({ ...unit, kind, record, part });
  }
}

function rowsOfPart(request: unknown, part: unknown): readonly ChatUnitKind[] {
  switch (partKind(part)) {
    case 'reasoning':
      return ['reasoning'];
    case 'other':
      return ['part'];
    case 'tool': {
      const isDone = toolStatus(part) !== null || toolResult(request, part) !== null;
      return isDone ? ['tool_start', 'tool_result'] : ['tool_start'];
    }
    default:
      return [];
  }
}

function idOf(request: unknown): string | null {
  return textOf(member(request, 'requestId'));
}
