/**
 * From the records of the Copilot CLI to rows of `conversations`.
 *
 * A record is `{type, data, id, timestamp, parentId}`, and `agentId` where a sub-agent wrote it.
 *
 * By block (the default), a record gives one row, with two exceptions:
 * - `assistant.message` with readable reasoning gives one more row, `reasoning`, before its own;
 *   further tool calls of a message have no rows here: each has its `tool.execution_start`;
 * - `session.shutdown` gives one row for each model that it has figures of. A session that was
 *   resumed has several shutdowns, and every one keeps its rows: older versions count anew after
 *   a resume, newer ones count on, so neither the last nor the sum is the truth by itself.
 *
 * By line, each record gives one row.
 *
 * What is not an object with a string `type` is one `_parse_error` row either way.
 */

import { isObject, member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Unit } from '../harness.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { advance, type CallPlace, type CliState, type SessionFacts } from './cli-session.ts';

/** A row in the making of the CLI. */
export interface CliUnit extends Unit {
  readonly format: 'cli';
  /** `usage` is a model of a shutdown, `reasoning` what stands beside an answer. */
  readonly kind: 'record' | 'reasoning' | 'usage' | 'error';
  readonly facts: SessionFacts;
  /** Where the model call of an answer stands, else null. */
  readonly place: CallPlace | null;
  /** The model of a `usage` row, else null. */
  readonly model: string | null;
}

/** Receives the rows of a record. */
type EmitUnit = (unit: CliUnit) => void;

/** One row for a record. */
export function lineUnit(state: CliState, record: SourceRecord, emit: EmitUnit): void {
  const place = advance(state, record.value);
  const kind = isRecord(record) ? 'record' : 'error';
  emit({ format: 'cli', record, kind, facts: state.facts, place, model: null });
}

/** The rows of a record. */
export function blockUnits(state: CliState, record: SourceRecord, emit: EmitUnit): void {
  lineUnit(state, record, unit => {
    const type = member(record.value, 'type');
    if (type === 'session.shutdown') emitModels(unit, emit);
    else {
      if (type === 'assistant.message' && hasReasoning(record)) {
        emit({ ...unit, kind: 'reasoning', place: null });
      }
      emit(unit);
    }
  });
}

/** The figures by model of a `session.shutdown`, as [model, figures]; none when there are none. */
export function modelFigures(value: unknown): readonly (readonly [string, unknown])[] {
  const metrics = member(member(value, 'data'), 'modelMetrics');
  return isObject(metrics) ? Object.entries(metrics) : [];
}

function emitModels(unit: CliUnit, emit: EmitUnit): void {
  const models = modelFigures(unit.record.value);
  if (models.length === 0) emit(unit);
  for (const [model] of models) emit({ ...unit, kind: 'usage', model });
}

function isRecord(record: SourceRecord): boolean {
  return typeof member(record.value, 'type') === 'string';
}

function hasReasoning({ value }: SourceRecord): boolean {
  return nonEmptyText(member(member(value, 'data'), 'reasoningText')) !== null;
}
