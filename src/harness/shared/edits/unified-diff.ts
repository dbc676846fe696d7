/**
 * Counting the lines of a unified diff.
 *
 * The head of each hunk, `@@ -first,lines +first,lines @@`, tells how many lines of each side
 * follow, and only they count: `--- a/file` before the first hunk or between two files is a
 * header, but the same text inside a hunk is the removed line `-- a/file`. A bare `@@`, as patches
 * written by models have it, announces no lengths: what follows counts up to the next head.
 */

const HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const BARE_HEAD = /^@@(?:\s|$)/;

/** Lines of each side that a hunk still has to give. */
interface Hunk {
  old: number;
  now: number;
}

/** How many lines a unified diff adds and removes, over all its files. */
export function unifiedDiffCounts(diff: string): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  let hunk: Hunk | null = null;
  for (const line of diff.split('\n')) {
    const opened = hunkAt(line);
    if (opened !== null) hunk = opened;
    else if (hunk !== null) hunk = countLine(line, hunk, counts) ? hunk : null;
  }
  return counts;
}

function hunkAt(line: string): Hunk | null {
  const head = HEAD.exec(line);
  // A length that is left out is 1.
  if (head !== null) return { old: Number(head[1] ?? 1), now: Number(head[2] ?? 1) };
  return BARE_HEAD.test(line) ? { old: Infinity, now: Infinity } : null;
}

/** Counts a line of a hunk; false when it is none, and with it the hunk is over. */
function countLine(line: string, hunk: Hunk, counts: { added: number; removed: number }): boolean {
  // `\ No newline at end of file` belongs to the line before it.
  if (line.startsWith('\\')) return true;
  const isOld = !line.startsWith('+');
  const isNew = !line.startsWith('-');
  if (isOld && isNew && !/^[ \r]|^$/.test(line)) return false;
  if ((isOld && hunk.old === 0) || (isNew && hunk.now === 0)) return false;
  if (isOld) hunk.old--;
  if (isNew) hunk.now--;
  if (!isOld) counts.added++;
  if (!isNew) counts.removed++;
  return true;
}
