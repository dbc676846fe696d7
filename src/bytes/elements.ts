/**
 * The elements of an array inside a JSON document as records, with their places in the file, at
 * constant memory: the document is scanned block by block and never held whole.
 *
 * Rules:
 * - An element is its own bytes, without the comma or the white space around it.
 * - The last record is the rest: all bytes that belong to no element, in their order. Put back
 *   around the elements they give the file. Its address is the document's, its number 0.
 * - A document that is still being written, or was cut short, gives its complete elements; the
 *   torn one is part of the rest, whose `diagnosis` says where the document ends.
 * - Decoded, the rest is the document with an empty array; of a document that is torn or wrong
 *   behind the array what stands before it, its header as a rule.
 */

import { BLOCK_BYTES, type BlockSource, FileBlocks } from './blocks.ts';
import { ElementScanner } from './element-scanner.ts';
import { MAX_LINE_BYTES } from './lines.ts';
import { Pieces } from './pieces.ts';
import { type Gap, type RecordCursor, SourceRecord } from './record.ts';
import { Work } from './work.ts';

/** Limits and counters; all parts have defaults. */
export interface ElementOptions {
  readonly block?: Buffer;
  readonly maxElementBytes?: number;
  readonly work?: Work;
}

/** A cursor over the elements, then the rest. Each record owns its bytes. */
export class ElementReader implements RecordCursor {
  buffer: Buffer = Buffer.alloc(0);
  readonly start = 0;
  end = 0;
  lineNumber = 0;
  byteOffset = 0;
  byteLength = 0;
  readonly ending = null;
  readonly offsetSpace = 'element';
  readonly recordKey = null;
  isTooLong = false;
  /** In the rest: from the array's opening bracket to behind its last comma. */
  gap: Gap | null = null;
  diagnosis: string | null = null;
  /** Records own their bytes: nothing is overwritten. */
  readonly blockDone = false;

  readonly #blocks: BlockSource;
  readonly #scanner: ElementScanner;
  readonly #closing: string;
  readonly #block: Buffer;
  readonly #maxBytes: number;
  readonly #work: Work;
  readonly #rest: Pieces;
  /** The element that has begun; null outside elements. */
  #element: Pieces | null = null;
  #elementOffset = 0;
  #elements = 0;
  #gap: Gap | null = null;
  #blockOffset = 0;
  #blockEnd = 0;
  /** First byte of the block that is not yet part of an element or the rest. */
  #kept = 0;
  #cursor = 0;
  #isDone = false;

  constructor(path: string, arrayPath: readonly string[], options: ElementOptions = {}) {
    this.#work = options.work ?? new Work();
    this.#blocks = new FileBlocks(path, this.#work);
    this.#scanner = new ElementScanner(arrayPath);
    this.#closing = `]${'}'.repeat(arrayPath.length)}`;
    this.#block = options.block ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#maxBytes = options.maxElementBytes ?? MAX_LINE_BYTES;
    this.#rest = new Pieces(this.#maxBytes);
  }

  get problem(): string | null {
    return this.#blocks.problem;
  }

  get doneBytes(): number {
    return this.#blocks.doneBytes;
  }

  get nextByteOffset(): number {
    return this.#blockOffset + this.#cursor;
  }

  /** Reads to the end and gives the decoded rest; undefined when it does not parse. */
  readRest(): unknown {
    while (this.next());
    return new SourceRecord(this, this.#work).value;
  }

  next(): boolean {
    while (!this.#isDone) {
      if (this.#cursor >= this.#blockEnd && !this.#fill()) return this.#takeRest();
      const border = this.#scanner.next(this.#block, this.#cursor, this.#blockEnd);
      const { at } = this.#scanner;
      this.#cursor = at;
      if (border === 'begin') this.#begin(at);
      else if (border !== 'none') this.#keep(at);
      if (border === 'array') this.#gap = this.#gapTo(this.#rest.byteLength);
      if (border === 'end') return this.#takeElement();
    }
    return false;
  }

  /** The bytes up to `end` belong to the element that is open, else to the rest. */
  #keep(end: number): void {
    (this.#element ?? this.#rest).add(this.#block, this.#kept, end);
    this.#kept = end;
  }

  #begin(at: number): void {
    this.#keep(at);
    this.#gap = this.#gapTo(this.#rest.byteLength);
    this.#element = new Pieces(this.#maxBytes);
    this.#elementOffset = this.#blockOffset + at;
    this.#cursor = at + 1;
  }

  #gapTo(end: number): Gap {
    return { start: this.#gap?.start ?? end, end, closing: this.#closing };
  }

  #takeElement(): boolean {
    const element = this.#element ?? this.#rest;
    this.#element = null;
    this.#take(element, this.#elementOffset, ++this.#elements);
    return true;
  }

  /** Gives what belongs to no element: the whole document where no array was found. */
  #takeRest(): boolean {
    this.#isDone = true;
    const documentBytes = this.nextByteOffset;
    if (documentBytes === 0) return false;
    if (this.#element) this.#rest.addAll(this.#element);
    this.#take(this.#rest, 0, 0);
    this.byteLength = documentBytes;
    this.gap = this.#gap;
    if (this.#scanner.isOpen) {
      this.diagnosis = `the document is cut short at byte ${documentBytes}`;
    }
    return true;
  }

  #take(pieces: Pieces, byteOffset: number, number: number): void {
    this.buffer = pieces.join();
    this.end = this.buffer.length;
    this.byteOffset = byteOffset;
    this.byteLength = pieces.byteLength;
    this.isTooLong = pieces.isTooLong;
    this.lineNumber = number;
    this.#work.linesRead++;
  }

  #fill(): boolean {
    this.#keep(this.#blockEnd);
    this.#blockOffset += this.#blockEnd;
    this.#cursor = 0;
    this.#kept = 0;
    this.#blockEnd = 0;
    this.#blockEnd = this.#blocks.read(this.#block, this.#blockOffset);
    return this.#blockEnd > 0;
  }
}
