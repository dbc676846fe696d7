/** What every command is given: the ways out of the program, and the word to stop. */

import type { Interruption } from './interruption.ts';
import type { Messages } from './messages.ts';
import type { Stdout } from './stdout.ts';

/** What every command is given. */
export interface Host {
  readonly messages: Messages;
  readonly stdout: Stdout;
  readonly interruption: Interruption;
}
