/** What the rules about finished tool calls see of a call, and what they decide. */

import { member, textOf } from '../../../bytes/json.ts';

/**
 * What the result of a call meant to the agent: `noop` nothing was run, `status` a look at how
 * things stand, `wait` time passed and nothing came, `event` something came that was waited for,
 * `orchestrate` another agent was started or told something, `user` the person answered, `work`
 * everything else.
 */
export type ResultClass = 'noop' | 'status' | 'wait' | 'event' | 'orchestrate' | 'user' | 'work';

/** A tool call whose result has come. Texts are wire text. */
export interface FinishedCall {
  readonly tool: string;
  /** What the call asks, as recorded: an object, or a text that may be JSON. */
  readonly input: unknown;
  /** The structured result: `toolUseResult` of Claude Code, `details` of pi; else undefined. */
  readonly result: unknown;
  readonly outputText: string | null;
  readonly isInterrupted: boolean;
}

/** What a call asks: JSON text parsed, anything else as it is. */
export function decodedInput(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*\{/.test(input)) return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Programs that run their last argument as a command. */
const SHELL = /(?:^|[\\/])(?:ba|z|da)?sh$/;
const COMMAND_FLAG = /^-[a-z]*c$/;

/** The shell command that an input holds: a text, or a list of arguments; null for neither. */
export function commandOf(input: unknown): string | null {
  const command = member(input, 'cmd') ?? member(input, 'command');
  if (!Array.isArray(command)) return textOf(command);
  const words = command.filter(word => typeof word === 'string');
  const [program = '', flag = '', inner] = words;
  const isWrapped = SHELL.test(program) && COMMAND_FLAG.test(flag);
  return isWrapped && inner !== undefined ? inner : words.join(' ');
}
