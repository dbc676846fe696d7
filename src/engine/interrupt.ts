/** Ending a query from outside. */

import type { DuckDBConnection } from '@duckdb/node-api';

const AGAIN_MS = 20;

/**
 * Interrupts the statements of a connection once `signal` is aborted, until the function that it
 * gives is called. Once is not enough: DuckDB forgets an interrupt that comes before a statement
 * has begun.
 */
export function interruptWhen(
  signal: AbortSignal | undefined,
  connection: DuckDBConnection,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), AGAIN_MS);
  };
  signal?.addEventListener('abort', interrupt);
  return () => {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(timer);
  };
}
