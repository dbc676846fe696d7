/**
 * From the records of Codex to rows of `conversations`.
 *
 * By line, each record gives one row. By block:
 * - `session_meta` and `turn_context` give no row: what they say stands in the columns of the rows
 *   that follow. A header with members of the wrong type is a row with the diagnosis.
 * - A response item is a row, and so is an event, except for copies of what was said (`speech.ts`)
 *   and items that belong to a row (`items.ts`).
 * - `token_count` gives a row `token_usage_total` with the running total. The usage of the last
 *   model call goes to the nearest row before it that the model made and that has none, where there
 *   is no such row to a row `token_usage`. It counts only when the total is another one than
 *   before: Codex repeats a count whenever limits change.
 * - `token_usage_record`, from version 0.153 on, goes to the last answer or thought of its
 *   response, else of its turn, once, else to a row `token_usage`. From the first such record on
 *   the usage in `token_count` does not count: it is the same.
 * - The end of a turn sets the status of its last answer, else of its last thought.
 * - Everything else, known or not, malformed or not, is one row.
 *
 * Rows wait for what is added to them (`window.ts`).
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { itemOf, roleOfItem } from './items.ts';
import { type Call, isOneRow, peekCall, peekCounts, peekSubtype } from './peek.ts';
import { headerProblems } from './session.ts';
import { type Speech, speechIn } from './speech.ts';
import type { RowState } from './state.ts';
import { callIn, isCall, toolIn } from './tools.ts';
import { mergeTurns, ownTurnId, turnIn } from './turn.ts';
import {
  type CodexUnit,
  type CodexUnitKind,
  envelopeOf,
  type Product,
  type Usage,
} from './units.ts';
import {
  giveToNearest,
  giveToResponse,
  isNewCall,
  scopeOfRecord,
  type TokenCount,
  tokenCountIn,
  turnOf,
  usageInRecord,
} from './usage.ts';
import type { EmitUnit } from './window.ts';

/** The names of at least so many calls are kept for their outputs. */
const MIN_CALLS = 1024;

const NO_IDS: readonly string[] = [];

/** The rows of a record, block by block. */
export function blockRows(state: RowState, record: SourceRecord, emit: EmitUnit): void {
  decodedRows(state, { record, envelope: null }, emit);
}

/** The same for readers that take nothing from most records: what need not be decoded is not. */
export function peekedRows(state: RowState, record: SourceRecord, emit: EmitUnit): void {
  const read = { record, envelope: null };
  const subtype = peekSubtype(record);
  if (subtype === null || !undecodedRow(state, read, subtype, emit)) {
    decodedRows(state, read, emit);
  }
}

/** A record with its envelope, once that is open. */
type Read = Pick<CodexUnit, 'record' | 'envelope'>;

/** The rows of a record whose text tells enough; false when it does not. */
function undecodedRow(state: RowState, read: Read, subtype: string, emit: EmitUnit): boolean {
  if (isOneRow(subtype)) {
    addRow(state, read, emit);
    return true;
  }
  if (subtype === 'function_call' || subtype === 'custom_tool_call') {
    const found = peekCall(read.record);
    if (found) addCall(state, read, emit, found);
    return found !== null;
  }
  const counts = subtype === 'token_count' ? peekCounts(read.record) : null;
  if (counts) tokenCount(state, read, counts, emit);
  return counts !== null;
}

function decodedRows(state: RowState, read: Read, emit: EmitUnit): void {
  const { problem, type, payload } = envelopeOf(read);
  switch (problem === null ? type : null) {
    case 'session_meta':
      if (headerProblems(payload).length > 0) addRow(state, read, emit);
      break;
    case 'turn_context':
      if (isObject(payload)) enterTurn(state, payload);
      else addRow(state, read, emit);
      break;
    case 'response_item':
      responseItem(state, read, payload, emit);
      break;
    case 'event_msg':
      event(state, read, payload, emit);
      break;
    case 'token_usage_record':
      usageRecord(state, read, payload, emit);
      break;
    case 'response.completed':
      endTurn(state, payload, 'completed');
      addRow(state, read, emit);
      break;
    default:
      addRow(state, read, emit);
  }
}

