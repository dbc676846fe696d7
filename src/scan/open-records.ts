/** From a source to a cursor over its records, by its form. */

import { ZstdBlocks } from '../bytes/compressed.ts';
import { readDocument } from '../bytes/document.ts';
import { ElementReader } from '../bytes/elements.ts';
import { LineReader } from '../bytes/lines.ts';
import type { RecordBytes, RecordCursor } from '../bytes/record.ts';
import { SqliteReader } from '../bytes/sqlite-reader.ts';
import type { SqliteTable } from '../bytes/sqlite-table.ts';
import type { Work } from '../bytes/work.ts';
import type { Source } from '../harness/harness.ts';

/** What cursors need to know of whoever reads them. */
export interface Wants {
  /** Which rows of a database are records; all tables when absent. */
  readonly tables?: readonly SqliteTable[] | null;
  readonly opensNothing?: boolean;
}

/** Opens nothing yet: the first `next()` does. `block` is memory that cursors share. */
export function openRecords(
  source: Source,
  reader: Wants,
  block: Buffer,
  work: Work,
): RecordCursor {
  const { path } = source;
  if (reader.opensNothing) return new DocumentCursor(path, work, true);
  switch (source.form) {
    case 'lines':
      return new LineReader(path, { block, work });
    case 'zstd':
      return new LineReader(path, { block, work, blocks: new ZstdBlocks(path, work) });
    case 'elements':
      return new ElementReader(path, source.arrayPath ?? [], { block, work });
    case 'document':
      return new DocumentCursor(path, work);
    case 'sqlite':
      return new SqliteReader(path, reader.tables ?? null, work);
  }
}

const EMPTY = Buffer.alloc(0);

/** One record: the whole file. */
class DocumentCursor implements RecordCursor {
  buffer: Buffer = EMPTY;
  readonly start = 0;
  end = 0;
  readonly lineNumber = 1;
  readonly byteOffset = 0;
  byteLength = 0;
  readonly ending = null;
  readonly offsetSpace = 'file';
  readonly recordKey = null;
  isTooLong = false;
  readonly blockDone = false;
  readonly problem = null;
  readonly nextByteOffset = 0;
  doneBytes = 0;
  readonly #path: string;
  readonly #work: Work;
  #isDone: boolean;

  /** `isDone`: there is nothing to be read. */
  constructor(path: string, work: Work, isDone = false) {
    this.#path = path;
    this.#work = work;
    this.#isDone = isDone;
  }

  next(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    const document: RecordBytes = readDocument(this.#path, this.#work);
    this.buffer = document.buffer;
    this.end = document.end;
    this.byteLength = document.byteLength;
    this.isTooLong = document.isTooLong;
    this.doneBytes = document.byteLength;
    return true;
  }
}
