/**
 * Results of tools: the second sighting of a call, or the first where the line came early.
 *
 * The structured result stands beside the blocks of the message; it belongs to the one result of
 * its line, and to none where there are several.
 */

import { member } from '../../../../bytes/json.ts';
import { nonEmptyText } from '../../fields.ts';
import { jsonByteLength, textBlocks } from '../../prompt/blocks.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import { addPictures } from './attachments.ts';
import { holdEarlyResult, inferredTool } from './early.ts';
import { addGit, addUnprinted, type SeenInOutput } from './git.ts';
import { addEvent, type Line, RANK_OF_CALL, seqOf, TEXT, tell, whoseTurn } from './line.ts';
import {
  type CallResult,
  elapsedMs,
  type Outcome,
  outcomeOf,
  recordedDuration,
} from './outcome.ts';
import { addOutput, holdRead } from './output.ts';
import { marksOf, type ResultMarks, triggerOf } from './result-class.ts';
import { isShell } from './shells.ts';
import { addSpawnResult } from './spawns.ts';
import type { OpenCall } from './state.ts';

/** Takes the results of a line; `structured` belongs to the one, where there is one. */
export function readResults(line: Line, blocks: readonly unknown[], structured: unknown): void {
  for (const block of blocks) {
    readResult(line, block, blocks.length === 1 ? (structured ?? undefined) : undefined);
  }
}

/** Takes the result of a tool that ran at the provider. */
export function readProviderResult(line: Line, block: unknown): void {
  readResult(line, block, undefined);
}

function readResult(line: Line, block: unknown, structured: unknown): void {
  const { state, place } = line;
  const callUid = nonEmptyText(member(block, 'tool_use_id'));
  if (callUid === null) {
    tell(line, 'missing_call_id', 'tool_result');
    return;
  }
  // A result that came before, in a copy of its line.
  if (state.closedCalls.has(callUid) || state.earlyResults.has(callUid)) return;
  const open = state.openCalls.take(callUid);
  if (open !== undefined) {
    state.closedCalls.set(callUid, true);
    if (open.tool === 'Read') holdRead(line, callUid);
    if (!READ_FROM_RESULTS.some(name => line.rows.wants(name))) return;
  }
  const tool = open?.tool ?? inferredTool(structured);
  const content = member(block, 'content');
  const isError = member(block, 'is_error') ?? isProviderError(content);
  const result: CallResult = { callUid, tool, content, isError, structured };
  const outcome = outcomeOf(line, result);
  const isClassed = line.rows.wants('tool_call');
  const marks = isClassed ? marksOf(structured, outcome.isInterrupted) : NO_MARKS;
  addResultRow(line, result, outcome, {
    open: open ?? null,
    trigger: open && isClassed ? triggerOf(open.tool, open.shellClass, marks) : null,
  });
  addOutput(line, result, open !== undefined);
  if (outcome.denialKind !== null) {
    const uid = `${callUid}:denial`;
    addEvent(line, 'denial', { uid, value: outcome.denialKind, detail: { tool } });
  }
  const git = gitOf(line, result, outcome, open ?? null);
  addSpawnResult(line, result);
  addPictures(line, content, { attachedTo: 'tool_result', callUid });
  if (open === undefined) {
    const hasDuration = recordedDuration(structured) !== null;
    const at = line.at;
    const failed = outcome.isError === true;
    holdEarlyResult(line, callUid, { at, place, hasDuration, marks, isError: failed, git });
  }
}

/** The relations with rows that results make or complete. */
const READ_FROM_RESULTS = [
  ...(['tool_call', 'tool_io', 'session_event', 'git_event', 'subagent_spawn'] as const),
  'attachment' as const,
];

/** Results of the provider tell of an error by their type. */
function isProviderError(content: unknown): true | undefined {
  const type = member(content, 'type');
  return typeof type === 'string' && type.endsWith('_error') ? true : undefined;
}

interface Ending {
  readonly open: OpenCall | null;
  readonly trigger: string | null;
}

function addResultRow(line: Line, result: CallResult, outcome: Outcome, ending: Ending): void {
  const { rows, place } = line;
  if (!rows.wants('tool_call')) return;
  const { open, trigger } = ending;
  const { callUid, content, structured } = result;
  rows.add('tool_call', place, {
    call_uid: callUid,
    ...whoseTurn(line),
    ended_at: line.at,
    duration_ms: recordedDuration(structured) ?? elapsedMs(open?.at ?? null, line.at),
    output_bytes: rows.wantsColumn('tool_call', 'output_bytes') ? jsonByteLength(content) : null,
    persisted_output_bytes: looseInteger(member(structured, 'persistedOutputSize')),
    outcome: outcome.outcome,
    is_error: outcome.isError,
    exit_code: outcome.exitCode,
    denial_kind: outcome.denialKind,
    interrupted: outcome.isInterrupted,
    timed_out: outcome.isTimeout,
    background: outcome.isBackground,
    trigger_class: trigger,
    output_byte_offset: place.byteOffset,
    seq: seqOf(place, RANK_OF_CALL),
  });
}

/** Nobody reads what a result makes of the call after it. */
const NO_MARKS: ResultMarks = { isCut: false, isTaskOpen: false };

const NO_GIT: SeenInOutput = { commits: 0, pushes: 0 };

function gitOf(
  line: Line,
  result: CallResult,
  outcome: Outcome,
  open: OpenCall | null,
): SeenInOutput {
  if (!isShell(result.tool ?? '') || (open !== null && !line.rows.wants('git_event')))
    return NO_GIT;
  const { callUid, structured } = result;
  const isError = outcome.isError === true;
  const seen = addGit(line, {
    callUid,
    result: structured,
    outputs: outputsOf(result),
    isError,
    pullRequestAction: open?.pullRequestAction ?? null,
  });
  if (open !== null && outcome.exitCode === 0) {
    addUnprinted(line, callUid, open.gitOperations, seen);
  }
  return seen;
}

/** What a command printed; git tells of pushes on the error stream. */
function outputsOf({ structured, content, isError }: CallResult): readonly string[] {
  const streams = [member(structured, 'stdout'), member(structured, 'stderr')];
  const texts = streams.filter(text => typeof text === 'string');
  if (texts.length > 0 || isError === true) return texts;
  return [textBlocks(content, TEXT, false)];
}
