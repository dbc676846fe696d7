/**
 * From a parser to the reader of one relation: the scan and the table functions know only readers.
 *
 * A parser makes the rows of all relations in one pass; the reader asks it for those of one, and
 * keeps beside its state the rows that are still open and the census of the file.
 */

import { createHash } from 'node:crypto';
import { fnv1a64 } from '../../../bytes/fnv.ts';
import { NO_RECORD, type SourceRecord } from '../../../bytes/record.ts';
import type { Column } from '../../../relations/column.ts';
import type { ParsedName, Relation } from '../../../relations/index.ts';
import type { MutableRow, RowValue } from '../../../relations/merge.ts';
import type { CellFunction, Description, Reader, ReadOptions, Unit } from '../../harness.ts';
import type { Parser, Wanted } from '../../parser.ts';
import { Interpreter, type SavedInterpreter } from './interpreter.ts';
import { keyOf } from './open-rows.ts';

/** A row of a relation in the making. */
interface ParsedUnit extends Unit {
  readonly row: MutableRow;
}

/** The state of a source: the interpreter, and where its rows go at the moment. */
interface ReaderState {
  readonly interpreter: Interpreter;
  emit: (unit: ParsedUnit) => void;
  record: SourceRecord;
}

/** The reader of `relation` from the records that `parser` understands. */
export function parsedReader(
  description: Description,
  parser: Parser,
  relation: Relation<ParsedName>,
  options: ReadOptions,
): Reader<ParsedUnit> {
  const columns = options.columns ?? new Set(Object.keys(relation.columns));
  const wanted: Wanted = new Map([[relation.name, columns]]);
  const begin = (): ReaderState => {
    const state: ReaderState = {
      interpreter: new Interpreter(description, parser, wanted, (_relation, row) => {
        state.emit({ record: state.record, row });
      }),
      emit: () => {},
      record: NO_RECORD,
    };
    return state;
  };
  return {
    kinds: parser.kinds,
    readsBlankLines: parser.isText !== undefined,
    start(source, context) {
      const state = begin();
      state.interpreter.start(source, context);
      return state;
    },
    read(state, record, emit, context) {
      const reading = state as ReaderState;
      reading.emit = emit;
      reading.record = record;
      reading.interpreter.read(record, context);
    },
    finish(state, emit, context) {
      const reading = state as ReaderState;
      reading.emit = emit;
      reading.record = NO_RECORD;
      reading.interpreter.finish(context);
    },
    save: state => (state as ReaderState).interpreter.save(),
    restore(saved) {
      const state = begin();
      state.interpreter.restore(saved as SavedInterpreter);
      return state;
    },
    ...(isOfFile(relation) ? {} : { identityOf: ({ row }: ParsedUnit) => keyOf(relation, row) }),
    ...(parser.tables ? { tables: parser.tables } : {}),
    cells: cellsOf(relation),
  };
}

/** Rows about a file are never copies of rows about another. */
function isOfFile({ key }: Relation): boolean {
  return key[0] === 'source_id';
}

function cellsOf(relation: Relation): Record<string, CellFunction<ParsedUnit>> {
  return Object.fromEntries(
    Object.entries(relation.columns).map(([name, column]) => [name, cellOfColumn(name, column)]),
  );
}

/** What the scan knows of a row, and its parser does not. */
const FROM_SOURCE: Readonly<Record<string, CellFunction<ParsedUnit>>> = {
  source_id: (_unit, context) => sourceIdOf(context.source.path),
  file_path: (_unit, context) => context.source.path,
};

function cellOfColumn(name: string, column: Column): CellFunction<ParsedUnit> {
  const known = FROM_SOURCE[name];
  if (known) return known;
  const derive = derivation(column);
  return derive === null ? ({ row }) => row[name] ?? null : ({ row }) => derive(row);
}

/** A cell that is computed from another of the same row. */
export type DerivedCell = (row: MutableRow) => RowValue;

/** The derived columns of a relation, by name. */
export function derivedCells(relation: Relation): Readonly<Record<string, DerivedCell>> {
  const cells = Object.entries(relation.columns).flatMap(([name, column]) => {
    const derive = derivation(column);
    return derive === null ? [] : [[name, derive] as const];
  });
  return Object.fromEntries(cells);
}

function derivation({ derived }: Column): DerivedCell | null {
  if (derived === null) return null;
  const { from, as } = derived;
  return row => {
    const text = row[from];
    if (typeof text !== 'string') return null;
    return as === 'byte_length' ? text.length : sha256Of(text);
  };
}

/** The SHA-256 of wire text. */
function sha256Of(wire: string): string {
  return createHash('sha256').update(wire, 'latin1').digest('hex');
}

/** The identifier of a file: a hash of its canonical path. */
export function sourceIdOf(path: string): string {
  return fnv1a64(path);
}
