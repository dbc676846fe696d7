/**
 * What came out of tools, in full, and as it is recorded.
 *
 * The texts of a call leave when both halves have come. Only those of Read wait a little longer:
 * a notice that the file was not read to its end may follow.
 */

import { isObject, member } from '../../../../bytes/json.ts';
import { partAsJson, recordedJson } from '../../../../bytes/json-print.ts';
import { nonEmptyText } from '../../fields.ts';
import { payloadParts, withoutPayloads } from '../../prompt/binary.ts';
import { textBlocks } from '../../prompt/blocks.ts';
import { type Line, RANK_OF_CALL, seqOf, TEXT, whoseTurn } from './line.ts';
import type { CallResult } from './outcome.ts';

const HELD_READS = 32;

/** Adds the output half of a call's texts; `isLast` when the input was seen before. */
export function addOutput(line: Line, result: CallResult, isLast: boolean): void {
  const { rows, place } = line;
  const { callUid, content, structured, tool } = result;
  const waits = isLast && tool === 'Read';
  if (rows.wants('tool_io')) {
    const row = {
      io_uid: callUid,
      ...whoseTurn(line),
      kind: 'call',
      call_uid: callUid,
      ts: line.at,
      output_at: line.at,
      output_text: wantsText(line, 'output') ? outputText(content) : null,
      stdout_text: wantsText(line, 'stdout') ? stream(structured, 'stdout') : null,
      stderr_text: wantsText(line, 'stderr') ? stream(structured, 'stderr') : null,
      result_json: wantsText(line, 'result') ? resultJson(line, result) : null,
      output_truncated: isTruncated(structured),
      output_parts: partsOf(content),
      output_byte_offset: place.byteOffset,
      seq: seqOf(place, RANK_OF_CALL),
    };
    rows.add('tool_io', place, row, isLast && !waits);
  }
}

/** Keeps the texts of a call of Read until a notice can no more come. */
export function holdRead(line: Line, callUid: string): void {
  const { state } = line;
  if (state.heldReads.length >= HELD_READS) releaseReads(line);
  state.heldReads = [...state.heldReads, callUid];
}

const COLUMNS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['output', 'stdout', 'stderr', 'result'].map(name => [
    name,
    [name === 'result' ? 'result_json' : `${name}_text`, `${name}_bytes`, `${name}_sha256`],
  ]),
);

/** Whether somebody reads a text, its length or its hash. */
function wantsText({ rows }: Line, name: string): boolean {
  return COLUMNS[name]?.some(column => rows.wantsColumn('tool_io', column)) ?? false;
}

function outputText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  const text = textBlocks(content, TEXT, false);
  return text === '' && !Array.isArray(content) ? null : text;
}

const stream = (structured: unknown, name: string): string | null => {
  const text = member(structured, name);
  return typeof text === 'string' ? text : null;
};

/** The structured result without what has columns of its own; else what the provider gave. */
function resultJson({ record }: Line, { structured, content }: CallResult): string | null {
  if (structured === undefined) return isObject(content) ? recordedJson(content) : null;
  return partAsJson(record, root => rest(member(root, 'toolUseResult')), 'recorded');
}

function rest(structured: unknown): unknown {
  if (!isObject(structured)) return withoutPayloads(structured);
  if (!Object.hasOwn(structured, 'stdout') && !Object.hasOwn(structured, 'stderr')) {
    return withoutPayloads(structured);
  }
  const { stdout: _stdout, stderr: _stderr, ...others } = structured;
  return withoutPayloads(others);
}

function isTruncated(structured: unknown): boolean | null {
  const kept = nonEmptyText(member(structured, 'persistedOutputPath'));
  return kept !== null || member(structured, 'truncated') === true ? true : null;
}

function partsOf(content: unknown): string | null {
  const parts = payloadParts(content);
  return parts.length === 0 ? null : recordedJson(parts);
}

/** Takes a notice that the result of a call of Read is not whole. */
export function noteTruncation(line: Line, callUid: string): void {
  const { state, rows, place } = line;
  const isHeld = state.heldReads.includes(callUid) || state.openCalls.has(callUid);
  if (!isHeld || !rows.wants('tool_io')) return;
  const row = { io_uid: callUid, ...whoseTurn(line), kind: 'call', output_truncated: true };
  rows.add('tool_io', place, row);
}

/** Lets the results of Read go: no notice about them will come. */
export function releaseReads({ state, rows, place }: Line): void {
  if (state.heldReads.length === 0) return;
  const { heldReads, owner } = state;
  state.heldReads = [];
  if (!rows.wants('tool_io')) return;
  for (const io_uid of heldReads)
    rows.add('tool_io', place, { io_uid, ...owner, kind: 'call' }, true);
}
