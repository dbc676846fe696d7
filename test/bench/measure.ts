/**
 * Measuring: ours and DuckDB's own reader in turn, the best of several runs, less what an idle
 * process costs.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Work } from './children/answer.ts';
import type { Corpus } from './corpus.ts';
import { type MeasuredQuery, nativeCount } from './measured-query.ts';
import { answerOf, type Cost, type Program, type Programs, type Run } from './program.ts';

const MEGABYTE = 1_000_000;

/** What an idle process costs: it opens the engine and runs `select 1`. */
export interface Idle {
  readonly ours: Cost;
  readonly native: Cost;
}

/** One line of the result. CPU in seconds and memory in MB, both over an idle process. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly ours_cpu_s: number;
  readonly native_cpu_s: number;
  readonly ratio: number;
  readonly ratio_limit: number | null;
  /** The largest peak of all runs; null where it is not measured. */
  readonly peak_mb: number | null;
  readonly peak_limit_mb: number | null;
  readonly work: Work | null;
  readonly bytes_limit: number | null;
  /** What is wrong with the answer, or null. */
  readonly wrong: string | null;
}

/** What an idle process costs on either side: the lowest of several runs. */
export function measureIdle(programs: Programs, runs: number): Idle {
  const select_one = ['select 1'];
  const pairs = alternate(programs, programs.ours(select_one), programs.native(select_one), runs);
  return { ours: idleCost(pairs.ours), native: idleCost(pairs.native) };
}

/** One query against DuckDB's own count over the same files. */
export function measureQuery(
  programs: Programs,
  query: MeasuredQuery,
  corpus: Corpus,
  idle: Idle,
  runs: number,
): Measurement {
  const ours_program = programs.ours(query.statements(corpus));
  const native_program = programs.native([nativeCount(corpus)]);
  const { ours, native } = alternate(programs, ours_program, native_program, runs);
  const ours_cpu_s = Math.max(0, cheapest(ours).cpu_s - idle.ours.cpu_s);
  const native_cpu_s = cheapest(native).cpu_s - idle.native.cpu_s;
  const wrong_native = native.map(run => differenceOf([[corpus.truth.lines]], answerOf(run).rows));
  const wrong_ours = ours.map(run => wrongAnswer(query, corpus, run));
  return {
    name: query.name,
    title: query.title,
    ours_cpu_s,
    native_cpu_s,
    ratio: ours_cpu_s / native_cpu_s,
    ratio_limit: query.ratio_limit,
    peak_mb: largestPeak(ours, idle),
    peak_limit_mb: query.peak_limit_mb,
    work: answerOf(cheapest(ours)).work,
    bytes_limit: query.bytes_limit,
    wrong: [...wrong_ours, ...wrong_native].find(text => text !== null) ?? null,
  };
}

/** The whole command line tool against the least program on DuckDB, start-up included. */
export function measureStartup(programs: Programs, runs: number): Measurement {
  const tool = programs.tool(['select 1']);
  const { ours, native } = alternate(programs, tool, programs.bindings(), runs);
  const ours_cpu_s = cheapest(ours).cpu_s;
  const native_cpu_s = cheapest(native).cpu_s;
  const is_right = ours.every(run => /\b1\b/.test(run.stdout));
  return {
    name: 'startup',
    title: 'ahq "select 1", whole process',
    ours_cpu_s,
    native_cpu_s,
    ratio: ours_cpu_s / native_cpu_s,
    ratio_limit: 1.5,
    peak_mb: null,
    peak_limit_mb: null,
    work: null,
    bytes_limit: null,
    wrong: is_right ? null : 'the answer holds no 1',
  };
}

/** The largest peak of a query in MB over an idle engine; throws on a wrong answer. */
export function measurePeak(
  programs: Programs,
  query: MeasuredQuery,
  corpus: Corpus,
  idle: Idle,
  runs: number,
): number {
  const program = programs.ours(query.statements(corpus));
  const results = Array.from({ length: runs }, () => programs.run(program));
  for (const run of results) {
    const wrong = wrongAnswer(query, corpus, run);
    if (wrong !== null) throw new Error(`${query.name} over ${corpus.megabytes} MB: ${wrong}`);
  }
  return largestPeak(results, idle);
}

/** The limits that a measurement is over, in words; empty when it keeps all of them. */
export function limitsExceeded(measurement: Measurement): readonly string[] {
  const { ratio, ratio_limit, peak_mb, peak_limit_mb, work, bytes_limit } = measurement;
  const exceeded: string[] = [];
  if (isOver(ratio, ratio_limit)) exceeded.push('ratio');
  if (isOver(peak_mb, peak_limit_mb)) exceeded.push('peak');
  if (isOver(work?.bytesRead ?? null, bytes_limit)) exceeded.push('bytes');
  return exceeded;
}

function isOver(value: number | null, limit: number | null): boolean {
  return value !== null && limit !== null && value > limit;
}

function alternate(
  programs: Programs,
  ours_program: Program,
  native_program: Program,
  runs: number,
): { ours: Run[]; native: Run[] } {
  const ours: Run[] = [];
  const native: Run[] = [];
  for (let run = 0; run < runs; run += 1) {
    ours.push(programs.run(ours_program));
    native.push(programs.run(native_program));
  }
  return { ours, native };
}

/** The lowest of both, so that what is measured over it is rather too high than too low. */
function idleCost(runs: readonly Run[]): Cost {
  const peak_bytes = Math.min(...runs.map(run => run.peak_bytes));
  return { cpu_s: cheapest(runs).cpu_s, peak_bytes };
}

function cheapest(runs: readonly Run[]): Run {
  return runs.reduce((best, run) => (run.cpu_s < best.cpu_s ? run : best));
}

function largestPeak(runs: readonly Run[], idle: Idle): number {
  const peak_bytes = Math.max(...runs.map(run => run.peak_bytes));
  return (peak_bytes - idle.ours.peak_bytes) / MEGABYTE;
}

function wrongAnswer(query: MeasuredQuery, corpus: Corpus, run: Run): string | null {
  return differenceOf(query.expected(corpus.truth), query.answer(answerOf(run).rows, corpus.truth));
}

function differenceOf(expected: unknown, found: unknown): string | null {
  return isDeepStrictEqual(expected, found)
    ? null
    : `expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
}
