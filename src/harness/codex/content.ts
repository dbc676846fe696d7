/** What the rows of Codex are called, and their text. */

import { isObject, member, textOf } from '../../bytes/json.ts';
import { contentText, nonEmptyText } from '../shared/fields.ts';
import type { Envelope } from './envelope.ts';
import { itemOf, rowTypeOfItem, textOfItem } from './items.ts';
import { type CodexUnit, envelopeOf } from './units.ts';

/** What the row is called. */
export function messageType(unit: CodexUnit): string {
  const { problem, type, subtype, payload, isResponse } = envelopeOf(unit);
  if (problem !== null || type === null) return '_parse_error';
  if (unit.kind === 'usage') return 'token_usage';
  if (unit.kind === 'total') return 'token_usage_total';
  if (isResponse) {
    const role = subtype === 'message' ? nonEmptyText(member(payload, 'role')) : null;
    return role ?? subtype ?? type;
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
  const envelope = envelopeOf(unit);
  if (envelope.problem !== null) return `Parse error: ${envelope.problem}`;
  if (unit.kind === 'usage' || unit.kind === 'total') return null;
  const own = ownText(envelope);
  // The text of an item that completes a call is what the tool gave: its output has that.
  return own === null && unit.product !== 'call' ? textOfItem(unit.item) : own;
}

function ownText(envelope: Envelope): string | null {
  const { type, subtype, payload, item } = envelope;
  const text = (name: string) => textOf(member(payload, name));
  switch (type) {
    case 'session_meta':
    case 'turn_context':
      return null;
    case 'response_item':
      return responseText(envelope);
    case 'event_msg':
      return subtype === 'item_completed'
        ? textOfItem(item)
        : (text('message') ?? text('last_agent_message') ?? text('text'));
    default:
      return text('message') ?? text('summary') ?? text('text');
  }
}

function responseText({ subtype, payload, isOutput }: Envelope): string | null {
  if (isOutput) return outputText(member(payload, 'output'));
  switch (subtype) {
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
