/**
 * Where the nested parts of a shell word end: quotes, `$(...)`, `$((...))`, `${...}`, backticks.
 *
 * The text inside is not interpreted, only followed, so that a parenthesis in a quoted string or
 * in a here-document closes nothing. Every function gives the index past the part, or null where
 * it has no end or nests deeper than a person or an agent would write.
 */

import { endOfBodies, type HereDocument, hereDocumentAt } from './here-documents.ts';

/** More levels than this are not followed: the reader calls itself for each. */
export const DEPTH_MAX = 100;

/** The end of a single-quoted string; `start` is past its opening quote. */
export function endOfSingle(text: string, start: number): number | null {
  const end = text.indexOf("'", start);
  return end < 0 ? null : end + 1;
}

/** The end of what goes on to an unescaped `closing`; `start` is past the opening mark. */
export function endOfEscaped(text: string, start: number, closing: "'" | '`'): number | null {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === closing) return at + 1;
  }
  return null;
}

/** The end of the expansion that the `$` or backtick at `start` begins; a bare `$` is itself. */
export function endOfExpansion(
  text: string,
  start: number,
  depth: number,
  isQuoted: boolean,
): number | null {
  if (depth > DEPTH_MAX) return null;
  if (text[start] === '`') return endOfEscaped(text, start + 1, '`');
  if (text.startsWith('$((', start)) return endOfArithmetic(text, start + 3, depth + 1);
  if (text.startsWith('$(', start)) return endOfCommands(text, start + 2, depth + 1);
  if (text.startsWith('${', start)) return endOfParameter(text, start + 2, depth + 1, isQuoted);
  if (!isQuoted && text.startsWith("$'", start)) return endOfEscaped(text, start + 2, "'");
  return start + 1;
}

/** The end of a double-quoted string; `start` is past its opening quote. */
function endOfDouble(text: string, start: number, depth: number): number | null {
  let at: number | null = start;
  while (at !== null && at < text.length) {
    if (text[at] === '"') return at + 1;
    at = endOfPart(text, at, depth, true);
  }
  return null;
}

/** The end of commands in parentheses; `start` is past the opening one. */
export function endOfCommands(text: string, start: number, depth: number): number | null {
  let open = 1;
  let documents: HereDocument[] = [];
  let at: number | null = start;
  while (at !== null && at < text.length) {
    const char = text[at];
    if (char === '\n') {
      at = endOfBodies(text, at + 1, documents);
      documents = [];
    } else if (char === '#' && COMMENT_MAY_FOLLOW.includes(text[at - 1] ?? '\n')) {
      at = endOfLine(text, at);
    } else if (text.startsWith('<<<', at)) {
      at += 3;
    } else if (text.startsWith('<<', at)) {
      const found = hereDocumentAt(text, at + 2);
      if (found) documents.push(found.document);
      at = found?.end ?? null;
    } else {
      if (char === '(') open++;
      if (char === ')' && --open === 0) return documents.length > 0 ? null : at + 1;
      at = endOfPart(text, at, depth, false);
    }
  }
  return null;
}

const COMMENT_MAY_FOLLOW = ' \t\n;&|(';

/** The end of arithmetic, which knows neither comments nor here-documents. */
function endOfArithmetic(text: string, start: number, depth: number): number | null {
  let open = 2;
  let at: number | null = start;
  while (at !== null && at < text.length) {
    if (text[at] === '(') open++;
    if (text[at] === ')' && --open === 0) return at + 1;
    at = endOfPart(text, at, depth, false);
  }
  return null;
}

function endOfParameter(
  text: string,
  start: number,
  depth: number,
  isQuoted: boolean,
): number | null {
  let at: number | null = start;
  while (at !== null && at < text.length) {
    if (text[at] === '}') return at + 1;
    // Double quotes are quotes again inside the braces, even where these stand in double quotes.
    at = text[at] === '"' ? endOfDouble(text, at + 1, depth) : endOfPart(text, at, depth, isQuoted);
  }
  return null;
}

/** The end of one escape, quote or expansion, or of one character that is none. */
function endOfPart(text: string, at: number, depth: number, isQuoted: boolean): number | null {
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char === '$' || char === '`') return endOfExpansion(text, at, depth, isQuoted);
  if (isQuoted) return at + 1;
  if (char === "'") return endOfSingle(text, at + 1);
  if (char === '"') return endOfDouble(text, at + 1, depth + 1);
  return at + 1;
}

/** The index of the newline that ends the line, or of the end of the text. */
export function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline;
}
