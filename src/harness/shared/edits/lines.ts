/**
 * Counting the lines that an edit adds and removes.
 *
 * A line ends after its line feed; what follows the last line feed is a line when it is not empty.
 * Two lines are the same when their line ends are, too. The counts are those of a shortest edit
 * script. Where looking for it would take long they are plain: every line of the old text went,
 * every line of the new one came. Either way `added - removed` is how much the text grew.
 */

import { diffArrays } from 'diff';

/** Above so many lines on either side the counts are plain. */
const LINES_MAX = 2_000;

/** The longest edit script looked for: some 80 ms for two orders of the same 2,000 lines. */
const EDITS_MAX = 1_000;

/** How many lines a text has; none for the empty text. */
export function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** How many lines an edit from `before` to `after` adds and removes. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const plain = { added: lineCount(after), removed: lineCount(before) };
  if (plain.added > LINES_MAX || plain.removed > LINES_MAX) return plain;
  const old = linesWithEnds(before);
  const now = linesWithEnds(after);
  // No shortest script keeps a line that the other side lacks. Without these lines the search is
  // short even when everything was rewritten.
  const oldShared = sharedWith(now, old);
  const nowShared = sharedWith(old, now);
  const kept = keptLines(oldShared, nowShared);
  return { added: now.length - kept, removed: old.length - kept };
}

function linesWithEnds(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function sharedWith(others: readonly string[], lines: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter(line => known.has(line));
}

/** How many lines a shortest edit script leaves alone; 0 when it is too long to be found. */
function keptLines(old: string[], now: string[]): number {
  const parts = diffArrays(old, now, { maxEditLength: EDITS_MAX }) ?? [];
  const kept = parts.filter(part => !part.added && !part.removed);
  return kept.reduce((sum, part) => sum + part.count, 0);
}
