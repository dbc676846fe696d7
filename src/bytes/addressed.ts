/** Records of a file read again, at addresses that an earlier pass over the file has found. */

import { FileBlocks } from './blocks.ts';
import { MAX_LINE_BYTES } from './lines.ts';
import { type Address, SourceRecord } from './record.ts';
import { toWire } from './text.ts';
import type { Work } from './work.ts';

/** Addresses come in the order of the file as a rule: one block holds several records. */
const BLOCK_BYTES = 64 * 1024;

/** Where a record lies in a file, as it is known from the record itself. */
export type FileAddress = Pick<Address, 'lineNumber' | 'byteLength'> & {
  readonly byteOffset: number;
};

/** Reads records of one file by their addresses; keeps the last one, and one block. */
export class AddressedRecords {
  readonly #blocks: FileBlocks;
  readonly #work: Work;
  #block: Buffer = Buffer.alloc(0);
  #blockOffset = 0;
  #blockEnd = 0;
  #last: SourceRecord | null = null;

  /** `identity` is the file's device and inode: another file at the path is not read. */
  constructor(path: string, identity: string, work: Work) {
    this.#blocks = new FileBlocks(path, work, identity);
    this.#work = work;
  }

  /** The record at an address. What cannot be read any more is a record with a diagnosis. */
  at(address: FileAddress): SourceRecord {
    if (this.#last?.byteOffset !== address.byteOffset) this.#last = this.#read(address);
    return this.#last;
  }

  #read({ lineNumber, byteOffset, byteLength }: FileAddress): SourceRecord {
    const isTooLong = byteLength > MAX_LINE_BYTES;
    const failure = isTooLong ? null : this.#load(byteOffset, byteLength);
    const start = byteOffset - this.#blockOffset;
    const end = isTooLong ? start : Math.min(start + byteLength, this.#blockEnd);
    const buffer = Buffer.from(this.#block.subarray(start, end));
    const isWhole = isTooLong || buffer.length === byteLength;
    const diagnosis = isWhole ? null : (failure ?? 'the file was cut short while it was read');
    const bytes = { buffer, start: 0, end: buffer.length, lineNumber, byteOffset, byteLength };
    const kind = { ending: null, offsetSpace: 'file', recordKey: null } as const;
    return new SourceRecord({ ...bytes, ...kind, isTooLong, diagnosis }, this.#work);
  }

  /** Has the bytes in the block, as far as they are there; gives why they are not. */
  #load(byteOffset: number, byteLength: number): string | null {
    const held = this.#blockOffset + this.#blockEnd;
    if (byteOffset >= this.#blockOffset && byteOffset + byteLength <= held) return null;
    const size = Math.max(byteLength, BLOCK_BYTES);
    if (this.#block.length < size) this.#block = Buffer.allocUnsafe(size);
    this.#blockOffset = byteOffset;
    this.#blockEnd = 0;
    try {
      this.#fill(byteLength);
      return this.#blocks.problem;
    } catch (error) {
      return toWire(error instanceof Error ? error.message : String(error));
    }
  }

  #fill(byteLength: number): void {
    for (let got = 1; got > 0 && this.#blockEnd < byteLength; this.#blockEnd += got) {
      const free = this.#block.subarray(this.#blockEnd);
      got = this.#blocks.read(free, this.#blockOffset + this.#blockEnd);
    }
  }
}
