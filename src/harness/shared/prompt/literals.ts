/**
 * The parts of a text that are quoted as they are: fenced code and quoted lines of Markdown.
 *
 * A fence is a line that begins, after up to three spaces, with three or more backticks or tildes;
 * it ends at a line with at least as many of the same and nothing else, or with the text. What
 * follows an opening run of backticks holds no backtick: else it is code within a line. A quoted
 * line begins, after up to three spaces, with `>`. Ranges are whole lines without their line feed.
 */

import { isBlank } from './wire-space.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Fence {
  readonly start: number;
  readonly char: string;
  readonly length: number;
}

/** Tells whether positions lie in a literal part; they must be asked in ascending order. */
export function literalTest(text: string): (at: number) => boolean {
  const ranges = literalRanges(text);
  let next = 0;
  return at => {
    for (let range = ranges[next]; range !== undefined; range = ranges[++next]) {
      if (at < range.end) return at >= range.start;
    }
    return false;
  };
}

function literalRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: Fence | null = null;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const at = afterIndent(text, start);
    if (open !== null) {
      if (closes(open, text, at, end)) {
        ranges.push({ start: open.start, end });
        open = null;
      }
    } else if (text.charAt(at) === '>') {
      ranges.push({ start, end });
    } else {
      open = fenceAt(text, start, at, end);
    }
    start = end + 1;
  }
  if (open !== null) ranges.push({ start: open.start, end: text.length });
  return ranges;
}

const INDENT_MAX = 3;

function afterIndent(text: string, start: number): number {
  let at = start;
  while (at < start + INDENT_MAX && text.charAt(at) === ' ') at++;
  return at;
}

const FENCE_MIN = 3;

function fenceAt(text: string, start: number, at: number, end: number): Fence | null {
  const char = text.charAt(at);
  if (char !== '`' && char !== '~') return null;
  const length = runLength(text, at, char);
  if (length < FENCE_MIN) return null;
  const isInline = char === '`' && text.slice(at + length, end).includes('`');
  return isInline ? null : { start, char, length };
}

function closes(fence: Fence, text: string, at: number, end: number): boolean {
  const length = runLength(text, at, fence.char);
  return length >= fence.length && isBlank(text.slice(at + length, end));
}

function runLength(text: string, at: number, char: string): number {
  let end = at;
  while (end < text.length && text.charAt(end) === char) end++;
  return end - at;
}
