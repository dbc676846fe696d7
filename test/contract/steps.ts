/** Rows straight from the readers of a harness, driven record by record without an engine. */

import { SourceRecord } from '../../src/bytes/record.ts';
import { fromWire } from '../../src/bytes/text.ts';
import { Work } from '../../src/bytes/work.ts';
import type { Cell, Reader, Source, SourceContext, Unit } from '../../src/harness/harness.ts';
import { cellOf } from '../../src/harness/shared/address.ts';
import type { ColumnType } from '../../src/relations/index.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { type Feed, recordsOf } from './feed.ts';
import { type Home, sourcesOf } from './home.ts';
import type { Way } from './rows.ts';

/** A row, with bytes as Latin-1 text, so that rows compare as JSON. */
export type PlainRow = Readonly<Record<string, string | number | boolean | null>>;

/** All rows of a home in one way. */
export function steppedRows(home: Home, way: Way, feed: Feed): readonly PlainRow[] {
  const sources = sourcesOf(home, way.relation.name, way.rows);
  const { combine } = home.harness.reader(way.relation.name, way) ?? {};
  if (!combine) return sources.flatMap(source => rowsOfSource(home, way, source, feed));
  return combinedRows(home, way, sources, feed);
}

/** The rows of a reader that sums up all sources. */
function combinedRows(
  home: Home,
  way: Way,
  sources: readonly Source[],
  feed: Feed,
): readonly PlainRow[] {
  const reader = readerOf(home, way);
  const last = sources.at(-1);
  if (!reader.combine || !last) return [];
  const context = new ScanContext(last, new Work());
  const units = sources.flatMap(source => unitsOfSource(home, way, source, feed));
  return reader.combine(units).map(unit => rowOf(way, reader, unit, context));
}

function unitsOfSource(home: Home, way: Way, source: Source, feed: Feed): readonly Unit[] {
  const units: Unit[] = [];
  drive(home, way, source, feed, unit => units.push(unit));
  return units;
}

function rowsOfSource(home: Home, way: Way, source: Source, feed: Feed): PlainRow[] {
  const rows: PlainRow[] = [];
  drive(home, way, source, feed, (unit, reader, context) => {
    rows.push(rowOf(way, reader, unit, context));
  });
  return rows;
}

/** Hands every record of a source to its reader, and every unit to `take`. */
function drive(
  home: Home,
  way: Way,
  source: Source,
  feed: Feed,
  take: (unit: Unit, reader: Reader, context: SourceContext) => void,
): void {
  const context = new ScanContext(source, new Work());
  let reader = readerOf(home, way);
  let state = reader.start(context.source, context);
  const emit = (unit: Unit): void => take(unit, reader, context);
  for (const record of recordsOf(source, reader.tables ?? null, feed)) {
    if (feed.isResumed) {
      reader = readerOf(home, way);
      state = resumed(reader, state);
    }
    if (record.isBlank && !reader.readsBlankLines) continue;
    reader.read(state, record, emit, context);
  }
  reader.finish?.(state, emit, context);
}

/** The state as it comes back from a file. */
function resumed(reader: Reader, state: unknown): unknown {
  const saved = JSON.parse(JSON.stringify(reader.save ? reader.save(state) : state));
  return reader.restore ? reader.restore(saved) : saved;
}

function readerOf(home: Home, way: Way): Reader {
  const reader = home.harness.reader(way.relation.name, way);
  if (!reader) throw new Error(`no reader of ${way.name}`);
  return reader;
}

function rowOf(way: Way, reader: Reader, unit: Unit, context: SourceContext): PlainRow {
  const columns = Object.entries(way.relation.columns);
  return Object.fromEntries(
    columns.map(([name, { type }]) => [
      name,
      plainCell(cellOf(reader, name)?.(unit, context) ?? null, type),
    ]),
  );
}

function plainCell(cell: Cell, type: ColumnType): PlainRow[string] {
  const wire = cell instanceof SourceRecord ? cell.wire : cell;
  return typeof wire === 'string' && type !== 'BLOB' ? fromWire(wire) : wire;
}
