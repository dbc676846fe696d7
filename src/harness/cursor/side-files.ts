/**
 * What `state.vscdb` holds beside the chats.
 *
 * - The todo list of a chat: `todos` of `composerData:<chat>`, an array of `{id, content, status}`.
 * - What was typed in a workspace: `aiService.prompts`, an array of `{text, commandType}`, without
 *   times and chats.
 *
 * A record that does not parse is one row, item -1 and line 0.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { history, todos } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { kindOf, listOf } from '../shared/fields.ts';
import { type EmitItem, emitItems, emitNoItem, type ItemUnit, todoCells } from '../shared/items.ts';
import { composerRows, promptRows, stateKeyOf } from './state.ts';
import { workspaceOf } from './workspace.ts';

/** The reader of `todos`. */
export function todosReader(source: string): Reader<ItemUnit> {
  const cells: Cells<typeof todos, ItemUnit> = {
    source: () => source,
    session_id: sessionOf,
    ...todoCells(problemOf),
  };
  return {
    kinds: ['todo'],
    tables: [composerRows],
    start: () => null,
    read: (_state, record, emit) => emitItemsOf(record, member(record.value, 'todos'), emit),
    cells,
  };
}

function sessionOf({ record }: Unit): string {
  const key = stateKeyOf(record.recordKey);
  return key.kind === 'composer' ? key.session : '';
}

function problemOf({ record, item }: ItemUnit): string | null {
  if (record.error !== null) return `Parse error: ${record.error}`;
  const kind = kindOf(item);
  return kind === 'object' ? null : `Parse error: the item is a JSON ${kind}, not an object`;
}

/** The reader of `history`. */
export function historyReader(source: string): Reader<ItemUnit> {
  const cells: Cells<typeof history, ItemUnit> = {
    source: () => source,
    line_number: unit => unit.index + 1,
    project: (_unit, context) => workspaceOf('', context).folder,
    display: unit => problemOf(unit) ?? textOf(member(unit.item, 'text')),
  };
  return {
    kinds: ['history'],
    tables: promptRows,
    start: () => null,
    read: (_state, record, emit) => emitItemsOf(record, record.value, emit),
    cells,
  };
}

function emitItemsOf(record: SourceRecord, items: unknown, emit: EmitItem): void {
  if (record.error !== null) emitNoItem(record, emit);
  else emitItems(record, listOf(items), emit);
}
