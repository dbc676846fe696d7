/**
 * The files beside Grok's chats.
 *
 * - `plan.md`: a plan is its file, named by the title of its session.
 * - `signals.json` and `summary.json`: a session counts for the day on which it began. Its messages
 *   are those of the user and the assistant, else its turns, else the messages of its summary.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { plans, stats } from '../../relations/index.ts';
import type { Cells, Reader, SourceContext, Unit } from '../harness.ts';
import { plansReader as markdownPlans } from '../shared/plan-files.ts';
import * as session from './session.ts';

/** The reader of `plans`. */
export function plansReader(source: string): Reader {
  const base = markdownPlans(source);
  const cells: Cells<typeof plans, Unit> = {
    ...base.cells,
    session_id: (_unit, context) => session.idOf(context),
    plan_name: (_unit, context) =>
      session.text(context, 'generated_title') ?? session.idOf(context),
  };
  return { ...base, cells };
}

/** A day, and what happened on it. */
interface DayUnit extends Unit {
  readonly date: string;
  readonly messages: number;
  readonly sessions: number;
  readonly toolCalls: number;
}

/** The reader of `stats`: one row a day, oldest first, sessions without a day last. */
export function statsReader(source: string): Reader<DayUnit> {
  const cells: Cells<typeof stats, DayUnit> = {
    source: () => source,
    date: unit => unit.date,
    message_count: unit => unit.messages,
    session_count: unit => unit.sessions,
    tool_call_count: unit => unit.toolCalls,
  };
  return {
    kinds: ['stats'],
    readsBlankLines: true,
    start: () => null,
    read(_state, record, emit, context) {
      for (const day of days(record, context)) emit(day);
    },
    cells,
  };
}

function days(record: SourceRecord, context: SourceContext): readonly DayUnit[] {
  const byDate = new Map<string, DayUnit>();
  const sessions = Number(context.source.facts['sessions'] ?? 0);
  for (let number = 0; number < sessions; number++) {
    const summary = context.companion(`summary ${number}`);
    const signals = context.companion(`signals ${number}`);
    // A session that is gone or torn counts nothing.
    if (!isObject(summary) && !isObject(signals)) continue;
    const date = dateOf(summary);
    const day = byDate.get(date) ?? { record, date, messages: 0, sessions: 0, toolCalls: 0 };
    byDate.set(date, {
      ...day,
      messages: day.messages + messagesOf(summary, signals),
      sessions: day.sessions + 1,
      toolCalls: day.toolCalls + countOf(signals, 'toolCallCount'),
    });
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function dateOf(summary: unknown): string {
  const created = textOf(member(summary, 'created_at')) ?? '';
  return /^\d{4}-\d\d-\d\d/.exec(created)?.[0] ?? 'unknown';
}

function messagesOf(summary: unknown, signals: unknown): number {
  const said = countOf(signals, 'userMessageCount') + countOf(signals, 'assistantMessageCount');
  return said || countOf(signals, 'turnCount') || countOf(summary, 'num_messages');
}

/** A count; what is no whole number from 0 up counts nothing. */
function countOf(holder: unknown, name: string): number {
  const value = member(holder, name);
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
