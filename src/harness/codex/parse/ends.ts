/**
 * Events that tell how a call ended, from before there were completed items. They add to the call
 * that is open, else they are an operation's texts of their own, named `item:` and the call.
 */

import { booleanOf, integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { codexChanges } from '../../shared/edits/codex-changes.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { withoutPayloads } from '../../shared/prompt/binary.ts';
import { commandText } from '../../shared/shell/verb.ts';
import { addGitEvents, gitPlanOf } from './git.ts';
import { durationMs, operationSeq, printedBy } from './items.ts';
import { type Line, ownerOf, told } from './line.ts';
import type { OpenCall } from './state.ts';
import { addTouches } from './touches.ts';

const TOOLS: Readonly<Record<string, string>> = {
  exec_command_end: 'exec_command',
  image_generation_end: 'image_generation',
  mcp_tool_call_end: 'mcp_tool_call',
  patch_apply_end: 'apply_patch',
  view_image_tool_call: 'view_image',
  web_search_end: 'web_search',
};

/** Whether an event tells the end of a call. */
export function isCallEnd(subtype: string): boolean {
  return Object.hasOwn(TOOLS, subtype);
}

/** Reads such an event. */
export function readCallEnd(line: Line): void {
  const { state, payload, subtype } = line;
  const call = told(line, 'call_id') ?? line.uid;
  const open = state.calls.get(call);
  if (subtype === 'web_search_end') state.searchEnd = { call, line: line.place.lineNumber };
  if (open) {
    open.durationMs = durationMs(member(payload, 'duration')) ?? open.durationMs;
    open.hasFailed ||= isFailed(payload);
  }
  addTexts(line, call, open);
  if (subtype === 'patch_apply_end') readPatch(line, call, open);
  else if (subtype === 'exec_command_end') readCommand(line, call, open);
}

function isFailed(payload: unknown): boolean {
  const result = member(payload, 'result');
  const isRefused = isObject(result) && result['Err'] !== undefined;
  const hasError = member(member(result, 'Ok'), 'isError') === true;
  return isRefused || hasError || booleanOf(member(payload, 'success')) === false;
}

function addTexts(line: Line, call: string, open: OpenCall | undefined): void {
  const { payload, rows, subtype } = line;
  if (!rows.wants('tool_io')) return;
  const result = member(payload, 'result') ?? member(payload, 'action');
  const texts = {
    ...ownerOf(line),
    output_at: open ? null : line.at,
    stdout_text: nonEmptyText(member(payload, 'stdout')),
    stderr_text: nonEmptyText(member(payload, 'stderr')),
    result_json: isObject(result) ? recordedJson(withoutPayloads(result)) : null,
  };
  if (open) {
    rows.add('tool_io', line.place, { ...texts, io_uid: call, kind: 'call' });
    return;
  }
  const row = {
    ...texts,
    io_uid: `item:${call}`,
    kind: 'op',
    tool_name: TOOLS[subtype] ?? null,
    call_uid: call,
    turn_key: line.turn,
    ts: line.at,
    input_text: inputOf(payload),
    output_text: textOf(member(payload, 'aggregated_output')),
    output_byte_offset: line.place.byteOffset,
    seq: operationSeq(line),
  };
  rows.add('tool_io', line.place, row, true);
}

function inputOf(payload: unknown): string | null {
  const command = commandText(member(payload, 'command'));
  const query = nonEmptyText(member(payload, 'query')) ?? nonEmptyText(member(payload, 'path'));
  const asked = member(member(payload, 'invocation'), 'arguments');
  return command ?? query ?? recordedJson(withoutPayloads(asked));
}

/** The changes that were made count, not those of the patch that asked for them. */
function readPatch(line: Line, call: string, open: OpenCall | undefined): void {
  if (open) open.edits = [];
  if (isFailed(line.payload)) return;
  const edits = codexChanges(member(line.payload, 'changes'));
  addTouches(line, edits, { owner: call, tool: 'apply_patch', call, item: null });
}

function readCommand(line: Line, call: string, open: OpenCall | undefined): void {
  const { payload } = line;
  const plan = gitPlanOf(commandText(member(payload, 'command')));
  const exitCode = integerOf(member(payload, 'exit_code'));
  if (open) {
    open.git = null;
    line.rows.add('tool_call', line.place, {
      ...ownerOf(line),
      call_uid: call,
      exit_code: exitCode,
    });
  }
  if (plan === null) return;
  const cwd = nonEmptyText(member(payload, 'cwd'));
  const isProved = exitCode === 0;
  addGitEvents(line, plan, { owner: call, call, cwd, output: printedBy(payload), isProved });
}
