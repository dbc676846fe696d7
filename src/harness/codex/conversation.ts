/**
 * The columns of `conversations` for Codex, each a function of a row's unit.
 *
 * Facts of the session (`session.ts`) are the same in all rows of a file. Model, effort, working
 * directory and identifiers of the turn are those that were told last before the record; by line
 * they are the record's own, if it has any.
 *
 * Input tokens include what was read from the cache, output tokens the reasoning, as Codex counts.
 * `usage_scope` is `response` for what one call cost, `legacy` for the same from a `token_count`,
 * `thread_total` for running totals, which nobody should sum.
 */

import { fnv1a64 } from '../../bytes/fnv.ts';
import { member, textOf } from '../../bytes/json.ts';
import { compactJson, partAsJson } from '../../bytes/json-print.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { addressCells, ofSource } from '../shared/address.ts';
import { lookUp, nonEmptyText, topLevelText } from '../shared/fields.ts';
import { authorOf } from './author.ts';
import { contentOf, messageType } from './content.ts';
import { callOfItem, inputOfItem, itemOf, rowTypeOfItem, toolOfItem } from './items.ts';
import { payloadOf } from './record-types.ts';
import { blockRows, peekedRows } from './rows.ts';
import { headerProblems, type Session, sessionOf } from './session.ts';
import { type RowState, restoreRows, type SavedState, saveRows, startRows } from './state.ts';
import { callIn, inputIn, toolIn } from './tools.ts';
import { type Turn, turnIn } from './turn.ts';
import { type CodexUnit, envelopeOf, type Usage } from './units.ts';
import {
  type Count,
  countOf,
  responseOf,
  scopeOfRecord,
  tokenCountIn,
  turnOf,
  usageInRecord,
} from './usage.ts';

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(
  source: string,
  { rows, columns }: ReadOptions,
): Reader<CodexUnit> {
  const cells = conversationCells(source);
  if (rows === 'line') return { ...lineReader, cells };
  return { ...blockReader, ...(needsDecoding(cells, columns) ? {} : { read: peekingRead }), cells };
}

/** Columns that come from the bytes of a record and its address. */
const OF_BYTES: ReadonlySet<string> = new Set(Object.keys(addressCells));

function needsDecoding(
  cells: Reader<CodexUnit>['cells'],
  columns: ReadOptions['columns'],
): boolean {
  if (!columns) return true;
  return [...columns].some(name => !OF_BYTES.has(name) && !cells[name]?.isOfSource);
}

type RowReader = Omit<Reader<CodexUnit>, 'cells'>;

/** The reader of rows by block, without cells. */
export const blockReader = {
  kinds: ['transcript'],
  start: startRows,
  read: (state, record, emit) => blockRows(state as RowState, record, emit),
  finish: (state, emit) => (state as RowState).window.flush(emit),
  save: state => saveRows(state as RowState),
  restore: saved => restoreRows(saved as SavedState),
} as const satisfies RowReader;

const peekingRead: RowReader['read'] = (state, record, emit) =>
  peekedRows(state as RowState, record, emit);

/** One row for a record. Records are not decoded here. */
const lineReader: RowReader = {
  kinds: ['transcript'],
  start: () => ({ isFirst: true }),
  read(state, record, emit) {
    const file = state as { isFirst: boolean };
    emit(lineUnit(record, file.isFirst));
    file.isFirst = false;
  },
};

function lineUnit(record: SourceRecord, isFirst: boolean): CodexUnit {
  return {
    record,
    kind: 'line',
    product: null,
    ids: NO_IDS,
    turn: null,
    tools: null,
    usage: null,
    ending: null,
    item: undefined,
    isDropped: false,
    isFirst,
    envelope: null,
  };
}

const NO_IDS: readonly string[] = [];

function conversationCells(source: string): Cells<typeof conversations, CodexUnit> {
  const { file_name, file_path, line_number, byte_offset, ordinal, raw_event } = addressCells;
  return {
    source: ofSource(() => source),
    file_name,
    file_path,
    line_number,
    byte_offset,
    ordinal,
    message_type: messageType,
    message_role: roleOf,
    message_content: contentOf,
    author: authorOf,
    uuid: uuidOf,
    parent_uuid: unit => own(unit, 'parent_id') ?? own(unit, 'parent_item_id'),
    timestamp: topLevelText('timestamp'),
    record_id: recordId,
    event_type: topLevelText('type'),
    parse_error: parseError,
    raw_event,
    metadata: metadataOf,
    ...sessionCells(),
    ...turnCells(),
    ...toolCells(),
    ...usageCells(),
  };
}

