/** What the rows of a file by block depend on beside their records, and the same as plain JSON. */

import { Conversation, type Said } from './speech.ts';
import { NO_TURN, type Turn } from './turn.ts';
import { restoreUnit, type SavedUnit, saveUnit, type Tokens } from './units.ts';
import { Window } from './window.ts';

/** The state between two records. */
export interface RowState {
  turn: Turn;
  /** Names of tools by call, the last calls alone. */
  readonly tools: Map<string, string>;
  readonly conversation: Conversation;
  readonly window: Window;
  /** The running total of tokens that was told last. */
  lastTotal: Tokens | null;
  hasUsageRecords: boolean;
}

/** The state as plain JSON. */
export interface SavedState extends Pick<RowState, 'turn' | 'lastTotal' | 'hasUsageRecords'> {
  readonly tools: readonly (readonly [call: string, tool: string])[];
  readonly hasEmitted: boolean;
  readonly units: readonly SavedUnit[];
  /** What was said, with the place of its row among `units`, or -1 when it does not wait. */
  readonly said: readonly (Omit<Said, 'unit'> & { readonly place: number })[];
}

/** The state before the first record. */
export function startRows(): RowState {
  return {
    turn: NO_TURN,
    tools: new Map(),
    conversation: new Conversation(),
    window: new Window(),
    lastTotal: null,
    hasUsageRecords: false,
  };
}

/** The state as plain JSON. */
export function saveRows(state: RowState): SavedState {
  const { turn, tools, conversation, window, lastTotal, hasUsageRecords } = state;
  const { units, hasEmitted } = window;
  return {
    ...{ turn, lastTotal, hasUsageRecords, hasEmitted },
    tools: [...tools],
    units: units.map(saveUnit),
    said: conversation.said.map(({ unit, ...said }) => ({
      ...said,
      place: unit === null ? -1 : units.indexOf(unit),
    })),
  };
}

/** The state again. */
export function restoreRows(saved: SavedState): RowState {
  const { turn, lastTotal, hasUsageRecords } = saved;
  const tools = new Map(saved.tools);
  const units = saved.units.map(unit => restoreUnit(unit, tools));
  const said = saved.said.map(({ place, ...rest }) => ({
    ...rest,
    ways: [...rest.ways],
    unit: units[place] ?? null,
  }));
  return {
    ...{ turn, tools, lastTotal, hasUsageRecords },
    conversation: new Conversation(said),
    window: new Window(units, saved.hasEmitted),
  };
}
