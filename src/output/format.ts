/** What every output format is given, and what it gives back. */

import type { QueryResult } from '../engine/result.ts';

/** Where a format writes to. */
export interface Sink {
  /** Takes `text` and resolves when more may come, so that a slow reader slows the query down. */
  write(text: string): Promise<void>;
}

/** How to write; a format ignores what does not concern it. */
export interface FormatOptions {
  /** IANA time zone in which TIMESTAMPTZ values read; UTC when absent. */
  readonly timezone?: string | undefined;
  /** csv, tsv, table: what stands for NULL; nothing in csv and tsv, `NULL` in a table. */
  readonly nullText?: string | undefined;
  /** table: columns of the terminal; as wide as the values need when absent. */
  readonly width?: number | undefined;
  /** table: show whole values in all columns, however wide that is. */
  readonly noTruncate?: boolean | undefined;
  /** table: rows to show, 100 when absent; the rest is counted. */
  readonly maxRows?: number | undefined;
  /** table: mark headers and NULL with ANSI codes. */
  readonly colour?: boolean | undefined;
}

/**
 * Writes a result and resolves to the number of its rows. Nothing is written for a result without
 * columns. An error of the query passes through; what was written before it stays written.
 */
export type Format = (result: QueryResult, sink: Sink, options: FormatOptions) => Promise<number>;
