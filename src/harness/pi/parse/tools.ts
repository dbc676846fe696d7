/**
 * Tools: a call is a block of an answer, its result a message of its own that names the call.
 *
 * A result whose call was not seen is an issue, and is kept. What a call did to files and to git,
 * and whom it launched, is known when its result has come and is no error.
 */

import { booleanOf, member } from '../../../bytes/json.ts';
import { partAsJson, recordedJson } from '../../../bytes/json-print.ts';
import { forget, remember } from '../../shared/bounded.ts';
import { piResultClass } from '../../shared/efficiency/pi.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { withoutPayloads } from '../../shared/prompt/binary.ts';
import { jsonByteLength } from '../../shared/prompt/blocks.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { provedGitOperations } from '../../shared/shell/grammar.ts';
import { commandVerb, sshTarget } from '../../shared/shell/verb.ts';
import { valueWithCounts } from './counts.ts';
import { addTouch, touchOf } from './files.ts';
import { addGitEvents } from './git.ts';
import { addPictures, contentText, partsOf } from './message.ts';
import { addBriefs, addSpawns, launchMeta, launchOf, noteRun } from './spawns.ts';
import { type OpenCall, type Step, seqOf } from './state.ts';
import { outputTruncated } from './truncation.ts';

const SUBAGENT = 'subagent';
const BASH = 'bash';
const BUILTIN = ['read', BASH, 'edit', 'write', 'grep', 'find', 'ls'];

const RANK = 2;

/** The answer that a call belongs to. */
interface Answer {
  readonly turnKey: string;
  readonly responseId: string;
}

/** Takes a call, which is block `index` of an answer. */
export function readToolCall(step: Step, index: number, block: unknown, answer: Answer): void {
  const { state, rows, place, owner, at, uid } = step;
  const id = nonEmptyText(member(block, 'id'));
  if (id === null) rows.issue(place, 'missing_call_id', nonEmptyText(member(block, 'name')));
  const callUid = id ?? `${uid}:call:${index}`;
  const tool = nonEmptyText(member(block, 'name'));
  const input = member(block, 'arguments');
  const call = openCall(step, tool ?? '', input, answer.turnKey);
  remember(state.calls, callUid, call);
  const { turnKey: turn_key, responseId: response_id } = answer;
  const seq = seqOf(place, RANK);
  if (rows.wants('tool_call')) {
    rows.add('tool_call', place, {
      ...{ call_uid: callUid, ...owner, turn_key, response_id, tool_name: tool, seq },
      ...{ tool_family: familyOf(tool), started_at: at, input_bytes: jsonByteLength(input) },
      ...{ background: call.launch?.isAsync ?? null, meta: recordedJson(metaOf(call, input)) },
    });
  }
  if (rows.wants('tool_io')) {
    rows.add('tool_io', place, {
      ...{ io_uid: callUid, call_uid: callUid, kind: 'call', ...owner, turn_key, ts: at, seq },
      ...{ tool_name: tool, input_text: inputText(step, index) },
    });
  }
  if (call.launch) addBriefs(step, callUid, input, turn_key);
}

function openCall(step: Step, tool: string, input: unknown, turn: string): OpenCall {
  const isBash = tool === BASH;
  const command = isBash ? member(input, 'command') : undefined;
  const hasGit = step.rows.wants('git_event');
  const finished = { tool, input, outputText: null, isInterrupted: false };
  return {
    ...{ place: step.place, tool, at: step.at, turn },
    // Which of the two it is tells the result, without its text.
    classes: [
      piResultClass({ ...finished, result: undefined }),
      piResultClass({ ...finished, result: { results: [true] } }),
    ],
    touch: touchOf(tool, input, step.state.cwd, step.rows.wants('file_touch')),
    git: typeof command === 'string' && hasGit ? provedGitOperations(command) : [],
    launch: tool === SUBAGENT ? launchOf(input) : null,
  };
}

function familyOf(tool: string | null): string | null {
  if (tool === null) return null;
  if (tool === SUBAGENT) return 'subagent';
  return BUILTIN.includes(tool) ? 'builtin' : 'extension';
}

