/**
 * What a corpus holds, counted while it is written: the answers that a measured query must give.
 */

/** One file of a corpus. */
export interface CorpusFile {
  /** Relative to the folder of the corpus. */
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
}

/** The content of `truth.json`, which is written last and so marks a corpus as complete. */
export interface Truth {
  /** Name and version of what wrote the corpus; another version means another corpus. */
  readonly generator: string;
  readonly bytes: number;
  readonly lines: number;
  readonly files: readonly CorpusFile[];
  /** Lines per record type. */
  readonly records_by_type: Readonly<Record<string, number>>;
  /** Content blocks per type; `string` counts messages whose content is a plain string. */
  readonly blocks_by_type: Readonly<Record<string, number>>;
  /** Rows of read_conversations in block mode. */
  readonly block_rows: number;
  /** The same per kind of row; `tool_use` are the tool calls after the first one of a line. */
  readonly block_rows_by_kind: Readonly<Record<string, number>>;
  /** Rows by block per message type, for the types that a measured query compares. */
  readonly compared_rows: Readonly<Record<string, number>>;
  /** Rows by block that carry output tokens. */
  readonly token_rows: number;
  /** Output tokens summed over those rows: too much, because usage is repeated or added up. */
  readonly line_output_tokens: number;
  readonly model_calls: number;
  readonly tool_calls: number;
  /** Rows of read_messages per class, for the classes that a measured query compares. */
  readonly messages: Readonly<Record<string, number>>;
  /** Tokens summed over the model calls, each by its line with the largest output. */
  readonly model_call_tokens: CallTokens;
}

/** Tokens of a model call, or of many, in disjoint buckets of input. */
export interface CallTokens {
  readonly input_uncached: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
}

/** No tokens. */
export const no_tokens: CallTokens = {
  input_uncached: 0,
  cache_read: 0,
  cache_write: 0,
  output: 0,
};

/** The sum of two, bucket by bucket. */
export function plus(left: CallTokens, right: CallTokens): CallTokens {
  return {
    input_uncached: left.input_uncached + right.input_uncached,
    cache_read: left.cache_read + right.cache_read,
    cache_write: left.cache_write + right.cache_write,
    output: left.output + right.output,
  };
}

/** A content block, as far as the row rules look at it. */
export interface CountedBlock {
  readonly type: 'text' | 'thinking' | 'tool_use' | 'tool_result';
  /** True for a thinking block that holds a signature and no text. */
  readonly is_empty?: boolean;
}

/** Counts records, blocks, rows and tokens while a corpus is written. */
export class Tally {
  readonly #records = new Map<string, number>();
  readonly #blocks = new Map<string, number>();
  readonly #rows = new Map<string, number>();
  #line_output_tokens = 0;
  #texts = 0;
  #model_calls = 0;
  #model_call_tokens = no_tokens;

  /** A record without content blocks: one row. */
  plain(type: string): void {
    add(this.#records, type);
    add(this.#rows, type);
  }

  /** A user record: one row per tool result, and one for what the human wrote, if anything. */
  user(content: 'string' | readonly CountedBlock[]): void {
    add(this.#records, 'user');
    const types = content === 'string' ? [content] : content.map(block => block.type);
    for (const type of types) add(this.#blocks, type);
    const results = types.filter(type => type === 'tool_result').length;
    add(this.#rows, 'tool_result', results);
    add(this.#rows, 'user', types.length > results ? 1 : 0);
  }

  /** An assistant record: one row, plus non-empty thinking and tool calls after the first. */
  assistant(content: readonly CountedBlock[], output_tokens: number): void {
    add(this.#records, 'assistant');
    for (const block of content) add(this.#blocks, block.type);
    if (content.some(block => block.type === 'text')) this.#texts += 1;
    const tool_calls = content.filter(block => block.type === 'tool_use').length;
    const thoughts = content.filter(block => block.type === 'thinking' && !block.is_empty).length;
    add(this.#rows, 'assistant');
    add(this.#rows, 'thinking', thoughts);
    add(this.#rows, 'tool_use', Math.max(0, tool_calls - 1));
    this.#line_output_tokens += output_tokens;
  }

  /** One model call, with the tokens of its winning line. */
  modelCall(tokens: CallTokens): void {
    this.#model_calls += 1;
    this.#model_call_tokens = plus(this.#model_call_tokens, tokens);
  }

  /** Everything counted so far. */
  truth(generator: string, files: readonly CorpusFile[]): Truth {
    return {
      generator,
      bytes: sum(files.map(file => file.bytes)),
      lines: sum(files.map(file => file.lines)),
      files,
      records_by_type: Object.fromEntries(this.#records),
      blocks_by_type: Object.fromEntries(this.#blocks),
      block_rows: sum([...this.#rows.values()]),
      block_rows_by_kind: Object.fromEntries(this.#rows),
      compared_rows: {
        tool_result: this.#rows.get('tool_result') ?? 0,
        thinking: this.#rows.get('thinking') ?? 0,
      },
      token_rows: this.#records.get('assistant') ?? 0,
      line_output_tokens: this.#line_output_tokens,
      model_calls: this.#model_calls,
      tool_calls: this.#blocks.get('tool_use') ?? 0,
      messages: { assistant_text: this.#texts },
      model_call_tokens: this.#model_call_tokens,
    };
  }
}

function add(counts: Map<string, number>, key: string, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
