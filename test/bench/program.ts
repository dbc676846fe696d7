/**
 * The measured programs: each run is a fresh process that reports its own cost at its end.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Answer } from './children/answer.ts';

/** A script for Node with its arguments. */
export interface Program {
  readonly script: string;
  readonly arguments: readonly string[];
}

/** What one run cost. */
export interface Cost {
  /** User and system time of all threads, in seconds. */
  readonly cpu_s: number;
  /** Largest resident memory, in bytes. */
  readonly peak_bytes: number;
}

/** What one run printed and cost. */
export interface Run extends Cost {
  readonly stdout: string;
}

const SOURCES = 'test/bench/children';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The programs of one bench, bundled into a folder. */
export class Programs {
  readonly #folder: string;

  /** Bundles the children, so that no run pays for compiling TypeScript. */
  constructor(folder: string) {
    this.#folder = folder;
    const common = { bundle: true, platform: 'node', target: 'node20', outdir: folder } as const;
    buildSync({
      ...common,
      entryPoints: ['ours', 'native', 'bindings'].map(name => join(SOURCES, `${name}.ts`)),
      format: 'esm',
      packages: 'external',
    });
    buildSync({
      ...common,
      entryPoints: [join(SOURCES, 'usage.ts')],
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    });
  }

  /** The built library, running these statements. */
  ours(statements: readonly string[]): Program {
    return this.#child('ours', [JSON.stringify(statements)]);
  }

  /** DuckDB without ahq, running these statements. */
  native(statements: readonly string[]): Program {
    return this.#child('native', [JSON.stringify(statements)]);
  }

  /** The least program on DuckDB: open it and run `select 1`. */
  bindings(): Program {
    return this.#child('bindings', []);
  }

  /** The built command line tool. */
  tool(args: readonly string[]): Program {
    return { script: join('dist', 'cli.js'), arguments: args };
  }

  /** Runs a program once; throws when it fails. Its stderr is passed on. */
  run(program: Program): Run {
    const usage_script = join(this.#folder, 'usage.cjs');
    const result = spawnSync(
      process.execPath,
      ['--require', `./${usage_script}`, program.script, ...program.arguments],
      { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], maxBuffer: MAX_OUTPUT_BYTES },
    );
    const [, stdout, , report] = result.output.map(String);
    if (result.status !== 0 || stdout === undefined || report === undefined) {
      const how = result.error?.message ?? `status ${result.status}, signal ${result.signal}`;
      throw new Error(`${program.script} ${program.arguments.join(' ')} failed: ${how}`);
    }
    const { cpu_s, peak_bytes } = JSON.parse(report) as Cost;
    return { stdout, cpu_s, peak_bytes };
  }

  #child(name: string, args: readonly string[]): Program {
    return { script: join(this.#folder, `${name}.js`), arguments: args };
  }
}

/** The answer in the output of our child or DuckDB's. */
export function answerOf(run: Run): Answer {
  return JSON.parse(run.stdout) as Answer;
}
