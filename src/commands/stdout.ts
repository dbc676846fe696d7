/** stdout as a sink that waits for a slow reader and stops when the reader is gone. */

import { once } from 'node:events';
import { systemCode } from '../errors.ts';
import type { Sink } from '../output/format.ts';
import type { Interruption } from './interruption.ts';
import type { Messages } from './messages.ts';
import { writeError } from './write-error.ts';

const WIDTH = 100;

/** The standard output of this process. */
export class Stdout implements Sink {
  readonly #messages: Messages;
  readonly #interruption: Interruption;
  #failure: unknown;

  constructor(messages: Messages, interruption: Interruption) {
    this.#messages = messages;
    this.#interruption = interruption;
    process.stdout.on('error', error => {
      this.#failure = error;
      // The reader has seen enough (`| head`): nothing is wrong.
      if (systemCode(error) === 'EPIPE') interruption.stop(0);
    });
  }

  /** Whether somebody looks at it. */
  get isTerminal(): boolean {
    return process.stdout.isTTY;
  }

  /** Cells of a line: the terminal's, else those that COLUMNS names, else 100. */
  get width(): number {
    return process.stdout.columns || Number(process.env['COLUMNS']) || WIDTH;
  }

  /** Whether colours would be seen and are wanted (https://no-color.org). */
  get hasColours(): boolean {
    return this.isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  }

  /** Writes `text`; throws when nobody takes it any more, or the program is to stop. */
  async write(text: string): Promise<void> {
    this.#messages.clear();
    this.#throwFailure();
    if (process.stdout.write(text)) return;
    try {
      await once(process.stdout, 'drain', { signal: this.#interruption.signal });
    } catch (error) {
      throw writeError('stdout', error);
    }
  }

  /** Resolves when everything that was written has left; throws when some of it could not. */
  async finish(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#interruption.signal.addEventListener('abort', () => resolve());
      process.stdout.write('', () => resolve());
    });
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw writeError('stdout', this.#failure);
  }
}
