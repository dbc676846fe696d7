/**
 * Records that a fork copied from another session: they count there, and make no rows here.
 *
 * - Below the ordinal that the header names, records are copies.
 * - A fork whose header names none writes its copies in one burst, with new times: no gap in it is
 *   longer than a second. The fork's own first turn is the last that begins in the burst. What is
 *   behind its beginning may be copied as well: only the turn and its settings are kept, and for a
 *   sub-agent what was said to it.
 * - Identifiers of turns tell when they were made (UUIDs of version 7): a turn that was made before
 *   the session is a copy, however far apart its records are, and the first that was made after it
 *   is the session's own. This needs a header which names an ancestor, or an ancestor's header.
 * - Items and usage of another thread are copies always.
 *
 * Copies of running totals still set the total from which the session's own usage counts.
 */

import { member } from '../../../bytes/json.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { hold } from './held.ts';
import { type Line, openHeld } from './line.ts';
import type { Replay } from './state.ts';
import { isTurnStart } from './turns.ts';
import { noteTotal } from './usage.ts';
import { mintedAtMs } from './uuid-time.ts';

const BURST_GAP_MICROS = 1_000_000;
const MAX_TAIL = 64;

/** Takes a record that turned out to be the session's own. */
type Handle = (line: Line) => void;

/** Hands on a record that is the session's own, and before it what was held and is, too. */
export function passOwn(line: Line, handle: Handle): void {
  const { replay } = line.state;
  if (isOfOtherThread(line)) skip(line);
  else if (replay.mode === 'burst') readBurst(line, replay, handle);
  else if (isCopied(line, replay)) skip(line);
  else handle(line);
}

function isCopied(line: Line, replay: Replay): boolean {
  const ordinal = member(line.record.value, 'ordinal');
  if (replay.mode === 'ordinal' && replay.firstOrdinal !== null && typeof ordinal === 'number') {
    return ordinal < replay.firstOrdinal;
  }
  return replay.hasCopies && isOfCopiedTurn(line, replay);
}

const OF_THREADS: ReadonlySet<string> = new Set(['item_completed', 'item_started']);

function isOfOtherThread({ type, subtype, payload, thread }: Line): boolean {
  if (type !== 'token_usage_record' && !OF_THREADS.has(subtype)) return false;
  const other = nonEmptyText(member(payload, 'thread_id'));
  return other !== null && other !== thread;
}

function skip(line: Line): void {
  line.state.inherited++;
  noteTotal(line);
}

/** Whether a turn was made before the session; null where nothing tells. */
function isCopiedTurn(turn: string | null, { forkedAtMs }: Replay): boolean | null {
  const mintedMs = mintedAtMs(turn);
  return mintedMs === null || forkedAtMs === null ? null : mintedMs < forkedAtMs;
}

/** Whether a record is of a copied turn; one that names no turn is of the turn before it. */
function isOfCopiedTurn(line: Line, replay: Replay): boolean {
  replay.isInCopiedTurn = isCopiedTurn(line.ownTurn, replay) ?? replay.isInCopiedTurn;
  return replay.isInCopiedTurn;
}

function readBurst(line: Line, replay: Replay, handle: Handle): void {
  if (hasEnded(line, replay)) {
    endBurst(line, replay, handle);
    passOwn(line, handle);
    return;
  }
  isOfCopiedTurn(line, replay);
  const isCopy = isTurnStart(line) ? isCopiedTurn(line.ownTurn, replay) : null;
  if (isCopy === false) {
    // The turn is the session's own for certain, and all before it is not.
    replay.copied += replay.tail.length;
    replay.tail = [];
    endBurst(line, replay, handle);
    handle(line);
  } else {
    addToBurst(line, replay, isCopy === true);
    noteTotal(line);
  }
}

function hasEnded({ at }: Line, replay: Replay): boolean {
  if (at === null) return false;
  const isLater = replay.burstAt !== null && at - replay.burstAt > BURST_GAP_MICROS;
  replay.burstAt = at;
  return isLater;
}

function addToBurst(line: Line, replay: Replay, isCopy: boolean): void {
  if (isTurnStart(line)) {
    replay.copied += replay.tail.length + replay.dropped;
    replay.dropped = 0;
    replay.tail = isCopy ? [] : [hold(line.record, line)];
    if (isCopy) replay.copied++;
  } else if (replay.tail.length === 0) replay.copied++;
  else if (isKept(line) && replay.tail.length < MAX_TAIL) replay.tail.push(hold(line.record, line));
  else replay.dropped++;
}

/** What a turn is made of that may still be the fork's own, although it came within the burst. */
function isKept(line: Line): boolean {
  const { state, type, subtype, payload, item } = line;
  if (type === 'turn_context') return true;
  if (!state.isSubagent) return false;
  if (type === 'world_state') return true;
  if (type === 'response_item') {
    return (
      subtype === 'agent_message' ||
      (subtype === 'message' && member(payload, 'role') !== 'assistant')
    );
  }
  return subtype === 'user_message' || member(item, 'type') === 'UserMessage';
}

function endBurst(line: Line, replay: Replay, handle: Handle): void {
  const { state } = line;
  const { tail } = replay;
  state.inherited += replay.copied + replay.dropped;
  replay.copied = 0;
  replay.dropped = 0;
  replay.tail = [];
  replay.mode = 'turns';
  for (const held of tail) handle(openHeld(line, held));
}
