/** The built program, run as a process of its own. */

import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { writeFile } from './folder.ts';
import { projectRoot } from './project.ts';

/** The entry of the built program. */
export const program = path.join(projectRoot, 'dist/cli.js');

const SESSION = '5b2f6c1e-0000-4000-8000-0123456789ab';

/** Where and how the program runs; what is absent is empty. */
export interface Surroundings {
  /** The home folder; one that does not exist when absent. */
  readonly home?: string;
  readonly cwd?: string;
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments of Node itself. */
  readonly node?: readonly string[];
}

/** How the program ended and what it wrote. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ahq` to its end, with pipes on all sides. */
export function ahq(args: readonly string[], where: Surroundings = {}): Outcome {
  const { node = [], input = '' } = where;
  return outcome(
    spawnSync(process.execPath, [...node, program, ...args], { ...options(where), input }),
  );
}

/** Runs `ahq` to its end in a terminal; stdout and stderr arrive together, with LF line ends. */
export function ahqInTerminal(args: readonly string[], where: Surroundings = {}): Outcome {
  const command = [process.execPath, program, ...args].map(shellWord).join(' ');
  // `script` gives the command a terminal and passes its input, output and exit code on.
  const script = ['-qefc', command, '/dev/null'];
  const ended = outcome(
    spawnSync('script', script, { ...options(where), input: where.input ?? '' }),
  );
  return { ...ended, stdout: ended.stdout.replaceAll('\r\n', '\n') };
}

/** Starts `ahq` and leaves it running; its input is closed. */
export function startAhq(args: readonly string[], where: Surroundings = {}): ChildProcess {
  const { node = [] } = where;
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return spawn(process.execPath, [...node, program, ...args], { ...options(where), stdio });
}

function options({ home = '/nowhere', cwd = projectRoot, variables }: Surroundings) {
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm', SHELL: '/bin/sh' };
  return { cwd, env: { ...env, ...variables }, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
}

function outcome({ error, status, stdout, stderr }: SpawnSyncReturns<string>): Outcome {
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Writes a home of Claude Code's with one session of `lines` prompts; gives its path. */
export function writeHome(folder: string, lines: number): string {
  const records = Array.from({ length: lines }, (_, i) =>
    JSON.stringify({
      type: 'user',
      uuid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      sessionId: SESSION,
      timestamp: '2026-11-30T10:00:00.000Z',
      cwd: '/home/ada/tide',
      message: { role: 'user', content: `prompt ${i}` },
    }),
  );
  const home = path.join(folder, '.claude');
  writeFile(home, `projects/-home-ada-tide/${SESSION}.jsonl`, `${records.join('\n')}\n`);
  return home;
}
