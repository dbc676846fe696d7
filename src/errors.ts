/**
 * The one error class of ahq.
 *
 * A message is a sentence that names what was asked, the file and the offset, and what to do;
 * `code` is for programs. Only `cli.ts` prints an error and ends the process.
 */

/**
 * What went wrong, for programs:
 * - `USAGE`: a wrong argument, parameter or configuration;
 * - `SQL`: DuckDB refused the statement;
 * - `NOT_FOUND`: a path that does not exist;
 * - `UNSUPPORTED`: a harness or layout that cannot answer this question;
 * - `READ`: the disk refused (permission, vanished, replaced while it was read);
 * - `DATA`: the bytes are not what the format promises;
 * - `INTERRUPTED`: stopped by the caller.
 */
export type ErrorCode =
  | 'USAGE'
  | 'SQL'
  | 'NOT_FOUND'
  | 'UNSUPPORTED'
  | 'READ'
  | 'DATA'
  | 'INTERRUPTED';

/** Where an error happened and what caused it; every part is optional. */
export interface ErrorDetails {
  /** The file or folder concerned. */
  readonly path?: string;
  /** Byte offset inside `path`. */
  readonly offset?: number;
  /** The error underneath. */
  readonly cause?: unknown;
}

/** Every error that ahq throws on purpose. */
export class AhqError extends Error {
  override readonly name = 'AhqError';
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** The file or folder concerned, or null. */
  readonly path: string | null;
  /** Byte offset inside `path`, or null. */
  readonly offset: number | null;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.path = details.path ?? null;
    this.offset = details.offset ?? null;
  }
}

/** The operating system's own word for a failed call (`ENOENT`, `EACCES` …), or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
