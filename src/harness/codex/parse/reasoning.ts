/**
 * What the model thought.
 *
 * A response item tells it, whole or encrypted; events and completed items tell the same in parts,
 * before it or behind it. Parts are held until the item comes: the item's own words count, else
 * those of the parts. Without an item the parts are a row of their own. Parts that repeat the item
 * before them are none, and what is only encrypted leaves nothing.
 */

import { fnv1a64 } from '../../../bytes/fnv.ts';
import { member } from '../../../bytes/json.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { hold } from './held.ts';
import { type Line, openHeld, type Reading } from './line.ts';
import { addMessage } from './message-row.ts';

const MAX_HELD = 64;

/** The words of a record: summaries, then what was thought in full. */
function partsIn({ type, subtype, payload, item }: Line): readonly string[] {
  if (type === 'response_item') {
    return [...textsIn(member(payload, 'summary')), ...textsIn(member(payload, 'content'))];
  }
  if (subtype === 'item_completed') {
    return [...textsIn(member(item, 'summary_text')), ...textsIn(member(item, 'raw_content'))];
  }
  const text = nonEmptyText(member(payload, 'text'));
  return text === null ? [] : [text];
}

function textsIn(list: unknown): readonly string[] {
  return listOf(list).flatMap(
    part => nonEmptyText(part) ?? nonEmptyText(member(part, 'text')) ?? [],
  );
}

/** A response item `reasoning`. */
export function readReasoning(line: Line): void {
  const { state } = line;
  const own = partsIn(line);
  const held = state.reasoning.map(one => openHeld(line, one));
  state.reasoning = [];
  const first = held[0];
  if (own.length > 0 || first === undefined) addReasoning(line, own, 'reasoning');
  else addReasoning(line, [...new Set(held.flatMap(partsIn))], sourceOf(first));
}

/** An event or a completed item that tells a part. */
export function readReasoningPart(line: Line): void {
  const { state } = line;
  const { turn, hashes } = state.lastReasoning;
  const parts = partsIn(line);
  const isRepeated = turn === line.turn && parts.every(part => hashes.includes(fnv1a64(part)));
  if (parts.length === 0 || isRepeated) return;
  if (state.reasoning.length === MAX_HELD) releaseReasoning(line);
  state.reasoning.push(hold(line.record, line));
}

/** No response item tells the parts that are held. */
export function releaseReasoning(reading: Reading): void {
  const { state } = reading;
  const held = state.reasoning.map(one => openHeld(reading, one));
  state.reasoning = [];
  const first = held[0];
  if (first) addReasoning(first, [...new Set(held.flatMap(partsIn))], sourceOf(first));
}

function sourceOf({ subtype, item }: Line): string {
  return nonEmptyText(member(item, 'type')) ?? subtype;
}

function addReasoning(line: Line, parts: readonly string[], source: string): void {
  if (parts.length === 0) return;
  line.state.lastReasoning = { turn: line.turn, hashes: parts.map(part => fnv1a64(part)) };
  const text = parts.join('\n\n');
  addMessage(line, { role: 'assistant', messageClass: 'reasoning', text, detail: { source } });
}