function metaOf({ tool, launch }: OpenCall, input: unknown): object | undefined {
  if (launch) return launchMeta(launch);
  if (tool !== BASH) return undefined;
  const command = member(input, 'command');
  const verb = commandVerb(command);
  const target = sshTarget(command);
  const meta = {
    ...(verb === null ? {} : { cmd_verb: verb }),
    ...(target === null ? {} : { target_host: target.host }),
    ...(target === null || target.verb === null ? {} : { remote_verb: target.verb }),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

function inputText({ record, rows }: Step, index: number): string | null {
  if (!rows.wantsColumn('tool_io', 'input_text') && !needsInput(rows)) return null;
  const pick = (root: unknown) =>
    member(listOf(member(member(root, 'message'), 'content'))[index], 'arguments');
  return partAsJson(record, pick, 'recorded');
}

function needsInput(rows: Step['rows']): boolean {
  return ['input_bytes', 'input_sha256'].some(column => rows.wantsColumn('tool_io', column));
}

/** Takes a result. */
export function readToolResult(step: Step): void {
  const { state, rows, place, message } = step;
  const id = nonEmptyText(member(message, 'toolCallId'));
  if (id === null) {
    rows.issue(place, 'missing_call_id', nonEmptyText(member(message, 'toolName')));
    return;
  }
  const call = forget(state.calls, id);
  if (call === null) rows.issue(place, 'orphan_output', id);
  const text = contentText(member(message, 'content'), false);
  addOutcome(step, id, call, text);
  addOutput(step, id, call, text);
  const turn = call?.turn ?? state.turn;
  addPictures(step, partsOf(member(message, 'content')), turn, { to: 'tool_result', callUid: id });
  if (call === null) return;
  if (call.launch !== null) {
    addSpawns(step, id, call);
    noteRun(step, id, call);
  }
  if (member(message, 'isError') === true) return;
  addTouch(step, id, call);
  addGitEvents(step, id, call, text);
}

function addOutcome(step: Step, id: string, call: OpenCall | null, text: string): void {
  const { rows, place, owner, at, message, state } = step;
  if (!rows.wants('tool_call')) return;
  const isError = booleanOf(member(message, 'isError'));
  const details = member(message, 'details');
  const tool = call?.tool ?? nonEmptyText(member(message, 'toolName'));
  const took = call === null || call.at === null || at === null ? null : at - call.at;
  const hasResults = listOf(member(details, 'results')).length > 0;
  rows.add(
    'tool_call',
    place,
    {
      ...{ call_uid: id, ...owner, turn_key: call?.turn ?? state.turn, tool_name: tool },
      ...{ tool_family: familyOf(tool), ended_at: at, is_error: isError },
      duration_ms: took === null || took < 0 ? null : Math.floor(took / 1000),
      output_bytes: jsonByteLength(member(message, 'content')),
      outcome: isError === null ? null : isError ? 'error' : 'ok',
      exit_code: exitCode(step, isError, text),
      deadline_hit: deadlineHit(details),
      trigger_class: call === null ? null : call.classes[hasResults ? 1 : 0],
      meta: call?.launch ? recordedJson(launchMeta(call.launch, details)) : null,
      output_byte_offset: place.byteOffset,
      seq: seqOf(place, RANK),
    },
    call !== null,
  );
}

/** What pi's own shell prints last when a command failed. */
const EXITED = /(?:^|\n)Command exited with code (\d{1,10})\s*$/;

function exitCode({ record, message }: Step, isError: boolean | null, text: string) {
  if (member(member(message, 'details'), 'exitCode') !== undefined) {
    const details = member(member(valueWithCounts(record, 'details'), 'message'), 'details');
    return strictCount(member(details, 'exitCode'));
  }
  const printed = isError === true ? EXITED.exec(text)?.[1] : undefined;
  return printed === undefined ? null : Number(printed);
}

function deadlineHit(details: unknown): boolean | null {
  return booleanOf(member(details, 'deadlineHit')) ?? booleanOf(member(details, 'timedOut'));
}

function addOutput(step: Step, id: string, call: OpenCall | null, text: string): void {
  const { rows, place, owner, at, message, state, record } = step;
  if (!rows.wants('tool_io')) return;
  const parts = partsOf(member(message, 'content'));
  const tool = call?.tool ?? nonEmptyText(member(message, 'toolName'));
  const isError = member(message, 'isError') === true;
  rows.add(
    'tool_io',
    place,
    {
      ...{ io_uid: id, call_uid: id, kind: 'call', ...owner, tool_name: tool, ts: at },
      ...{ turn_key: call?.turn ?? state.turn, output_at: at, output_text: text },
      result_json: partAsJson(record, resultOf, 'recorded'),
      output_truncated: outputTruncated(tool, member(message, 'details'), text, isError),
      output_parts: parts.length === 0 ? null : recordedJson(parts),
      output_byte_offset: place.byteOffset,
      seq: seqOf(place, RANK),
    },
    call !== null,
  );
}

/** What a record tells of a result beside its content. */
function resultOf(root: unknown): unknown {
  const details = member(member(root, 'message'), 'details');
  return details === null ? undefined : withoutPayloads(details);
}
