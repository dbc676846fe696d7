/**
 * One pass over a source: every record goes to every reader of its harness, so that a file is read
 * and decoded once for all tables.
 *
 * What lies between two records is plain JSON: a source that has grown is read on from there. What
 * readers and parsers give when the source ends is provisional, because the source may go on.
 */

import { fnv1a53 } from '../bytes/fnv.ts';
import type { SourceRecord } from '../bytes/record.ts';
import type { SqliteTable } from '../bytes/sqlite-table.ts';
import type { CellValue } from '../engine/vectors.ts';
import type {
  CellFunction,
  Harness,
  Reader,
  Source,
  SourceContext,
  Unit,
} from '../harness/harness.ts';
import { cellOf } from '../harness/shared/address.ts';
import { Interpreter, type SavedInterpreter } from '../harness/shared/parsed/interpreter.ts';
import { EVERYTHING, keyOf } from '../harness/shared/parsed/open-rows.ts';
import { derivedCells, sourceIdOf } from '../harness/shared/parsed/reader.ts';
import type { ParsedName, Relation, RelationName } from '../relations/index.ts';
import type { MutableRow } from '../relations/merge.ts';
import { KeySet } from '../scan/key-set.ts';
import { type StoreTable, storeTables } from './tables.ts';

/** A row for a table: its cells by column, in the order of the table. */
export type PutRow = (table: StoreTable, cells: readonly CellValue[]) => void;

/** Everything between two records, as plain JSON. */
interface SavedPass {
  readonly readers: Readonly<Record<string, unknown>>;
  readonly parser: SavedInterpreter | null;
}

/** A reader with its state and the table that its rows go to. */
interface Lane {
  readonly table: StoreTable;
  readonly reader: Reader;
  readonly cells: readonly (CellFunction<Unit> | null)[];
  state: unknown;
}

const tableOf = new Map<RelationName, StoreTable>(
  storeTables.map(table => [table.relation.name, table]),
);

/** Reads one source. */
export class SourcePass {
  readonly #context: SourceContext;
  readonly #put: PutRow;
  readonly #lanes: readonly Lane[];
  readonly #interpreter: Interpreter | null;
  readonly #sourceId: string;
  readonly #seen = new Map<ParsedName, KeySet>();
  readonly #provisionalTables = new Set<string>();
  #isProvisional = false;

  /** `saved` is what an earlier pass gave for the same source, or null to begin. */
  constructor(
    harness: Harness,
    source: Source,
    context: SourceContext,
    put: PutRow,
    saved: string | null = null,
  ) {
    this.#context = context;
    this.#put = put;
    this.#sourceId = sourceIdOf(context.source.path);
    const before = saved === null ? null : (JSON.parse(saved) as SavedPass);
    this.#lanes = lanesOf(harness, source);
    for (const lane of this.#lanes) this.#begin(lane, before);
    this.#interpreter = this.#interpreterOf(harness, source, before);
  }

  /** Which rows of a database are records, by reader; one pass must do for all of them. */
  static tablesOf(harness: Harness, source: Source): readonly SqliteTable[] | null {
    const tables = lanesOf(harness, source).flatMap(({ reader }) => reader.tables ?? []);
    return tables.length === 0 ? null : tables;
  }

  #begin(lane: Lane, before: SavedPass | null): void {
    const saved = before?.readers[lane.table.relation.name];
    if (before === null) lane.state = lane.reader.start(this.#context.source, this.#context);
    else lane.state = lane.reader.restore ? lane.reader.restore(saved) : saved;
  }

  #interpreterOf(harness: Harness, source: Source, before: SavedPass | null): Interpreter | null {
    const { parser, description } = harness;
    if (!parser.kinds.includes(source.kind)) return null;
    const take = (relation: Relation<ParsedName>, row: MutableRow) => this.#takeRow(relation, row);
    const interpreter = new Interpreter(description, parser, EVERYTHING, take);
    if (before?.parser) interpreter.restore(before.parser);
    else interpreter.start(this.#context.source, this.#context);
    return interpreter;
  }

  /** Takes one record. */
  read(record: SourceRecord): void {
    const { isBlank } = record;
    for (const lane of this.#lanes) {
      if (isBlank && !lane.reader.readsBlankLines) continue;
      lane.reader.read(lane.state, record, unit => this.#takeUnit(lane, unit), this.#context);
    }
    this.#interpreter?.read(record, this.#context);
  }

  /**
   * Gives the rows that are open and those that stand for the end of the source, and returns what
   * a later pass goes on from.
   */
  finish(): string {
    this.#interpreter?.flush();
    const saved = JSON.stringify(this.#save());
    this.#isProvisional = true;
    for (const lane of this.#lanes) {
      lane.reader.finish?.(lane.state, unit => this.#takeUnit(lane, unit), this.#context);
    }
    this.#interpreter?.finish(this.#context);
    return saved;
  }

  /** The tables that have got provisional rows. */
  get provisionalTables(): readonly string[] {
    return [...this.#provisionalTables];
  }

  #putRow(table: StoreTable, cells: readonly CellValue[]): void {
    if (this.#isProvisional) this.#provisionalTables.add(table.name);
    this.#put(table, cells);
  }

  #save(): SavedPass {
    const readers = this.#lanes.map(({ table, reader, state }) => [
      table.relation.name,
      reader.save ? reader.save(state) : state,
    ]);
    return {
      readers: Object.fromEntries(readers),
      parser: this.#interpreter?.save() ?? null,
    };
  }

  #takeUnit({ table, cells }: Lane, unit: Unit): void {
    const row = cells.map(cell => cell?.(unit, this.#context) ?? null);
    if (table.relation.columns['source_id'] === undefined) row.push(this.#sourceId);
    this.#putRow(table, [...row, 0, this.#isProvisional, this.#isProvisional]);
  }

  #takeRow(relation: Relation<ParsedName>, row: MutableRow): void {
    const table = tableOf.get(relation.name);
    if (!table) return;
    const key = keyOf(relation, row);
    if (!this.#isNew(relation, key)) return;
    const derived = derivedOf(relation);
    const cells = Object.keys(relation.columns).map((name): CellValue => {
      if (name === 'source_id') return this.#sourceId;
      if (name === 'file_path') return this.#context.source.path;
      return derived[name]?.(row) ?? row[name] ?? null;
    });
    this.#putRow(table, [...cells, fnv1a53(key), this.#isProvisional, this.#isProvisional]);
  }

  /** Whether the source has not given the row before; a merged row may be given in parts. */
  #isNew(relation: Relation<ParsedName>, key: string): boolean {
    const seen = this.#seen.get(relation.name) ?? new KeySet();
    this.#seen.set(relation.name, seen);
    return seen.add(`${this.#isProvisional ? 'p' : ''}${key}`);
  }
}

const derivedByName = new Map<string, ReturnType<typeof derivedCells>>();

function derivedOf(relation: Relation<ParsedName>): ReturnType<typeof derivedCells> {
  const known = derivedByName.get(relation.name) ?? derivedCells(relation);
  derivedByName.set(relation.name, known);
  return known;
}

function lanesOf(harness: Harness, source: Source): Lane[] {
  return storeTables.flatMap((table): Lane[] => {
    const { name, merge, columns } = table.relation;
    if (merge !== undefined && name !== 'source_file') return [];
    const reader = harness.reader(name, { rows: 'block' });
    if (!reader?.kinds.includes(source.kind)) return [];
    const cells = Object.keys(columns).map(column => cellOf(reader, column) ?? null);
    return [{ table, reader, cells, state: null }];
  });
}
