/**
 * Folders and files, following symbolic links, in the byte order of their names.
 *
 * What cannot be read is told to `onProblem` and left out; it never ends a walk. A file that
 * vanishes between listing and looking is left out silently: it is simply gone.
 */

import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';

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
    if (!stat && name.includes('\ufffd')) throw new Error(NOT_UTF8);
  } catch (error) {
    if (!isMissing(error)) onProblem?.(path, error);
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

/** Whether there is a folder at a path. */
export function isFolderAt(path: string): boolean {
  return entryAt(path, basename(path))?.isFolder === true;
}

/** Whether there is an ordinary file at a path. */
export function isFileAt(path: string): boolean {
  return entryAt(path, basename(path))?.isFile === true;
}

/** The names in a folder, sorted by their bytes; empty when there is no such folder. */
export function namesIn(folder: string, onProblem?: OnProblem): readonly string[] {
  try {
    return sortByBytes(readdirSync(folder));
  } catch (error) {
    if (!isMissing(error)) onProblem?.(folder, error);
    return [];
  }
}

/** The entries of a folder, sorted by the bytes of their names. */
export function* entriesIn(folder: string, onProblem?: OnProblem): Generator<Entry> {
  let previous: string | null = null;
  for (const name of namesIn(folder, onProblem)) {
    const path = join(folder, name);
    // Names that are not UTF-8 can read like others.
    const isTwin = name === previous;
    previous = name;
    if (isTwin) onProblem?.(path, new Error(NOT_UTF8));
    const entry = isTwin ? null : entryAt(path, name, onProblem);
    if (entry) yield entry;
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

/** Sorts texts in place by their UTF-8 bytes: UTF-16 order, unless there are surrogates. */
export function sortByBytes(texts: string[]): string[] {
  return texts.some(text => SURROGATE.test(text)) ? texts.sort(compareBytes) : texts.sort();
}

const SURROGATE = /[\ud800-\udfff]/;

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
