/**
 * The measured queries: what is asked, how much it may cost, and what the answer must be.
 */
import type { Corpus } from './corpus.ts';
import type { Truth } from './truth.ts';

/** The rows of an answer. */
export type Rows = readonly (readonly unknown[])[];

/** One measured query. */
export interface MeasuredQuery {
  /** For `--only` and the tables. */
  readonly name: string;
  /** What is asked, in a few words for the tables. */
  readonly title: string;
  /** The statements of one process; the last one gives the answer. */
  readonly statements: (corpus: Corpus) => readonly string[];
  /** Highest CPU cost as a multiple of `nativeCount` over the same files; null: not promised. */
  readonly ratio_limit: number | null;
  /** Highest peak over an idle engine in MB; null where the answer itself stays in memory. */
  readonly peak_limit_mb: number | null;
  /** Most bytes that may be read; null: the whole corpus. */
  readonly bytes_limit: number | null;
  /** What `answer` must give. */
  readonly expected: (truth: Truth) => unknown;
  /** The part of the rows that is compared with what is expected. */
  readonly answer: (rows: Rows, truth: Truth) => unknown;
}

const PEAK_LIMIT_MB = 150;
const CONVERSATION_COLUMNS = 58;

/** DuckDB's own reader over the same files: the measure of all ratios. */
export function nativeCount(corpus: Corpus): string {
  const files = quoted(corpus.transcripts);
  return `select count(*) from read_ndjson_objects(${files}, maximum_object_size = 67108864)`;
}

/** What most queries have in common: they read everything and give an answer to compare whole. */
const scan = {
  peak_limit_mb: PEAK_LIMIT_MB,
  bytes_limit: null,
  answer: (rows: Rows) => rows,
};

/** In the order of the tables. */
export const measured_queries: readonly MeasuredQuery[] = [
  {
    ...scan,
    name: 'count',
    title: 'count(*), block mode',
    statements: corpus => [`select count(*) from ${conversations(corpus)}`],
    ratio_limit: 2.5,
    expected: truth => [[truth.block_rows]],
  },
  {
    ...scan,
    name: 'count-lines',
    title: 'count(*), line mode',
    statements: corpus => [`select count(*) from ${conversations(corpus, "rows := 'line'")}`],
    ratio_limit: 1,
    expected: truth => [[truth.lines]],
  },
  {
    ...scan,
    name: 'group',
    title: 'group by message_type, sum(output_tokens)',
    statements: corpus => [
      `select message_type, count(*), sum(output_tokens)
       from ${conversations(corpus)} group by all`,
    ],
    ratio_limit: 3,
    expected: truth => ({
      rows: truth.block_rows,
      output_tokens: truth.line_output_tokens,
      types: truth.compared_rows,
    }),
    answer: (rows, truth) => ({
      rows: total(rows, 1),
      output_tokens: total(rows, 2),
      types: Object.fromEntries(
        Object.keys(truth.compared_rows).map(type => [type, rows.find(([t]) => t === type)?.[1]]),
      ),
    }),
  },
  {
    ...scan,
    name: 'columns',
    title: `all ${CONVERSATION_COLUMNS} columns`,
    statements: corpus => [`select count(columns(*)) from ${conversations(corpus)}`],
    ratio_limit: 6,
    expected: truth => ({
      columns: CONVERSATION_COLUMNS,
      message_types: truth.block_rows,
      output_tokens: truth.token_rows,
      raw_events: truth.block_rows,
    }),
    answer: ([counts = []]) => ({
      columns: counts.length,
      message_types: counts[7],
      output_tokens: counts[18],
      raw_events: counts[55],
    }),
  },
  {
    ...scan,
    name: 'table',
    title: 'create table as, in memory',
    statements: corpus => [
      `create table t as from ${conversations(corpus)}`,
      'select count(*), sum(output_tokens) from t',
    ],
    ratio_limit: 9,
    peak_limit_mb: null,
    expected: truth => [[truth.block_rows, truth.line_output_tokens]],
  },
  {
    ...scan,
    name: 'events',
    title: 'read_events, sum(strlen(raw))',
    statements: corpus => [
      `select count(*), sum(strlen(raw)) from read_events(${parameters(corpus)})`,
    ],
    ratio_limit: 1.5,
    // The bytes of a record end before its line feed.
    expected: truth => [[truth.lines, truth.bytes - truth.lines]],
  },
  {
    ...scan,
    name: 'llm-calls',
    title: 'read_llm_calls, sums of all tokens',
    statements: corpus => [
      `select count(*), sum(input_uncached), sum(cache_read),
              sum(cache_write_5m) + sum(cache_write_1h), sum(output)
       from read_llm_calls(${parameters(corpus)})`,
    ],
    ratio_limit: 5,
    expected: ({ model_calls, model_call_tokens: tokens }) => [
      [model_calls, tokens.input_uncached, tokens.cache_read, tokens.cache_write, tokens.output],
    ],
  },
  {
    ...scan,
    name: 'messages',
    title: 'read_messages, sum(strlen(text))',
    statements: corpus => [
      `select message_class, count(*), sum(strlen(text))
       from read_messages(${parameters(corpus)}) group by all`,
    ],
    ratio_limit: 8,
    expected: truth => truth.messages,
    answer: (rows, truth) => ({
      ...Object.fromEntries(
        Object.keys(truth.messages).map(name => [name, rows.find(([t]) => t === name)?.[1]]),
      ),
    }),
  },
  {
    ...scan,
    name: 'tool-io',
    title: 'read_tool_io, all texts',
    statements: corpus => [
      `select count(input_text), sum(strlen(input_text)) > 0, sum(strlen(output_text)) > 0
       from read_tool_io(${parameters(corpus)})`,
    ],
    ratio_limit: 8,
    expected: truth => [[truth.tool_calls, true, true]],
  },
  {
    ...scan,
    name: 'limit',
    title: 'select * … limit 5',
    statements: corpus => [`select * from ${conversations(corpus)} limit 5`],
    ratio_limit: null,
    bytes_limit: 20_000_000,
    expected: () => ({ rows: 5, columns: CONVERSATION_COLUMNS }),
    answer: rows => ({ rows: rows.length, columns: rows[0]?.length }),
  },
];

function conversations(corpus: Corpus, ...more: readonly string[]): string {
  return `read_conversations(${parameters(corpus, ...more)})`;
}

function parameters(corpus: Corpus, ...more: readonly string[]): string {
  const named = [`path := ${quoted(corpus.home)}`, `source := ${quoted(corpus.source)}`];
  return [...named, ...more].join(', ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function total(rows: Rows, column: number): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
}
