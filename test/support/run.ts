/** Programs started by tests, with nothing of this machine's user in their environment. */

import { spawnSync } from 'node:child_process';

/** How a program ended and what it wrote. */
export interface Outcome {
  /** The exit code; null when a signal ended it or it never started. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with which variables a program runs. */
export interface Surroundings {
  readonly cwd: string;
  /** Added to what is left of this process's. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs a program to its end, without input. */
export function run(program: string, args: readonly string[], where: Surroundings): Outcome {
  const env = { ...cleanVariables(), ...where.variables };
  const ended = spawnSync(program, args, {
    cwd: where.cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ended.error !== undefined) throw ended.error;
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/**
 * The variables of this process without those that would change what a program finds: what npm
 * hands to the scripts it runs, and the homes of ahq and of the harnesses.
 */
function cleanVariables(): Record<string, string | undefined> {
  const kept = /^npm_config_(cache|registry|userconfig)$/i;
  const dropped = /^(npm_|XDG_|AHQ_|CLAUDE|CODEX|NODE_OPTIONS$|VITEST|INIT_CWD$)/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => kept.test(name) || !dropped.test(name)),
  );
}
