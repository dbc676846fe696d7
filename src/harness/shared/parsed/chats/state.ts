/** What the parser of chats remembers between two rows: plain JSON but for the reader's state. */

/** A call whose result may still come. */
export interface OpenCall {
  readonly tool: string;
  readonly at: number | null;
  readonly byteOffset: number | null;
  readonly seq: number;
  /** How often the harness has used the identifier before. */
  readonly repeat: number;
}

/** How often an identifier that several calls share was used, and how many results have come. */
export interface Uses {
  readonly calls: number;
  readonly results: number;
}

/** The state between two rows. */
export interface ChatState {
  /** The state of the reader of `conversations`. */
  inner: unknown;
  /** The session of the last row; a file may hold several. */
  session: string | null;
  /** The turn that is open or was open last. */
  turn: string | null;
  /** The record of the last row, and how many rows it has had. */
  recordKey: string;
  rowsOfRecord: number;
  /** The identifier of the last row, and how many rows of the record have had it. */
  id: string;
  rowsOfId: number;
  /** The diagnoses of that record: one of a kind is enough. */
  issues: readonly string[];
  lastModel: string | null;
  lastEffort: string | null;
  version: string | null;
  /** Records so far that were copied from another session. */
  inherited: number;
  calls: Record<string, OpenCall>;
  openCalls: number;
  uses: Record<string, Uses>;
  usedIds: number;
}

/** Nothing has been read. */
export function startChat(inner: unknown): ChatState {
  return {
    inner,
    session: null,
    turn: null,
    recordKey: '',
    rowsOfRecord: 0,
    id: '',
    rowsOfId: 0,
    issues: [],
    lastModel: null,
    lastEffort: null,
    version: null,
    inherited: 0,
    calls: {},
    openCalls: 0,
    uses: {},
    usedIds: 0,
  };
}

/** Calls without a result that are remembered. */
const MOST_CALLS = 2048;

/** Remembers a call; the oldest is forgotten when there are too many. */
export function openCall(state: ChatState, id: string, call: OpenCall): void {
  const key = keyOf(id, call.repeat);
  if (!Object.hasOwn(state.calls, key)) state.openCalls++;
  state.calls[key] = call;
  if (state.openCalls > MOST_CALLS) {
    forgetOldest(state.calls);
    state.openCalls--;
  }
}

/** The call with an identifier, or null; `repeat` counts the calls before it that share it. */
export function callOf(state: ChatState, id: string, repeat = 0): OpenCall | null {
  const key = keyOf(id, repeat);
  return Object.hasOwn(state.calls, key) ? (state.calls[key] ?? null) : null;
}

/** Notes one more call with an identifier; how many there were before it. */
export function useForCall(state: ChatState, id: string): number {
  const { calls, results } = usesOf(state, id);
  setUses(state, id, { calls: calls + 1, results });
  return calls;
}

/** Notes one more result; the calls that share the identifier get their results in order. */
export function useForResult(state: ChatState, id: string): number {
  const { calls, results } = usesOf(state, id);
  setUses(state, id, { calls, results: results + 1 });
  return Math.max(Math.min(results, calls - 1), 0);
}

function usesOf(state: ChatState, id: string): Uses {
  const known = Object.hasOwn(state.uses, id) ? state.uses[id] : undefined;
  return known ?? { calls: 0, results: 0 };
}

function setUses(state: ChatState, id: string, uses: Uses): void {
  if (!Object.hasOwn(state.uses, id)) state.usedIds++;
  state.uses[id] = uses;
  if (state.usedIds > MOST_CALLS) {
    forgetOldest(state.uses);
    state.usedIds--;
  }
}

/** No identifier that a harness writes holds the separator. */
function keyOf(id: string, repeat: number): string {
  return repeat === 0 ? id : `${id}\0${repeat}`;
}

function forgetOldest(table: Record<string, unknown>): void {
  for (const oldest in table) {
    delete table[oldest];
    return;
  }
}

/** Nothing that is open in one session is so in the next. */
export function enterSession(state: ChatState, session: string): void {
  if (state.session === session) return;
  state.session = session;
  state.turn = null;
  state.lastModel = null;
  state.lastEffort = null;
}
