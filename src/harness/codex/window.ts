/**
 * The rows that are held back, because later records of their turn may tell more about them: the
 * usage of their model call, how the turn ended, or that another row says the same.
 *
 * At most 128 rows and 4 MiB wait, and none beyond its turn, so that memory does not grow with a
 * file. What comes too late for a row stays a row of its own.
 */

import type { CodexUnit } from './units.ts';

const MAX_ROWS = 128;
const MAX_BYTES = 4 * 1024 * 1024;

/** Receives rows that wait no longer. */
export type EmitUnit = (unit: CodexUnit) => void;

/** The rows of a file that wait, in order. */
export class Window {
  /** Some row of the file was given out. */
  hasEmitted: boolean;
  readonly #units: CodexUnit[] = [];
  /** Rows before this one were given out. */
  #first = 0;
  #bytes = 0;

  constructor(units: readonly CodexUnit[] = [], hasEmitted = false) {
    this.hasEmitted = hasEmitted;
    for (const unit of units) this.#push(unit);
  }

  /** The rows that wait. */
  get units(): readonly CodexUnit[] {
    return this.#units.slice(this.#first);
  }

  /** Adds a row, and gives out the oldest where too many wait. */
  add(unit: CodexUnit, emit: EmitUnit): void {
    this.#push(unit);
    while (this.#units.length - this.#first > MAX_ROWS || this.#bytes > MAX_BYTES) {
      this.#emitFirst(emit);
    }
  }

  /** Gives out all rows. */
  flush(emit: EmitUnit): void {
    while (this.#first < this.#units.length) this.#emitFirst(emit);
  }

  /** The last row that waits and fits, or null. */
  findLast(fits: (unit: CodexUnit) => boolean): CodexUnit | null {
    for (let i = this.#units.length - 1; i >= this.#first; i--) {
      const unit = this.#units[i];
      if (unit && !unit.isDropped && fits(unit)) return unit;
    }
    return null;
  }

  #push(unit: CodexUnit): void {
    unit.record.hold();
    this.#units.push(unit);
    this.#bytes += unit.record.byteLength;
  }

  #emitFirst(emit: EmitUnit): void {
    const unit = this.#units[this.#first++];
    if (!unit) return;
    this.#bytes -= unit.record.byteLength;
    unit.record.release();
    if (this.#first >= MAX_ROWS) {
      this.#units.splice(0, this.#first);
      this.#first = 0;
    }
    if (unit.isDropped) return;
    unit.isFirst = !this.hasEmitted;
    this.hasEmitted = true;
    emit(unit);
  }
}
