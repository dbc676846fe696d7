/** Messages, turns and events of a chat. */

import { lookUp } from '../../fields.ts';
import { MESSAGE_CLASSES, type MessageClass } from '../../prompt/classes.ts';
import { promptOrigin } from '../../prompt/origin.ts';
import { afterCodePoints } from '../../prompt/wire-space.ts';
import { splitWrappers } from '../../prompt/wrappers.ts';
import type { ChatRow } from './parser.ts';

/**
 * Adds the message that a row is, and the turn or the event that it tells of. Whether it is the
 * words of a person.
 */
export function textRows(row: ChatRow): boolean {
  const { type, rules } = row;
  const isEvent = eventRow(row);
  switchRows(row);
  if (rules.compactionTypes.has(type)) compactionRow(row);
  else if (lookUp(rules.turnEndTypes, type) !== undefined) turnEndRow(row);
  // What an event says is no part of the talk.
  else if (!isEvent) return sayingRows(row);
  return false;
}

function sayingRows(row: ChatRow): boolean {
  const { type, author, facts } = row;
  const text = facts.text('message_content');
  if (type === 'user' && (author === 'user' || author === 'caller')) return promptRow(row, text);
  touchTurn(row);
  if (text === null || type.startsWith('tool_') || author === 'tool') return false;
  const isThought = type === 'thinking' || type === 'reasoning';
  if (author === 'agent') messageRow(row, isThought ? 'reasoning' : 'assistant_text', text);
  else harnessRow(row, text);
  return false;
}

/** What the harness says; by its class, where the records tell it. */
function harnessRow(row: ChatRow, text: string): void {
  const { facts } = row;
  const named = facts.text('message_class');
  const messageClass = MESSAGE_CLASSES.find(name => name === named) ?? 'context_injection';
  const role = messageClass === 'agent_message' ? 'user' : 'system';
  messageRow(row, messageClass, text, role, { trigger_class: facts.text('trigger_class') });
}

/** A prompt opens a turn, also when it holds nothing but images. */
function promptRow(row: ChatRow, text: string | null): boolean {
  const { author, state, uid, facts, isAgent } = row;
  const isHuman = author === 'user' && !isAgent;
  if (isHuman && facts.flag('is_queued')) {
    touchTurn(row);
    return text !== null && humanRows(row, text, 'queued_prompt');
  }
  state.turn = facts.text('turn_id') ?? uid;
  if (!isHuman) {
    turnRow(row, isAgent ? 'subagent_brief' : 'sdk');
    if (text !== null) messageRow(row, 'agent_message', text, 'user');
    return false;
  }
  const hasSpoken = text === null || humanRows(row, text, 'human_prompt');
  turnRow(row, hasSpoken ? 'human' : 'meta');
  return hasSpoken;
}

/** The words of a person, and what the harness put among them; whether there are any words. */
function humanRows(
  row: ChatRow,
  text: string,
  messageClass: 'human_prompt' | 'queued_prompt',
): boolean {
  const { human, isHumanBlank, injections } = splitWrappers(text);
  if (!isHumanBlank) {
    const prompt_origin = promptOrigin(human);
    messageRow(row, messageClass, human, 'user', { prompt_origin, trigger_class: 'user' });
  }
  injections.forEach((injection, index) => {
    const isFirst = isHumanBlank && index === 0;
    const uidOfInjection = isFirst ? row.uid : `${row.uid}:injection:${index}`;
    const { tag, textStart, textEnd } = injection;
    const detail = JSON.stringify({ source: tag, text_start: textStart, text_end: textEnd });
    const own = { ...row, uid: uidOfInjection };
    messageRow(own, injection.messageClass, injection.text, 'user', { detail });
  });
  return !isHumanBlank;
}

/** What some messages have beside their text. */
interface MessageMore {
  readonly prompt_origin?: string;
  readonly trigger_class?: string | null;
  readonly detail?: string;
}

