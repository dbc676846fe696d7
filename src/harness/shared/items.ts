/** Rows for the elements of an array in a record, such as a todo list. */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { todos } from '../../relations/index.ts';
import type { Cells, Unit } from '../harness.ts';

/** An element of an array in a record. */
export interface ItemUnit extends Unit {
  readonly item: unknown;
  /** Position in the array, or -1 for a record without one. */
  readonly index: number;
}

/** Receives items. */
export type EmitItem = (unit: ItemUnit) => void;

/** Gives a row for each item. */
export function emitItems(record: SourceRecord, items: readonly unknown[], emit: EmitItem): void {
  for (const [index, item] of items.entries()) emit({ record, item, index });
}

/** Gives the row of a record that holds no array. */
export function emitNoItem(record: SourceRecord, emit: EmitItem): void {
  emit({ record, item: undefined, index: -1 });
}

/** The cells of a todo that is `{content, status}`; `problemOf` tells what is wrong with it. */
export function todoCells(
  problemOf: (unit: ItemUnit) => string | null,
): Cells<typeof todos, ItemUnit> {
  return {
    item_index: unit => unit.index,
    content: unit => problemOf(unit) ?? textOf(member(unit.item, 'content')) ?? '',
    status: unit =>
      problemOf(unit) === null ? (textOf(member(unit.item, 'status')) ?? '') : '_parse_error',
  };
}
