/**
 * Rows of `conversations` on their way to the parser of chats, changed to what that expects.
 *
 * - A call is a row of its own, `tool_call`, behind the text that came with it. A bubble tells a
 *   call with what became of it: one without a result that was refused or failed has an empty one.
 * - Transcripts name no calls. They get names by their place, and each result goes to the oldest
 *   call of its tool that still has none.
 * - In a transcript the words of a person stand between `<user_query>` marks; what is around them
 *   was added by Cursor.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { partAsJson, recordedJson } from '../../../bytes/json-print.ts';
import { at, listOf, nonEmptyText } from '../../shared/fields.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import type { CursorUnit, Tool } from '../units.ts';

/** Calls of a transcript without a result, the oldest first: plain JSON. */
export type OpenCalls = [tool: string, id: string][];

/** Calls that are remembered. */
const MOST_CALLS = 2048;

/** The rows of one record as the parser is to see them. */
export function parsedUnits(units: readonly CursorUnit[], open: OpenCalls): readonly CursorUnit[] {
  return units.flatMap((unit, index) => {
    if (unit.role === 'user' && unit.bubble === undefined) return promptUnits(unit);
    if (unit.tool === null) return [unit];
    if (isResult(unit)) return [unit.bubble === undefined ? answered(unit, open) : unit];
    const number = units.slice(0, index).filter(({ tool, type }) => tool && type !== 'tool_result');
    const whole = { ...unit, tool: { ...unit.tool, input: inputOf(unit, number.length) } };
    const hasResult = units.slice(index + 1).some(later => isResult(later) && isSame(later, unit));
    return callUnits(whole, open, index, hasResult);
  });
}

/** The arguments of a call as they were recorded; `number` of the calls of a message, from 0. */
function inputOf(unit: CursorUnit, number: number): Tool['input'] {
  const { record, bubble, tool } = unit;
  const pick = (root: unknown) => argumentsIn(root)[number];
  if (bubble === undefined) {
    const isText = pick(record.value) === undefined;
    return isText && tool ? tool.input : () => partAsJson(record, pick, 'recorded');
  }
  const given = givenIn(bubble);
  if (typeof given === 'string') return () => given;
  // A bubble with a record of its own keeps the digits of numbers beyond those of JavaScript.
  const isWhole = record.value === bubble && given !== undefined && given !== null;
  return () => (isWhole ? partAsJson(record, givenIn, 'recorded') : recordedJson(given));
}

/** What the model asked for, else what Cursor made of it. */
function givenIn(bubble: unknown): unknown {
  const data = member(bubble, 'toolFormerData');
  return member(data, 'rawArgs') ?? member(data, 'params') ?? undefined;
}

/** The arguments of all calls of a message, in the order of their rows. */
function argumentsIn(message: unknown): readonly unknown[] {
  const content = at(message, 'message', 'content') ?? member(message, 'content');
  const blocks = listOf(content).filter(block => member(block, 'type') === 'tool_use');
  return [
    ...listOf(member(message, 'toolCalls')).map(call => member(call, 'args')),
    ...blocks.map(block => member(block, 'input')),
  ];
}

/** Whether a row is the result of a call. */
export function isResult({ type }: CursorUnit): boolean {
  return type === 'tool_result';
}

function isSame(one: CursorUnit, other: CursorUnit): boolean {
  return one.bubble !== undefined && one.bubble === other.bubble;
}

const QUERY = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/;

function promptUnits(unit: CursorUnit): readonly CursorUnit[] {
  const found = unit.text === null ? null : QUERY.exec(unit.text);
  if (unit.text === null || !found) return [unit];
  const end = found.index + found[0].length;
  const around = [unit.text.slice(0, found.index), unit.text.slice(end)];
  return [
    { ...unit, text: found[1] ?? '' },
    ...around
      .filter(text => !isBlank(text))
      .map(text => ({ ...unit, type: 'context', role: null, text, isMain: false })),
  ];
}

function callUnits(
  unit: CursorUnit,
  open: OpenCalls,
  index: number,
  hasResult: boolean,
): readonly CursorUnit[] {
  const { tool, text } = unit;
  if (tool === null) return [unit];
  const isInBubble = unit.bubble !== undefined;
  const named = isInBubble ? tool : namedCall(unit, tool, open, index);
  const isSaid = text !== null && !isBlank(text) && unit.type !== 'tool_call';
  const call: CursorUnit = { ...unit, type: 'tool_call', tool: named, text: null };
  const isOver = OVER.has(statusOf(unit) ?? '') && isInBubble && !hasResult;
  return [
    ...(isSaid ? [{ ...unit, tool: null }] : []),
    isSaid ? { ...call, isMain: false } : call,
    ...(isOver ? [resultOf(call)] : []),
  ];
}

/** How a call stands when nothing more will be told of it. */
const OVER: ReadonlySet<string> = new Set(['cancelled', 'completed', 'failed', 'rejected']);

function resultOf(call: CursorUnit): CursorUnit {
  const tool = call.tool && { ...call.tool, input: () => null };
  return { ...call, type: 'tool_result', role: 'tool', tool, isMain: false };
}

/** How the call of a row stands: what the person decided, else what Cursor says. */
export function statusOf({ tool, bubble }: CursorUnit): string | null {
  const decision = textOf(at(bubble, 'toolFormerData', 'userDecision'));
  return decision === 'rejected' ? decision : (tool?.status ?? null);
}

function namedCall(unit: CursorUnit, tool: Tool, open: OpenCalls, index: number): Tool {
  if (tool.id !== null) return tool;
  const id = `call:${unit.record.lineNumber}:${index}`;
  open.push([tool.name ?? '', id]);
  if (open.length > MOST_CALLS) open.shift();
  return { ...tool, id };
}

function answered(unit: CursorUnit, open: OpenCalls): CursorUnit {
  const { tool } = unit;
  if (tool === null || tool.id !== null) return unit;
  const found = open.findIndex(([name]) => name === (tool.name ?? ''));
  const [, id] = found < 0 ? [] : (open.splice(found, 1)[0] ?? []);
  return id === undefined ? unit : { ...unit, tool: { ...tool, id } };
}

/** What a command in the terminal was and gave, where the row is about one. */
export interface Command {
  readonly command: string;
  readonly output: string | null;
  readonly exitCode: number | null;
}

/** The command of a bubble; the result is JSON, in one of several forms, or text. */
export function commandOf({ bubble }: CursorUnit): Command | null {
  const data = member(bubble, 'toolFormerData');
  const asked = [decoded(member(data, 'rawArgs')), decoded(member(data, 'params'))];
  const command = asked.map(one => nonEmptyText(member(one, 'command'))).find(one => one !== null);
  if (command === undefined || command === null) return null;
  const result = decoded(member(data, 'result'));
  if (!isObject(result)) return { command, output: textOf(result), exitCode: null };
  const exitCode = member(result, 'exitCodeV2') ?? member(result, 'exitCode');
  return {
    command,
    output: textOf(member(result, 'output')),
    exitCode: typeof exitCode === 'number' && Number.isSafeInteger(exitCode) ? exitCode : null,
  };
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
