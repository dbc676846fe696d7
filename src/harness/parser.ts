/**
 * A parser: what the records of a harness mean, as rows of the relations.
 *
 * It is a pure reducer with state that is plain JSON: stopped after any record and gone on with
 * from its saved state it gives the same rows. It opens no file and keeps no text: what a later
 * record tells about a row is a second sighting of the same key, and whoever takes the rows merges
 * the two by the policies of the relation.
 */

import type { SourceRecord } from '../bytes/record.ts';
import type { SqliteTable } from '../bytes/sqlite-table.ts';
import type { ParsedName, ParsedRow } from '../relations/index.ts';
import type { Source, SourceContext, SourceKind } from './harness.ts';

/** The columns that somebody reads, by relation. */
export type Wanted = ReadonlyMap<ParsedName, ReadonlySet<string>>;

/** Where a row comes from: plain JSON, so that state can hold it. */
export interface Place {
  readonly lineNumber: number;
  readonly byteOffset: number | null;
  readonly byteLength: number;
  /** The type of the record as the harness names it. */
  readonly recordType: string | null;
}

/** Where a parser puts rows. */
export interface Rows {
  /** Whether somebody reads the relation; what nobody reads need not be made. */
  wants(relation: ParsedName): boolean;
  /** Whether somebody reads the column. */
  wantsColumn(relation: ParsedName, column: string): boolean;
  /**
   * Adds a sighting of a row. Rows of relations that merge are held until the end of the file,
   * unless the parser says that the row `isWhole`: then it leaves at once.
   */
  add<N extends ParsedName>(relation: N, place: Place, row: ParsedRow<N>, isWhole?: boolean): void;
  /** Adds a diagnosis; one of a kind for each record is kept. */
  issue(place: Place, kind: string, detail?: string | null): void;
}

/** Makes the rows of all relations from the records of a source. */
export interface Parser<State = unknown> {
  /** Raised whenever it makes other rows: what an older version made is made anew. */
  readonly version: number;
  /** The sources whose records it reads. */
  readonly kinds: readonly SourceKind[];
  /** The state before the first record. */
  start(source: Source, context: SourceContext): State;
  /**
   * Takes one record. What is not a JSON object never comes here: it is a diagnosis already.
   */
  read(state: State, record: SourceRecord, place: Place, rows: Rows, context: SourceContext): void;
  /** Gives the rows that waited for the end of the source. */
  finish?(state: State, rows: Rows, context: SourceContext): void;
  /** The state as plain JSON, and back, for parsers whose state holds records. */
  save?(state: State): unknown;
  restore?(saved: unknown): State;
  /** The version of the harness that wrote the record which was read last, or null. */
  harnessVersion(state: State): string | null;
  /** The time of a record, in microseconds since 1970 UTC, or null; `timestamp` if absent. */
  instantOf?(value: unknown): number | null;
  /** Whether the records of a source are lines of text, blank ones too, instead of JSON. */
  isText?(source: Source): boolean;
  /**
   * Which records can have a part in the wanted columns, told from their bytes; null when all can.
   * What is left out is not decoded.
   */
  concerns?(wanted: Wanted): ((record: SourceRecord) => boolean) | null;
  /** For `sqlite`: which rows are records, and in which order. All tables without it. */
  readonly tables?: readonly SqliteTable[];
}
