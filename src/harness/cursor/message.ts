/**
 * The messages of an agent's transcript, as lines of JSON or as elements of an array.
 *
 * - Lines are `{role, message: {content: [blocks]}}`, or `{type: turn_ended, …}`; elements are
 *   `{role, text, thinking, toolCalls: [{toolName, args}]}` or `{role: tool, toolResult}`. Neither
 *   has ids, times or tokens.
 * - A message gives one row with its text and its first tool call, then one for what the model
 *   thought, one for each further call and one for each result; a message of nothing but results
 *   gives only these. Thought may also lie in the text, between `<think>` and `</think>`.
 * - The rest of a document, beside its elements, has a row only when something is wrong with it.
 * - By line, each line or element is one row, the rest of a document too.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { at, contentText, kindOf, listOf, nonEmptyText } from '../shared/fields.ts';
import {
  type Chat,
  type CursorUnit,
  type EmitUnit,
  errorUnit,
  inputIn,
  plainUnit,
  type Tool,
} from './units.ts';

/** The rows of a line or element. */
export function messageUnits(
  record: SourceRecord,
  chat: Chat,
  isByLine: boolean,
  emit: EmitUnit,
): void {
  const { isRest } = record;
  const problem = isRest ? problemOfRest(record) : problemOf(record);
  if (problem !== null) emit(errorUnit(record, chat, problem));
  else if (isRest) {
    if (isByLine) emit(plainUnit(record, chat, 'document'));
  } else if (isByLine) emit(lineUnit(record, chat));
  else blockUnits(record, chat, emit);
}

function problemOfRest(record: SourceRecord): string | null {
  if (record.error !== null) return record.error;
  const kind = kindOf(record.value);
  return kind === 'array' ? null : `the document is a JSON ${kind}, not an array`;
}

function problemOf(record: SourceRecord): string | null {
  if (record.error !== null) return record.error;
  const { value } = record;
  if (!isObject(value)) return `the record is a JSON ${kindOf(value)}, not an object`;
  return typeIn(value) === null ? 'the record has neither role nor type' : null;
}

function typeIn(value: unknown): string | null {
  const role = textOf(member(value, 'role'));
  return textOf(member(value, 'type')) ?? (role === 'tool' ? 'tool_result' : role);
}

function plainMessage(record: SourceRecord, chat: Chat): CursorUnit {
  const { value } = record;
  const unit = plainUnit(record, chat, typeIn(value) ?? 'unknown');
  return { ...unit, role: textOf(member(value, 'role')), text: wholeText(value) };
}

function lineUnit(record: SourceRecord, chat: Chat): CursorUnit {
  const unit = plainMessage(record, chat);
  const tool = callsOf(record)[0] ?? resultsOf(record.value)[0]?.tool ?? null;
  return { ...unit, tool, text: unit.text ?? resultsOf(record.value)[0]?.text ?? null };
}

function blockUnits(record: SourceRecord, chat: Chat, emit: EmitUnit): void {
  const { value } = record;
  const [firstCall = null, ...furtherCalls] = callsOf(record);
  const results = resultsOf(value);
  const thoughts = thoughtsOf(value);
  const whole = plainMessage(record, chat);
  const { thinking, text } = split(whole.text);
  const isOnlyResults = results.length > 0 && firstCall === null && (text ?? '') === '';
  const part = { ...whole, text: null, isMain: false };
  if (!isOnlyResults) emit({ ...whole, text, tool: firstCall });
  for (const thought of thinking === null ? thoughts : [thinking, ...thoughts]) {
    emit({ ...part, type: 'thinking', text: thought });
  }
  for (const tool of furtherCalls) emit({ ...part, type: 'tool_call', tool });
  for (const result of results) emit({ ...part, ...result, type: 'tool_result', role: 'tool' });
}

const THOUGHT = /^\s*<think>\n?(.*?)\n?<\/think>\n?/s;

/** What a text holds between the marks of thinking at its beginning, and what follows. */
export function split(text: string | null): { thinking: string | null; text: string | null } {
  const found = text === null ? null : THOUGHT.exec(text);
  if (text === null || !found) return { thinking: null, text };
  return { thinking: nonEmptyText(found[1]), text: text.slice(found[0].length) };
}

function wholeText(value: unknown): string | null {
  return textOf(member(value, 'text')) ?? contentText(contentOf(value));
}

function contentOf(value: unknown): unknown {
  return at(value, 'message', 'content') ?? member(value, 'content');
}

function blocksOf(value: unknown, type: string): readonly unknown[] {
  return listOf(contentOf(value)).filter(block => member(block, 'type') === type);
}

function thoughtsOf(value: unknown): readonly string[] {
  const thoughts = blocksOf(value, 'thinking').map(block => member(block, 'thinking'));
  return [member(value, 'thinking'), ...thoughts].map(nonEmptyText).filter(text => text !== null);
}

function callsOf(record: SourceRecord): readonly Tool[] {
  const elements = listOf(member(record.value, 'toolCalls'));
  const blocks = blocksOf(record.value, 'tool_use');
  return [
    ...elements.map((call, index) => ({
      ...toolNamed(member(call, 'toolName'), member(call, 'toolCallId')),
      input: inputIn(record, root => member(listOf(member(root, 'toolCalls'))[index], 'args')),
    })),
    ...blocks.map((block, index) => ({
      ...toolNamed(member(block, 'name'), member(block, 'id')),
      input: inputIn(record, root => member(blocksOf(root, 'tool_use')[index], 'input')),
    })),
  ];
}

interface Result {
  readonly text: string | null;
  readonly tool: Tool;
}

function resultsOf(value: unknown): readonly Result[] {
  const result = member(value, 'toolResult');
  const blocks = blocksOf(value, 'tool_result').map(block => ({
    text: contentText(member(block, 'content')),
    tool: {
      ...toolNamed(member(block, 'name'), member(block, 'tool_use_id')),
      status: member(block, 'is_error') === true ? 'failed' : null,
    },
  }));
  if (!isObject(result)) return blocks;
  const text = contentText(
    member(result, 'result') ?? member(result, 'output') ?? member(result, 'content'),
  );
  return [
    { text, tool: toolNamed(member(result, 'toolName'), member(result, 'toolCallId')) },
    ...blocks,
  ];
}

function toolNamed(name: unknown, id: unknown): Tool {
  return { name: textOf(name), id: textOf(id), status: null, input: () => null };
}
