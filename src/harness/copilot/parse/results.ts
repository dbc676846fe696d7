/**
 * Results of tools in a Copilot CLI session.
 *
 * - `permission.completed` tells when a call was refused: by a person, by a rule, or because nobody
 *   could be asked. The result that follows says no more than that it failed.
 * - Outcome: denied, else interrupted, else timeout (`is_timeout`), else what `success` says. A
 *   command that exits with another status than 0 is a success to Copilot; the status is in
 *   `exit_code`, from the telemetry or from the mark at the end of the output.
 * - How long a call took is not recorded: it is the time from its start to its result.
 * - Files count as touched, and commits as made, when the call has succeeded. A folder that was
 *   looked into is no file.
 */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { recall } from '../../shared/bounded.ts';
import type { ResultClass } from '../../shared/efficiency/finished-call.ts';
import { at, contentText, nonEmptyText } from '../../shared/fields.ts';
import { gitEvents } from '../../shared/parsed/git-evidence.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import type { OpenCall } from './state.ts';
import { addEvent, ownerOf, type Step, turnOf } from './step.ts';

/** `permission.completed`: a refusal is an event, and the outcome of its call. */
export function permission(step: Step): void {
  const { data, rows, place, state, session } = step;
  const kind = textOf(at(data, 'result', 'kind'));
  if (!kind?.startsWith('denied')) return;
  const id = nonEmptyText(member(data, 'toolCallId'));
  const call = id === null ? null : recall(state.calls, id);
  const detail = { denial_kind: kind, ...(id === null ? {} : { call_uid: `${session}:${id}` }) };
  addEvent(step, 'denial', call?.tool ?? null, recordedJson(detail));
  if (call === null) return;
  call.denial = kind;
  rows.add('tool_call', place, {
    call_uid: `${session}:${id}`,
    ...ownerOf(step),
    turn_key: call.turn,
    outcome: 'denied',
    denial_kind: kind,
    is_error: true,
  });
}

/** What became of a call. */
interface Finished {
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly text: string | null;
  readonly denial: string | null;
}

/** `tool.execution_complete`. */
export function completedCall(step: Step): void {
  const { data, rows, place, state, session } = step;
  const id = nonEmptyText(member(data, 'toolCallId'));
  const known = id === null ? null : recall(state.calls, id);
  if (id === null) rows.issue(place, 'missing_call_id');
  else if (known === null) rows.issue(place, 'orphan_output', id);
  const call_uid = id === null ? step.uid : `${session}:${id}`;
  const finished = finishedOf(data, known);
  addOutcome(step, call_uid, known, finished);
  addOutput(step, call_uid, known, finished.text);
  if (known === null || finished.outcome !== 'ok') return;
  touchRows(step, call_uid, known);
  gitRows(step, call_uid, known, finished);
}

function gitRows(step: Step, call_uid: string, call: OpenCall, { text, exitCode }: Finished): void {
  const { rows, place, at: ts, state } = step;
  if (call.git === null || !rows.wants('git_event')) return;
  const { cwd } = state.session.facts;
  for (const columns of gitEvents(call_uid, call.git, text ?? '', exitCode)) {
    const owner = { ...ownerOf(step), turn_key: call.turn, call_uid, ts, cwd };
    rows.add('git_event', place, { ...owner, ...columns });
  }
}

function finishedOf(data: unknown, call: OpenCall | null): Finished {
  const text = contentText(at(data, 'result', 'content')) ?? textOf(at(data, 'error', 'message'));
  const code = textOf(at(data, 'error', 'code')) ?? '';
  const isRefused = code === 'denied' || code === 'rejected';
  const denial = call?.denial ?? (isRefused ? code : null);
  const success = member(data, 'success');
  const said = typeof success === 'boolean' ? (success ? 'ok' : 'error') : null;
  const isStopped = /^(?:abort|cancel|interrupt)/.test(code);
  const isLate = telemetry(data, 'properties', 'is_timeout') === 'true';
  const broken = isStopped ? 'interrupted' : isLate ? 'timeout' : said;
  const outcome = denial === null ? broken : 'denied';
  return { outcome, exitCode: exitCodeOf(data, text), text, denial };
}

function telemetry(data: unknown, group: string, name: string): unknown {
  return member(at(data, 'toolTelemetry', group), name);
}

/** `<exited with exit code 0>`, `<shellId: 3 completed with exit code 0>`. */
const EXIT_MARK = /<[^<>\n]{0,200}\bexit code (-?\d{1,10})>\s*$/;

