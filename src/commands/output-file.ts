/**
 * An answer in a file: complete, or not there at all.
 *
 * It is written to a new name beside the file and renamed at the end. What is no regular file, a
 * device or a named pipe, is written to directly: it must not be replaced.
 */

import { closeSync, fchmodSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { realPath } from '../bytes/walk.ts';
import type { Sink } from '../output/format.ts';
import { writeError } from './write-error.ts';

const PERMISSIONS = 0o7777;
const CLOSED = -1;

/** The file that `-o` names. All methods throw READ when the system refuses. */
export class OutputFile implements Sink {
  readonly #path: string;
  /** Where the text goes until it is complete; null when it goes straight to its place. */
  #draft: string | null = null;
  #descriptor: number | null = null;

  /** Opens the file, so that a long query does not fail at its end for want of a folder. */
  constructor(path: string) {
    this.#path = path;
    this.#try(() => this.#open());
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#try(() => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#descriptor ?? CLOSED, bytes, done);
      }
    });
  }

  /** Puts the file in its place. */
  async finish(): Promise<void> {
    this.#try(() => {
      this.#close();
      // A link keeps pointing to the file, which gets the new content.
      if (this.#draft !== null) renameSync(this.#draft, realPath(this.#path));
      this.#draft = null;
    });
  }

  /** Removes what was written and not put in its place. */
  discard(): void {
    this.#close();
    if (this.#draft !== null) rmSync(this.#draft, { force: true });
    this.#draft = null;
  }

  #open(): void {
    const before = statSync(this.#path, { throwIfNoEntry: false });
    if (before && !before.isFile()) {
      this.#descriptor = openSync(this.#path, 'w');
      return;
    }
    const draft = `${realPath(this.#path)}.${process.pid}.part`;
    this.#descriptor = openSync(draft, 'wx');
    this.#draft = draft;
    // As private as the file it will replace.
    if (before) fchmodSync(this.#descriptor, before.mode & PERMISSIONS);
  }

  #close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw writeError(`'${this.#path}'`, error);
    }
  }
}
