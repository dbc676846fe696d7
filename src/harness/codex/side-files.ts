/**
 * What Codex tells beside its conversations.
 *
 * - `history.jsonl`: `{session_id, ts, text}` a line, `ts` in seconds.
 * - A todo list is the last plan that a session was given with the tool `update_plan`: steps with
 *   their status, in the transcript itself.
 */

import { isObject, member, parseJson, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { history, todos } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { addressCells } from '../shared/address.ts';
import { kindOf } from '../shared/fields.ts';
import { restoreRecord, type SavedRecord, saveRecord } from '../shared/saved-record.ts';
import { payloadOf, typeOf } from './record-types.ts';
import { sessionOf } from './session.ts';
import { inputIn, toolIn } from './tools.ts';

/** The reader of `history`. */
export function historyReader(source: string): Reader {
  const cells: Cells<typeof history, Unit> = {
    source: () => source,
    line_number: addressCells.line_number,
    timestamp_ms: unit => milliseconds(member(unit.record.value, 'ts')),
    session_id: unit => textOf(member(unit.record.value, 'session_id')),
    display: unit => historyProblem(unit.record) ?? textOf(member(unit.record.value, 'text')),
  };
  return {
    kinds: ['history'],
    start: () => null,
    read: (_state, record, emit) => emit({ record }),
    cells,
  };
}

function milliseconds(seconds: unknown): number | null {
  if (typeof seconds !== 'number') return null;
  const whole = Math.trunc(seconds * 1000);
  return Number.isSafeInteger(whole) ? whole : null;
}

function historyProblem({ error, value }: SourceRecord): string | null {
  if (error !== null) return `Parse error: ${error}`;
  const kind = kindOf(value);
  return kind === 'object' ? null : `Parse error: the record is a JSON ${kind}, not an object`;
}

/** A step of a plan; index -1 stands for a plan that is none. */
interface StepUnit extends Unit {
  readonly step: unknown;
  readonly index: number;
}

const PLAN_TOOL = 'update_plan';

/** The last plan of a file so far. */
interface PlanState {
  plan: SavedRecord | null;
}

/** The reader of `todos`. */
export function todosReader(source: string): Reader<StepUnit> {
  const cells: Cells<typeof todos, StepUnit> = {
    source: () => source,
    session_id: (_unit, context) => sessionOf(context).id,
    file_name: addressCells.file_name,
    item_index: unit => unit.index,
    content: unit => stepProblem(unit) ?? textOf(member(unit.step, 'step')) ?? '',
    status: unit =>
      stepProblem(unit) === null ? (textOf(member(unit.step, 'status')) ?? '') : '_parse_error',
  };
  return {
    kinds: ['transcript'],
    start: (): PlanState => ({ plan: null }),
    read(state, record) {
      if (isPlan(record)) (state as PlanState).plan = saveRecord(record);
    },
    finish(state, emit) {
      const { plan } = state as PlanState;
      if (plan !== null) emitSteps(restoreRecord(plan), emit);
    },
    cells,
  };
}

/** Looks at the bytes first: few records are plans. */
function isPlan(record: SourceRecord): boolean {
  const bytes = record.buffer.subarray(record.start, record.end);
  if (!bytes.includes(PLAN_TOOL) || typeOf(record.value) !== 'response_item') return false;
  const payload = payloadOf(record.value);
  return member(payload, 'type') === 'function_call' && toolIn(payload) === PLAN_TOOL;
}

function emitSteps(record: SourceRecord, emit: (unit: StepUnit) => void): void {
  const steps = member(decoded(inputIn(payloadOf(record.value))), 'plan');
  if (!Array.isArray(steps)) emit({ record, step: undefined, index: -1 });
  else for (const [index, step] of steps.entries()) emit({ record, step, index });
}

/** Arguments are JSON in a string, as the model wrote them. */
function decoded(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const bytes = Buffer.from(input, 'latin1');
  try {
    return parseJson(bytes, 0, bytes.length);
  } catch {
    return undefined;
  }
}

function stepProblem({ step, index }: StepUnit): string | null {
  if (index < 0) return 'Parse error: the arguments of update_plan hold no plan';
  return isObject(step) ? null : `Parse error: the step is a JSON ${kindOf(step)}, not an object`;
}
