/** How the records of a file reach readers and parsers. */

import { LineReader } from '../../src/bytes/lines.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import type { SqliteTable } from '../../src/bytes/sqlite-table.ts';
import { Work } from '../../src/bytes/work.ts';
import type { Source } from '../../src/harness/harness.ts';
import { openRecords } from '../../src/scan/open-records.ts';

/** How the records reach the reader. */
export interface Feed {
  /** Size of the blocks in which a file of this length is read. */
  blockBytes(source: Source): number;
  /** After each record all is forgotten but the state, as JSON, and the place in the file. */
  readonly isResumed: boolean;
}

const BLOCK_BYTES = 64 * 1024;

/** Blocks of 7 bytes open a file once for each: larger files make do with a larger prime. */
const SMALL_FILE_BYTES = 64 * 1024;

/** In one go. */
export const WHOLE: Feed = { blockBytes: () => BLOCK_BYTES, isResumed: false };

/** Stopped after every record. */
export const RESUMED: Feed = { blockBytes: () => BLOCK_BYTES, isResumed: true };

/** In blocks of a few bytes. */
export const CRUMBS: Feed = {
  blockBytes: source => (source.byteLength > SMALL_FILE_BYTES ? 4099 : 7),
  isResumed: false,
};

/** The records of a source; `tables` says which rows of a database are records. */
export function* recordsOf(
  source: Source,
  tables: readonly SqliteTable[] | null,
  feed: Feed,
): Generator<SourceRecord> {
  const work = new Work();
  const newBlock = () => Buffer.alloc(feed.blockBytes(source));
  let cursor = openRecords(source, { tables }, newBlock(), work);
  while (cursor.next()) {
    yield new SourceRecord(cursor, work);
    if (!feed.isResumed || source.form !== 'lines') continue;
    const { lineNumber, nextByteOffset: byteOffset } = cursor;
    // The state that is saved next may hold records of the block before.
    cursor = new LineReader(source.path, { block: newBlock(), lineNumber, byteOffset });
  }
}
