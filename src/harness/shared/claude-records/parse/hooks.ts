/**
 * Hooks: from attachments, from the summary at the end of a turn, and from the reports of progress
 * that versions of early 2026 wrote. Of a command only its hash is kept.
 */

import { createHash } from 'node:crypto';
import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { at, listOf, nonEmptyText } from '../../fields.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import { isBlank } from '../../prompt/wire-space.ts';
import { addMessage, type Line, whoseTurn } from './line.ts';

const HOOK = 'hook_';

/** Whether an attachment of this type is a hook's. */
export const isHook = (type: string): boolean =>
  type.startsWith(HOOK) || type === 'async_hook_response';

/** Takes an attachment that tells of a run of a hook. */
export function readHook(line: Line, attachment: unknown, type: string): void {
  const texts = textsOf(attachment);
  const blocking = member(attachment, 'blockingError');
  const command = member(attachment, 'command') ?? member(blocking, 'command');
  const outcome = type.startsWith(HOOK) ? type.slice(HOOK.length) : 'async_response';
  addHookEvent(line, {
    uid: line.uid,
    callUid: callOf(line, member(attachment, 'toolUseID')),
    event: textOf(member(attachment, 'hookEvent')),
    name: textOf(member(attachment, 'hookName')),
    outcome,
    command: textOf(command),
    exitCode: looseInteger(member(attachment, 'exitCode')),
    durationMs: looseInteger(member(attachment, 'durationMs')),
    prevented: type === 'hook_stopped_continuation' ? true : null,
    outputBytes: texts.reduce((sum, [, text]) => sum + text.length, 0),
  });
  if (!line.rows.wants('message')) return;
  for (const [field, text] of texts) {
    const uid = texts.length === 1 ? line.uid : `${line.uid}:${field}`;
    const detail = { source: type, field };
    addMessage(line, { messageClass: 'hook_output', uid, text, detail });
  }
}

const FIELDS = ['content', 'stdout', 'stderr', 'response', 'message', 'blockingError'];

function textsOf(attachment: unknown): readonly (readonly [field: string, text: string])[] {
  return FIELDS.flatMap(field => {
    const text = saidBy(member(attachment, field));
    return text === null || isBlank(text) ? [] : [[field, text] as const];
  });
}

function saidBy(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) {
    return value.join('\n\n');
  }
  const inner = textOf(member(value, 'blockingError'));
  if (inner !== null) return inner;
  return isObject(value) || Array.isArray(value) ? recordedJson(value) : null;
}

/** Identifiers of hooks outside of calls are no calls'. */
function callOf({ state }: Line, id: unknown): string | null {
  const uid = nonEmptyText(id);
  if (uid === null) return null;
  const isCall = uid.startsWith('toolu') || state.openCalls.has(uid) || state.closedCalls.has(uid);
  return isCall ? uid : null;
}

/** A run of a hook. */
interface HookRun {
  readonly uid: string;
  readonly callUid: string | null;
  readonly event: string | null;
  readonly name: string | null;
  readonly outcome: string | null;
  readonly command: string | null;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  readonly prevented: boolean | null;
  readonly outputBytes: number | null;
}

function addHookEvent(line: Line, run: HookRun): void {
  const { rows, place } = line;
  if (!rows.wants('hook_event')) return;
  rows.add('hook_event', place, {
    event_uid: run.uid,
    ...whoseTurn(line),
    call_uid: run.callUid,
    ts: line.at,
    hook_event: run.event,
    outcome: run.outcome,
    hook_name: run.name,
    command_sha256: run.command === null ? null : sha256(run.command),
    exit_code: run.exitCode,
    duration_ms: run.durationMs,
    prevented_continuation: run.prevented,
    output_bytes: run.outputBytes,
  });
}

const sha256 = (wire: string) => createHash('sha256').update(wire, 'latin1').digest('hex');

/** Takes a report of progress; only those of hooks tell of something new. */
export function readProgress(line: Line): void {
  const { data } = line.value;
  if (member(data, 'type') !== 'hook_progress') return;
  addHookEvent(line, {
    uid: line.uid,
    callUid: callOf(line, line.value['toolUseID']),
    event: textOf(member(data, 'hookEvent')),
    name: textOf(member(data, 'hookName')),
    outcome: null,
    command: textOf(member(data, 'command')),
    exitCode: null,
    durationMs: null,
    prevented: null,
    outputBytes: null,
  });
}

/** Takes the summary of the hooks that ran when the agent stopped. */
export function readStopHooks(line: Line): void {
  const { value, state } = line;
  const errors = listOf(value['hookErrors']).filter(each => typeof each === 'string');
  const prevented = value['preventedContinuation'] === true;
  const outcome = stopOutcome(errors.length > 0, prevented);
  const infos = listOf(value['hookInfos']);
  const event = state.identity.role === 'main' ? 'Stop' : 'SubagentStop';
  for (const [index, info] of (infos.length === 0 ? [undefined] : infos).entries()) {
    addHookEvent(line, {
      uid: `${line.uid}:${index}`,
      callUid: callOf(line, value['toolUseID']),
      event,
      name: null,
      outcome,
      command: textOf(member(info, 'command')),
      exitCode: null,
      durationMs: looseInteger(member(info, 'durationMs')),
      prevented,
      outputBytes: null,
    });
  }
  addStopTexts(line, errors);
}

function stopOutcome(hasErrors: boolean, prevented: boolean): string {
  if (hasErrors) return 'error';
  return prevented ? 'prevented' : 'success';
}

function addStopTexts(line: Line, errors: readonly string[]): void {
  const { value } = line;
  const contexts = listOf(value['hookAdditionalContext']).filter(each => typeof each === 'string');
  const texts = [
    ['errors', errors.join('\n\n')],
    ['context', contexts.join('\n\n')],
    ['stop_reason', textOf(value['stopReason']) ?? ''],
  ] as const;
  for (const [field, text] of texts) {
    if (isBlank(text)) continue;
    const detail = { source: 'stop_hook_summary', field };
    const uid = `${line.uid}:${field}`;
    addMessage(line, { messageClass: 'hook_output', role: 'system', uid, text, detail });
  }
}

/** Whether an error was one of the network. */
export function isNetworkDown(value: unknown): boolean | null {
  const code = nonEmptyText(at(value, 'cause', 'code'));
  return code === null ? null : NETWORK_CODES.has(code);
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'EPIPE', 'ETIMEDOUT'],
]);
