/** A row of Codex in the making, and what later records have added to it. */

import type { JsonObject } from '../../bytes/json.ts';
import type { Unit } from '../harness.ts';
import { restoreRecord, type SavedRecord, saveRecord } from '../shared/saved-record.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import type { Turn } from './turn.ts';

/**
 * What a row stands for: a whole record by line; a record by block; or the usage of a model call or
 * the running total of a thread, which a record of usage tells.
 */
export type CodexUnitKind = 'line' | 'record' | 'usage' | 'total';

/** What the model made, where it made the row; usage and ends of turns belong to such rows. */
export type Product = 'answer' | 'thought' | 'call' | null;

/** Token counts as the harness wrote them, decoded or as JSON. */
export type Tokens = JsonObject | string;

/** Token counts, and what they count. */
export interface Usage {
  /** Decoded when somebody asks for one. */
  tokens: Tokens;
  readonly scope: string;
  /** The line that tells them. */
  readonly lineNumber: number;
}

/** How a turn ended. */
export interface Ending {
  readonly status: string;
  readonly stopReason: string;
}

/** A row in the making. It changes as long as it is held back, and never after. */
export interface CodexUnit extends Unit {
  kind: CodexUnitKind;
  readonly product: Product;
  /** What completed items may call it: the identifiers of its item and its call. */
  readonly ids: readonly string[];
  /** The settings of its turn; null where a line stands for itself. */
  readonly turn: Turn | null;
  /** Names of tools by call; null where a line stands for itself. */
  readonly tools: ReadonlyMap<string, string> | null;
  usage: Usage | null;
  ending: Ending | null;
  /** A completed item that tells more about the row. */
  item: unknown;
  /** Another row says the same. */
  isDropped: boolean;
  /** It is the first row of its file. */
  isFirst: boolean;
  /** The envelope of the record, once somebody has asked for it. */
  envelope: Envelope | null;
}

/** What the record of a unit is. */
export function envelopeOf(unit: Pick<CodexUnit, 'record' | 'envelope'>): Envelope {
  unit.envelope ??= openEnvelope(unit.record);
  return unit.envelope;
}

/** A unit as plain JSON. */
export interface SavedUnit extends Omit<CodexUnit, 'record' | 'tools' | 'envelope'> {
  readonly record: SavedRecord;
}

/** The unit as plain JSON. */
export function saveUnit(unit: CodexUnit): SavedUnit {
  const { record, tools: _tools, envelope: _envelope, ...rest } = unit;
  return { ...rest, record: saveRecord(record) };
}

/** The unit again. */
export function restoreUnit(saved: SavedUnit, tools: CodexUnit['tools']): CodexUnit {
  return { ...saved, record: restoreRecord(saved.record), tools, envelope: null };
}
