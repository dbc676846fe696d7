/**
 * The files beside Copilot's sessions.
 *
 * - `plan.md` in the folder of a session: a plan, named by the session's title, else by its
 *   identifier.
 * - `checkpoints/*.md`: each line `- [x] …` or `- [ ] …` is an item of a todo list. `index.md`
 *   lists the checkpoints and is none.
 * - `session.db`, table `todos`: `{id, title, description, status}`, in the order in which they
 *   were written. What Copilot calls `done` is `completed` here.
 * - `command-history-state.json`: `{commandHistory[]}`, a prompt each, without a time. A file that
 *   does not parse is one row with its diagnosis.
 */

import { member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { SqliteTable } from '../../bytes/sqlite-table.ts';
import { fromWire, toWire } from '../../bytes/text.ts';
import type { history, plans, todos } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { kindOf, nonEmptyText } from '../shared/fields.ts';
import { plansReader as markdownPlans } from '../shared/plan-files.ts';
import { titleOf, workspaceOf } from './workspace.ts';

/** The reader of `plans`. */
export function plansReader(source: string): Reader {
  const base = markdownPlans(source);
  const cells: Cells<typeof plans, Unit> = {
    ...base.cells,
    plan_name: (_unit, context) =>
      titleOf(workspaceOf(context)) ?? context.source.sessionId ?? context.source.fileName,
  };
  return { ...base, cells };
}

/** An item of a todo list. */
interface TodoUnit extends Unit {
  readonly index: number;
  readonly content: string;
  readonly status: string;
}

/** The order in which the items of a database were written. */
const TODOS: readonly SqliteTable[] = [{ table: 'todos', key: 'rowid', value: null }];

/** The reader of `todos`. */
export function todosReader(source: string): Reader<TodoUnit> {
  const cells: Cells<typeof todos, TodoUnit> = {
    source: () => source,
    session_id: (_unit, context) => context.source.sessionId ?? '',
    item_index: unit => unit.index,
    content: unit => unit.content,
    status: unit => unit.status,
  };
  return {
    kinds: ['todo'],
    tables: TODOS,
    start: () => ({ index: 0 }),
    read(state: { index: number }, record, emit, context) {
      const isDatabase = context.source.form === 'sqlite';
      const items = isDatabase ? [databaseItem(record)] : checklist(record);
      for (const item of items) emit({ record, index: state.index++, ...item });
    },
    cells,
  };
}

type TodoItem = Omit<TodoUnit, 'record' | 'index'>;

function databaseItem({ value }: SourceRecord): TodoItem {
  const title = nonEmptyText(member(value, 'title')) ?? textOf(member(value, 'description'));
  const status = textOf(member(value, 'status')) ?? '';
  return { content: title ?? '', status: status === 'done' ? 'completed' : status };
}

const ITEM = /^- \[([ xX])\] (.*)$/s;

function checklist(record: SourceRecord): TodoItem[] {
  if (record.isTooLong) return [];
  return fromWire(record.wire)
    .split('\n')
    .flatMap(line => {
      const [, mark, text] = ITEM.exec(line.trim()) ?? [];
      if (mark === undefined || text === undefined) return [];
      return [{ content: toWire(text), status: mark === ' ' ? 'pending' : 'completed' }];
    });
}

/** A prompt of the history. */
interface PromptUnit extends Unit {
  readonly lineNumber: number;
  readonly display: string | null;
}

/** The reader of `history`. */
export function historyReader(source: string): Reader<PromptUnit> {
  const cells: Cells<typeof history, PromptUnit> = {
    source: () => source,
    line_number: unit => unit.lineNumber,
    display: unit => unit.display,
  };
  return {
    kinds: ['history'],
    start: () => null,
    read(_state, record, emit) {
      const prompts = member(record.value, 'commandHistory');
      if (Array.isArray(prompts)) {
        for (const [index, prompt] of prompts.entries()) {
          const display = textOf(prompt) ?? compactJson(prompt);
          emit({ record, lineNumber: index + 1, display });
        }
      } else {
        const display = `Parse error: ${record.error ?? noHistory(record.value)}`;
        emit({ record, lineNumber: 1, display });
      }
    },
    cells,
  };
}

function noHistory(value: unknown): string {
  return `the file holds a JSON ${kindOf(value)}, no list 'commandHistory'`;
}
