/** What a harness says of its rows of `conversations`, so that the shared parser can read them. */

import type { ChatRow } from './parser.ts';

/** What a tool does with files. */
export type FileOperation = 'read' | 'create' | 'edit' | 'delete';

/** The conventions of a harness. Everything else is the same for all of them. */
export interface ChatRules {
  /** Raised when the rows change. */
  readonly version: number;
  /** What its count of input tokens holds beside what came neither from nor to the cache. */
  readonly inputIncludes: 'nothing' | 'cache_reads' | 'cache_reads_and_writes';
  /** Whether its count of output tokens holds the reasoning. */
  readonly outputIncludesReasoning: boolean;
  /** Values of `usage_scope` of rows whose tokens are those of one model call. */
  readonly callScopes: ReadonlySet<string>;
  /** Tools that touch files, in small letters, with what they do. */
  readonly fileTools: Readonly<Record<string, FileOperation>>;
  /** Tools that launch a sub-agent, in small letters. */
  readonly spawnTools: ReadonlySet<string>;
  /** Types of rows that tell of a compaction which is done; the text is the summary. */
  readonly compactionTypes: ReadonlySet<string>;
  /** Types of rows that are events of the session, with the kind of event. */
  readonly eventTypes: Readonly<Record<string, string>>;
  /** Types of rows that end a turn, with its status; null where the row itself has it. */
  readonly turnEndTypes: Readonly<Record<string, string | null>>;
  /** Whether calls may share an identifier: then each sighting of one is a call of its own. */
  readonly repeatsIdentifiers?: boolean;
  /** Rows that its records give beyond those of every chat; comes after those. */
  readonly more?: (row: ChatRow) => void;
}
