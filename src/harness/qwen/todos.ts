/**
 * The todo lists of Qwen Code, `todos/<session>.json`:
 * `{todos: [{id, content, status}], sessionId}`.
 *
 * A file that does not parse, or holds no list, is one row, item -1; an item that is no object is a
 * row with its diagnosis.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { todos } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { addressCells } from '../shared/address.ts';
import { kindOf, nonEmptyText } from '../shared/fields.ts';

/** An item of a list. */
interface ItemUnit extends Unit {
  readonly item: unknown;
  /** Position in the list, or -1 for a file without one. */
  readonly index: number;
}

/** The reader of `todos`, for the harness called `source`. */
export function todosReader(source: string): Reader<ItemUnit> {
  const cells: Cells<typeof todos, ItemUnit> = {
    source: () => source,
    session_id: (unit, context) =>
      nonEmptyText(member(unit.record.value, 'sessionId')) ?? context.source.sessionId ?? '',
    file_name: addressCells.file_name,
    item_index: unit => unit.index,
    content: unit => problemOf(unit) ?? textOf(member(unit.item, 'content')) ?? '',
    status: unit =>
      problemOf(unit) === null ? (textOf(member(unit.item, 'status')) ?? '') : '_parse_error',
  };
  return {
    kinds: ['todo'],
    readsBlankLines: true,
    start: () => null,
    read(_state, record, emit) {
      const items = member(record.value, 'todos');
      if (!Array.isArray(items)) emit({ record, item: undefined, index: -1 });
      else for (const [index, item] of items.entries()) emit({ record, item, index });
    },
    cells,
  };
}

function problemOf({ record, item, index }: ItemUnit): string | null {
  if (index < 0) return `Parse error: ${record.error ?? 'the file holds no list of todos'}`;
  return isObject(item) ? null : `Parse error: the item is ${kindOf(item)}, not an object`;
}
