/** The word to stop, and what must be done before the program ends. */

/** Why the program stops before its end. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #lastWork: (() => void)[] = [];
  #exitCode: number | null = null;

  /** Ends whatever waits or runs. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code that the first reason to stop asks for, or null. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** Asks everything to stop; the first reason decides about the exit code. */
  stop(exitCode: number): void {
    if (this.#exitCode !== null) return;
    this.#exitCode = exitCode;
    this.#controller.abort();
  }

  /** Has `work` done in case the program must end without waiting for anything. */
  beforeKill(work: () => void): void {
    this.#lastWork.push(work);
  }

  /** Does what must be done before the program ends without waiting for anything. */
  cleanUp(): void {
    for (const work of this.#lastWork) work();
  }
}
