/**
 * Native packages that few sources need: loaded when the first such source is met. Where one is
 * not installed, its sources tell what to do and everything else works.
 *
 * Their types are declared here, as far as they are used: the packages may be missing where ahq is
 * built, too.
 */

import { createRequire } from 'node:module';

/** A package that a source needs and that is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  constructor(packageName: string, purpose: string, cause: unknown) {
    super(`reading ${purpose} needs the package ${packageName}: npm install ${packageName}`, {
      cause,
    });
  }
}

/** A prepared statement of better-sqlite3. */
export interface Statement {
  /** Rows as arrays from now on. */
  raw(): this;
  all(...bound: unknown[]): unknown[];
  iterate(...bound: unknown[]): IterableIterator<unknown>;
  get(...bound: unknown[]): unknown;
}

/** An open database of better-sqlite3. */
export interface Database {
  prepare(sql: string): Statement;
  pragma(name: string, options?: { readonly simple: boolean }): unknown;
  /** The function, to be run in one transaction. */
  transaction(work: () => void): () => void;
  defaultSafeIntegers(isOn: boolean): this;
  close(): this;
}

type DatabaseClass = new (
  path: string,
  options: {
    readonly readonly: boolean;
    readonly fileMustExist: boolean;
    readonly timeout: number;
  },
) => Database;

/** A decompression context of zstd-napi. */
export interface Decompressor {
  /** Gives a hint (0 at the end of a frame), the bytes written and the bytes consumed. */
  decompressStream(target: Uint8Array, input: Uint8Array): [number, number, number];
}

type Zstd = { readonly DCtx: new () => Decompressor };

const require = createRequire(import.meta.url);

/** better-sqlite3. Throws MissingPackageError. */
export function loadSqlite(): DatabaseClass {
  return loaded(() => require('better-sqlite3'), 'better-sqlite3', 'SQLite') as DatabaseClass;
}

/** zstd-napi, one level below its streams, which wait. Throws MissingPackageError. */
export function loadZstd(): Zstd {
  return loaded(() => require('zstd-napi/binding.js'), 'zstd-napi', '.zst') as Zstd;
}

function loaded(load: () => unknown, packageName: string, purpose: string): unknown {
  try {
    return load();
  } catch (error) {
    throw new MissingPackageError(packageName, purpose, error);
  }
}
