#!/usr/bin/env node
/**
 * The program `ahq`: arguments in, exit code out. Only this file ends the process.
 *
 * What a command needs is loaded when the command is run.
 */

import { CommanderError } from 'commander';
import { Interruption } from './commands/interruption.ts';
import { Messages } from './commands/messages.ts';
import { createProgram, parsableArguments } from './commands/program.ts';
import { Stdout } from './commands/stdout.ts';
import { AhqError, type ErrorCode } from './errors.ts';

const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  USAGE: 2,
  SQL: 2,
  NOT_FOUND: 1,
  UNSUPPORTED: 1,
  READ: 1,
  DATA: 1,
  INTERRUPTED: 130,
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const interruption = new Interruption();
const messages = new Messages();
const stdout = new Stdout(messages, interruption);
const host = { interruption, messages, stdout };

const program = createProgram({
  async query(words, choices) {
    if (choices.version) {
      const { version } = await import('./assets.ts');
      return stdout.write(`${version()}\n`);
    }
    const { sqlText } = await import('./commands/sql-text.ts');
    const sql = await sqlText(words, choices.file, interruption.signal);
    if (sql === null) return program.outputHelp();
    const { query } = await import('./commands/query.ts');
    return query(sql, choices, host);
  },
  async schema(relation, choices) {
    const { schema } = await import('./commands/schema.ts');
    return schema(relation, choices, host);
  },
  async sources(choices) {
    const { sources } = await import('./commands/sources.ts');
    return sources(choices, host);
  },
  async refresh(choices) {
    const { refreshCommand } = await import('./commands/refresh.ts');
    return refreshCommand(choices, host);
  },
  async rebuild(choices) {
    const { rebuildCommand } = await import('./commands/refresh.ts');
    return rebuildCommand(choices, host);
  },
  async status(choices) {
    const { status } = await import('./commands/status.ts');
    return status(choices, host);
  },
  async demo(choices) {
    const { demo } = await import('./commands/demo.ts');
    return demo(choices, host);
  },
});

for (const [name, exitCode] of Object.entries(SIGNALS)) {
  process.on(name, () => {
    if (interruption.exitCode !== null) killAtOnce(name);
    messages.clear();
    interruption.stop(exitCode);
  });
}

process.exit(await main(process.argv.slice(2)));

/** Runs the program and gives its exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    await parse(args);
    await stdout.finish();
    return interruption.exitCode ?? 0;
  } catch (error) {
    // Whatever fails after the word to stop only echoes it.
    return interruption.exitCode ?? failure(error);
  }
}

async function parse(args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(parsableArguments(program, args), { from: 'user' });
  } catch (error) {
    // Help that was asked for ends the parser the same way as a mistake does.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new AhqError('USAGE', sentenceOf(error), { cause: error });
  }
}

/** Commander's message, which may hold a suggestion on a second line. */
function sentenceOf({ code, message }: CommanderError): string {
  // `ahq help` has shown the whole help, on stderr, in place of that of an unknown command.
  if (code === 'commander.help') return 'there is no such command';
  return message.replace(/^error: /, '').replaceAll('\n', ' ');
}

/** Says what went wrong and gives the exit code for it. */
function failure(error: unknown): number {
  messages.say(error instanceof Error ? error.message : String(error));
  return error instanceof AhqError ? EXIT_CODES[error.code] : 1;
}

/** Ends the process by the signal itself, as if nobody had listened to it. */
function killAtOnce(signal: string): void {
  interruption.cleanUp();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
