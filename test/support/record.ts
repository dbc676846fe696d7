/** Records made by hand. */

import type { RecordBytes } from '../../src/bytes/record.ts';

/** The bytes of `buffer` from `start` to `end` as a line of a file; `parts` differ from that. */
export function lineOf(
  buffer: Buffer,
  start: number,
  end: number,
  parts: Partial<RecordBytes> = {},
): RecordBytes {
  return {
    buffer,
    start,
    end,
    lineNumber: 1,
    byteOffset: start,
    byteLength: end - start,
    ending: null,
    offsetSpace: 'file',
    recordKey: null,
    isTooLong: false,
    ...parts,
  };
}