function sessionCells(): Cells<typeof conversations, CodexUnit> {
  const fact = (name: keyof Omit<Session, 'diagnostics'>) =>
    ofSource(context => sessionOf(context)[name]);
  return {
    session_id: fact('id'),
    project_path: fact('cwd'),
    is_agent: fact('isAgent'),
    slug: fact('title'),
    git_branch: fact('gitBranch'),
    git_commit: fact('gitCommit'),
    repository: fact('repository'),
    version: fact('version'),
    client: fact('client'),
    originator: fact('originator'),
    thread_source: fact('threadSource'),
    parent_session_id: fact('parent'),
    forked_from_session_id: fact('forkedFrom'),
    model_provider: fact('modelProvider'),
    agent_path: fact('agentPath'),
    agent_nickname: fact('agentNickname'),
    agent_role: fact('agentRole'),
    session_created_at: fact('createdAt'),
    session_updated_at: fact('updatedAt'),
    archived: fact('isArchived'),
  };
}

function turnCells(): Cells<typeof conversations, CodexUnit> {
  const setting = (name: keyof Turn) => (unit: CodexUnit) => settingsOf(unit)[name];
  return {
    model: setting('model'),
    reasoning_effort: setting('effort'),
    cwd: (unit, context) =>
      settingsOf(unit).cwd ?? (unit.turn === null ? null : sessionOf(context).cwd),
    turn_id: unit => (envelopeOf(unit).problem === null ? turnOf(unit) : settingsOf(unit).id),
    root_turn_id: unit => own(unit, 'root_turn_id') ?? settingsOf(unit).rootId,
    response_id: responseOf,
    channel: unit => said(unit, 'channel') ?? said(unit, 'phase'),
    status: statusOf,
    stop_reason: unit => unit.ending?.stopReason ?? null,
  };
}

/** The settings of the turn around a record; a line by itself tells its own. */
function settingsOf(unit: CodexUnit): Turn {
  return unit.turn ?? turnIn(envelopeOf(unit).payload);
}

/** A text in the payload of a record. */
function own(unit: CodexUnit, name: string): string | null {
  return nonEmptyText(member(envelopeOf(unit).payload, name));
}

/** A text in the payload, else in the item that completes it. */
function said(unit: CodexUnit, name: string): string | null {
  return own(unit, name) ?? nonEmptyText(member(itemIn(unit), name));
}

/** The item that a row is, or that told more about it. */
function itemIn(unit: CodexUnit): unknown {
  return unit.item ?? envelopeOf(unit).item;
}

function uuidOf(unit: CodexUnit): string | null {
  const { type, item } = envelopeOf(unit);
  if (type === 'session_meta') return null;
  return own(unit, 'id') ?? own(unit, 'item_id') ?? nonEmptyText(member(item, 'id'));
}

const ROLES: Readonly<Record<string, string>> = {
  agent_message: 'assistant',
  assistant: 'assistant',
  developer: 'developer',
  plan: 'assistant',
  reasoning: 'assistant',
  system: 'system',
  user: 'user',
  user_message: 'user',
};

function roleOf(unit: CodexUnit): string | null {
  const { problem, isCall, isOutput, item } = envelopeOf(unit);
  const role = lookUp(ROLES, messageType(unit));
  if (role !== undefined || problem !== null) return role ?? null;
  return isCall || isOutput || isToolItem(item) ? 'tool' : null;
}

/** Whether a completed item is that of a tool. */
function isToolItem(item: unknown): boolean {
  return item !== undefined && rowTypeOfItem(item).endsWith('_call');
}

function toolCells(): Cells<typeof conversations, CodexUnit> {
  return {
    tool_name: unit => {
      const { payload, isCall } = envelopeOf(unit);
      const call = callIn(payload);
      const called = isCall ? toolIn(payload) : null;
      const named = call === null ? null : (unit.tools?.get(call) ?? null);
      return called ?? named ?? toolOfItem(itemIn(unit));
    },
    tool_use_id: unit => {
      const { payload, item } = envelopeOf(unit);
      return callIn(payload) ?? (isToolItem(item) ? callOfItem(itemIn(unit)) : null);
    },
    tool_input: toolInput,
  };
}

/** Text as it is, anything else as JSON. */
function toolInput(unit: CodexUnit): string | null {
  const { isCall, item } = envelopeOf(unit);
  if (!isCall && !isToolItem(item)) return null;
  const pick = (root: unknown) =>
    isCall ? inputIn(payloadOf(root)) : inputOfItem(itemOf(payloadOf(root)));
  const input = pick(unit.record.value);
  if (typeof input === 'string') return input;
  if (input !== undefined) return partAsJson(unit.record, pick);
  const added = inputOfItem(unit.item);
  return textOf(added) ?? compactJson(added);
}

