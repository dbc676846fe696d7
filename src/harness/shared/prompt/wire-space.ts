/**
 * White space and code points of wire text.
 *
 * Wire text has one char a byte, so the usual tools are wrong for it: `trim` and `\s` take the
 * bytes 0x85 and 0xA0, which end many letters, for white space. White space here is what Unicode
 * calls so, and the four ASCII separators 0x1C to 0x1F; a byte order mark is text.
 */

/** How many chars the white space character at `at` has; 0 when there is none. */
export function spaceLengthAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0;
  const second = text.charCodeAt(at + 1);
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  const isLong = first >= 0xe1 && first <= 0xe3;
  return isLong && isLongSpace(first, second, text.charCodeAt(at + 2)) ? 3 : 0;
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
}

/** U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000. */
function isLongSpace(first: number, second: number, third: number): boolean {
  if (first === 0xe1) return second === 0x9a && third === 0x80;
  if (first === 0xe3) return second === 0x80 && third === 0x80;
  if (second === 0x81) return third === 0x9f;
  if (second !== 0x80) return false;
  return (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 || third === 0xaf;
}

/** How many chars the white space character that ends before `end` has; 0 when there is none. */
export function spaceLengthBefore(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  if (last < 0x80) return isAsciiSpace(last) ? 1 : 0;
  if (end >= 2 && spaceLengthAt(text, end - 2) === 2) return 2;
  return end >= 3 && spaceLengthAt(text, end - 3) === 3 ? 3 : 0;
}

/** The index of the first char from `start` on that is not white space, or the text's length. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  for (let size = spaceLengthAt(text, at); size > 0; size = spaceLengthAt(text, at)) at += size;
  return at;
}

/** The text without white space at its ends. */
export function trimmed(text: string): string {
  const start = skipSpace(text, 0);
  let end = text.length;
  while (end > start) {
    const size = spaceLengthBefore(text, end);
    if (size === 0) break;
    end -= size;
  }
  return text.slice(start, end);
}

/** Whether the text is empty or white space only. */
export function isBlank(text: string): boolean {
  return skipSpace(text, 0) === text.length;
}

/** How many code points begin from `start` up to `end`. */
export function codePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    if (!isContinuation(text.charCodeAt(at))) count++;
  }
  return count;
}

/** The index `count` code points after `start`; null when the text ends before. */
export function afterCodePoints(text: string, start: number, count: number): number | null {
  let at = start;
  for (let left = count; left > 0; left--) {
    if (at >= text.length) return null;
    at++;
    while (isContinuation(text.charCodeAt(at))) at++;
  }
  return at;
}

function isContinuation(code: number): boolean {
  return code >= 0x80 && code <= 0xbf;
}
