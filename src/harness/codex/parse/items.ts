/**
 * What Codex carried out, as completed items: commands, changes of files, calls of MCP tools, of
 * other agents and of the provider. An item with the name of a call belongs to it.
 */

import { booleanOf, integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { codexChanges } from '../../shared/edits/codex-changes.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { withoutPayloads } from '../../shared/prompt/binary.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { commandText, commandVerb } from '../../shared/shell/verb.ts';
import { inputOfItem, textOfItem } from '../items.ts';
import { isKnownCall } from './calls.ts';
import { addGitEvents, gitPlanOf } from './git.ts';
import { type Line, ownerOf } from './line.ts';
import { readActivity, readLaunchItem } from './spawns.ts';
import { addTouches } from './touches.ts';

const OPERATIONS: ReadonlySet<string> = new Set([
  ...['CommandExecution', 'FileChange', 'McpToolCall', 'CollabAgentToolCall', 'WebSearch'],
  ...['ImageView', 'ImageGeneration', 'DynamicToolCall', 'Sleep', 'Extension'],
]);

const OPERATION_RANK = 3;

/** The place of an operation's rows in the file. */
export function operationSeq(line: Line): number {
  return line.place.lineNumber * 10 + OPERATION_RANK;
}

/** The type of an item as versions of 2026 write it. */
export function itemType(item: unknown): string {
  const type = nonEmptyText(member(item, 'type')) ?? '';
  return type.charAt(0).toUpperCase() + type.slice(1);
}

/** An item that is an operation, or what is told of a sub-agent. */
export function readItem(line: Line): void {
  const { item } = line;
  const type = itemType(item);
  if (type === 'SubAgentActivity') readActivity(line, item);
  if (!OPERATIONS.has(type)) return;
  const id = nonEmptyText(member(item, 'id'));
  if (id === null) line.rows.issue(line.place, 'missing_item_id', type);
  const operation = { type, id: id ?? line.uid, call: callOf(line, id) };
  addOperation(line, operation);
  addTexts(line, operation);
  if (type === 'CommandExecution') readCommand(line, operation);
  else if (type === 'FileChange') readFileChange(line, operation);
  else if (type === 'CollabAgentToolCall') readLaunchItem(line, operation.id, item);
}

interface Operation {
  readonly type: string;
  readonly id: string;
  readonly call: string | null;
}

function callOf({ state, item }: Line, id: string | null): string | null {
  const named = nonEmptyText(member(item, 'call_id'));
  return named ?? (id !== null && isKnownCall(state, id) ? id : null);
}

function isFailed(type: string, item: unknown): boolean | null {
  const status = nonEmptyText(member(item, 'status'))?.toLowerCase() ?? null;
  const exitCode = integerOf(member(item, 'exit_code'));
  const hasFailed = status === 'failed' || status === 'declined';
  switch (type) {
    case 'CommandExecution':
      return status === null && exitCode === null ? null : hasFailed || (exitCode ?? 0) !== 0;
    case 'McpToolCall': {
      const error = member(item, 'error') ?? null;
      return hasFailed || error !== null || member(member(item, 'result'), 'isError') === true;
    }
    case 'FileChange':
    case 'CollabAgentToolCall':
      return status === null ? null : status !== 'completed';
    default:
      return status === null ? null : hasFailed;
  }
}

function addOperation(line: Line, { type, id, call }: Operation): void {
  const { item, payload, rows, place } = line;
  if (!rows.wants('tool_op')) return;
  const command = commandText(member(item, 'command'));
  const changes = member(item, 'changes');
  const text = (name: string) => nonEmptyText(member(item, name));
  const row = {
    ...ownerOf(line),
    item_uid: id,
    turn_key: line.turn,
    item_type: type,
    started_at: instantMicros(member(payload, 'started_at_ms')),
    completed_at: instantMicros(member(payload, 'completed_at_ms')) ?? line.at,
    duration_ms: durationMs(member(item, 'duration')) ?? strictCount(member(item, 'duration_ms')),
    status: text('status'),
    exit_code: integerOf(member(item, 'exit_code')),
    exec_source: text('source'),
    cmd_verb: type === 'CommandExecution' ? commandVerb(command) : null,
    parsed_cmd_types: parsedTypes(member(item, 'parsed_cmd')),
    mcp_server: text('server'),
    mcp_tool: type === 'McpToolCall' ? text('tool') : null,
    mcp_plugin_id: text('plugin_id'),
    mcp_read_only: booleanOf(member(item, 'read_only')),
    is_error: isFailed(type, item),
    output_bytes: outputOf(item)?.length ?? null,
    file_count: type === 'FileChange' ? codexChanges(changes).length : null,
    call_uid: call,
    link_method: call === null ? null : call === id ? 'item_id' : 'call_id',
    seq: operationSeq(line),
  };
  rows.add('tool_op', place, row, true);
}

function parsedTypes(commands: unknown): string | null {
  if (!Array.isArray(commands)) return null;
  return recordedJson(commands.map(command => nonEmptyText(member(command, 'type'))));
}

const NANOS_IN_MS = 1_000_000;

/** A duration that Rust wrote, `{secs, nanos}`, in milliseconds, or null. */
export function durationMs(duration: unknown): number | null {
  const [secs, nanos] = [strictCount(member(duration, 'secs')), member(duration, 'nanos')];
  if (secs === null) return null;
  return secs * 1000 + Math.trunc((strictCount(nanos) ?? 0) / NANOS_IN_MS);
}

function outputOf(item: unknown): string | null {
  const aggregated = textOf(member(item, 'aggregated_output'));
  if (aggregated !== null) return aggregated;
  const result = member(item, 'result');
  return isObject(result) ? textOfItem({ result: withoutPayloads(result) }) : null;
}

function addTexts(line: Line, { type, id, call }: Operation): void {
  const { item, rows } = line;
  if (!rows.wants('tool_io')) return;
  const input = withoutPayloads(inputOfItem(item) ?? member(item, 'query'));
  const command = type === 'CommandExecution' ? commandText(member(item, 'command')) : null;
  const result = member(item, 'result') ?? member(item, 'error') ?? member(item, 'action');
  const row = {
    ...ownerOf(line),
    io_uid: `item:${id}`,
    kind: 'op',
    tool_name: nonEmptyText(member(item, 'tool')) ?? type,
    call_uid: call,
    item_uid: id,
    turn_key: line.turn,
    ts: instantMicros(member(line.payload, 'started_at_ms')) ?? line.at,
    output_at: line.at,
    input_text: command ?? textOf(input) ?? recordedJson(input),
    output_text: outputOf(item),
    stdout_text: nonEmptyText(member(item, 'stdout')),
    stderr_text: nonEmptyText(member(item, 'stderr')),
    result_json: isObject(result) ? recordedJson(withoutPayloads(result)) : null,
    output_byte_offset: line.place.byteOffset,
    seq: operationSeq(line),
  };
  rows.add('tool_io', line.place, row, true);
}

/** The output of the call says the same of git. */
function readCommand(line: Line, { type, id, call }: Operation): void {
  const { item, state } = line;
  const plan = gitPlanOf(commandText(member(item, 'command')));
  const open = call === null ? undefined : state.calls.get(call);
  if (open) open.git = null;
  if (plan === null) return;
  addGitEvents(line, plan, {
    owner: id,
    call,
    cwd: nonEmptyText(member(item, 'cwd')),
    output: printedBy(item),
    isProved: isFailed(type, item) === false,
  });
}

/** What a command printed, by its item or its event. */
export function printedBy(told: unknown): string {
  const all = nonEmptyText(member(told, 'aggregated_output'));
  const parts = ['stdout', 'stderr'].map(name => textOf(member(told, name)) ?? '');
  return all ?? parts.join('\n');
}

/** Changes that Codex made count, not those of the patch that asked for them. */
function readFileChange(line: Line, { type, id, call }: Operation): void {
  const open = call === null ? undefined : line.state.calls.get(call);
  if (open) open.edits = [];
  if (isFailed(type, line.item) === true) return;
  const edits = codexChanges(member(line.item, 'changes'));
  addTouches(line, edits, { owner: `item:${id}`, tool: type, call, item: id });
}
