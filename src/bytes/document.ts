/** A whole small file as one record: plans, todo lists, statistics. */

import { readFileSync, statSync } from 'node:fs';
import { MAX_LINE_BYTES } from './lines.ts';
import type { RecordBytes } from './record.ts';
import type { Work } from './work.ts';

/**
 * Reads `path` whole. A file over 256 MiB gives its address and no bytes. Throws the operating
 * system's error when the file cannot be read.
 */
export function readDocument(path: string, work: Work): RecordBytes {
  const { size } = statSync(path);
  const isTooLong = size > MAX_LINE_BYTES;
  const buffer = isTooLong ? Buffer.alloc(0) : readFileSync(path);
  if (!isTooLong) work.filesOpened++;
  work.bytesRead += buffer.length;
  return {
    buffer,
    start: 0,
    end: buffer.length,
    lineNumber: 1,
    byteOffset: 0,
    byteLength: isTooLong ? size : buffer.length,
    ending: null,
    offsetSpace: 'file',
    recordKey: null,
    isTooLong,
  };
}
