/**
 * Folders and files, following symbolic links, in the byte order of their names.
 *
 * What cannot be read is told to `onProblem` and left out; it never ends a walk. A file that
 * vanishes between listing and looking is left out silently: it is simply gone.
 */

import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file or folder as it was when it was looked at. */
export interface Entry {
  readonly name: string;
  /** The folder's path joined with the name; not canonical. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Anything else that is not a folder (a socket, a pipe) is neither. */
  readonly isFile: boolean;
  readonly byteLength: number;
  readonly modifiedMs: number;
  /** Device and inode: equal for two names of one file. */
  readonly identity: string;
}

/** Receives what could not be read. */
export type OnProblem = (path: string, error: unknown) => void;

/** The entry at `path`, or null when there is none or it cannot be looked at. */
export function entryAt(path: string, name: string, onProblem?: OnProblem): Entry | null {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    onProblem?.(path, error);
  }
  if (!stat) return null;
  return {
    name,
    path,
    isFolder: stat.isDirectory(),
    isFile: stat.isFile(),
    byteLength: stat.size,
    modifiedMs: stat.mtimeMs,
    identity: `${stat.dev}:${stat.ino}`,
  };
}

/** The names in a folder, sorted by their bytes; empty when there is no such folder. */
export function namesIn(folder: string, onProblem?: OnProblem): readonly string[] {
  try {
    const names = readdirSync(folder);
    return names.some(name => SURROGATE.test(name)) ? names.sort(compareBytes) : names.sort();
  } catch (error) {
    if (!isMissing(error)) onProblem?.(folder, error);
    return [];
  }
}

/** The entries of a folder, sorted by the bytes of their names. */
export function* entriesIn(folder: string, onProblem?: OnProblem): Generator<Entry> {
  for (const name of namesIn(folder, onProblem)) {
    const entry = entryAt(join(folder, name), name, onProblem);
    if (entry) yield entry;
    else if (name.includes('\ufffd')) onProblem?.(join(folder, name), new Error(NOT_UTF8));
  }
}

/** The path with every link resolved, or the path itself when it cannot be. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const NOT_UTF8 = 'the file name is not UTF-8; rename the file to have it read';

const SURROGATE = /[\ud800-\udfff]/;

/** UTF-16 order, which is what sort() uses, is byte order unless there are surrogates. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
