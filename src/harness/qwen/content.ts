/** The text of Qwen Code's records, by record type and kind of row. */

import { isObject, member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import { diagnosisOf } from '../shared/diagnosis.ts';
import { at, nonEmptyText } from '../shared/fields.ts';
import { partsText } from '../shared/gemini-chats/content.ts';
import { isToolCall, isToolResult, partsOf, type QwenUnit } from './units.ts';

/** The members of `systemPayload` that hold text for people, the most telling first. */
const TEXT_MEMBERS = ['rawCommand', 'customTitle', 'displayText', 'userText', 'content', 'message'];

/** The text of a row. */
export function contentOf(unit: QwenUnit): string | null {
  const { value } = unit.record;
  const type = textOf(member(value, 'type'));
  const part = partsOf(value)[unit.partIndex];
  if (unit.kind === 'thinking') return textOf(member(part, 'text'));
  if (unit.kind === 'tool_call') return null;
  if (unit.kind === 'tool_result') return resultText(part);
  if (type === null) return `Parse error: ${diagnosisOf(unit.record)}`;
  if (type === 'system') return systemText(member(value, 'systemPayload'));
  const parts = partsOf(value);
  const result = parts.find(isToolResult);
  if (type === 'tool_result' && result !== undefined) return resultText(result);
  return partsText(type === 'assistant' ? parts.filter(said => !isToolCall(said)) : parts);
}

/** What a tool gave back: its output or its error as text, else all of it as JSON. */
function resultText(part: unknown): string | null {
  const response = at(part, 'functionResponse', 'response');
  const text = textOf(member(response, 'output')) ?? textOf(member(response, 'error'));
  if (text !== null) return text;
  return isObject(response) ? compactJson(response) : textOf(response);
}

function systemText(payload: unknown): string | null {
  for (const name of TEXT_MEMBERS) {
    const text = nonEmptyText(member(payload, name));
    if (text !== null) return text;
  }
  return textOf(at(payload, 'uiEvent', 'event.name'));
}