/** Spelled out: every record makes one, and copies of objects cost more than all the rest. */
function unitOf(
  state: RowState,
  read: Read,
  product: Product = null,
  ids: readonly string[] = NO_IDS,
): CodexUnit {
  return {
    record: read.record,
    kind: 'record',
    product,
    ids,
    turn: state.turn,
    tools: state.tools,
    usage: null,
    ending: null,
    item: undefined,
    isDropped: false,
    isFirst: false,
    envelope: read.envelope,
  };
}

function addRow(
  state: RowState,
  read: Read,
  emit: EmitUnit,
  product: Product = null,
  ids: readonly string[] = NO_IDS,
): void {
  state.window.add(unitOf(state, read, product, ids), emit);
}

function addUsage(
  state: RowState,
  read: Read,
  emit: EmitUnit,
  kind: CodexUnitKind,
  usage: Usage,
): void {
  const unit = unitOf(state, read);
  unit.kind = kind;
  unit.usage = usage;
  state.window.add(unit, emit);
}

/** Another turn than before forgets what was said: only within a turn are equal texts copies. */
function enterTurn(state: RowState, payload: unknown): void {
  const turn = mergeTurns(state.turn, turnIn(payload));
  if (turn.id !== state.turn.id) state.conversation.forget();
  state.turn = turn;
}

function responseItem(state: RowState, read: Read, payload: unknown, emit: EmitUnit): void {
  const ids = idsIn(payload);
  const speech = speechIn('response', payload);
  if (speech) {
    addSpeech(state, unitOf(state, read, productOf(speech.role), ids), speech, emit);
    return;
  }
  const type = member(payload, 'type');
  const call = callIn(payload);
  if (isCall(payload) && call !== null) {
    addCall(state, read, emit, { id: idIn(payload), call, tool: toolIn(payload) });
  } else if (isCall(payload)) {
    addRow(state, read, emit, 'call', ids);
  } else if (type === 'reasoning') addRow(state, read, emit, 'thought', ids);
  else if (type === 'agent_message') addRow(state, read, emit, 'answer', ids);
  else addRow(state, read, emit, productOf(member(payload, 'role')), ids);
}

function idsIn(payload: unknown): readonly string[] {
  const id = idIn(payload);
  const call = callIn(payload);
  if (call === null) return id === null ? NO_IDS : [id];
  return id === null ? [call] : [id, call];
}

function idIn(payload: unknown): string | null {
  return nonEmptyText(member(payload, 'id')) ?? nonEmptyText(member(payload, 'item_id'));
}

function productOf(role: unknown): Product {
  return role === 'assistant' ? 'answer' : null;
}

/** A call; its outputs carry the name of its tool, too. */
function addCall(state: RowState, read: Read, emit: EmitUnit, { id, call, tool }: Call): void {
  addRow(state, read, emit, 'call', id === null ? [call] : [id, call]);
  if (tool === null) return;
  const { tools } = state;
  tools.set(call, tool);
  if (tools.size < 2 * MIN_CALLS) return;
  // Many at once: the first key of a map is found behind all that were deleted before it.
  for (const oldest of [...tools.keys()].slice(0, MIN_CALLS)) tools.delete(oldest);
}

/** A text that was said before in another way is no second row (see `speech.ts`). */
function addSpeech(state: RowState, unit: CodexUnit, speech: Speech, emit: EmitUnit): void {
  const copy = state.conversation.copyOf(speech);
  if (!copy) {
    state.conversation.add(speech, unit);
    state.window.add(unit, emit);
    return;
  }
  copy.ways.push(speech.way);
  const standing = copy.unit?.record.isHeld ? copy.unit : null;
  if (speech.way !== 'response') {
    if (standing && unit.item !== undefined) standing.item = unit.item;
  } else if (standing) {
    standing.isDropped = true;
    unit.usage = standing.usage;
    unit.ending = standing.ending;
    unit.item = standing.item;
    copy.unit = unit;
    state.window.add(unit, emit);
  }
}

