/** Why a statement failed, where DuckDB passes on less than we know. */

import { AhqError } from '../errors.ts';

/** The failures of one query. */
export class Failures {
  readonly #signal: AbortSignal | undefined;
  readonly #takeOwn: () => AhqError | null;

  /** `takeOwn` gives the last error that a table function threw, once. */
  constructor(signal: AbortSignal | undefined, takeOwn: () => AhqError | null) {
    this.#signal = signal;
    this.#takeOwn = takeOwn;
  }

  /** Throws INTERRUPTED when the caller has asked for the end. */
  throwIfAborted(): void {
    if (this.#signal?.aborted) throw interrupted();
  }

  /** The reason that is known without asking DuckDB, or null. */
  known(): AhqError | null {
    return this.#signal?.aborted ? interrupted() : this.#takeOwn();
  }

  /** Any error as an AhqError: our own where DuckDB passed on its message, else SQL. */
  explain(error: unknown): AhqError {
    if (error instanceof AhqError) return error;
    if (this.#signal?.aborted) return interrupted();
    const text = error instanceof Error ? error.message : String(error);
    const message = text.replace(/^Failed to extract statements: /, '');
    const own = this.#takeOwn();
    return own && message.includes(own.message)
      ? own
      : new AhqError('SQL', message, { cause: error });
  }
}

/** The failure of a query that was ended from outside. */
export function interrupted(): AhqError {
  return new AhqError('INTERRUPTED', 'the query was interrupted');
}
