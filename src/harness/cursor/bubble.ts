/**
 * One bubble of a chat: what was said, thought, called or answered.
 *
 * - `type` 1 is the user, 2 the assistant; chats of 2024 say `user` and `ai`.
 * - A bubble gives one row with its text and its tool call, then one for what the model thought and
 *   one for the result of the tool, where it has them.
 * - Times are ISO text, or milliseconds since 1970 (also of the `timingInfo` of older bubbles),
 *   which are given in whole seconds; a bubble without either has none.
 * - Token counts stand on the last bubble of a turn; two zeros mean that nothing was counted.
 * - `toolFormerData` names the tool, by a number where there is no name; `rawArgs` are its
 *   arguments as the model wrote them, `params` as Cursor understood them.
 */

import { integerOf, isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { at, contentText, kindOf, nonEmptyText } from '../shared/fields.ts';
import { type Chat, type CursorUnit, errorUnit, inputIn, plainUnit, type Tool } from './units.ts';

/** A bubble with its place. */
export interface Bubble {
  readonly record: SourceRecord;
  readonly chat: Chat;
  /** The decoded bubble; null where its row is not there. */
  readonly value: unknown;
  /** The way from the record's value to the bubble. */
  readonly pick: (root: unknown) => unknown;
  readonly type: unknown;
  readonly uuid: string | null;
  readonly parentUuid: string | null;
  readonly lineNumber: number;
  readonly isRawElsewhere: boolean;
}

/** Who speaks, by the number or word that says so; null for others. */
export function speakerOf(type: unknown): 'user' | 'assistant' | null {
  if (type === 1 || type === 'user') return 'user';
  return type === 2 || type === 'ai' ? 'assistant' : null;
}

/** The rows of a bubble; only the first by line. */
export function bubbleUnits(bubble: Bubble, isByLine: boolean): readonly CursorUnit[] {
  const { value } = bubble;
  const main = mainUnit(bubble);
  if (main.problem !== null || isByLine) return [main];
  const part = { ...main, isMain: false, isRawElsewhere: bubble.isRawElsewhere };
  const thinking = nonEmptyText(at(value, 'thinking', 'text'));
  const result = resultText(at(value, 'toolFormerData', 'result'));
  return [
    main,
    ...(thinking === null ? [] : [{ ...part, type: 'thinking', text: thinking, tool: null }]),
    ...(result === null
      ? []
      : [{ ...part, type: 'tool_result', role: 'tool', text: result, tool: answered(main.tool) }]),
  ];
}

function mainUnit(bubble: Bubble): CursorUnit {
  const { record, chat, value, type, uuid, parentUuid, lineNumber, isRawElsewhere } = bubble;
  const place = { uuid, parentUuid, lineNumber, isRawElsewhere };
  if (value !== null && !isObject(value)) {
    const problem = record.error ?? `the bubble is a JSON ${kindOf(value)}, not an object`;
    return { ...errorUnit(record, chat, problem), ...place };
  }
  const role = speakerOf(type);
  return {
    ...plainUnit(record, chat, role ?? 'unknown'),
    ...place,
    role,
    text: textOf(member(value, 'text')) ?? textOf(member(value, 'rawText')),
    tool: toolOf(bubble),
    bubble: value,
  };
}

function toolOf({ record, value, pick }: Bubble): Tool | null {
  const data = member(value, 'toolFormerData');
  if (!isObject(data)) return null;
  const number = integerOf(member(data, 'tool'));
  return {
    name:
      textOf(member(data, 'name')) ?? textOf(member(data, 'tool')) ?? number?.toString() ?? null,
    id: textOf(member(data, 'toolCallId')),
    status: outcomeOf(member(data, 'status')),
    input: inputIn(record, root => {
      const found = member(pick(root), 'toolFormerData');
      return member(found, 'rawArgs') ?? member(found, 'params') ?? undefined;
    }),
  };
}

function outcomeOf(status: unknown): string | null {
  return status === 'error' ? 'failed' : textOf(status);
}

/** A result repeats no arguments. */
function answered(tool: Tool | null): Tool | null {
  return tool && { ...tool, input: () => null };
}

function resultText(result: unknown): string | null {
  return result === '' ? null : contentText(result);
}

/** When a bubble was made. */
export function timeOf(bubble: unknown): string | null {
  return (
    instantText(member(bubble, 'createdAt')) ??
    instantText(at(bubble, 'timingInfo', 'clientStartTime'))
  );
}

/** An instant as ISO text in whole seconds from milliseconds; text as it is. */
export function instantText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value !== 'number' || !(Math.abs(value) <= MAX_MS)) return null;
  return `${new Date(value).toISOString().slice(0, -'.000Z'.length)}Z`;
}

/** The last instant that JavaScript can name. */
const MAX_MS = 8.64e15;

/** A count of tokens of a bubble; null when nothing was counted. */
export function tokensOf(bubble: unknown, name: 'inputTokens' | 'outputTokens'): number | null {
  const counts = member(bubble, 'tokenCount');
  const isCounted = ['inputTokens', 'outputTokens'].some(one => {
    const count = integerOf(member(counts, one));
    return count !== null && count > 0;
  });
  return isCounted ? integerOf(member(counts, name)) : null;
}
