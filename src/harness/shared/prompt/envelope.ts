/**
 * Messages of another session in the form that Claude Code gave them before records said so.
 *
 * An envelope is the line `Another Claude session sent a message:`, then complete
 * `<teammate-message …>` elements with one blank line between two of them, then one of two known
 * texts about what a peer may ask for, then the end of the text or of a line. Each opening tag is
 * nothing but attributes in quotes, among them one `teammate_id` that is not blank. Fenced code
 * and quoted lines hold no part of the frame. Whatever misses a piece is the person's own text.
 *
 * The two closing texts are known by their length and the beginning of their SHA-256; they begin
 * with the blank line that follows the last element.
 */

import { createHash } from 'node:crypto';
import { type Element, elementsOf } from './tag-tokens.ts';
import { afterCodePoints, isBlank, skipSpace } from './wire-space.ts';

/** A closing text that is known by its length and its hash. */
export interface SafetySuffix {
  readonly codePoints: number;
  /** The first hexadecimal digits of its SHA-256. */
  readonly sha256Prefix: string;
}

/** A message of another session within a prompt. */
export interface PeerEnvelope {
  /** Where it begins, in chars. */
  readonly start: number;
  /** Where it ends, in chars. */
  readonly end: number;
  /** The senders, one for each element. */
  readonly teammateIds: readonly string[];
}

const ACCEPTED: readonly SafetySuffix[] = [
  { codePoints: 543, sha256Prefix: 'cf678e57e50d' },
  { codePoints: 605, sha256Prefix: 'c2baa3a92581' },
];

const HEADER = 'Another Claude session sent a message:\n';
const OPENER = '<teammate-message';
const NAMES = /<\/?(teammate-message)/g;
const BETWEEN = '\n\n';

/** The envelopes in the wire text of a prompt, in order; `accepted` are the closing texts. */
export function peerEnvelopes(
  text: string,
  accepted: readonly SafetySuffix[] = ACCEPTED,
): PeerEnvelope[] {
  const found: PeerEnvelope[] = [];
  let at = text.indexOf(HEADER);
  if (at < 0) return found;
  const elements = new Map(elementsOf(text, NAMES).map(element => [element.start, element]));
  while (at >= 0) {
    // In code or a quote the line is no matter: no element follows it there.
    const beginsLine = at === 0 || text.charAt(at - 1) === '\n';
    const envelope = beginsLine ? envelopeAt(text, at, elements, accepted) : null;
    if (envelope !== null) found.push(envelope);
    at = text.indexOf(HEADER, envelope?.end ?? at + HEADER.length);
  }
  return found;
}

function envelopeAt(
  text: string,
  start: number,
  elements: ReadonlyMap<number, Element>,
  accepted: readonly SafetySuffix[],
): PeerEnvelope | null {
  const teammateIds: string[] = [];
  let at = start + HEADER.length;
  for (;;) {
    const element = elements.get(at);
    const id = element === undefined ? null : teammateIdOf(text, element);
    if (element === undefined || id === null) return null;
    teammateIds.push(id);
    at = element.end;
    if (!text.startsWith(BETWEEN + OPENER, at)) break;
    at += BETWEEN.length;
  }
  const end = safetyEnd(text, at, accepted);
  return end === null ? null : { start, end, teammateIds };
}

/** The one `teammate_id` of an opening tag; null when the tag is not as it must be. */
function teammateIdOf(text: string, { start, closeStart }: Element): string | null {
  const ids: string[] = [];
  let at = start + OPENER.length;
  for (;;) {
    const next = skipSpace(text, at);
    if (text.charAt(next) === '>') {
      const [id] = ids;
      const isWhole = next < closeStart && ids.length === 1 && id !== undefined && !isBlank(id);
      return isWhole ? id : null;
    }
    const attribute = next === at ? null : attributeAt(text, next);
    if (attribute === null) return null;
    if (attribute.name === 'teammate_id') ids.push(attribute.value);
    at = attribute.end;
  }
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

const ATTRIBUTE_NAME = /[^\0-\x20"'/<=>\x7f]+/y;

function attributeAt(text: string, start: number): Attribute | null {
  ATTRIBUTE_NAME.lastIndex = start;
  const name = ATTRIBUTE_NAME.exec(text)?.[0];
  if (name === undefined) return null;
  const equals = skipSpace(text, start + name.length);
  if (text.charAt(equals) !== '=') return null;
  const open = skipSpace(text, equals + 1);
  const quote = text.charAt(open);
  if (quote !== '"' && quote !== "'") return null;
  const close = text.indexOf(quote, open + 1);
  return close < 0 ? null : { name, value: text.slice(open + 1, close), end: close + 1 };
}

/** Where the closing text ends that begins at `start`; null when it is none of the known ones. */
function safetyEnd(text: string, start: number, accepted: readonly SafetySuffix[]): number | null {
  for (const suffix of accepted) {
    const end = afterCodePoints(text, start, suffix.codePoints);
    if (end === null || (end < text.length && text.charAt(end) !== '\n')) continue;
    const hash = createHash('sha256').update(text.slice(start, end), 'latin1').digest('hex');
    if (hash.startsWith(suffix.sha256Prefix)) return end;
  }
  return null;
}
