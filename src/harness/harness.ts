/**
 * What a harness is to ahq: a description, a way to find its sources, and parsers.
 *
 * Adding one is a folder with these three parts, a line in `index.ts` and a fixture home.
 */

import type { FileAddress } from '../bytes/addressed.ts';
import type { JsonObject } from '../bytes/json.ts';
import type { SourceRecord } from '../bytes/record.ts';
import type { SqliteTable } from '../bytes/sqlite-table.ts';
import type { Entry, OnProblem } from '../bytes/walk.ts';
import type { Environment } from '../places.ts';
import type { ColumnName, Relation, RelationName } from '../relations/index.ts';
import type { Parser } from './parser.ts';

/** Whether a relation is filled, or why it cannot be. */
export type Coverage = true | { readonly missing: string };

/** What a harness says about itself: plain data and pure functions. */
export interface Description {
  /** The value of `source` in every row, for example `claude`. */
  readonly name: string;
  /** The name people use, for example `Claude Code`. */
  readonly title: string;
  /** Environment variables that move its home, or a part of it. */
  readonly variables: readonly string[];
  /** What marks its home, in words: shown when a folder is not recognised. */
  readonly marks: string;
  /** Harnesses, by name, that its home may be taken for where it lies elsewhere. */
  readonly looksLike?: readonly string[];
  /** The folders where its files lie by default, most important first. */
  homes(environment: Environment): readonly string[];
  /** Which relations it fills. */
  readonly coverage: Readonly<Record<RelationName, Coverage>>;
  /** Record types known to this version, with their subtypes (empty when there are none). */
  readonly recordTypes: Readonly<Record<string, readonly string[]>>;
  /** The type of a record, where it is not always the top-level `type`; null for none. */
  typeOf?(value: unknown): string | null;
  /** The second-level type of a record, or null. */
  subtypeOf(value: unknown): string | null;
}

/** What a source holds. `other` is seen and listed, and read by no relation. */
export type SourceKind = 'transcript' | 'journal' | 'plan' | 'todo' | 'history' | 'stats' | 'other';

/** Kinds of sources that are wanted. */
export type Kinds = ReadonlySet<SourceKind>;

/**
 * How the records of a source lie in its file: one a line, one a line of a zstd stream, elements
 * of an array in a JSON document with the rest of the document last, one whole document, or rows
 * of a SQLite database.
 */
export type SourceForm = 'lines' | 'zstd' | 'elements' | 'document' | 'sqlite';

/** One file of a harness: plain data. Parsers see its texts as wire text. */
export interface Source {
  readonly kind: SourceKind;
  readonly form: SourceForm;
  /** For `elements`: the names of the members that lead to the array; none for the root. */
  readonly arrayPath?: readonly string[];
  /** The path, below the canonical path of the root. */
  readonly path: string;
  readonly fileName: string;
  readonly byteLength: number;
  readonly modifiedMs: number;
  /** Device and inode. */
  readonly identity: string;
  /** Session by the file's name and place, or null. */
  readonly sessionId: string | null;
  /** What else the place of the file tells, by names of the harness's own. */
  readonly facts: Readonly<Record<string, string | null>>;
  /** Small files beside it that parsers may ask for, by name. */
  readonly companions: Readonly<Record<string, string>>;
  /**
   * Its records make up a whole, such as a chat: by block its rows are those of the whole that the
   * last record left, so that records which others overwrote or went on with have none.
   */
  readonly isFolded?: boolean;
  /**
   * Its rows hang on files beside it that go on together with it: what is known of one moment
   * cannot be added to, it is read anew when either has changed.
   */
  readonly isWoven?: boolean;
  /** Why no relation reads it, for `kind: 'other'`. */
  readonly skipped?: string;
}

/** What parsers may ask about the source they read, answered by the scan when asked. */
export interface SourceContext {
  readonly source: Source;
  /** The first string that a record of the file has as its top-level member `key`, or null. */
  firstText(key: string): string | null;
  /**
   * The decoded value of the first record that holds the bytes of `needle` and that `matches`;
   * undefined when there is none. Found once for each needle.
   */
  firstRecord(needle: string, matches: (value: unknown) => boolean): unknown;
  /** The decoded JSON of a companion file; undefined when there is none or it does not parse. */
  companion(name: string): unknown;
  /** The records of a companion file of lines, in order; none when it cannot be read. */
  companionRecords(name: string): Iterable<SourceRecord>;
  /**
   * The last record of a companion file of lines whose member `keyName` is `key`, or null. The file
   * is read once a scan.
   */
  companionLine(name: string, keyName: string, key: string): JsonObject | null;
  /**
   * The row of a table in a companion database whose `keyColumn` is `key`, as JSON would hold it,
   * or null. The table is read once a scan.
   */
  companionRow(name: string, table: string, keyColumn: string, key: string): JsonObject | null;
  /** All rows whose `keyColumn` is `key`, in the order of the table; else like `companionRow`. */
  companionRows(name: string, table: string, keyColumn: string, key: string): readonly JsonObject[];
  /** Why a companion could not be used, or null; asking for a companion that is absent is fine. */
  companionProblem(name: string): string | null;
  /** For `elements`: the decoded document with the elements of its array cut out. */
  rest(): unknown;
  /**
   * For `lines`: a record that the reader has seen, read again. A reader that cannot tell yet what
   * becomes of a record keeps its address. What cannot be read any more has a diagnosis.
   */
  recordAt(address: FileAddress): SourceRecord;
}