function event(state: RowState, read: Read, payload: unknown, emit: EmitUnit): void {
  const type = member(payload, 'type');
  switch (type) {
    case 'user_message':
    case 'agent_message':
      message(state, read, payload, emit);
      break;
    case 'token_count':
      tokenCount(state, read, tokenCountIn(payload), emit);
      break;
    case 'item_completed':
      completedItem(state, read, payload, emit);
      break;
    case 'task_started':
    case 'turn_started':
      enterTurn(state, {
        turn_id: ownTurnId(payload),
        root_turn_id: member(payload, 'root_turn_id'),
      });
      addRow(state, read, emit);
      break;
    case 'turn_aborted':
      endTurn(state, payload, 'interrupted');
      addRow(state, read, emit);
      state.window.flush(emit);
      break;
    case 'task_complete':
    case 'task_completed':
    case 'turn_complete':
    case 'turn_completed':
      endTurn(state, payload, 'completed');
      addRow(state, read, emit);
      state.window.flush(emit);
      break;
    case 'response.completed':
      endTurn(state, payload, 'completed');
      addRow(state, read, emit);
      break;
    default:
      addRow(state, read, emit);
  }
}

function message(state: RowState, read: Read, payload: unknown, emit: EmitUnit): void {
  const speech = speechIn('event', payload);
  const product = member(payload, 'type') === 'agent_message' ? 'answer' : null;
  const unit = unitOf(state, read, product);
  if (speech) addSpeech(state, unit, speech, emit);
  else state.window.add(unit, emit);
}

function completedItem(state: RowState, read: Read, payload: unknown, emit: EmitUnit): void {
  const item = itemOf(payload);
  const ids = idsIn(item);
  const owner = state.window.findLast(unit => ids.some(id => unit.ids.includes(id)));
  if (owner) {
    owner.item = item;
    return;
  }
  const role = roleOfItem(item);
  const product = role === null ? productOfItem(item) : productOf(role);
  const unit = unitOf(state, read, product, ids);
  unit.item = item;
  const speech = role === null ? null : speechIn('item', payload);
  if (speech) addSpeech(state, unit, speech, emit);
  else state.window.add(unit, emit);
}

function productOfItem(item: unknown): Product {
  return textOf(member(item, 'type'))?.toLowerCase() === 'reasoning' ? 'thought' : null;
}

function tokenCount(
  state: RowState,
  read: Read,
  { last, total }: TokenCount,
  emit: EmitUnit,
): void {
  const { lineNumber } = read.record;
  const isNew = isNewCall(state, { last, total });
  if (isNew && last !== null) {
    const usage = { tokens: last, scope: 'legacy', lineNumber };
    if (!giveToNearest(state, usage)) addUsage(state, read, emit, 'usage', usage);
  }
  if (total !== null) {
    addUsage(state, read, emit, 'total', { tokens: total, scope: 'thread_total', lineNumber });
  } else if (!isNew) addRow(state, read, emit);
}

function usageRecord(state: RowState, read: Read, payload: unknown, emit: EmitUnit): void {
  const tokens = usageInRecord(payload);
  if (tokens === null) {
    addRow(state, read, emit);
    return;
  }
  const scope = scopeOfRecord(payload);
  const usage = { tokens, scope, lineNumber: read.record.lineNumber };
  if (scope !== 'response') {
    addUsage(state, read, emit, 'total', usage);
    return;
  }
  state.hasUsageRecords = true;
  if (!giveToResponse(state, payload, usage)) addUsage(state, read, emit, 'usage', usage);
}

/** Sets how the turn ended on its last answer, else its last thought. */
function endTurn({ window }: RowState, payload: unknown, outcome: string): void {
  const turn = ownTurnId(payload);
  const isOfTurn = (unit: CodexUnit) => turn === null || (turnOf(unit) ?? turn) === turn;
  const unit =
    window.findLast(one => one.product === 'answer' && isOfTurn(one)) ??
    window.findLast(one => one.product === 'thought' && isOfTurn(one));
  if (!unit) return;
  const status = nonEmptyText(member(payload, 'status')) ?? outcome;
  const reason =
    nonEmptyText(member(payload, 'stop_reason')) ?? nonEmptyText(member(payload, 'reason'));
  unit.ending = { status, stopReason: reason ?? status };
}
