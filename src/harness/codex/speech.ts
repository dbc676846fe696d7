/**
 * One copy of what was said.
 *
 * Codex writes the texts of the user and the assistant twice or more: as a response item, as an
 * event, and in newer versions as a completed item, in either order. Texts are the same when their
 * role is and the whole text, or one of its parts, without the white space around. Each way of
 * writing tells a text once, so that a text said twice stays two. The response item is the row
 * where it comes in time; a copy that came before it and still waits is dropped then, and what was
 * added to it goes over.
 *
 * Only the last 32 texts of the turn are remembered.
 */

import { member, textOf } from '../../bytes/json.ts';
import { contentText } from '../shared/fields.ts';
import { trimmed } from '../shared/prompt/wire-space.ts';
import { itemOf, roleOfItem, textOfItem } from './items.ts';
import type { CodexUnit } from './units.ts';

/** How a text is written. */
export type Way = 'response' | 'event' | 'item';

/** What a record says. */
export interface Speech {
  readonly way: Way;
  readonly role: string;
  readonly texts: readonly string[];
}

/** A text that was said, in which ways, and the row that stands for it. */
export interface Said {
  readonly role: string;
  readonly texts: readonly string[];
  readonly ways: Way[];
  unit: CodexUnit | null;
}

const MAX_TEXTS = 32;

/** What was said in a turn, newest last. */
export class Conversation {
  readonly said: Said[];

  constructor(said: Said[] = []) {
    this.said = said;
  }

  /** Begins a turn. */
  forget(): void {
    this.said.length = 0;
  }

  /** What was said before in other ways than this one, or null. */
  copyOf({ way, role, texts }: Speech): Said | null {
    return (
      this.said.find(
        said =>
          said.role === role &&
          !said.ways.includes(way) &&
          said.texts.some(text => texts.includes(text)),
      ) ?? null
    );
  }

  /** Remembers what is said for the first time. */
  add({ way, role, texts }: Speech, unit: CodexUnit): void {
    this.said.push({ role, texts, ways: [way], unit });
    if (this.said.length > MAX_TEXTS) this.said.shift();
  }
}

/** What the payload of a response item or event says, or null when it says nothing. */
export function speechIn(way: Way, payload: unknown): Speech | null {
  const role = roleIn(way, payload);
  if (role !== 'user' && role !== 'assistant') return null;
  const texts = textsIn(way, payload).map(trimmed);
  const filled = texts.filter(text => text !== '');
  return filled.length === 0 ? null : { way, role, texts: filled };
}

function roleIn(way: Way, payload: unknown): unknown {
  const type = member(payload, 'type');
  if (way === 'response') return type === 'message' ? member(payload, 'role') : null;
  if (way === 'item') return roleOfItem(itemOf(payload));
  return type === 'user_message' ? 'user' : 'assistant';
}

/** The whole text, and its parts where a message has several. */
function textsIn(way: Way, payload: unknown): readonly string[] {
  if (way === 'event') return [textOf(member(payload, 'message')) ?? ''];
  if (way === 'item') return [textOfItem(itemOf(payload)) ?? ''];
  const content = member(payload, 'content');
  const whole = contentText(content) ?? '';
  if (!Array.isArray(content) || content.length < 2) return [whole];
  return [whole, ...content.map(part => textOf(member(part, 'text')) ?? '')];
}
