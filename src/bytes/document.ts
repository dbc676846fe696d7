/** A whole small file as one record: plans, todo lists, statistics. */

import { closeSync, readFileSync } from 'node:fs';
import { MAX_LINE_BYTES } from './lines.ts';
import { openFile } from './open-file.ts';
import type { RecordBytes } from './record.ts';
import type { Work } from './work.ts';

/**
 * Reads `path` whole. A file over 256 MiB gives its address and no bytes. Throws the operating
 * system's error when the file cannot be read.
 */
export function readDocument(path: string, work: Work): RecordBytes {
  const { buffer, size } = contentOf(path);
  const isTooLong = size > MAX_LINE_BYTES;
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

function contentOf(path: string): { readonly buffer: Buffer; readonly size: number } {
  const { descriptor, stat } = openFile(path);
  try {
    const buffer = stat.size > MAX_LINE_BYTES ? Buffer.alloc(0) : readFileSync(descriptor);
    return { buffer, size: stat.size };
  } finally {
    closeSync(descriptor);
  }
}
