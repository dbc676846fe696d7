/**
 * Activity per day, added up from the rollouts: Codex keeps no such figures itself.
 *
 * - A day is the UTC day of a record's `timestamp`. A record without one counts for the day of the
 *   last record that had one; a file without any for the day `unknown`.
 * - A session counts for the day of the first record of its file.
 * - Messages are the rows of `conversations` that a person, a calling program or the assistant
 *   wrote as `user` and `assistant`: one copy of each text, without what Codex injects.
 * - Tool calls are the response items that call a tool.
 * - The days of all files are added; they come in ascending order, and their path is that of the
 *   home, or of the folder of files outside of one.
 */

import { dirname } from 'node:path';
import { member } from '../../bytes/json.ts';
import { NO_RECORD } from '../../bytes/record.ts';
import type { stats } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { isInjected } from './author.ts';
import { messageType } from './content.ts';
import { blockReader } from './conversation.ts';
import { homeOf } from './discover.ts';
import type { RowState, SavedState } from './state.ts';
import type { CodexUnit } from './units.ts';

/** What happened on a day. */
interface Day {
  messages: number;
  sessions: number;
  toolCalls: number;
}

interface DayUnit extends Unit, Readonly<Day> {
  readonly date: string;
}

interface DaysState {
  readonly rows: RowState;
  readonly days: Record<string, Day>;
  /** The day of the last record that had one. */
  date: string;
  hasRecords: boolean;
}

const UNKNOWN = 'unknown';

/** The reader of `stats`. */
export function statsReader(source: string): Reader<DayUnit> {
  const cells: Cells<typeof stats, DayUnit> = {
    source: () => source,
    date: unit => unit.date,
    message_count: unit => unit.messages,
    session_count: unit => unit.sessions,
    tool_call_count: unit => unit.toolCalls,
    file_path: (_unit, { source: { path } }) => homeOf(path) ?? dirname(path),
    byte_length: () => null,
  };
  return { ...dayReader, cells };
}

const dayReader: Omit<Reader<DayUnit>, 'cells'> = {
  kinds: blockReader.kinds,
  start(source, context): DaysState {
    // The header of a document comes last, and its items have no time of their own.
    const date = source.form === 'elements' ? dateIn(context.rest()) : null;
    return { rows: blockReader.start(), days: {}, date: date ?? UNKNOWN, hasRecords: false };
  },
  read(state, record) {
    const days = state as DaysState;
    if (!days.hasRecords) {
      days.hasRecords = true;
      dayOf(days, record.value).sessions++;
    }
    blockReader.read(days.rows, record, unit => countRow(days, unit));
  },
  finish(state, emit) {
    const days = state as DaysState;
    blockReader.finish(days.rows, unit => countRow(days, unit));
    for (const [date, day] of Object.entries(days.days)) emit({ record: NO_RECORD, date, ...day });
  },
  save: state => ({ ...(state as DaysState), rows: blockReader.save((state as DaysState).rows) }),
  restore: saved => {
    const state = saved as Omit<DaysState, 'rows'> & { rows: SavedState };
    return { ...state, rows: blockReader.restore(state.rows) };
  },
  combine: sumDays,
};

function countRow(days: DaysState, unit: CodexUnit): void {
  if (unit.product === 'call') dayOf(days, unit.record.value).toolCalls++;
  else if (isMessage(unit)) dayOf(days, unit.record.value).messages++;
}

function isMessage(unit: CodexUnit): boolean {
  if (unit.kind !== 'record') return false;
  const type = messageType(unit);
  return type === 'assistant' || (type === 'user' && !isInjected(unit));
}

/** The day of a record, which becomes the day of those after it that have none. */
function dayOf(state: DaysState, value: unknown): Day {
  state.date = dateIn(value) ?? state.date;
  state.days[state.date] ??= { messages: 0, sessions: 0, toolCalls: 0 };
  return state.days[state.date] ?? { messages: 0, sessions: 0, toolCalls: 0 };
}

function dateIn(value: unknown): string | null {
  const timestamp = member(value, 'timestamp') ?? member(member(value, 'session'), 'timestamp');
  const instant = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(instant) ? null : new Date(instant).toISOString().slice(0, 10);
}

function sumDays(units: readonly DayUnit[]): readonly DayUnit[] {
  const sums = new Map<string, DayUnit>();
  for (const { date, messages, sessions, toolCalls } of units) {
    const sum = sums.get(date) ?? { messages: 0, sessions: 0, toolCalls: 0 };
    sums.set(date, {
      ...{ record: NO_RECORD, date },
      messages: sum.messages + messages,
      sessions: sum.sessions + sessions,
      toolCalls: sum.toolCalls + toolCalls,
    });
  }
  return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}
