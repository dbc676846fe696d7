/**
 * From the records of pi to rows of `conversations`.
 *
 * A record is an object with a string `type`; `message` records carry a message with a role. Every
 * record is a row, on whatever branch of the session it lies: `parentId` tells the branch.
 *
 * By block (the default), the message of an assistant gives one row with all its text and its first
 * tool call, then one row for each thinking block that holds text, each further tool call and each
 * block of a kind that is not known (its type is the row's type). Every other record gives one row.
 *
 * By line, each record gives one row.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';
import { blocksOf } from '../shared/blocks.ts';
import { at, nonEmptyText } from '../shared/fields.ts';
import type { Session, Settings } from './session.ts';

/** What a row stands for: a whole record, or a block of its message. */
export type PiUnitKind = 'record' | 'thinking' | 'tool_call' | 'block';

/** A row in the making, with what earlier records told. */
export interface PiUnit extends Unit {
  readonly kind: PiUnitKind;
  /** Position of the block in `message.content`, or -1. */
  readonly blockIndex: number;
  readonly session: Session;
  readonly settings: Settings;
}

/** What all rows of a record share. */
export type Known = Pick<PiUnit, 'session' | 'settings'>;

/** The row of a whole record. */
export function recordUnit(record: SourceRecord, known: Known): PiUnit {
  return { record, kind: 'record', blockIndex: -1, ...known };
}

/** Gives the rows of a record, block by block. */
export function blockUnits(record: SourceRecord, known: Known, emit: (unit: PiUnit) => void): void {
  emit(recordUnit(record, known));
  if (roleOf(record.value) !== 'assistant') return;
  let toolCalls = 0;
  for (const [blockIndex, block] of blocksOf(record.value).entries()) {
    const kind = kindOfBlock(block);
    const isFirstCall = kind === 'tool_call' && toolCalls++ === 0;
    if (kind && !isFirstCall) emit({ record, kind, blockIndex, ...known });
  }
}

/** The role of the message that a record carries; null for other records. */
export function roleOf(value: unknown): string | null {
  return member(value, 'type') === 'message' ? textOf(at(value, 'message', 'role')) : null;
}

/** Whether a block calls a tool. */
export function isToolCall(block: unknown): boolean {
  return member(block, 'type') === 'toolCall';
}

function kindOfBlock(block: unknown): PiUnitKind | null {
  const type = member(block, 'type');
  if (typeof type !== 'string' || type === 'text') return null;
  if (type === 'thinking') {
    return nonEmptyText(member(block, 'thinking')) === null ? null : 'thinking';
  }
  return isToolCall(block) ? 'tool_call' : 'block';
}
