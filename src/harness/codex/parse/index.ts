/**
 * What the records of Codex mean: rollouts, from the JSON documents of spring 2025 on.
 *
 * Each record is opened once and named (`line.ts`). Copies that a fork made of another session's
 * records go no further (`replay.ts`); every other record goes to the file that knows its type.
 */

import { member } from '../../../bytes/json.ts';
import type { Parser, Place } from '../../parser.ts';
import { lookUp, nonEmptyText } from '../../shared/fields.ts';
import { payloadOf, typeOf } from '../record-types.ts';
import { isCall, isOutput } from '../tools.ts';
import { readCall } from './calls.ts';
import { claimCopy, readContextMessage, releaseCopy } from './copies.ts';
import { isCallEnd, readCallEnd } from './ends.ts';
import { addHeader, adoptFileName, adoptHeader, finishSession, readLaterHeader } from './header.ts';
import { itemType, readItem } from './items.ts';
import { type Line, openLine, type Reading } from './line.ts';
import {
  readAgentMessage,
  readAnswer,
  readCompaction,
  readHookPrompt,
  readHookRun,
  readWorldState,
} from './messages.ts';
import { readCallOutput } from './outputs.ts';
import { promptIn, readPrompt } from './prompts.ts';
import { readReasoning, readReasoningPart, releaseReasoning } from './reasoning.ts';
import { passOwn } from './replay.ts';
import { addEvent } from './session-event.ts';
import { readActivity } from './spawns.ts';
import {
  type ParseState,
  restoreState,
  type SavedParseState,
  saveState,
  startState,
} from './state.ts';
import {
  endTurn,
  isTurnEnd,
  isTurnStart,
  readTurnContext,
  startTurn,
  tellSwitches,
} from './turns.ts';
import { readServiceTier, readTokenCount, readUsageRecord } from './usage.ts';

/** The parser of Codex. */
export const codexParser: Parser<ParseState> = {
  version: 1,
  kinds: ['transcript'],
  start(source, context) {
    const state = startState(source.form, source.sessionId);
    // The header of a document stands around its items, and its record comes last.
    const rest = source.form === 'elements' ? context.rest() : undefined;
    if (isHeader(rest)) adoptHeader(state, payloadOf(rest));
    return state;
  },
  read(state, record, place, rows, context) {
    const { value } = record;
    if (isHeader(value) && !state.hasHeader) {
      readHeader({ state, rows, context }, record, place);
      return;
    }
    if (record.isRest) return;
    if (state.thread === null && !adoptFileName(state, rows, place)) return;
    state.place ??= place;
    passOwn(openLine({ state, rows, context }, record, place), readOwn);
  },
  finish(state, rows, context) {
    releaseCopy({ state, rows, context });
    releaseReasoning({ state, rows, context });
    finishSession(state, rows, context);
  },
  save: saveState,
  restore: saved => restoreState(saved as SavedParseState),
  harnessVersion: state => state.lastVersion,
};

/** Whether a record names its session. */
function isHeader(value: unknown): boolean {
  return typeOf(value) === 'session_meta' && nonEmptyText(member(payloadOf(value), 'id')) !== null;
}

function readHeader(reading: Reading, record: Line['record'], place: Place): void {
  const { state } = reading;
  const before = state.thread;
  if (!record.isRest) adoptHeader(state, payloadOf(record.value));
  // Rows that were made before the header keep the session that they belong to.
  if (before !== null) state.thread = before;
  state.hasHeader = true;
  const line = { ...openLine(reading, record, place), turn: null };
  noteTime(line);
  addHeader(line);
}

function noteTime({ state, at }: Line): void {
  if (at === null) return;
  state.firstAt = Math.min(state.firstAt ?? at, at);
  state.lastAt = Math.max(state.lastAt ?? at, at);
}

/** A record of the session itself. */
function readOwn(line: Line): void {
  noteTime(line);
  const prompt = promptIn(line);
  if (prompt !== null) {
    const copied = claimCopy(line, prompt);
    releaseReasoning(line);
    readPrompt(line, prompt, copied);
    return;
  }
  releaseCopy(line);
  if (endsReasoning(line)) releaseReasoning(line);
  readTyped(line);
}

function endsReasoning(line: Line): boolean {
  const { type, subtype } = line;
  if (type === 'response_item') return subtype !== 'reasoning';
  return isTurnStart(line) || isTurnEnd(line);
}

type Handler = (line: Line) => void;

function readTyped(line: Line): void {
  lookUp(BY_TYPE, line.type)?.(line);
}

function readResponseItem(line: Line): void {
  const { subtype, payload } = line;
  if (subtype === 'message') {
    if (member(payload, 'role') === 'assistant') readAnswer(line);
    else readContextMessage(line);
  } else if (subtype === 'reasoning') readReasoning(line);
  else if (subtype === 'agent_message') readAgentMessage(line);
  else if (isCall(payload)) readCall(line);
  else if (isOutput(payload)) readCallOutput(line);
}

function readEvent(line: Line): void {
  const { subtype } = line;
  if (isTurnStart(line)) startTurn(line);
  else if (isTurnEnd(line)) endTurn(line);
  else if (isCallEnd(subtype)) readCallEnd(line);
  else if (line.item !== undefined) readCompleted(line);
  else lookUp(BY_EVENT, subtype)?.(line);
}

function readCompleted(line: Line): void {
  const type = itemType(line.item);
  if (type === 'Reasoning') readReasoningPart(line);
  else if (type === 'HookPrompt') readHookPrompt(line);
  else readItem(line);
}

function readRollback(line: Line): void {
  const turns = member(line.payload, 'num_turns');
  addEvent(line, 'rollback', typeof turns === 'number' ? String(turns) : null, null);
}

function readGoal(line: Line): void {
  const goal = member(line.payload, 'goal') ?? line.payload;
  addEvent(line, 'goal_update', nonEmptyText(member(goal, 'status')), null);
}

function readSettings(line: Line): void {
  const settings = member(line.payload, 'thread_settings') ?? line.payload;
  const model = nonEmptyText(member(settings, 'model'));
  const effort =
    nonEmptyText(member(settings, 'reasoning_effort')) ?? nonEmptyText(member(settings, 'effort'));
  addEvent(line, 'thread_settings', model, effort === null ? null : { effort });
  tellSwitches(line, model, effort);
  readServiceTier(line);
}

const BY_TYPE: Readonly<Record<string, Handler>> = {
  session_meta: readLaterHeader,
  turn_context: readTurnContext,
  response_item: readResponseItem,
  event_msg: readEvent,
  token_usage_record: readUsageRecord,
  compacted: readCompaction,
  world_state: readWorldState,
};

const BY_EVENT: Readonly<Record<string, Handler>> = {
  token_count: readTokenCount,
  agent_reasoning: readReasoningPart,
  agent_reasoning_raw_content: readReasoningPart,
  sub_agent_activity: line => readActivity(line, line.payload),
  hook_completed: readHookRun,
  thread_settings_applied: readSettings,
  thread_rolled_back: readRollback,
  thread_goal_updated: readGoal,
};
