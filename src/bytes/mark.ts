/**
 * Marks of a file that is read little by little: they tell whether what was read is still there.
 *
 * A mark is two hashes: of the first bytes, and of the bytes before the offset up to which the file
 * was read. A change between the two that keeps the length is not seen.
 */

import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openFile } from './open-file.ts';
import type { Work } from './work.ts';

/** How many bytes each of the two hashes is over. */
const MARK_BYTES = 64 * 1024;

/** The mark of a file up to an offset. */
export interface Mark {
  /** SHA-256 of the first 64 KiB, or of what there is up to the offset. */
  readonly head: string;
  /** SHA-256 of the last 64 KiB before the offset. */
  readonly tail: string;
}

/**
 * The mark of the file at `path` up to `offset`. `known` is an earlier mark that still holds: where
 * it was over all of the head, that is not read again. Throws the operating system's error.
 */
export function markOf(
  path: string,
  offset: number,
  work: Work,
  known: { readonly head: string; readonly offset: number } | null = null,
): Mark {
  const { descriptor } = openFile(path);
  try {
    const isKnown = known !== null && known.offset >= MARK_BYTES;
    const head = isKnown ? known.head : hashOf(descriptor, 0, Math.min(offset, MARK_BYTES), work);
    const start = Math.max(0, offset - MARK_BYTES);
    const tail =
      start === 0 && offset <= MARK_BYTES ? head : hashOf(descriptor, start, offset, work);
    return { head, tail };
  } finally {
    closeSync(descriptor);
  }
}

function hashOf(descriptor: number, start: number, end: number, work: Work): string {
  const bytes = Buffer.allocUnsafe(end - start);
  let read = 0;
  while (read < bytes.length) {
    const got = readSync(descriptor, bytes, read, bytes.length - read, start + read);
    if (got === 0) break;
    read += got;
  }
  work.bytesRead += read;
  return createHash('sha256').update(bytes.subarray(0, read)).digest('hex');
}
