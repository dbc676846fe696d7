/** Tools: calls, executed operations, and what went in and came out. */

import {
  byteLengthOf,
  flag,
  instant,
  integer,
  json,
  requiredText,
  sha256Of,
  text,
} from './column.ts';
import { origin, owner, place, seq } from './origin.ts';
import { relation } from './relation.ts';

const KEEP = { merge: 'KEEP' } as const;

const outputByteOffset = integer(
  'Offset of the record with the result, where it has its own',
  KEEP,
);

/** Rows of `read_tool_calls()`: one per call of a tool by the model. */
export const toolCall = relation({
  name: 'tool_call',
  functionName: 'read_tool_calls',
  meaning: 'Calls of tools by the model, with their outcome and without their texts',
  key: ['source', 'call_uid'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    call_uid: requiredText('Identifier of the call', KEEP),
    ...owner,
    turn_key: text('Turn it belongs to', KEEP),
    response_id: text('Model call that asked for it', KEEP),
    tool_name: text('Tool'),
    tool_family: text('builtin, mcp, collaboration, function, custom, extension, subagent'),
    mcp_server: text('MCP server'),
    mcp_tool: text('Tool of the MCP server'),
    codex_namespace: text('Namespace of the tool in Codex'),
    started_at: instant('When it was called', { merge: 'MIN' }),
    ended_at: instant('When its result came', { merge: 'MAX' }),
    duration_ms: integer('How long it took: as recorded, else between call and result'),
    input_bytes: integer('Length of the input as compact JSON or text'),
    output_bytes: integer('Length of the output'),
    persisted_output_bytes: integer('Length of an output that was kept in a file of its own'),
    outcome: text('ok, error, denied, interrupted, timeout or no_result'),
    is_error: flag('Whether it failed'),
    exit_code: integer('Exit code'),
    denial_kind: text('How it was denied'),
    interrupted: flag('It was interrupted', { merge: 'OR' }),
    timed_out: flag('It ran out of time', { merge: 'OR' }),
    deadline_hit: flag('It met its deadline'),
    background: flag('It went on in the background'),
    attribution_skill: text('Skill that it is due to'),
    attribution_plugin: text('Plugin that it is due to'),
    trigger_class: text(
      'What its result makes of the model call after it: work, status, wait, event, ' +
        'orchestrate, noop or user',
    ),
    meta: json('cmd_verb, target_host, remote_verb, skill, subagent_type …'),
    output_byte_offset: outputByteOffset,
    seq,
    ...place,
  },
});

/** Rows of `read_tool_ops()`: one per operation that the harness carried out. */
export const toolOp = relation({
  name: 'tool_op',
  functionName: 'read_tool_ops',
  meaning: 'Operations that a harness carried out for its calls, where it records them apart',
  key: ['source', 'item_uid'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    item_uid: requiredText('Identifier of the operation', KEEP),
    ...owner,
    turn_key: text('Turn it belongs to'),
    item_type: text('CommandExecution, FileChange, McpToolCall …'),
    started_at: instant('When it began'),
    completed_at: instant('When it ended'),
    duration_ms: integer('How long it took'),
    status: text('Outcome as recorded'),
    exit_code: integer('Exit code'),
    exec_source: text('Who asked for it'),
    cmd_verb: text('Program that was run, without its arguments'),
    parsed_cmd_types: json('What the command does, as the harness reads it; a list'),
    mcp_server: text('MCP server'),
    mcp_tool: text('Tool of the MCP server'),
    mcp_plugin_id: text('Plugin of the MCP server'),
    mcp_read_only: flag('The MCP tool only reads'),
    is_error: flag('Whether it failed'),
    output_bytes: integer('Length of the output'),
    file_count: integer('Files that it changed'),
    call_uid: text('Tool call that it belongs to'),
    link_method: text('How the call is known'),
    seq,
    ...place,
  },
});

/** Rows of `read_tool_io()`: the texts of one call or operation. */
export const toolIo = relation({
  name: 'tool_io',
  functionName: 'read_tool_io',
  meaning: 'What went into a tool and what came out, in full',
  key: ['source', 'io_uid'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    io_uid: requiredText('The call, or `item:` and the operation', KEEP),
    ...owner,
    kind: requiredText('call or op', KEEP),
    tool_name: text('Tool'),
    call_uid: text('Call'),
    item_uid: text('Operation'),
    turn_key: text('Turn it belongs to', KEEP),
    ts: instant('When it was called', { merge: 'MIN' }),
    output_at: instant('When its result came'),
    input_text: text('Input: compact JSON in recorded order, or text', { compressed: true }),
    input_bytes: byteLengthOf('input_text'),
    input_sha256: sha256Of('input_text'),
    output_text: text('Output', { compressed: true }),
    output_bytes: byteLengthOf('output_text'),
    output_sha256: sha256Of('output_text'),
    stdout_text: text('Standard output', { compressed: true }),
    stdout_bytes: byteLengthOf('stdout_text'),
    stdout_sha256: sha256Of('stdout_text'),
    stderr_text: text('Standard error', { compressed: true }),
    stderr_bytes: byteLengthOf('stderr_text'),
    stderr_sha256: sha256Of('stderr_text'),
    result_json: json('What else the harness recorded of the result', { compressed: true }),
    result_bytes: byteLengthOf('result_json'),
    result_sha256: sha256Of('result_json'),
    input_truncated: flag('The input is not whole', { merge: 'OR' }),
    output_truncated: flag('The output is not whole', { merge: 'OR' }),
    output_parts: json('Images and files in the output: index, type, mime, bytes'),
    output_byte_offset: outputByteOffset,
    seq,
    ...place,
  },
});

/** Rows of `read_file_touches()`: one per file that a tool read or changed. */
export const fileTouch = relation({
  name: 'file_touch',
  functionName: 'read_file_touches',
  meaning: 'Files that tools read and changed',
  key: ['source', 'touch_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    touch_uid: requiredText('The call or operation, and a number'),
    ...owner,
    turn_key: text('Turn it belongs to'),
    ts: instant('When it was touched'),
    path: requiredText('Path as given'),
    op: requiredText('read, create, edit, delete or move'),
    tool: text('Tool'),
    call_uid: text('Call'),
    item_uid: text('Operation'),
    lines_added: integer('Lines added'),
    lines_removed: integer('Lines removed'),
    move_from: text('Path before a move'),
    ...place,
  },
});

/** Rows of `read_artifacts()`: one per file that a session names as a result. */
export const artifact = relation({
  name: 'artifact',
  functionName: 'read_artifacts',
  meaning: 'Files that sessions link to, read or write, by absolute path',
  key: ['source', 'event_uid', 'path', 'action'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Message or call that names it'),
    path: requiredText('Absolute path'),
    action: requiredText('linked, read, written, edited or modified'),
    ...owner,
    turn_key: text('Turn it belongs to'),
    call_uid: text('Call'),
    ts: instant('When it was named'),
    kind: text('spreadsheet, document, image, presentation, file or path'),
    display_name: text('Name of the file'),
    evidence_type: text('What tells it'),
    ...place,
  },
});
