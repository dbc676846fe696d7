/** Counting the lines that edits and unified diffs add and remove. */

import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedLines, lineCount } from '../../src/harness/shared/edits/lines.ts';
import { unifiedDiffCounts } from '../../src/harness/shared/edits/unified-diff.ts';

/** Texts of few different lines, so that they have lines in common. */
const text = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', '', '-- c', '++ d', '@@ e', '\\ f', 'a\r'), {
      maxLength: 30,
    }),
    fc.constantFrom('', '\n', 'end'),
  )
  .map(([lines, end]) => lines.map(line => `${line}\n`).join('') + end);

function numbered(count: number, prefix = ''): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

describe('lineCount', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['\n', 1],
    ['a\nb', 2],
    ['a\n\n', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb', 1],
  ])('of %j is %i', (given, count) => {
    expect(lineCount(given)).toBe(count);
  });
});

describe('changedLines', () => {
  it.each([
    ['', '', 0, 0],
    ['', 'a\nb\n', 2, 0],
    ['a\nb\n', '', 0, 2],
    ['a\nb\nc\n', 'a\nc\n', 0, 1],
    ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a\nb\n', 'b\na\n', 1, 1],
    ['a', 'a\n', 1, 1],
    ['a\nb\n', 'a\r\nb\n', 1, 1],
    ['a\n\n\n', 'a\n\n', 0, 1],
  ])('from %j to %j', (before, after, added, removed) => {
    expect(changedLines(before, after)).toEqual({ added, removed });
  });

  it('adds and removes as much as the text grows, whatever the texts are', () => {
    const any = fc.oneof(text, fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(any, any, (before, after) => {
        const { added, removed } = changedLines(before, after);
        expect(added - removed).toBe(lineCount(after) - lineCount(before));
        expect(Math.min(added, removed)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is plain above 2,000 lines on one side', () => {
    const lines = numbered(2_000);
    const more = [...lines, 'one more'];
    const changed = lines.with(1_000, 'other');
    expect(changedLines(lines.join('\n'), changed.join('\n'))).toEqual({ added: 1, removed: 1 });
    expect(changedLines(lines.join('\n'), more.join('\n'))).toEqual({
      added: 2_001,
      removed: 2_000,
    });
    expect(changedLines(more.join('\n'), lines.join('\n'))).toEqual({
      added: 2_000,
      removed: 2_001,
    });
  });

  it('finds the lines that stay among many that were rewritten', () => {
    const before = [...numbered(900, 'old '), 'stays', ...numbered(1_000, 'more old ')];
    const after = [...numbered(1_000, 'new '), 'stays', ...numbered(900, 'more new ')];
    const counts = changedLines(before.join('\n'), after.join('\n'));
    expect(counts).toEqual({ added: 1_900, removed: 1_900 });
  });

  it('is plain where the same lines come in another order, too far from the first', () => {
    const lines = numbered(2_000);
    const turned = lines.toReversed();
    const start = performance.now();
    expect(changedLines(lines.join('\n'), turned.join('\n'))).toEqual({
      added: 2_000,
      removed: 2_000,
    });
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('unifiedDiffCounts', () => {
  it.each([
    ['', 0, 0],
    ['no diff\n+a\n-b\n', 0, 0],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', 1, 1],
    ['@@ -1,3 +1,2 @@ function\n a\n--- b\n c\n', 0, 1],
    ['@@ -1,1 +1,2 @@\n a\n+++ b\n', 1, 0],
    ['@@ -0,0 +1,2 @@\n+a\n+b\n', 2, 0],
    ['@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n', 1, 1],
    ['@@ -1,2 +1 @@\n-a\n\n', 0, 1],
    ['@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +0,0 @@\n-c\n', 1, 2],
    ['@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: y', 1, 1],
    ['@@ -1,9 +1,9 @@\n-a\ndiff --git a/y b/y\n--- a/y\n', 0, 1],
    ['@@\n-a\n+b\n@@ function\n+c\n', 2, 1],
    ['@@ -1 +1 @@\r\n-a\r\n+b\r\n', 1, 1],
  ])('of %j', (diff, added, removed) => {
    expect(unifiedDiffCounts(diff)).toEqual({ added, removed });
  });

  it('counts in a diff what was found in the texts', () => {
    fc.assert(
      fc.property(text, text, fc.nat({ max: 3 }), (before, after, context) => {
        const diff = createTwoFilesPatch('a', 'b', before, after, '', '', { context });
        expect(unifiedDiffCounts(diff)).toEqual(changedLines(before, after));
      }),
    );
  });

  it('never throws', () => {
    const piece = fc.constantFrom('@@', '@@ -1,2 +1 @@', '@@ -9999999999999 +1 @@', '+', '-', '\n');
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const { added, removed } = unifiedDiffCounts(pieces.join(''));
        expect(added + removed).toBeLessThanOrEqual(pieces.length);
      }),
    );
  });
});
