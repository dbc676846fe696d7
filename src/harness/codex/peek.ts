/**
 * What the text of a line tells without being decoded: most lines of a rollout are outputs of
 * tools, calls and token counts, and decoding them costs more than all else.
 *
 * Only lines that are written the way Codex writes them are understood; for any other the answer is
 * null, and the line is decoded. A quote inside a JSON string is escaped, so a name between plain
 * quotes is the name of a member.
 */

import type { SourceRecord } from '../../bytes/record.ts';

/** How Codex begins an event or a response item. */
const HEAD = new RegExp(
  [
    String.raw`^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?`,
    String.raw`"type":"(?:event_msg|response_item)","payload":\{"type":"(\w+)"`,
  ].join(''),
);
const HEAD_BYTES = 160;

/** The subtype of an event or response item, or null. */
export function peekSubtype({ buffer, start, end }: SourceRecord): string | null {
  const head = buffer.toString('latin1', start, Math.min(end, start + HEAD_BYTES));
  return HEAD.exec(head)?.[1] ?? null;
}

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

/** Whether a record of this subtype is one row, and nothing in it changes another. */
export function isOneRow(subtype: string): boolean {
  return ONE_ROW.has(subtype);
}

/** A call of a tool. */
export interface Call {
  readonly id: string | null;
  readonly call: string;
  readonly tool: string | null;
}

const CALL_NAME = new RegExp(
  [
    String.raw`"payload":\{"type":"\w+",(?:"id":"([^"\\]*)",)?(?:"status":"[^"\\]*",)?`,
    String.raw`(?:"call_id":"[^"\\]*",)?"name":"([^"\\]+)"`,
  ].join(''),
);
const CALL_NAME_BYTES = 400;
const CALL_ID = '"call_id":"';

/** The call in a `function_call` or `custom_tool_call`, or null. */
export function peekCall({ buffer, start, end }: SourceRecord): Call | null {
  const bytes = buffer.subarray(start, end);
  const named = CALL_NAME.exec(bytes.toString('latin1', 0, CALL_NAME_BYTES));
  const at = bytes.lastIndexOf(CALL_ID, undefined, 'latin1');
  const isWhole = bytes.at(-1) === CLOSE && bytes.at(-2) === CLOSE;
  if (!named?.[2] || at < 0 || !isWhole) return null;
  const from = at + CALL_ID.length;
  const call = bytes.toString('latin1', from, bytes.indexOf(QUOTE, from));
  return call === '' || call.includes('\\') ? null : { id: named[1] || null, call, tool: named[2] };
}

const QUOTE = 0x22;
const CLOSE = 0x7d;

/** What stands here parses: counts that are written otherwise are for the decoder to judge. */
const NUMBERS = String.raw`\{(?:"\w+":(?:0|[1-9]\d*)(?:,"\w+":(?:0|[1-9]\d*))*)?\}`;

const COUNTS = new RegExp(
  [
    String.raw`"payload":\{"type":"token_count","info":\{"total_token_usage":(${NUMBERS}),`,
    String.raw`"last_token_usage":(${NUMBERS})[,}].*\}\}$`,
  ].join(''),
  's',
);
/** The counts in a `token_count`, as JSON, or null. */
export function peekCounts(record: SourceRecord): { total: string; last: string } | null {
  const [, total, last] = COUNTS.exec(record.wire) ?? [];
  return total === undefined || last === undefined ? null : { total, last };
}
