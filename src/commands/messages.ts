/**
 * What goes to stderr: errors, notes and the progress line. stdout carries only the answer.
 *
 * A path or a name in a message may hold what steers a terminal; it is shown, not sent.
 * Everything is written at once: while a scan runs, the event loop turns too rarely for streams.
 */

import { writeSync } from 'node:fs';
import { systemCode } from '../errors.ts';
import { visible } from '../output/visible.ts';

const STDERR = 2;
/** How long a full pipe is left alone before the next attempt. */
const PAUSE_MS = 1;
/** To the first column, and clear to the end of the line. */
const CLEAR_LINE = '\r\u001b[K';

/** The one writer to stderr. */
export class Messages {
  readonly #said = new Set<string>();
  #isLineShown = false;

  /** Whether a line may be rewritten in place: stderr is a terminal that knows how. */
  get canRewrite(): boolean {
    return process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  }

  /** Says why the program fails, or what the user asked to be told. */
  say(text: string): void {
    this.#writeLine(`ahq: ${text}\n`);
  }

  /** Says what the user should know beside the answer; the same words only once. */
  note(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#writeLine(`ahq: note: ${text}\n`);
  }

  /** Shows a line that the next message, or `clear`, takes away again. */
  showLine(text: string): void {
    const width = (process.stderr.columns || 80) - 1;
    write(`${CLEAR_LINE}${text.slice(0, width)}`);
    this.#isLineShown = true;
  }

  /** Takes the shown line away; called before anything is printed elsewhere. */
  clear(): void {
    if (!this.#isLineShown) return;
    this.#isLineShown = false;
    write(CLEAR_LINE);
  }

  #writeLine(text: string): void {
    this.clear();
    write(text.split('\n').map(visible).join('\n'));
  }
}

/** Writes all of a text; when nobody can read it any more, it is lost without a word. */
function write(text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(STDERR, bytes));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