/**
 * The value of a cell. Strings are wire text (see `bytes/text.ts`); a record stands for its exact
 * bytes.
 */
export type Cell = string | number | boolean | null | SourceRecord;

/** What a parser makes of records: a row in the making, which still knows its record. */
export interface Unit {
  readonly record: SourceRecord;
}

/**
 * How a column is computed from a unit. A column that is not named is the row's address, where it
 * is one of those in `shared/address.ts`, else NULL.
 */
export type Cells<R extends Relation, U extends Unit> = {
  readonly [K in ColumnName<R>]?: CellFunction<U>;
};

/** One column: a pure function, called only when the column is wanted. */
export type CellFunction<U extends Unit> = {
  // A method, so that a reader of units can be kept as a reader of some units.
  of(unit: U, context: SourceContext): Cell;
}['of'] & {
  /** The value is the same for all units of a source: it is asked for once. */
  readonly isOfSource?: true;
};

/**
 * Reads one relation from the sources of some kinds: a pure reducer from records to units, with
 * state that is plain JSON, and the cells of a unit.
 */
export interface Reader<U extends Unit = Unit> {
  readonly kinds: readonly SourceKind[];
  /** The state before the first record of a source. */
  start(source: Source, context: SourceContext): unknown;
  /** Gives the units of one record. Blank lines are not shown to readers of `lines`. */
  read(state: unknown, record: SourceRecord, emit: (unit: U) => void, context: SourceContext): void;
  /** Gives the units that waited for the end of the source. */
  finish?(state: unknown, emit: (unit: U) => void, context: SourceContext): void;
  /** The state as plain JSON, and back, for readers whose state holds records. */
  save?(state: unknown): unknown;
  restore?(saved: unknown): unknown;
  /** Makes one unit for each row of the units of all sources, for relations that sum up. */
  combine?(units: readonly U[]): readonly U[];
  /**
   * What makes a unit the same as another, in whatever file: a scan gives the first and drops the
   * copies. Without it every unit counts.
   */
  identityOf?(unit: U): string;
  /** Blank lines are records too. */
  readonly readsBlankLines?: boolean;
  /** The source itself is the row: it is not opened. */
  readonly opensNothing?: boolean;
  /** For `sqlite`: which rows are records, and in which order. All tables without it. */
  readonly tables?: readonly SqliteTable[];
  readonly cells: Readonly<Record<string, CellFunction<U> | undefined>>;
}

/** What a caller asks of a relation beyond the path. */
export interface ReadOptions {
  /** A row for each thing said or done, or exactly one for each line. */
  readonly rows: 'block' | 'line';
  /** Also read what the harness has archived. */
  readonly includeArchived?: boolean;
  /** The columns that are wanted; all when absent. */
  readonly columns?: ReadonlySet<string>;
}

/** The readers of a harness by relation; none for relations that it does not fill. */
export type Readers = Readonly<Partial<Record<RelationName, (options: ReadOptions) => Reader>>>;

/** What decides which files are listed. */
export interface DiscoverOptions extends Pick<ReadOptions, 'includeArchived'> {
  /** Everything of the harness that the same scan reads; the root alone when absent. */
  readonly roots?: readonly Root[];
  /** The machine, where variables decide what lies beside the files. */
  readonly environment?: Environment;
}

/** A place that a harness recognises: its home, or a part of it. */
export interface Root {
  /** The folder or file itself. */
  readonly entry: Entry;
  /** Which part of the harness's tree it is, by names of the harness's own. */
  readonly part: string;
}

/** A harness. */
export interface Harness {
  readonly description: Description;
  /**
   * Whether a folder or file is this harness's, or a part of its home. Looks at names, and into
   * the first lines of a file where a name does not tell.
   */
  recognise(entry: Entry): Root | null;
  /** The root that an entry is when the caller says that it is this harness's. */
  assume(entry: Entry): Root;
  /** The files of the wanted kinds under a root, in the order in which they are read. */
  discover(
    root: Root,
    kinds: Kinds,
    onProblem: OnProblem,
    options?: DiscoverOptions,
  ): Iterable<Source>;
  /** What its records mean. */
  readonly parser: Parser;
  /** The reader of a relation, or null when the harness does not fill it. */
  reader(relation: RelationName, options: ReadOptions): Reader | null;
}
