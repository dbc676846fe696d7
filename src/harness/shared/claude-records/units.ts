/**
 * From the records of Claude Code to rows of `conversations`.
 *
 * A record is an object with a string `type`. `user` and `assistant` records carry a message whose
 * content is a string or an array of blocks; the newest versions write one block per line, so one
 * answer of the model is several lines with the same `message.id` and the same usage.
 *
 * By block (the default), a record gives, in this order:
 * - `user`: one row for what stands beside tool results (text, with `[image: …]` for the rest), one
 *   row for each tool result; a record that holds only tool results has no row of its own;
 * - `assistant`: one row with all the text and the first tool call, then one row for each thinking
 *   block that holds text, each further tool call, each result of a tool that ran at the provider,
 *   and each block of a kind that is not known (its type is the row's type);
 * - every other type, known or not: one row.
 *
 * By line, each record gives one row.
 *
 * What is not an object with a string `type` is one `_parse_error` row either way.
 */

import { member } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { Unit } from '../../harness.ts';
import { blocksOf } from '../blocks.ts';
import { nonEmptyText } from '../fields.ts';

/** What a row stands for. `line` is a whole record, however many blocks it has. */
export type ClaudeUnitKind =
  | 'line'
  | 'message'
  | 'record'
  | 'thinking'
  | 'tool_call'
  | 'tool_result'
  | 'block'
  | 'error';

/** A row in the making: a record, and the place of its block among the blocks of the message. */
export interface ClaudeUnit extends Unit {
  readonly kind: ClaudeUnitKind;
  /** The block that the row stands for; undefined where it stands for the record. */
  readonly block: unknown;
  /** Position of the block in `message.content`, or -1. */
  readonly blockIndex: number;
}

/** Receives the rows of a record. */
export type EmitUnit = (unit: ClaudeUnit) => void;

/** One row for a record. The record is not decoded here. */
export function lineUnit(_state: unknown, record: SourceRecord, emit: EmitUnit): void {
  emit({ record, kind: 'line', block: undefined, blockIndex: -1 });
}

/** The rows of a record, block by block. */
export function blockUnits(_state: unknown, record: SourceRecord, emit: EmitUnit): void {
  const type = member(record.value, 'type');
  const whole = { record, block: undefined, blockIndex: -1 };
  if (typeof type !== 'string') emit({ ...whole, kind: 'error' });
  else if (type === 'assistant') assistantUnits(record, emit);
  else if (type === 'user') userUnits(record, emit);
  else emit({ ...whole, kind: 'record' });
}

/** Whether a block calls a tool, run here or at the provider. */
export function isToolCall(block: unknown): boolean {
  const type = member(block, 'type');
  return type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use';
}

/** Whether a block is the result of a tool, run here or at the provider. */
export function isToolResult(block: unknown): boolean {
  const type = member(block, 'type');
  return typeof type === 'string' && type.endsWith('tool_result');
}

function userUnits(record: SourceRecord, emit: EmitUnit): void {
  const blocks = blocksOf(record.value);
  const results = countResults(blocks);
  if (results === 0 || results < blocks.length) {
    emit({ record, kind: 'message', block: undefined, blockIndex: -1 });
  }
  if (results === 0) return;
  for (let blockIndex = 0; blockIndex < blocks.length; blockIndex++) {
    const block = blocks[blockIndex];
    if (isToolResult(block)) emit({ record, kind: 'tool_result', block, blockIndex });
  }
}

function countResults(blocks: readonly unknown[]): number {
  let results = 0;
  for (const block of blocks) if (isToolResult(block)) results++;
  return results;
}

function assistantUnits(record: SourceRecord, emit: EmitUnit): void {
  emit({ record, kind: 'message', block: undefined, blockIndex: -1 });
  const blocks = blocksOf(record.value);
  let toolCalls = 0;
  for (let blockIndex = 0; blockIndex < blocks.length; blockIndex++) {
    const block = blocks[blockIndex];
    const kind = kindOfAssistantBlock(block);
    const isFirstCall = kind === 'tool_call' && toolCalls++ === 0;
    if (kind && !isFirstCall) emit({ record, kind, block, blockIndex });
  }
}

function kindOfAssistantBlock(block: unknown): ClaudeUnitKind | null {
  const type = member(block, 'type');
  if (type === 'text' || typeof type !== 'string') return null;
  if (type === 'thinking') {
    return nonEmptyText(member(block, 'thinking')) === null ? null : 'thinking';
  }
  if (isToolCall(block)) return 'tool_call';
  return isToolResult(block) ? 'tool_result' : 'block';
}
