/**
 * Writes lines to a file through one fixed buffer, so memory does not grow with the file.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { JsonText } from './json-text.ts';

const BUFFER_BYTES = 4 * 1024 * 1024;
const LINE_FEED = Buffer.from('\n');
const shared_buffer = Buffer.allocUnsafe(BUFFER_BYTES);

/**
 * One file being written; every piece must be shorter than 4 MiB. All writers share one buffer, so
 * close a file before the next one is opened.
 */
export class LineWriter {
  readonly #descriptor: number;
  #used = 0;
  #flushed = 0;
  #line_count = 0;

  /** Creates the file, or empties it. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'w');
  }

  /** Bytes written so far, buffered ones included. */
  get byteLength(): number {
    return this.#flushed + this.#used;
  }

  /** Lines written so far. */
  get lineCount(): number {
    return this.#line_count;
  }

  /** Appends one line; the text must not hold a line feed. */
  line(text: JsonText): void {
    for (const piece of text) this.#append(piece);
    this.#append(LINE_FEED);
    this.#line_count += 1;
  }

  /** Writes what is buffered and closes the file. */
  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > BUFFER_BYTES) this.#flush();
    this.#used += bytes.copy(shared_buffer, this.#used);
  }

  #flush(): void {
    let written = 0;
    while (written < this.#used) {
      written += writeSync(this.#descriptor, shared_buffer, written, this.#used - written);
    }
    this.#flushed += written;
    this.#used = 0;
  }
}
