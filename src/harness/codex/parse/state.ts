/**
 * What the parser of Codex keeps between two records.
 *
 * Everything is bounded, and no text stays here: what a later record must see again is held as a
 * record (`held.ts`), a handful of short ones at a time.
 */

import type { SourceForm } from '../../harness.ts';
import type { Place } from '../../parser.ts';
import type { FileEdit } from '../../shared/edits/edit.ts';
import type { ResultClass } from '../../shared/efficiency/finished-call.ts';
import type { GitPlan } from './git.ts';
import type { Held } from './held.ts';
import type { Tokens } from './tokens.ts';

/** How the records that a fork copied are told from its own. */
export interface Replay {
  /** `burst` until the copied records end; `ordinal` below the given number; else `turns`. */
  mode: 'ordinal' | 'burst' | 'turns';
  /** The first ordinal that is the session's own. */
  readonly firstOrdinal: number | null;
  /** Whether there may be copied records at all. */
  hasCopies: boolean;
  /** When the session began, in milliseconds since 1970, or null. */
  readonly forkedAtMs: number | null;
  /** The last time that was told within the burst, in microseconds. */
  burstAt: number | null;
  /** Records of the burst that are certainly copied. */
  copied: number;
  /** What may be the session's own: from the last beginning of a turn on. */
  tail: Held[];
  /** Records behind that beginning which are not kept. */
  dropped: number;
  /** The records that follow belong to a turn that was copied. */
  isInCopiedTurn: boolean;
}

/** A turn as far as later records depend on it. */
export interface TurnState {
  hasOrigin: boolean;
  isPeer: boolean;
  isOpen: boolean;
  model: string | null;
  effort: string | null;
  window: number | null;
  /** When the last thing ended that a model call waited for, and the line that tells it. */
  boundaryAt: number | null;
  boundaryLine: number;
}

/** A call whose output has not come. */
export interface OpenCall {
  readonly tool: string;
  readonly line: number;
  readonly at: number | null;
  readonly turn: string | null;
  /** What the result means when nothing ended, and when something did. */
  readonly quiet: ResultClass;
  readonly ended: ResultClass;
  /** Files that its patch names. */
  edits: readonly FileEdit[];
  git: GitPlan | null;
  readonly isSpawn: boolean;
  /** Another record told that it failed. */
  hasFailed: boolean;
  durationMs: number | null;
}

/** The state. */
export interface ParseState {
  readonly form: SourceForm;
  readonly fileSession: string | null;
  thread: string | null;
  hasHeader: boolean;
  isSubagent: boolean;
  isExec: boolean;
  ownPath: string | null;
  cwd: string | null;
  firstVersion: string | null;
  lastVersion: string | null;
  /** Where the session was told first. */
  place: Place | null;
  firstAt: number | null;
  lastAt: number | null;
  firstHumanAt: number | null;
  lastHumanAt: number | null;
  replay: Replay;
  inherited: number;
  lastOrdinal: number | null;
  /** The turn that records belong to which name none. */
  turn: string | null;
  /** Records name their turns. */
  hasTurnIds: boolean;
  ownTurns: number;
  turns: Map<string, TurnState>;
  model: string | null;
  effort: string | null;
  serviceTier: string | null;
  /** A message in the user's slot that may be the copy of the prompt behind it. */
  copy: Held | null;
  lastPrompt: { readonly hash: string; readonly line: number } | null;
  reasoning: Held[];
  lastReasoning: { readonly turn: string | null; readonly hashes: readonly string[] };
  worldState: string | null;
  calls: Map<string, OpenCall>;
  /** The last calls whose outputs came. */
  doneCalls: string[];
  /** Names of tasks, and threads, by the calls that launched them. */
  spawns: Map<string, string>;
  /** The last search at the provider that ended, and its line. */
  searchEnd: { readonly call: string; readonly line: number } | null;
  hasUsageRecords: boolean;
  /** The running total as it was told last, as JSON and as counts. */
  totalKey: string | null;
  total: Tokens | null;
  /** Size of the context at the last model call. */
  contextTokens: number | null;
  limits: Map<string, string>;
}

/** The state as plain JSON. */
export type SavedParseState = Omit<ParseState, MapName> & {
  readonly [N in MapName]: readonly (readonly [
    string,
    ParseState[N] extends Map<string, infer V> ? V : never,
  ])[];
};

type MapName = 'turns' | 'calls' | 'spawns' | 'limits';

/** The state before the first record of a source. */
export function startState(form: SourceForm, fileSession: string | null): ParseState {
  return {
    ...{ form, fileSession, thread: null, hasHeader: false, isSubagent: false, isExec: false },
    ...{ ownPath: null, cwd: null, firstVersion: null, lastVersion: null, place: null },
    ...{ firstAt: null, lastAt: null, firstHumanAt: null, lastHumanAt: null },
    ...{ replay: noReplay(), inherited: 0, lastOrdinal: null },
    ...{ turn: null, hasTurnIds: false, ownTurns: 0, turns: new Map() },
    ...{ model: null, effort: null, serviceTier: null, copy: null, lastPrompt: null },
    ...{ reasoning: [], lastReasoning: { turn: null, hashes: [] }, worldState: null },
    ...{ calls: new Map(), doneCalls: [], spawns: new Map(), searchEnd: null },
    ...{ hasUsageRecords: false, totalKey: null, total: null, contextTokens: null },
    limits: new Map(),
  };
}

/** A session that copied nothing, as far as its header tells. */
export function noReplay(forkedAtMs: number | null = null): Replay {
  return {
    ...{ mode: 'turns', firstOrdinal: null, hasCopies: false, forkedAtMs, burstAt: null },
    ...{ copied: 0, tail: [], dropped: 0, isInCopiedTurn: false },
  };
}

/** The state as plain JSON. */
export function saveState(state: ParseState): SavedParseState {
  const { turns, calls, spawns, limits } = state;
  const maps = { turns: [...turns], calls: [...calls], spawns: [...spawns], limits: [...limits] };
  return { ...state, ...maps };
}

/** The state again. */
export function restoreState(saved: SavedParseState): ParseState {
  const { turns, calls, spawns, limits } = saved;
  return {
    ...saved,
    turns: new Map(turns),
    calls: new Map(calls),
    spawns: new Map(spawns),
    limits: new Map(limits),
  };
}

/** Puts an entry last; gives the oldest one that had to leave, or null. */
export function remember<V>(
  map: Map<string, V>,
  key: string,
  value: V,
  max: number,
): readonly [string, V] | null {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return null;
  const [oldest] = map;
  if (!oldest) return null;
  map.delete(oldest[0]);
  return oldest;
}
