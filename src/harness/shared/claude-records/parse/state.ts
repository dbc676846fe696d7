/**
 * What the parser remembers of a file between two records. It holds identifiers, times and
 * numbers, never a text of the transcript, and every list in it has a limit.
 */

import type { Place } from '../../../parser.ts';
import type { GitOperation } from '../../shell/git-command.ts';
import { BoundedMap, type SavedMap } from './bounded-map.ts';
import type { SeenInOutput } from './git.ts';
import type { ResultMarks } from './result-class.ts';
import { SeenFilter } from './seen-filter.ts';

/** What a file holds, by its place. */
export type Role = 'main' | 'subagent' | 'workflow_agent' | 'workflow_journal' | 'audit';

/** Whose rows a file gives. */
export interface Identity {
  readonly role: Role;
  readonly sessionUid: string;
  /** Empty for the session itself. */
  readonly agentId: string;
  readonly workflowId: string | null;
}

/** The columns that tell whose a row is. */
export interface Owner {
  readonly session_uid: string;
  readonly agent_id: string;
}

/** The turn that the file is in. */
interface TurnState {
  readonly key: string;
  /** Its origin is told. */
  isFinal: boolean;
  /** What it would be if no prompt came; the origin of a weak line. */
  weakOrigin: string | null;
  model: string | null;
  effort: string | null;
}

/** What the rows of a session are made of, as far as it was seen. */
export interface SessionFacts {
  place: Place | null;
  firstEventAt: number | null;
  lastEventAt: number | null;
  firstHumanAt: number | null;
  lastHumanAt: number | null;
  cwd: string | null;
  gitBranch: string | null;
  versionFirst: string | null;
  versionLast: string | null;
  entrypoint: string | null;
  title: string | null;
  customTitle: string | null;
  nickname: string | null;
  commitStart: string | null;
  forkedFrom: string | null;
  isFork: boolean;
}

/** A call whose result has not come. */
export interface OpenCall {
  readonly tool: string;
  readonly at: number | null;
  readonly turn: string | null;
  readonly place: Place;
  /** What the command of a shell is for, as far as the call tells. */
  readonly shellClass: string | null;
  /** Changes of history that the command proves by succeeding. */
  readonly gitOperations: readonly GitOperation[];
  /** What its `gh pr` does. */
  readonly pullRequestAction: string | null;
}

/** A result that came before its call. */
export interface EarlyResult {
  readonly at: number | null;
  readonly place: Place;
  readonly hasDuration: boolean;
  readonly marks: ResultMarks;
  readonly isError: boolean;
  readonly git: SeenInOutput;
}

/** A launch that may still be told to have ended. */
export interface SpawnState {
  readonly kind: 'agent' | 'workflow';
  readonly at: number | null;
}

/** A model call whose lines may still come. */
export interface ResponseState {
  /** Time of the record that its first line answers; null where that is not known. */
  readonly start: number | null;
  lines: number;
}

/** A mode that was told before any time. */
interface HeldMode {
  readonly mode: string;
  readonly uid: string;
  readonly place: Place;
}

/** Everything that is plain JSON. */
interface PlainState {
  readonly identity: Identity;
  readonly owner: Owner;
  /** The last time that a record told, for those that tell none. */
  lastAt: number | null;
  /** Before this time no call has waited for a day. */
  giveUpAt: number;
  version: string | null;
  cwd: string | null;
  turn: TurnState | null;
  readonly session: SessionFacts;
  /** The last value of what is told again and again. */
  readonly last: Record<string, string>;
  heldMode: HeldMode | null;
  /** A command was given whose text the harness puts into the next line. */
  afterCommand: 'skill' | 'command' | null;
  isBriefSeen: boolean;
  isMismatchTold: boolean;
  /** Results of Read that a notice about their length may follow. */
  heldReads: readonly string[];
}

/** The state of a file. */
export interface ClaudeState extends PlainState {
  readonly openCalls: BoundedMap<OpenCall>;
  readonly closedCalls: BoundedMap<true>;
  readonly earlyResults: BoundedMap<EarlyResult>;
  readonly spawns: BoundedMap<SpawnState>;
  /** Times by record; null for one that was seen with two. */
  readonly recordTimes: BoundedMap<number | null>;
  readonly responses: BoundedMap<ResponseState>;
  readonly seenResponses: SeenFilter;
}

const OPEN_CALLS = 2_048;
const CLOSED_CALLS = 512;
const EARLY_RESULTS = 512;
const SPAWNS = 2_048;
const RECORD_TIMES = 2_048;
const RESPONSES = 512;

/** The state before the first record of a file. */
export function startState(identity: Identity): ClaudeState {
  return {
    identity,
    owner: { session_uid: identity.sessionUid, agent_id: identity.agentId },
    lastAt: null,
    giveUpAt: 0,
    version: null,
    cwd: null,
    turn: null,
    session: noFacts(),
    last: {},
    heldMode: null,
    afterCommand: null,
    isBriefSeen: false,
    isMismatchTold: false,
    heldReads: [],
    ...memory({}),
  };
}

function noFacts(): SessionFacts {
  return {
    place: null,
    firstEventAt: null,
    lastEventAt: null,
    firstHumanAt: null,
    lastHumanAt: null,
    cwd: null,
    gitBranch: null,
    versionFirst: null,
    versionLast: null,
    entrypoint: null,
    title: null,
    customTitle: null,
    nickname: null,
    commitStart: null,
    forkedFrom: null,
    isFork: false,
  };
}

/** What is kept in maps, as plain JSON. */
interface SavedMemory {
  readonly openCalls?: SavedMap<OpenCall>;
  readonly closedCalls?: SavedMap<true>;
  readonly earlyResults?: SavedMap<EarlyResult>;
  readonly spawns?: SavedMap<SpawnState>;
  readonly recordTimes?: SavedMap<number | null>;
  readonly responses?: SavedMap<ResponseState>;
  readonly seenResponses?: string;
}

function memory(saved: SavedMemory) {
  return {
    openCalls: new BoundedMap(OPEN_CALLS, saved.openCalls),
    closedCalls: new BoundedMap(CLOSED_CALLS, saved.closedCalls),
    earlyResults: new BoundedMap(EARLY_RESULTS, saved.earlyResults),
    spawns: new BoundedMap(SPAWNS, saved.spawns),
    recordTimes: new BoundedMap(RECORD_TIMES, saved.recordTimes),
    responses: new BoundedMap(RESPONSES, saved.responses),
    seenResponses: new SeenFilter(saved.seenResponses),
  };
}

/** A state as plain JSON. */
export type SavedState = PlainState & SavedMemory;

/** The state as plain JSON. */
export function saveState(state: ClaudeState): SavedState {
  return {
    ...state,
    openCalls: state.openCalls.save(),
    closedCalls: state.closedCalls.save(),
    earlyResults: state.earlyResults.save(),
    spawns: state.spawns.save(),
    recordTimes: state.recordTimes.save(),
    responses: state.responses.save(),
    seenResponses: state.seenResponses.save(),
  };
}

/** The state that was saved; what was saved stays as it is. */
export function restoreState(saved: SavedState): ClaudeState {
  const { turn, session, last, responses = [] } = saved;
  const copies = responses.map(([id, response]) => [id, { ...response }] as const);
  return {
    ...saved,
    turn: turn === null ? null : { ...turn },
    session: { ...session },
    last: { ...last },
    ...memory({ ...saved, responses: copies }),
  };
}
