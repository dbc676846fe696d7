/**
 * What the parser of pi knows between two records, as plain JSON, and what it knows of one record.
 *
 * Identifiers of entries are unique within a file only: what belongs to an entry is
 * `<session>:<entry>`. Formats before the third have none, there it is `<session>:o<offset>`.
 *
 * A session that was forked begins with copies of its parent's entries, older than its own header.
 * They belong to the parent, under the parent's identifiers: read from both files, they count once.
 */

import { member, textOf } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { Source, SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { type Bounded, nothing } from '../../shared/bounded.ts';
import type { ResultClass } from '../../shared/efficiency/finished-call.ts';
import { at, nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import type { GitOperation } from '../../shared/shell/git-command.ts';
import { type Lineage, lineageOf } from './lineage.ts';

/** What woke the agent while it was idle: the next answer opens a turn for it. */
export interface Pending {
  readonly turnKey: string;
  readonly origin: string;
  readonly at: number | null;
  readonly place: Place;
  /** A sub-agent sent word since. */
  readonly hasNotice: boolean;
}

/** A file that a call is about. */
export interface Touch {
  readonly op: 'read' | 'create' | 'edit';
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

/** What a call of the tool for sub-agents asks for. */
export interface Launch {
  readonly action: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly description: string | null;
  /** It hands out one task. */
  readonly isSingle: boolean;
  /** Whether the parent goes on; null where the call does not say. */
  readonly isAsync: boolean | null;
}

/** A tool call whose result is to come. */
export interface OpenCall {
  readonly place: Place;
  readonly tool: string;
  readonly at: number | null;
  readonly turn: string | null;
  /** What a result makes of the next model call: without word from sub-agents, and with it. */
  readonly classes: readonly [ResultClass, ResultClass];
  readonly touch: Touch | null;
  readonly git: readonly GitOperation[];
  readonly launch: Launch | null;
}

/** A run of sub-agents in the background. */
export interface Run {
  readonly call: string;
  readonly turn: string | null;
  /** It is one sub-agent, with a row under the call; else its children have rows of their own. */
  readonly isSpawn: boolean;
  readonly place: Place;
}

/** The state of the parser. */
export interface PiParserState {
  readonly isJournal: boolean;
  /** The parent's session where it is a sub-agent, by the parent's own header. */
  readonly launchedBy: string | null;
  readonly isAgent: boolean;
  readonly lineage: Lineage | null;
  sid: string;
  /** The place of the header, or of the first record. */
  place: Place | null;
  hasHeader: boolean;
  version: string | null;
  cwd: string | null;
  forkedFrom: string | null;
  startedAt: number | null;
  model: string | null;
  provider: string | null;
  effort: string | null;
  title: string | null;
  turn: string | null;
  isBusy: boolean;
  pending: Pending | null;
  /** Messages that the agent got in the user's slot. */
  users: number;
  lastAt: number | null;
  first: number | null;
  last: number | null;
  firstHuman: number | null;
  lastHuman: number | null;
  inherited: number;
  isInherited: boolean;
  calls: Bounded<OpenCall>;
  runs: Bounded<Run>;
  tiers: Bounded<string>;
}

/** The state before the first record. */
export function startState(source: Source, context: SourceContext): PiParserState {
  const agentPath = source.facts['agentPath'] ?? null;
  const isJournal = source.kind === 'journal';
  const isAgent = agentPath !== null && !isJournal;
  return {
    ...{ isJournal, isAgent, launchedBy: isAgent ? headerIdOfParent(context) : null },
    lineage: agentPath === null ? null : lineageOf(agentPath),
    ...{ sid: source.sessionId ?? source.fileName, place: null, hasHeader: false, version: null },
    ...{ cwd: null, forkedFrom: null, startedAt: null, model: null, provider: null },
    ...{ effort: null, title: null, turn: null, isBusy: false, pending: null, users: 0 },
    ...{ lastAt: null, first: null, last: null, firstHuman: null, lastHuman: null },
    ...{ inherited: 0, isInherited: false, calls: nothing(), runs: nothing(), tiers: nothing() },
  };
}

function headerIdOfParent(context: SourceContext): string | null {
  for (const { value } of context.companionRecords('parent')) {
    return member(value, 'type') === 'session' ? nonEmptyText(member(value, 'id')) : null;
  }
  return null;
}

/** The session that a row belongs to. */
export interface Owner {
  readonly session_uid: string;
  readonly agent_id: string;
}

/** One record on its way through the parser. */
export interface Step {
  readonly state: PiParserState;
  readonly record: SourceRecord;
  readonly value: unknown;
  /** The message that it carries, if any. */
  readonly message: unknown;
  readonly place: Place;
  readonly rows: Rows;
  readonly owner: Owner;
  /** The identifier of the entry within its file. */
  readonly entry: string;
  /** The identifier of the entry. */
  readonly uid: string;
  /** When it happened; where it does not tell, when the record before it did. */
  readonly at: number | null;
  /** It is a sub-agent's own, not copied from a parent. */
  readonly isAgent: boolean;
}

/** Takes the time of a record, and whose it is. */
export function stepOf(state: PiParserState, record: SourceRecord, place: Place, rows: Rows): Step {
  const { value } = record;
  const message = member(value, 'message');
  const ownAt = ownInstant(value);
  if (ownAt !== null) state.lastAt = ownAt;
  const id = nonEmptyText(member(value, 'id'));
  const parent = id === null ? null : parentOfCopy(state, ownAt);
  enter(state, parent !== null, ownAt);
  const sid = parent ?? state.sid;
  const entry = id ?? `o${place.byteOffset}`;
  return {
    ...{ state, record, value, message, place, rows, entry, uid: `${sid}:${entry}` },
    owner: { session_uid: sid, agent_id: '' },
    at: state.lastAt,
    isAgent: state.isAgent && parent === null,
  };
}

/** The time of the entry, else that of its message. */
function ownInstant(value: unknown): number | null {
  return (
    instantMicros(member(value, 'timestamp')) ?? instantMicros(at(value, 'message', 'timestamp'))
  );
}

function parentOfCopy({ forkedFrom, startedAt }: PiParserState, ownAt: number | null) {
  const isOlder = ownAt !== null && startedAt !== null && ownAt < startedAt;
  return isOlder ? forkedFrom : null;
}

function enter(state: PiParserState, isInherited: boolean, ownAt: number | null): void {
  if (isInherited) state.inherited++;
  else if (state.isInherited) {
    // The turns of the parent end where the fork begins.
    state.turn = null;
    state.isBusy = false;
    state.pending = null;
  }
  state.isInherited = isInherited;
  if (isInherited || ownAt === null) return;
  state.first = Math.min(state.first ?? ownAt, ownAt);
  state.last = Math.max(state.last ?? ownAt, ownAt);
}

/** A text of the message of a record, or null. */
export function messageText({ message }: Step, key: string): string | null {
  return textOf(member(message, key));
}

/** Position of a row in its file. */
export function seqOf(place: Place, rank: number): number {
  return place.lineNumber * 10 + rank;
}
