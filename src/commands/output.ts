/** Where an answer goes and in which form, as the user chose. */

import type { QueryResult } from '../engine/result.ts';
import type { Format, FormatOptions, Sink } from '../output/format.ts';
import { type FormatName, formats } from '../output/index.ts';
import { environment } from '../places.ts';
import { refuseAgentFile } from '../scan/protect.ts';
import { OutputFile } from './output-file.ts';
import type { Stdout } from './stdout.ts';

/** When to use colours. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** What the user may choose about an answer; what is absent has a default. */
export interface Choices {
  readonly format?: FormatName;
  /** A file; `-` is stdout. */
  readonly output?: string;
  readonly maxRows?: number;
  readonly truncate?: boolean;
  readonly null?: string;
  readonly timezone?: string;
  readonly colour?: ColourChoice;
}

/** Somewhere to write, which must be finished. */
interface Way extends Sink {
  finish(): Promise<void>;
}

/** An answer on its way to stdout or into a file. */
export class Output {
  /** Rows written so far. */
  rows = 0;
  readonly #file: OutputFile | null;
  readonly #way: Way;
  readonly #format: Format;
  readonly #options: FormatOptions;

  /**
   * Opens the file, if there is one. Throws READ when it cannot be written, UNSUPPORTED when it is
   * an agent's.
   */
  constructor(choices: Choices, stdout: Stdout) {
    const { output = '-' } = choices;
    if (output !== '-') refuseAgentFile(output, environment());
    this.#file = output === '-' ? null : new OutputFile(output);
    this.#way = this.#file ?? stdout;
    const isSeen = stdout.isTerminal && this.#file === null;
    this.#format = formats[choices.format ?? formatOfEnding(output) ?? (isSeen ? 'table' : 'csv')];
    this.#options = {
      timezone: choices.timezone,
      nullText: choices.null,
      width: stdout.width,
      noTruncate: choices.truncate === false,
      maxRows: choices.maxRows,
      colour: hasColours(choices.colour, isSeen && stdout.hasColours),
    };
  }

  /** Writes one result, in full. */
  async print(result: QueryResult): Promise<void> {
    this.rows += await this.#format(result, this.#way, this.#options);
    // A statement without columns acts while it is read, and formats do not read it.
    for await (const _ of result.chunks);
  }

  /** Resolves when everything has arrived, and a file is in its place. */
  finish(): Promise<void> {
    return this.#way.finish();
  }

  /** Removes an unfinished file. */
  discard(): void {
    this.#file?.discard();
  }
}

const ENDINGS: Readonly<Record<string, FormatName>> = {
  csv: 'csv',
  json: 'json',
  jsonl: 'ndjson',
  ndjson: 'ndjson',
  tsv: 'tsv',
};

/** The format that the ending of a file names, or undefined. */
function formatOfEnding(path: string): FormatName | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

/** Whether to use colours; `auto` is what the terminal says. */
export function hasColours(choice: ColourChoice | undefined, auto: boolean): boolean {
  return choice === 'always' || (choice !== 'never' && auto);
}