/** Adds a message. */
export function messageRow(
  { rows, place, owner, uid, state, at, facts, isAgent }: ChatRow,
  messageClass: MessageClass,
  text: string,
  role: 'user' | 'assistant' | 'system' = 'assistant',
  more: MessageMore = {},
): void {
  if (!rows.wants('message')) return;
  rows.add('message', place, {
    event_uid: uid,
    ...owner,
    turn_key: state.turn,
    ts: at,
    role,
    message_class: messageClass,
    text,
    model: role === 'assistant' ? facts.text('model') : null,
    is_sidechain: isAgent,
    seq: place.lineNumber * 10 + (messageClass === 'reasoning' ? 0 : 1),
    ...more,
  });
}

/** A row that names another turn than the one before it opens that. */
function touchTurn(row: ChatRow): void {
  const { facts, state } = row;
  const named = facts.text('turn_id');
  if (named !== null) state.turn = named;
  if (state.turn !== null) turnRow(row, null);
}

function turnRow({ rows, place, owner, state, at, facts, author }: ChatRow, origin: string | null) {
  if (!rows.wants('turn') || state.turn === null) return;
  rows.add('turn', place, {
    ...owner,
    turn_key: state.turn,
    origin,
    started_at: at,
    completed_at: author === 'user' || author === 'caller' ? null : at,
    model: facts.text('model'),
    effort: facts.text('reasoning_effort'),
  });
}

function turnEndRow({ rows, rules, place, owner, state, at, facts, type }: ChatRow): void {
  const turn_key = facts.text('turn_id') ?? state.turn;
  if (turn_key === null) return;
  rows.add('turn', place, {
    ...owner,
    turn_key,
    completed_at: at,
    status: lookUp(rules.turnEndTypes, type) ?? facts.text('status'),
  });
}

function compactionRow(row: ChatRow): void {
  const { rows, place, uid, facts } = row;
  rows.add('compaction', place, {
    event_uid: uid,
    ...momentOf(row),
    trigger: facts.text('compaction_trigger'),
    pre_tokens: facts.count('pre_tokens'),
    post_tokens: facts.count('post_tokens'),
  });
  addEvent(row, 'compaction', null);
  const text = facts.text('message_content');
  if (text !== null) messageRow(row, 'compaction_summary', text, 'user');
}

/** Whether the row is an event of its own. */
function eventRow(row: ChatRow): boolean {
  const { rules, facts, type } = row;
  const kind = facts.text('event_kind') ?? lookUp(rules.eventTypes, type);
  if (kind === undefined) return false;
  addEvent(row, kind, facts.text('message_content'));
  return true;
}

function switchRows(row: ChatRow): void {
  const { state, facts } = row;
  const model = facts.text('model');
  const effort = facts.text('reasoning_effort');
  if (model !== null && state.lastModel !== null && model !== state.lastModel) {
    addEvent(row, 'model_switch', model);
  }
  if (effort !== null && state.lastEffort !== null && effort !== state.lastEffort) {
    addEvent(row, 'effort_change', effort);
  }
  state.lastModel = model ?? state.lastModel;
  state.lastEffort = effort ?? state.lastEffort;
}

/** Values of events are cut, as their column says. */
const VALUE_CHARACTERS = 200;

/** Adds an event of the session. */
export function addEvent(row: ChatRow, kind: string, value: string | null): void {
  const { rows, place, uid } = row;
  const short = value === null ? null : firstCharacters(value, VALUE_CHARACTERS);
  rows.add('session_event', place, { event_uid: uid, kind, value: short, ...momentOf(row) });
}

function momentOf({ owner, state, at }: ChatRow) {
  return { ...owner, turn_key: state.turn, ts: at };
}

/** The first characters of wire text, never a part of one. */
export function firstCharacters(text: string, count: number): string {
  const end = text.length <= count ? null : afterCodePoints(text, 0, count);
  return end === null ? text : text.slice(0, end);
}
