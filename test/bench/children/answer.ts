/**
 * What a measured program prints: the rows of its last statement and the work that they took.
 */

/** What the engine did; counted since it was opened. */
export interface Work {
  readonly bytesRead: number;
  readonly filesOpened: number;
  readonly linesRead: number;
  readonly recordsParsed: number;
}

/** The answer of a measured program; DuckDB itself counts no work. */
export interface Answer {
  readonly rows: readonly (readonly unknown[])[];
  readonly work: Work | null;
}

/** The answer as JSON, with big integers as numbers: no count here comes near 2^53. */
export function answerText(answer: Answer): string {
  return JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}
