/** What the rows of Codex are called, and their text. */

import { isObject, member, textOf } from '../../bytes/json.ts';
import { contentText, kindOf, nonEmptyText } from '../shared/fields.ts';
import { itemOf, rowTypeOfItem, textOfItem } from './items.ts';
import { payloadOf, typeOf } from './record-types.ts';
import { isOutput } from './tools.ts';
import type { CodexUnit } from './unit.ts';

/** Why a record is not an ordinary one, or null. */
export function diagnosisOf({ record }: Pick<CodexUnit, 'record'>): string | null {
  if (record.error !== null) return record.error;
  const kind = kindOf(record.value);
  if (kind !== 'object')
    return `the record is ${kind === 'null' ? 'null' : `a JSON ${kind}`}, not an object`;
  if (typeOf(record.value) !== null) return null;
  const type = member(record.value, 'type');
  return type === undefined
    ? 'the record has no type'
    : `the type is ${kindOf(type)}, not a string`;
}

/** What the row is called. */
export function messageType(unit: CodexUnit): string {
  if (diagnosisOf(unit) !== null) return '_parse_error';
  if (unit.kind === 'usage') return 'token_usage';
  if (unit.kind === 'total') return 'token_usage_total';
  const { value } = unit.record;
  const type = typeOf(value) ?? '';
  const payload = payloadOf(value);
  const subtype = nonEmptyText(member(payload, 'type'));
  if (type === 'response_item') {
    return (
      (subtype === 'message' ? nonEmptyText(member(payload, 'role')) : null) ?? subtype ?? type
    );
  }
  if (type !== 'event_msg') return type;
  return (unit.kind === 'line' ? null : rowTypeOfEvent(subtype, payload)) ?? subtype ?? type;
}

function rowTypeOfEvent(subtype: string | null, payload: unknown): string | null {
  if (subtype === 'user_message') return 'user';
  if (subtype === 'agent_message') return 'assistant';
  return subtype === 'item_completed' ? rowTypeOfItem(itemOf(payload)) : null;
}

/** The text of a row. What is encrypted is none. */
export function contentOf(unit: CodexUnit): string | null {
  const problem = diagnosisOf(unit);
  if (problem !== null) return `Parse error: ${problem}`;
  if (unit.kind === 'usage' || unit.kind === 'total') return null;
  const own = ownText(unit);
  // The text of an item that completes a call is what the tool gave: its output has that.
  return own === null && unit.product !== 'call' ? textOfItem(unit.item) : own;
}

function ownText({ record }: CodexUnit): string | null {
  const payload = payloadOf(record.value);
  const text = (name: string) => textOf(member(payload, name));
  switch (typeOf(record.value)) {
    case 'session_meta':
    case 'turn_context':
      return null;
    case 'response_item':
      return responseText(payload);
    case 'event_msg':
      return member(payload, 'type') === 'item_completed'
        ? textOfItem(itemOf(payload))
        : (text('message') ?? text('last_agent_message') ?? text('text'));
    default:
      return text('message') ?? text('summary') ?? text('text');
  }
}

function responseText(payload: unknown): string | null {
  if (isOutput(payload)) return outputText(member(payload, 'output'));
  switch (member(payload, 'type')) {
    case 'message':
      return contentText(member(payload, 'content'));
    case 'reasoning':
      return (
        nonEmptyText(contentText(member(payload, 'summary'))) ??
        nonEmptyText(contentText(member(payload, 'content')))
      );
    case 'agent_message':
      return contentText(member(payload, 'content')) ?? textOf(member(payload, 'text'));
    default:
      return null;
  }
}

/** What a tool gave: a text, parts of one, or either of them in `content`. */
function outputText(output: unknown): string | null {
  return contentText(isObject(output) && 'content' in output ? output['content'] : output);
}
