/** The relations in the order in which they are shown. */

import { subagentSpawn } from './agent.ts';
import { conversations } from './conversation.ts';
import { parseIssue, recordTypeSeen, sourceFile } from './diagnostic.ts';
import { events } from './event.ts';
import { gitEvent } from './git.ts';
import { attachment, message } from './message.ts';
import { costState, llmCall, rateLimitSample } from './model.ts';
import type { RowOf } from './relation.ts';
import {
  compaction,
  hookEvent,
  session,
  sessionContinuation,
  sessionEvent,
  turn,
} from './session.ts';
import { history, plans, stats, todos } from './side-file.ts';
import { artifact, fileTouch, toolCall, toolIo, toolOp } from './tool.ts';

export type { Column, ColumnType } from './column.ts';
export type { ColumnName, Relation, RowOf } from './relation.ts';
export { conversations, events, history, plans, stats, todos };

/** The relations that show what is in the files. */
export const readerRelations = [conversations, events, plans, todos, history, stats] as const;

/** The relations that tell what the records mean; parsers make their rows. */
export const parsedRelations = [
  session,
  turn,
  message,
  llmCall,
  toolCall,
  toolOp,
  toolIo,
  subagentSpawn,
  compaction,
  hookEvent,
  gitEvent,
  fileTouch,
  artifact,
  attachment,
  sessionEvent,
  sessionContinuation,
  rateLimitSample,
  costState,
  recordTypeSeen,
  parseIssue,
  sourceFile,
] as const;

/** Every relation that can be read straight from raw files. */
export const relations = [...readerRelations, ...parsedRelations] as const;

/** The bare name of a relation that can be read from raw files. */
export type RelationName = (typeof relations)[number]['name'];

/** The bare name of a relation that parsers fill. */
export type ParsedName = (typeof parsedRelations)[number]['name'];

type ParsedRelation<N extends ParsedName> = Extract<
  (typeof parsedRelations)[number],
  { readonly name: N }
>;

/** Columns that the scan fills: where the row comes from. */
type Filled =
  | 'source'
  | 'source_id'
  | 'file_path'
  | 'line_number'
  | 'byte_offset'
  | 'byte_length'
  | 'raw_record_origin';

type Declared<N extends ParsedName> = RowOf<ParsedRelation<N>>;

type RequiredIn<Row> = {
  [K in keyof Row]: null extends Row[K] ? never : K;
}[keyof Row];

/**
 * What a parser tells of a row: its required columns, and those of the others that it knows. Texts
 * are wire text, instants microseconds since 1970 UTC.
 */
export type ParsedRow<N extends ParsedName> = Omit<Partial<Declared<N>>, Filled> &
  Pick<Declared<N>, Exclude<RequiredIn<Declared<N>>, Filled>>;
