/** When the progress line is shown, and what it says. */

import { describe, expect, it } from 'vitest';
import { ProgressLine, progressText } from '../../src/commands/progress.ts';
import { bytesText, durationText } from '../../src/commands/units.ts';

/** Lines shown for reports at these times, in milliseconds, of a scan of 100 bytes. */
function shownAt(reports: readonly (readonly [ms: number, doneBytes: number])[]): string[] {
  const shown: string[] = [];
  let now = 0;
  const messages = { canRewrite: true, showLine: (text: string) => shown.push(`${now} ${text}`) };
  const line = new ProgressLine(messages, () => now);
  for (const [ms, doneBytes] of reports) {
    now = ms;
    line.update({ files: 1, doneBytes, totalBytes: 100 });
  }
  return shown.map(text => text.replace(/ 1 file.*/, ''));
}

describe('the progress line', () => {
  it('waits for a second, then comes at most every 100 ms', () => {
    const at = [5000, 5999, 6000, 6001, 6099, 6100, 6150, 6300];
    expect(shownAt(at.map((ms, i) => [ms, i]))).toEqual(['6000', '6100', '6300']);
  });

  it('waits anew for each scan', () => {
    const first = [0, 1500].map((ms, i) => [ms, i] as const);
    const second = [2000, 2900, 3000].map((ms, i) => [ms, i] as const);
    expect(shownAt([...first, [1900, 100], ...second])).toEqual(['1500', '1900', '3000']);
  });

  it('says how much is read, and how long the rest takes at that pace', () => {
    const progress = { files: 1200, doneBytes: 1.2e9, totalBytes: 3.6e9 };
    expect(progressText(progress, 10_000)).toBe('1,200 files, 1.2 GB of 3.6 GB, 33 %, 20 s left');
  });

  it('says no time before the first byte and after the last', () => {
    const at = (doneBytes: number) => progressText({ files: 1, doneBytes, totalBytes: 100 }, 2000);
    expect(at(0)).toBe('1 file, 0 B of 100 B, 0 %');
    expect(at(100)).toBe('1 file, 100 B of 100 B, 100 %');
    expect(at(150)).toBe('1 file, 150 B of 100 B, 100 %');
  });
});

describe('units', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [1_234_567_890, '1.2 GB'],
    [5e15, '5000.0 TB'],
  ])('of %i bytes', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it.each([
    [0.2, '1 s'],
    [59.4, '59 s'],
    [59.6, '1 min 0 s'],
    [125, '2 min 5 s'],
    [3840, '1 h 4 min'],
  ])('of %d seconds', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
