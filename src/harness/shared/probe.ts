/** A look at the beginning of a file, to tell which harness wrote it. */

import { LineReader } from '../../bytes/lines.ts';
import { SourceRecord } from '../../bytes/record.ts';
import { Work } from '../../bytes/work.ts';

const MAX_RECORDS = 20;
const BLOCK_BYTES = 64 * 1024;

/**
 * The first records of a file that parse, at most 20 lines in. Lines have no length limit here: a
 * first line may be larger than any buffer. A file that cannot be read has none.
 */
export function firstRecords(path: string): unknown[] {
  const reader = new LineReader(path, { block: Buffer.allocUnsafe(BLOCK_BYTES) });
  const work = new Work();
  const records: unknown[] = [];
  try {
    while (reader.lineNumber < MAX_RECORDS && reader.next()) {
      const { value } = new SourceRecord(reader, work);
      if (value !== undefined) records.push(value);
    }
  } catch {
    // Not readable: the scan will say so, with the reason.
  }
  return records;
}
