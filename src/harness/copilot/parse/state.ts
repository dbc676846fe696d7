/** What the parser of a Copilot CLI session remembers between two records: plain JSON. */

import type { SourceContext } from '../../harness.ts';
import type { Place } from '../../parser.ts';
import { type Bounded, nothing } from '../../shared/bounded.ts';
import type { ResultClass } from '../../shared/efficiency/finished-call.ts';
import type { FileTouch } from '../../shared/parsed/chats/touches.ts';
import type { GitCommand } from '../../shared/parsed/git-evidence.ts';
import { type CliState, startSession } from '../cli-session.ts';

/** The turn of an agent that is open or was open last. */
export interface OpenTurn {
  readonly key: string;
  /** How it stands, as `turn.status` has it. */
  status: 'open' | 'complete' | 'aborted' | 'error';
  /** The last answer asked for tools, so the agent is not done. */
  isAsking: boolean;
  /** When the model was asked last; null once it has answered. */
  askedAt: number | null;
}

/** A call whose result may still come. */
export interface OpenCall {
  readonly tool: string;
  readonly agent: string;
  readonly turn: string | null;
  readonly byteOffset: number | null;
  readonly seq: number;
  /** When it was called; when it began to run, once that is told. */
  startedAt: number | null;
  /** How a person or a rule refused it. */
  denial: string | null;
  /** What the result will mean, as far as the call tells. */
  readonly resultClass: ResultClass;
  /** What it may do with git, or null. */
  readonly git: GitCommand | null;
  readonly touches: readonly FileTouch[];
}

/** A hook that has begun. */
export interface OpenHook {
  readonly place: Place;
  readonly type: string | null;
  readonly at: number | null;
  readonly agent: string;
  readonly turn: string | null;
}

/** Counts of tokens as Copilot counts them: input holds what came from the cache and went there. */
export interface Counts {
  input: number | null;
  read: number | null;
  write: number | null;
  output: number | null;
  reasoning: number | null;
}

/** What was counted of a model. */
export interface ModelUsage {
  /** Model calls. */
  calls: number;
  counts: Counts;
}

/** The state between two records. */
export interface CliParse {
  readonly session: CliState;
  /** The session of the last record. */
  sessionUid: string;
  turns: Bounded<OpenTurn>;
  calls: Bounded<OpenCall>;
  hooks: Bounded<OpenHook>;
  /** When the compaction that is under way began. */
  compactionAt: number | null;
  /** What the answers since the last shutdown used, by model. */
  leg: Bounded<ModelUsage>;
  /** What the compactions since the last shutdown used, by model. */
  compacted: Bounded<ModelUsage>;
  /** What the last shutdown counted, by model. */
  counted: Bounded<ModelUsage>;
  /** It was told that the store cannot be read. */
  hasToldStore: boolean;
}

/** The state before the first record. */
export function startParse(context: SourceContext): CliParse {
  return {
    session: startSession(context),
    sessionUid: '',
    turns: nothing(),
    calls: nothing(),
    hooks: nothing(),
    compactionAt: null,
    leg: nothing(),
    compacted: nothing(),
    counted: nothing(),
    hasToldStore: false,
  };
}
