/**
 * The files beside Claude Code's transcripts.
 *
 * - `todos/<session>-agent-<agent>.json`: an array of `{content, status, activeForm}`; a name
 *   without `-agent-` is no todo list. A file that does not parse is one row, item -1; an item
 *   that is no object is a row with its diagnosis.
 * - `history.jsonl`: `{display, pastedContents, timestamp, project, sessionId}` a line, the
 *   timestamp in milliseconds; lines of 2025 have no `sessionId`.
 * - `stats-cache.json`: `dailyActivity[]` of `{date, messageCount, sessionCount, toolCallCount}`.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { compactJson } from '../../../bytes/json-print.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { history, stats, todos } from '../../../relations/index.ts';
import type { Cells, Reader, Source, Unit } from '../../harness.ts';
import { kindOf } from '../fields.ts';
import { emitItems, emitNoItem, type ItemUnit, todoCells } from '../items.ts';

/** The reader of `history`. */
export function historyReader(source: string): Reader {
  const cells: Cells<typeof history, Unit> = {
    source: () => source,
    timestamp_ms: unit => wholeNumber(member(unit.record.value, 'timestamp')),
    project: unit => textOf(member(unit.record.value, 'project')),
    session_id: unit => textOf(member(unit.record.value, 'sessionId')),
    display: unit => historyProblem(unit.record) ?? textOf(member(unit.record.value, 'display')),
    pasted_contents: unit => compactJson(member(unit.record.value, 'pastedContents')),
  };
  return {
    kinds: ['history'],
    start: () => null,
    read: (_state, record, emit) => emit({ record }),
    cells,
  };
}

function historyProblem({ error, value }: SourceRecord): string | null {
  if (error !== null) return `Parse error: ${error}`;
  const kind = kindOf(value);
  return kind === 'object' ? null : `Parse error: the record is a JSON ${kind}, not an object`;
}

/** A number without its fraction, or null. */
function wholeNumber(value: unknown): number | null {
  if (typeof value !== 'number') return null;
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** The reader of `todos`. */
export function todosReader(source: string): Reader<ItemUnit> {
  const cells: Cells<typeof todos, ItemUnit> = {
    source: () => source,
    session_id: (_unit, context) => ownerOf(context.source)?.session ?? '',
    agent_id: (_unit, context) => ownerOf(context.source)?.agent ?? null,
    ...todoCells(todoProblem),
    active_form: unit => textOf(member(unit.item, 'activeForm')),
  };
  return {
    kinds: ['todo'],
    readsBlankLines: true,
    start: source => ({ isTodoList: ownerOf(source) !== null }),
    read(state, record, emit) {
      if (member(state, 'isTodoList') !== true) return;
      if (Array.isArray(record.value)) emitItems(record, record.value, emit);
      else emitNoItem(record, emit);
    },
    cells,
  };
}

const AGENT = '-agent-';

/** The session and the agent that a todo list's name tells; null for other names. */
function ownerOf(source: Source): { session: string; agent: string } | null {
  const stem = source.fileName.replace(/\.json$/, '');
  const cut = stem.indexOf(AGENT);
  return cut < 0 ? null : { session: stem.slice(0, cut), agent: stem.slice(cut + AGENT.length) };
}

function todoProblem({ record, item, index }: ItemUnit): string | null {
  const kind = kindOf(index < 0 ? record.value : item);
  if (index < 0)
    return `Parse error: ${record.error ?? `the file holds a JSON ${kind}, not an array`}`;
  return kind === 'object' ? null : `Parse error: the item is a JSON ${kind}, not an object`;
}

/** The reader of `stats`. A file without daily figures has no rows. */
export function statsReader(source: string): Reader<ItemUnit> {
  const count = (name: string) => (unit: ItemUnit) => wholeNumber(member(unit.item, name)) ?? 0;
  const cells: Cells<typeof stats, ItemUnit> = {
    source: () => source,
    date: unit => textOf(member(unit.item, 'date')) ?? '',
    message_count: count('messageCount'),
    session_count: count('sessionCount'),
    tool_call_count: count('toolCallCount'),
  };
  return {
    kinds: ['stats'],
    start: () => null,
    read(_state, record, emit) {
      const days = member(record.value, 'dailyActivity');
      if (Array.isArray(days)) emitItems(record, days, emit);
    },
    cells,
  };
}
