/**
 * What a Codex corpus holds, counted while it is written.
 */
import { type CallTokens, type CorpusFile, no_tokens, plus, type Truth } from './truth.ts';

/** Counts records, rows and tokens of Codex. */
export class CodexTally {
  readonly #records = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  #token_rows = 0;
  #row_output_tokens = 0;
  #model_calls = 0;
  #model_call_tokens = no_tokens;

  /** A record, with the message type of its row by block; null for a record without a row. */
  record(type: string, row: string | null): void {
    add(this.#records, type);
    if (row !== null) add(this.#rows, row);
  }

  /** A token count: the running total is a row; a new call is told on a row before it, too. */
  tokenCount(total_output: number, call: CallTokens | null): void {
    this.record('event_msg', 'token_usage_total');
    this.#token_rows += 1;
    this.#row_output_tokens += total_output;
    if (call === null) return;
    this.#token_rows += 1;
    this.#row_output_tokens += call.output;
    this.#model_calls += 1;
    this.#model_call_tokens = plus(this.#model_call_tokens, call);
  }

  /** Everything counted so far. */
  truth(generator: string, files: readonly CorpusFile[]): Truth {
    const rows = Object.fromEntries(this.#rows);
    return {
      generator,
      bytes: sum(files.map(file => file.bytes)),
      lines: sum(files.map(file => file.lines)),
      files,
      records_by_type: Object.fromEntries(this.#records),
      blocks_by_type: {},
      block_rows: sum(Object.values(rows)),
      block_rows_by_kind: rows,
      compared_rows: rows,
      token_rows: this.#token_rows,
      line_output_tokens: this.#row_output_tokens,
      model_calls: this.#model_calls,
      tool_calls: (rows['function_call'] ?? 0) + (rows['custom_tool_call'] ?? 0),
      messages: { assistant_text: rows['assistant'] ?? 0 },
      model_call_tokens: this.#model_call_tokens,
    };
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
