/**
 * An agent's transcript as text: blocks that begin with a line which says what they are.
 *
 *     user:                      the prompt follows
 *     assistant:                 the answer follows, thought between <think> and </think> first
 *     [Thinking] …               thought, in the answer
 *     [Tool call] name           the arguments follow, as `  name: value`
 *     [Tool result] name         the result may follow
 *
 * - A block gives one row with the address of its first line; the thought in an answer is one more.
 * - `user:` and `assistant:` begin a block only after a blank line: answers quote such lines.
 * - A value of an argument may go on in lines of any form, so arguments are a reading, not a parse;
 *   the text of the row has them as they are written.
 * - By line, each line is one row.
 */

import type { SourceRecord } from '../../bytes/record.ts';
import { restoreRecord, type SavedRecord, saveRecord } from '../shared/saved-record.ts';
import { split } from './message.ts';
import { type Chat, type CursorUnit, type EmitUnit, inputOf, plainUnit } from './units.ts';

type BlockType = 'user' | 'assistant' | 'thinking' | 'tool_call' | 'tool_result' | 'text';

interface Mark {
  readonly type: BlockType;
  /** What stands on the line behind the mark. */
  readonly rest: string;
}

/** A block that has begun. */
interface Block extends Mark {
  readonly first: SourceRecord;
  readonly lines: string[];
}

/** Where a reader is in a transcript. */
export interface TextState {
  block: Block | null;
  /** The line before was blank, or there was none. */
  isAfterBlank: boolean;
}

/** The state as plain JSON. */
interface SavedText {
  readonly block: (Omit<Block, 'first'> & { readonly first: SavedRecord }) | null;
  readonly isAfterBlank: boolean;
}

/** The state before the first line. */
export function startText(): TextState {
  return { block: null, isAfterBlank: true };
}

/** The state as plain JSON. */
export function saveText({ block, isAfterBlank }: TextState): SavedText {
  return { block: block && { ...block, first: saveRecord(block.first) }, isAfterBlank };
}

/** The state that `saveText` wrote down. */
export function restoreText({ block, isAfterBlank }: SavedText): TextState {
  return { block: block && { ...block, first: restoreRecord(block.first) }, isAfterBlank };
}

/** Takes a line; gives the rows of the block before it when it begins another. */
export function textLine(state: TextState, record: SourceRecord, chat: Chat, emit: EmitUnit): void {
  const line = lineOf(record);
  const mark = markOf(line, state.isAfterBlank);
  state.isAfterBlank = record.isBlank;
  if (mark) {
    endText(state, chat, emit);
    state.block = { ...mark, first: record.retain(), lines: [] };
  } else if (state.block) {
    state.block.lines.push(line);
  } else if (!record.isBlank) {
    state.block = { type: 'text', rest: '', first: record.retain(), lines: [line] };
  }
}

/** Gives the rows of the last block. */
export function endText(state: TextState, chat: Chat, emit: EmitUnit): void {
  if (!state.block) return;
  for (const unit of blockUnits(state.block, chat)) emit(unit);
  state.block = null;
}

/** The row of a line; blank lines have none. */
export function textLineUnit(
  state: TextState,
  record: SourceRecord,
  chat: Chat,
  emit: EmitUnit,
): void {
  const line = lineOf(record);
  const mark = markOf(line, state.isAfterBlank);
  state.isAfterBlank = record.isBlank;
  if (record.isBlank) return;
  const type = mark?.type ?? 'text';
  const isTool = type === 'tool_call' || type === 'tool_result';
  const tool = isTool ? { ...toolOf(mark?.rest ?? ''), input: () => null } : null;
  emit({ ...plainUnit(record, chat, type), role: roleOf(type), text: line, tool });
}

function lineOf(record: SourceRecord): string {
  return record.hasByteOrderMark ? record.wire.slice(3) : record.wire;
}

const SPEAKER = /^(user|assistant):$/;
const BRACKETED = /^\[(Tool call|Tool result|Thinking)\](?: (.*))?$/;
const BRACKETED_TYPES: Readonly<Record<string, BlockType>> = {
  'Tool call': 'tool_call',
  'Tool result': 'tool_result',
  Thinking: 'thinking',
};

function markOf(line: string, isAfterBlank: boolean): Mark | null {
  const speaker = isAfterBlank ? SPEAKER.exec(line)?.[1] : undefined;
  if (speaker !== undefined) return { type: speaker as BlockType, rest: '' };
  const [, name = '', rest = ''] = BRACKETED.exec(line) ?? [];
  const type = BRACKETED_TYPES[name];
  return type === undefined ? null : { type, rest };
}

function blockUnits(block: Block, chat: Chat): readonly CursorUnit[] {
  const { type, first, rest, lines } = block;
  const whole = withoutBlankEnds(lines).join('\n');
  const unit = { ...plainUnit(first, chat, type), role: roleOf(type) };
  if (type === 'thinking') return [{ ...unit, text: withoutBlankEnds([rest, whole]).join('\n') }];
  const body = whole === '' ? null : whole;
  if (type === 'tool_call') {
    return [{ ...unit, text: body, tool: { ...toolOf(rest), input: inputOf(argumentsOf(lines)) } }];
  }
  if (type === 'tool_result') {
    return [{ ...unit, text: body, tool: { ...toolOf(rest), input: () => null } }];
  }
  const { thinking, text } = type === 'assistant' ? split(whole) : { thinking: null, text: whole };
  if (thinking === null) return [{ ...unit, text }];
  const said = withoutBlankEnds((text ?? '').split('\n')).join('\n');
  return [
    { ...unit, text: said },
    { ...unit, type: 'thinking', text: thinking, isMain: false },
  ];
}

function roleOf(type: BlockType): string | null {
  if (type === 'text') return null;
  if (type === 'tool_result') return 'tool';
  return type === 'user' ? 'user' : 'assistant';
}

function toolOf(name: string): { name: string | null; id: null; status: null } {
  return { name: name === '' ? null : name, id: null, status: null };
}

const ARGUMENT = /^ {2}([A-Za-z_]\w*): ?(.*)$/;

/** The arguments of a call, each a text; lines that name none go on with the one before. */
function argumentsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const found: [name: string, lines: string[]][] = [];
  for (const line of lines) {
    const [, name, value = ''] = ARGUMENT.exec(line) ?? [];
    if (name !== undefined) found.push([name, [value]]);
    else found.at(-1)?.[1].push(line);
  }
  return Object.fromEntries(found.map(([name, text]) => [name, withoutBlankEnds(text).join('\n')]));
}

/** Without the blank lines at both ends. */
function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const isBlank = (line: string | undefined) => line !== undefined && line.trim() === '';
  let start = 0;
  let end = lines.length;
  while (start < end && isBlank(lines[start])) start++;
  while (end > start && isBlank(lines[end - 1])) end--;
  return lines.slice(start, end);
}
