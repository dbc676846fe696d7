/**
 * Opening and closing tags of given names in a text, outside of literal parts, each opening one
 * with the closing one that balances it.
 *
 * A tag may have attributes: white space after its name, then anything but `<` and `>`.
 */

import { literalTest } from './literals.ts';
import { skipSpace, spaceLengthAt } from './wire-space.ts';

/** A tag that opens an element, and the tag that closes it. */
export interface Element {
  readonly tag: string;
  /** Where the opening tag begins. */
  readonly start: number;
  /** Where the closing tag begins. */
  readonly closeStart: number;
  /** Where the closing tag ends. */
  readonly end: number;
}

interface Token {
  readonly tag: string;
  readonly isClosing: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The complete elements of a text in the order of their opening tags, those within others
 * included. `names` finds `<` or `</` and a name, which is its first group.
 */
export function elementsOf(text: string, names: RegExp): Element[] {
  const open = new Map<string, Token[]>();
  const elements: Element[] = [];
  for (const token of tokensOf(text, names)) {
    const stack = open.get(token.tag) ?? [];
    open.set(token.tag, stack);
    if (!token.isClosing) {
      stack.push(token);
      continue;
    }
    const start = stack.pop()?.start;
    if (start === undefined) continue;
    elements.push({ tag: token.tag, start, closeStart: token.start, end: token.end });
  }
  return elements.sort((a, b) => a.start - b.start);
}

function tokensOf(text: string, names: RegExp): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(names)) {
    const end = tagEnd(text, match.index + match[0].length);
    if (end === null) continue;
    const isClosing = text.charAt(match.index + 1) === '/';
    found.push({ tag: match[1] ?? '', isClosing, start: match.index, end });
  }
  if (found.length === 0) return found;
  const isLiteral = literalTest(text);
  return found.filter(({ start }) => !isLiteral(start));
}

/** Where the tag ends whose name ends at `at`; null when it is no tag of that name. */
function tagEnd(text: string, at: number): number | null {
  if (text.charAt(at) === '>') return at + 1;
  if (spaceLengthAt(text, at) === 0) return null;
  let end = skipSpace(text, at);
  while (end < text.length && text.charAt(end) !== '<' && text.charAt(end) !== '>') end++;
  return text.charAt(end) === '>' ? end + 1 : null;
}
