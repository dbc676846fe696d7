/** The line that tells how far a long scan is. */

import { countText } from '../output/count.ts';
import type { Progress } from '../scan/scan.ts';
import type { Messages } from './messages.ts';
import { bytesText, durationText } from './units.ts';

/** A scan that is over sooner is not worth a line. */
const PATIENCE_MS = 1000;
/** At most ten lines a second. */
const PAUSE_MS = 100;

/** Rewrites one line while a scan runs. */
export class ProgressLine {
  readonly #messages: Pick<Messages, 'canRewrite' | 'showLine'>;
  readonly #now: () => number;
  #last: Progress = { files: 0, doneBytes: Number.POSITIVE_INFINITY, totalBytes: 0 };
  #startMs = 0;
  #shownMs = 0;

  /** `now` is a clock in milliseconds. */
  constructor(messages: Pick<Messages, 'canRewrite' | 'showLine'>, now = () => performance.now()) {
    this.#messages = messages;
    this.#now = now;
  }

  /** Takes what a scan reports before each chunk. */
  readonly update = (progress: Progress): void => {
    const now = this.#now();
    if (isAnotherScan(progress, this.#last)) this.#startMs = now;
    this.#last = progress;
    const elapsedMs = now - this.#startMs;
    if (elapsedMs < PATIENCE_MS || now - this.#shownMs < PAUSE_MS) return;
    if (!this.#messages.canRewrite) return;
    this.#shownMs = now;
    this.#messages.showLine(progressText(progress, elapsedMs));
  };
}

function isAnotherScan(progress: Progress, before: Progress): boolean {
  return (
    progress.doneBytes < before.doneBytes ||
    progress.files !== before.files ||
    progress.totalBytes !== before.totalBytes
  );
}

/** What is read, of how much, and how long the rest will take at this pace. */
export function progressText(progress: Progress, elapsedMs: number): string {
  const { files, doneBytes, totalBytes } = progress;
  // A file may have grown since it was listed.
  const part = totalBytes === 0 ? 1 : Math.min(1, doneBytes / totalBytes);
  const amount = `${bytesText(doneBytes)} of ${bytesText(totalBytes)}`;
  const text = `${countText(files, 'file')}, ${amount}, ${Math.floor(part * 100)} %`;
  if (part === 0 || part === 1) return text;
  return `${text}, ${durationText((elapsedMs / 1000) * (1 / part - 1))} left`;
}