/** The outcome that a record tells; an output without one is completed, or it is missing. */
function statusOf(unit: CodexUnit): string | null {
  const status = said(unit, 'status') ?? unit.ending?.status ?? null;
  const { payload, isOutput } = envelopeOf(unit);
  if (status !== null || !isOutput) return status;
  const output = member(payload, 'output');
  return output === undefined || output === null ? 'missing_output' : 'completed';
}

function usageCells(): Cells<typeof conversations, CodexUnit> {
  const count = (name: Count) => (unit: CodexUnit) => {
    const usage = usageOf(unit);
    return usage === null ? null : countOf(usage, name);
  };
  return {
    input_tokens: count('input'),
    output_tokens: count('output'),
    cache_creation_tokens: count('cacheCreation'),
    cache_read_tokens: count('cacheRead'),
    reasoning_tokens: count('reasoning'),
    usage_scope: unit => usageOf(unit)?.scope ?? null,
    usage_source_line: unit => usageOf(unit)?.lineNumber ?? null,
  };
}

/** The usage of a row: what was added to it, else its own; a line by itself tells what it has. */
function usageOf(unit: CodexUnit): Usage | null {
  if (unit.usage !== null) return unit.usage;
  const { usage: tokens } = envelopeOf(unit);
  if (tokens !== null) return { tokens, scope: 'response', lineNumber: unit.record.lineNumber };
  return unit.kind === 'line' ? usageOfLine(unit) : null;
}

function usageOfLine(unit: CodexUnit): Usage | null {
  const { lineNumber } = unit.record;
  const { type, subtype, payload } = envelopeOf(unit);
  if (type === 'token_usage_record') {
    const tokens = usageInRecord(payload);
    return tokens === null ? null : { tokens, scope: scopeOfRecord(payload), lineNumber };
  }
  if (type !== 'event_msg' || subtype !== 'token_count') return null;
  const { last, total } = tokenCountIn(payload);
  if (last !== null) return { tokens: last, scope: 'legacy', lineNumber };
  return total === null ? null : { tokens: total, scope: 'thread_total', lineNumber };
}

const SEPARATOR = '\x1f';

/**
 * A hash of what identifies the record in its session; it moves with it to another file. Of records
 * without an identifier or a call the payload counts, as it is written.
 */
function recordId(unit: CodexUnit, context: SourceContext): string {
  const { record } = unit;
  const type = textOf(member(record.value, 'type')) ?? '';
  const content = uuidOf(unit) ?? callIn(envelopeOf(unit).payload) ?? payloadBytes(record);
  const { id } = sessionOf(context);
  const place = `${id}${SEPARATOR}${type}${SEPARATOR}`;
  return `codex:${fnv1a64(place, content, `${SEPARATOR}${record.lineNumber}`)}`;
}

const PAYLOAD = '"payload":';

/** The payload where it comes last, as Codex writes it; in records without one all there is. */
function payloadBytes({ buffer, start, end }: SourceRecord): Buffer {
  const bytes = buffer.subarray(start, end);
  const at = bytes.indexOf(PAYLOAD, 0, 'latin1');
  return at < 0 ? bytes : bytes.subarray(at + PAYLOAD.length, -1);
}

function parseError(unit: CodexUnit, context: SourceContext): string | null {
  const problems = problemsOf(unit, context);
  return problems.length === 0 ? null : problems.join('; ');
}

const NO_PROBLEMS: readonly string[] = [];

/** What is wrong with the record; in the first row also what is wrong with files beside it. */
function problemsOf(unit: CodexUnit, context: SourceContext): readonly string[] {
  const { record } = unit;
  const { problem, type, payload } = envelopeOf(unit);
  const isMeta = problem === null && type === 'session_meta';
  const isOrdinary = problem === null && !isMeta && !unit.isFirst;
  if (isOrdinary && !record.hasByteOrderMark) return NO_PROBLEMS;
  return [
    ...(problem === null ? [] : [problem]),
    ...(isMeta ? headerProblems(payload) : []),
    ...(record.hasByteOrderMark ? ['byte order mark before the record'] : []),
    ...(unit.isFirst ? sessionOf(context).diagnostics : []),
  ];
}

function metadataOf(unit: CodexUnit, context: SourceContext): string | null {
  if (!unit.isFirst) return null;
  const { diagnostics } = sessionOf(context);
  return diagnostics.length === 0 ? null : compactJson({ diagnostics });
}
