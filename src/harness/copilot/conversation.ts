/**
 * The reader of `conversations` for everything that Copilot writes. A source says in its facts
 * which of the formats it has; each format has its own rows and columns.
 */

import type { SourceRecord } from '../../bytes/record.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cell, Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { constant } from '../shared/fields.ts';
import { chatCells } from './chat-conversation.ts';
import {
  type ChatState,
  type ChatUnit,
  type EntryState,
  elementBlocks,
  elementLine,
  entryBlocks,
  entryLine,
  journalBlocks,
} from './chat-units.ts';
import { cliCells } from './cli-conversation.ts';
import { type CliState, startSession } from './cli-session.ts';
import { blockUnits, type CliUnit, lineUnit } from './cli-units.ts';
import {
  type Journal,
  restoreJournal,
  type SavedJournal,
  saveJournal,
  startJournal,
} from './journal.ts';
import { type OldUnit, oldBlocks, oldCells, oldLine } from './old-conversation.ts';

type CopilotUnit = CliUnit | ChatUnit | OldUnit;

type EmitUnit = (unit: CopilotUnit) => void;

/** The state of a source by its format. */
type State =
  | { readonly format: 'cli'; readonly session: CliState }
  | { readonly format: 'old' }
  | { readonly format: 'chat'; readonly chat: ChatState }
  | { readonly format: 'entries'; readonly entries: EntryState }
  | { readonly format: 'journal'; readonly journal: Journal };

/** What a state is as plain JSON. */
type Saved =
  | Exclude<State, { readonly format: 'journal' }>
  | { readonly format: 'journal'; readonly journal: SavedJournal };

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, options: ReadOptions): Reader<CopilotUnit> {
  const isByLine = options.rows === 'line';
  return {
    kinds: ['transcript', 'journal'],
    start: (_source, context) => start(context, isByLine),
    read: isByLine ? readLine : readBlocks,
    finish(state: State, emit: EmitUnit) {
      if (state.format === 'journal') journalBlocks(state.journal, emit);
    },
    save,
    restore,
    cells: { source: constant(source), ...cellsByFormat() },
  };
}

function start(context: SourceContext, isByLine: boolean): State {
  switch (context.source.facts['format']) {
    case 'chat':
      return { format: 'chat', chat: { previous: null } };
    case 'journal':
      return isByLine
        ? { format: 'entries', entries: { chat: undefined } }
        : { format: 'journal', journal: startJournal() };
    case 'old':
      return { format: 'old' };
    default:
      return { format: 'cli', session: startSession(context) };
  }
}

function readLine(state: State, record: SourceRecord, emit: EmitUnit): void {
  if (state.format === 'cli') lineUnit(state.session, record, emit);
  else if (state.format === 'chat') elementLine(record, emit);
  else if (state.format === 'entries') entryLine(state.entries, record, emit);
  else oldLine(record, emit);
}

function readBlocks(state: State, record: SourceRecord, emit: EmitUnit): void {
  if (state.format === 'cli') blockUnits(state.session, record, emit);
  else if (state.format === 'chat') elementBlocks(state.chat, record, emit);
  else if (state.format === 'journal') entryBlocks(state.journal, record, emit);
  else oldBlocks(record, emit);
}

function save(state: State): Saved {
  if (state.format !== 'journal') return state;
  return { format: 'journal', journal: saveJournal(state.journal) };
}

function restore(saved: Saved): State {
  if (saved.format !== 'journal') return saved;
  return { format: 'journal', journal: restoreJournal(saved.journal) };
}

/** For each column a cell that asks the table of the row's format. */
function cellsByFormat(): Cells<typeof conversations, CopilotUnit> {
  const [cli, chat, old] = [cliCells(), chatCells(), oldCells()];
  const names = Object.keys({ ...cli, ...chat, ...old }) as (keyof typeof cli)[];
  const cellOf =
    (name: keyof typeof cli) =>
    (unit: CopilotUnit, context: SourceContext): Cell => {
      if (unit.format === 'cli') return cli[name]?.(unit, context) ?? null;
      if (unit.format === 'chat') return chat[name]?.(unit, context) ?? null;
      return old[name]?.(unit, context) ?? null;
    };
  return Object.fromEntries(names.map(name => [name, cellOf(name)]));
}
