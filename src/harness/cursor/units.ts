/** A row of `conversations` in the making, whatever Cursor file it comes from. */

import { compactJson, partAsJson } from '../../bytes/json-print.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';

/** What is known of a conversation as a whole: plain JSON. */
export interface Chat {
  readonly sessionId: string;
  readonly title: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly isArchived: boolean | null;
  /** The chat that launched this one, and as what. */
  readonly parentSession: string | null;
  readonly agentRole: string | null;
  /** The folder that was open, where the chat itself tells. */
  readonly folder: string | null;
}

/** A conversation of which only the id is known. */
export function bareChat(sessionId: string): Chat {
  return {
    sessionId,
    title: null,
    model: null,
    branch: null,
    createdAt: null,
    updatedAt: null,
    isArchived: null,
    parentSession: null,
    agentRole: null,
    folder: null,
  };
}

/** A tool call or its result. */
export interface Tool {
  readonly name: string | null;
  readonly id: string | null;
  readonly status: string | null;
  /** The arguments as compact JSON. */
  readonly input: () => string | null;
}

/** A row in the making. */
export interface CursorUnit extends Unit {
  readonly chat: Chat;
  /** Place in the conversation, from 1. */
  readonly lineNumber: number;
  readonly type: string;
  readonly role: string | null;
  readonly text: string | null;
  readonly tool: Tool | null;
  /** The bubble that holds id, time and usage; undefined where there are none. */
  readonly bubble: unknown;
  readonly uuid: string | null;
  readonly parentUuid: string | null;
  /** The row stands for the bubble or message itself, not for a part of it. */
  readonly isMain: boolean;
  /** An earlier row carries the record, of which this row is a small part. */
  readonly isRawElsewhere: boolean;
  readonly problem: string | null;
}

/** Receives rows. */
export type EmitUnit = (unit: CursorUnit) => void;

/** A row of a record of which nothing is known but its place. */
export function plainUnit(record: SourceRecord, chat: Chat, type: string): CursorUnit {
  return {
    record,
    chat,
    lineNumber: record.lineNumber,
    type,
    role: null,
    text: null,
    tool: null,
    bubble: undefined,
    uuid: null,
    parentUuid: null,
    isMain: true,
    isRawElsewhere: false,
    problem: null,
  };
}

/** The row of a record that is not what Cursor writes. */
export function errorUnit(record: SourceRecord, chat: Chat, problem: string): CursorUnit {
  const unit = plainUnit(record, chat, '_parse_error');
  return { ...unit, text: `Parse error: ${problem}`, problem };
}

/** Arguments that a record holds, found from its decoded value. */
export function inputIn(record: SourceRecord, pick: (root: unknown) => unknown): Tool['input'] {
  return () => partAsJson(record, pick);
}

/** Arguments that were gathered from text. */
export function inputOf(value: unknown): Tool['input'] {
  return () => compactJson(value);
}