function exitCodeOf(data: unknown, text: string | null): number | null {
  const recorded = integerOf(telemetry(data, 'metrics', 'exit_code'));
  if (recorded !== null) return recorded;
  const mark = text === null ? null : EXIT_MARK.exec(text.slice(-MARK_BYTES));
  return mark ? Number(mark[1]) : null;
}

const MARK_BYTES = 300;
const MICROS_IN_MS = 1000;

function addOutcome(
  step: Step,
  call_uid: string,
  call: OpenCall | null,
  { outcome, exitCode, text, denial }: Finished,
): void {
  const { rows, place, data, at: endedAt } = step;
  const startedAt = call?.startedAt ?? null;
  const elapsed = startedAt === null || endedAt === null ? null : endedAt - startedAt;
  const isLarge = telemetry(data, 'properties', 'largeOutputHandled') === 'true';
  const large = Number(telemetry(data, 'properties', 'largeOutputOriginalSizeBytes'));
  rows.add('tool_call', place, {
    call_uid,
    ...ownerOf(step),
    turn_key: call?.turn ?? turnOf(step),
    tool_name: call?.tool ?? textOf(member(data, 'toolName')),
    ended_at: endedAt,
    duration_ms: elapsed === null || elapsed < 0 ? null : Math.trunc(elapsed / MICROS_IN_MS),
    output_bytes: text?.length ?? null,
    persisted_output_bytes: isLarge ? strictCount(large) : null,
    outcome,
    is_error: outcome === null ? null : outcome !== 'ok',
    exit_code: exitCode,
    denial_kind: denial,
    interrupted: outcome === 'interrupted',
    timed_out: outcome === 'timeout',
    background: backgroundOf(data),
    trigger_class: resultClassOf(call, exitCode),
    output_byte_offset: place.byteOffset,
    seq: call?.seq ?? place.lineNumber * 10 + 2,
  });
}

function backgroundOf(data: unknown): boolean | null {
  const mode = telemetry(data, 'properties', 'executionMode');
  const detached = telemetry(data, 'properties', 'detached');
  if (typeof mode !== 'string' && typeof detached !== 'string') return null;
  return mode === 'async' || detached === 'true';
}

/** Whoever waited and saw it end has met an event. */
function resultClassOf(call: OpenCall | null, exitCode: number | null): ResultClass | null {
  if (call === null) return null;
  return call.resultClass === 'wait' && exitCode !== null ? 'event' : call.resultClass;
}

function addOutput(step: Step, call_uid: string, call: OpenCall | null, text: string | null): void {
  const { rows, place, data, at: output_at } = step;
  const isLarge = telemetry(data, 'properties', 'largeOutputHandled');
  rows.add(
    'tool_io',
    place,
    {
      io_uid: call_uid,
      kind: 'call',
      call_uid,
      ...ownerOf(step),
      turn_key: call?.turn ?? turnOf(step),
      tool_name: call?.tool ?? textOf(member(data, 'toolName')),
      output_at,
      output_text: text,
      result_json: rows.wantsColumn('tool_io', 'result_json') ? restOf(data) : null,
      output_truncated: isLarge === 'true' ? true : null,
      output_byte_offset: place.byteOffset,
      seq: call?.seq ?? place.lineNumber * 10 + 2,
    },
    true,
  );
}

/** What the record says of the result beside the text that the model got. */
function restOf(data: unknown): string | null {
  const detailedContent = at(data, 'result', 'detailedContent');
  const error = member(data, 'error');
  const toolTelemetry = member(data, 'toolTelemetry');
  const rest = {
    ...(detailedContent === undefined ? {} : { detailedContent }),
    ...(isObject(error) ? { error } : {}),
    ...(toolTelemetry === undefined ? {} : { toolTelemetry }),
  };
  return Object.keys(rest).length === 0 ? null : recordedJson(rest);
}

function touchRows(step: Step, call_uid: string, { touches, tool, turn }: OpenCall): void {
  const { rows, place, data, at: ts } = step;
  if (telemetry(data, 'properties', 'viewType') === 'directory') return;
  const isOne = touches.length === 1;
  const added = isOne ? strictCount(telemetry(data, 'metrics', 'linesAdded')) : null;
  const removed = isOne ? strictCount(telemetry(data, 'metrics', 'linesRemoved')) : null;
  touches.forEach((touch, index) => {
    rows.add('file_touch', place, {
      touch_uid: `${call_uid}:${index}`,
      ...ownerOf(step),
      turn_key: turn,
      ts,
      tool,
      call_uid,
      ...touch,
      lines_added: touch.op === 'read' ? null : (added ?? touch.lines_added),
      lines_removed: touch.op === 'read' ? null : (removed ?? touch.lines_removed),
    });
  });
}
