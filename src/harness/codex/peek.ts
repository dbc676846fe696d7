/**
 * The kinds of records that are one row whatever else they hold, told from their first bytes, so
 * that large ones are not decoded before somebody asks for their values.
 */

import type { SourceRecord } from '../../bytes/record.ts';

/** How Codex begins an event or a response item. */
const HEAD =
  /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"(?:event_msg|response_item)","payload":\{"type":"(\w+)"/;
const HEAD_BYTES = 160;

const ONE_ROW: ReadonlySet<string> = new Set([
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'custom_tool_call_output',
  'exec_command_end',
  'function_call_output',
  'mcp_tool_call_end',
  'patch_apply_end',
  'tool_search_output',
]);

/** Whether a record is one row, and nothing in it changes another. */
export function isOneRow({ buffer, start, end }: SourceRecord): boolean {
  const head = HEAD.exec(buffer.toString('latin1', start, Math.min(end, start + HEAD_BYTES)));
  return head?.[1] !== undefined && ONE_ROW.has(head[1]);
}
