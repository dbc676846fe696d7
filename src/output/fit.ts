/** Text and columns of a given width, counted in the cells of a terminal. */

import stringWidth from 'string-width';

/** Cells that a table adds to each column (`│ ` before, ` ` after) and once more at its end. */
const FRAME_CELLS = 3;
const FRAME_END_CELLS = 1;

const graphemes = new Intl.Segmenter();

/** `text` where it is at most `width` cells wide, else as much of it as fits and `…`. */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` filled up with spaces to `width` cells, on the left where `right` is set. */
export function pad(text: string, width: number, right: boolean): string {
  const spaces = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? spaces + text : text + spaces;
}

/** How wide a column would be, and how narrow it may become, in cells. */
export interface ColumnNeed {
  readonly wanted: number;
  readonly least: number;
}

/**
 * Widths for as many of the first columns as fit into `width` cells, at least one. Each has what
 * it needs at least; what is left is shared equally, and nobody gets more than is wanted.
 */
export function columnWidths(needs: readonly ColumnNeed[], width: number): number[] {
  const shown = needs.slice(0, countThatFits(needs, width));
  const widths = shown.map(({ least }) => least);
  const wishes = shown.map(({ wanted, least }, column) => ({ more: wanted - least, column }));
  wishes.sort((a, b) => a.more - b.more);
  let room = shown.reduce((rest, { least }) => rest - least - FRAME_CELLS, width - FRAME_END_CELLS);
  wishes.forEach(({ more, column }, served) => {
    const part = Math.min(more, Math.floor(room / (wishes.length - served)));
    widths[column] = Math.max(1, (widths[column] ?? 0) + part);
    room -= part;
  });
  return widths;
}

function countThatFits(needs: readonly ColumnNeed[], width: number): number {
  let room = width - FRAME_END_CELLS;
  const tooMany = needs.findIndex(({ least }) => {
    room -= least + FRAME_CELLS;
    return room < 0;
  });
  return tooMany < 0 ? needs.length : Math.max(1, tooMany);
}

/** Lines of at most `width` cells, broken at spaces; a longer word is truncated. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(truncate(line, width));
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push(truncate(line, width));
  return lines;
}
