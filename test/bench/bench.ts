/**
 * `npm run bench`: what the table functions cost, against DuckDB's own JSON reader over the
 * same files. A wrong answer ends with status 1; a limit that is passed is only printed.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { claude_corpus } from './claude-corpus.ts';
import { codex_corpus, codex_zst_corpus } from './codex-corpus.ts';
import { type CorpusGenerator, ensureCorpus } from './corpus.ts';
import {
  type Idle,
  type Measurement,
  measureIdle,
  measurePeak,
  measureQuery,
  measureStartup,
} from './measure.ts';
import { type MeasuredQuery, measured_queries } from './measured-query.ts';
import { Programs } from './program.ts';
import { alignedTable, type Growth, growthRows, markdownTable, measurementRows } from './report.ts';

const FOLDER = '.bench';
const corpora: Readonly<Record<string, CorpusGenerator | undefined>> = {
  claude: claude_corpus,
  codex: codex_corpus,
  'codex-zst': codex_zst_corpus,
};
const STARTUP = 'startup';
/** Corpus sizes in MB between which the peak memory must not grow. */
const memory_sizes = [100, 1000] as const;
const help = `npm run bench -- [options]
  --corpus C   whose files: ${Object.keys(corpora).join(', ')} (claude)
  --mb N       size of the corpus in MB (500)
  --runs N     runs of each program, of which the cheapest counts (5)
  --only NAME  one query: ${[...measured_queries.map(query => query.name), STARTUP].join(', ')}
  --memory     also compare peak memory over ${memory_sizes.join(' and ')} MB
  --markdown   print a Markdown table
`;

interface Options {
  readonly generator: CorpusGenerator;
  readonly megabytes: number;
  readonly runs: number;
  readonly queries: readonly MeasuredQuery[];
  readonly has_startup: boolean;
  readonly has_memory: boolean;
  readonly is_markdown: boolean;
}

process.exitCode = main();

function main(): number {
  const options = readOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    note(options);
    return 2;
  }
  if (!existsSync('dist/index.js')) {
    note('dist/index.js is missing: run npm run build first');
    return 1;
  }
  mkdirSync(FOLDER, { recursive: true });
  const programs = new Programs(FOLDER);
  note('idle');
  const idle = measureIdle(programs, options.runs);
  const measurements = measureAll(programs, options, idle);
  const growths = options.has_memory ? measureGrowth(programs, options, idle) : [];
  writeResult(options, idle, measurements, growths);
  const table = options.is_markdown ? markdownTable : alignedTable;
  process.stdout.write(table(measurementRows(measurements)));
  if (options.has_memory) process.stdout.write(`\n${table(growthRows(growths, memory_sizes))}`);
  const wrong = measurements.filter(measurement => measurement.wrong !== null);
  for (const { name, wrong: text } of wrong) note(`wrong answer of ${name}: ${text}`);
  return wrong.length === 0 ? 0 : 1;
}

function measureAll(programs: Programs, options: Options, idle: Idle): readonly Measurement[] {
  const corpus = ensureCorpus(options.generator, FOLDER, options.megabytes, note);
  const measurements = options.queries.map(query => {
    note(query.name);
    return measureQuery(programs, query, corpus, idle, options.runs);
  });
  if (!options.has_startup) return measurements;
  note(STARTUP);
  return [...measurements, measureStartup(programs, options.runs)];
}

/** Peaks over a small and a large corpus; a table in memory grows by its nature. */
function measureGrowth(programs: Programs, options: Options, idle: Idle): readonly Growth[] {
  const { generator } = options;
  const [small, large] = memory_sizes.map(size => ensureCorpus(generator, FOLDER, size, note));
  if (small === undefined || large === undefined) return [];
  const queries = options.queries.filter(query => query.peak_limit_mb !== null);
  return queries.map(query => {
    note(`memory of ${query.name}`);
    const small_mb = measurePeak(programs, query, small, idle, options.runs);
    const large_mb = measurePeak(programs, query, large, idle, options.runs);
    return { name: query.name, small_mb, large_mb };
  });
}

function writeResult(
  options: Options,
  idle: Idle,
  measurements: readonly Measurement[],
  growths: readonly Growth[],
): void {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const { megabytes, runs, generator } = options;
  const result = {
    corpus: generator.folder,
    megabytes,
    runs,
    machine,
    idle,
    measurements,
    growths,
  };
  writeFileSync(join(FOLDER, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
}

/** The options, or what is wrong with them. */
function readOptions(args: readonly string[]): Options | string {
  const values = parsed(args);
  if (typeof values === 'string') return `${values}\n${help}`;
  const [megabytes, runs] = [Number(values.mb ?? 500), Number(values.runs ?? 5)];
  const generator = corpora[values.corpus ?? 'claude'];
  if (generator === undefined || !(megabytes >= 1 && Number.isInteger(runs) && runs >= 1))
    return help;
  const queries = measured_queries.filter(query => [undefined, query.name].includes(values.only));
  const has_startup = [undefined, STARTUP].includes(values.only);
  if (queries.length === 0 && !has_startup) return help;
  const has_memory = values.memory ?? false;
  const is_markdown = values.markdown ?? false;
  return { generator, megabytes, runs, queries, has_startup, has_memory, is_markdown };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        corpus: { type: 'string' },
        mb: { type: 'string' },
        runs: { type: 'string' },
        only: { type: 'string' },
        memory: { type: 'boolean' },
        markdown: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function note(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
