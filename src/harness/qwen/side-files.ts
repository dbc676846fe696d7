/**
 * The files beside Qwen Code's transcripts: todo lists, `todos/<session>.json`, of the form
 * `{todos: [{id, content, status}], sessionId}`. (The log of prompts is Gemini CLI's.)
 *
 * A file that does not parse, or holds no list, is one row, item -1; an item that is no object is a
 * row with its diagnosis.
 */

import { isObject, member } from '../../bytes/json.ts';
import type { todos } from '../../relations/index.ts';
import type { Cells, Reader } from '../harness.ts';
import { kindOf, nonEmptyText } from '../shared/fields.ts';
import { emitItems, emitNoItem, type ItemUnit, todoCells } from '../shared/items.ts';

/** The reader of `todos`, for the harness called `source`. */
export function todosReader(source: string): Reader<ItemUnit> {
  const cells: Cells<typeof todos, ItemUnit> = {
    source: () => source,
    session_id: (unit, context) =>
      nonEmptyText(member(unit.record.value, 'sessionId')) ?? context.source.sessionId ?? '',
    ...todoCells(problemOf),
  };
  return {
    kinds: ['todo'],
    readsBlankLines: true,
    start: () => null,
    read(_state, record, emit) {
      const items = member(record.value, 'todos');
      if (Array.isArray(items)) emitItems(record, items, emit);
      else emitNoItem(record, emit);
    },
    cells,
  };
}

function problemOf({ record, item, index }: ItemUnit): string | null {
  if (index < 0) return `Parse error: ${record.error ?? 'the file holds no list of todos'}`;
  return isObject(item) ? null : `Parse error: the item is ${kindOf(item)}, not an object`;
}
