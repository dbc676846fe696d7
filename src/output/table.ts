/**
 * A table for people at a terminal.
 *
 * It is drawn as soon as its rows are known and the rows after them are only counted, so a result
 * of any size takes little memory. Columns shrink to the terminal's width, long values end in `…`,
 * columns that do not fit are named below, and no value can send the terminal a control character.
 */

import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { ResultColumn, ResultRow } from '../engine/result.ts';
import { isNumberType, isWordType, plainText } from '../engine/values.ts';
import { countText } from './count.ts';
import { columnWidths, pad, truncate, wrap } from './fit.ts';
import type { Format, FormatOptions } from './format.ts';
import { visible } from './visible.ts';

const ROWS_MAX = 100;
/** A text is not cut shorter than this to make room for other columns. */
const TEXT_CELLS_MIN = 8;
/** Neither is a number or an instant, half of which says nothing; the longest has an offset. */
const WORD_CELLS_MIN = '2026-11-30 20:40:14.123456+05:45'.length;
/** UTF-16 units that are looked at for each cell of the terminal: a letter and its accents. */
const UNITS_PER_CELL = 16;
/** What remains of a character that was cut in two. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** A character of one cell that stands in the frame where texts go. */
const BLANK = '\ue000';
const BLANKS = /\ue000+/g;

/** ANSI codes before and after a text. */
type Mark = readonly [before: string, after: string];

const BOLD: Mark = ['\u001b[1m', '\u001b[22m'];
const DIM: Mark = ['\u001b[2m', '\u001b[22m'];
const PLAIN: Mark = ['', ''];

/** A text that can be shown, and how it stands out. */
interface Cell {
  readonly text: string;
  readonly mark: Mark;
}

const NOTHING: Cell = { text: '', mark: PLAIN };

/** A table in a box, with the number of rows below. */
export const table: Format = async (result, sink, options) => {
  if (result.columns.length === 0) return 0;
  const page = new Page(result.columns, options);
  let rows = 0;
  let isDrawn = false;
  for await (const chunk of result.chunks) {
    rows += chunk.length;
    if (isDrawn) continue;
    for (const row of chunk.slice(0, page.room)) page.add(row);
    if (page.room > 0) continue;
    await sink.write(page.box());
    isDrawn = true;
  }
  await sink.write(isDrawn ? page.footer(rows) : page.box() + page.footer(rows));
  return rows;
};

/** The columns and rows that are shown. */
class Page {
  readonly #columns: readonly ResultColumn[];
  readonly #options: FormatOptions;
  /** Cells of the terminal that a line may take. */
  readonly #width: number;
  readonly #isNumber: readonly boolean[];
  readonly #head: readonly Cell[];
  readonly #rows: (readonly Cell[])[] = [];
  /** Widths of the columns that fit, which are the first ones; known once the box is drawn. */
  #widths: readonly number[] = [];

  constructor(columns: readonly ResultColumn[], options: FormatOptions) {
    this.#columns = columns;
    this.#options = options;
    const { noTruncate = false, width = Number.POSITIVE_INFINITY } = options;
    this.#width = noTruncate ? Number.POSITIVE_INFINITY : width;
    this.#isNumber = columns.map(({ type }) => isNumberType(type));
    this.#head = columns.map(({ name }) => this.#cell(name, BOLD));
  }

  /** How many more rows it takes. */
  get room(): number {
    return (this.#options.maxRows ?? ROWS_MAX) - this.#rows.length;
  }

  /** Takes a row. */
  add(row: ResultRow): void {
    const { nullText = 'NULL', timezone } = this.#options;
    const cells = this.#columns.map(({ type }, column) => {
      const text = plainText(row[column] ?? null, type, timezone);
      return text === null ? this.#cell(nullText, DIM) : this.#cell(text, PLAIN);
    });
    this.#rows.push(cells);
  }

  /** The rows taken so far, in a frame. */
  box(): string {
    this.#widths = this.#fittingWidths();
    // cli-table3 measures with an old string-width, which miscounts accents and newer emoji: it
    // draws the frame around blanks, and the texts, measured here, take their place.
    const blanks = this.#widths.map(width => BLANK.repeat(width));
    const frame = new Table({ head: blanks, style: { head: [], border: [], compact: true } });
    frame.push(blanks);
    const [top = '', head = '', rule = '', row = '', bottom = ''] = frame.toString().split('\n');
    const rows = this.#rows.map(cells => this.#line(row, cells));
    return ended([top, this.#line(head, this.#head), rule, ...rows, bottom]);
  }

  /** What the box does not show, and the number of all `rows`. */
  footer(rows: number): string {
    const notes: string[] = [];
    const more = rows - this.#rows.length;
    if (more > 0)
      notes.push(`… ${countText(more, 'more row')} (--max-rows N or -o FILE shows them)`);
    const hidden = this.#head.slice(this.#widths.length).map(({ text }) => text);
    if (hidden.length > 0) {
      const count = countText(hidden.length, 'more column');
      notes.push(`… ${count} (--no-truncate shows them): ${hidden.join(', ')}`);
    }
    notes.push(countText(rows, 'row'));
    return ended(notes.flatMap(note => wrap(note, this.#width)));
  }

  /** `text` made visible and cut to what a line can hold. */
  #cell(text: string, mark: Mark): Cell {
    const units = this.#width * UNITS_PER_CELL;
    const start =
      text.length > units ? `${text.slice(0, units).replace(HALF_CHARACTER, '')}…` : text;
    const isMarked = this.#options.colour === true;
    return { text: truncate(visible(start), this.#width), mark: isMarked ? mark : PLAIN };
  }

  #fittingWidths(): number[] {
    const lines = [this.#head, ...this.#rows];
    const needs = this.#columns.map(({ type }, column) => {
      const texts = lines.map(cells => cells[column]?.text ?? '');
      const wanted = texts.reduce((most, text) => Math.max(most, stringWidth(text)), 1);
      const least = isWordType(type) ? WORD_CELLS_MIN : TEXT_CELLS_MIN;
      return { wanted, least: Math.min(wanted, least) };
    });
    return columnWidths(needs, this.#width);
  }

  /** A line of the frame with the texts of `cells` in place of its blanks. */
  #line(frame: string, cells: readonly Cell[]): string {
    const texts = this.#widths.map((width, column) => {
      const { text, mark } = cells[column] ?? NOTHING;
      const padded = pad(truncate(text, width), width, this.#isNumber[column] === true);
      return `${mark[0]}${padded}${mark[1]}`;
    });
    return frame.replace(BLANKS, () => texts.shift() ?? '');
  }
}

function ended(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
