/** The contract about readers: pure reducers, whose rows depend on nothing but the records. */

import type { ObjectRow } from '../../src/index.ts';
import { CRUMBS, RESUMED, WHOLE } from './feed.ts';
import type { Home } from './home.ts';
import { type HomeRows, readHome, rowsOf, WAYS } from './rows.ts';
import { type PlainRow, steppedRows } from './steps.ts';

/** Problems of readers that, stopped after any record, go on differently from their state. */
export function forgetfulReaders(home: Home): string[] {
  return differences(home, way => [steppedRows(home, way, WHOLE), steppedRows(home, way, RESUMED)]);
}

/** Problems of rows that depend on where the blocks of a file end. */
export function tornRows(home: Home): string[] {
  return differences(home, way => [steppedRows(home, way, WHOLE), steppedRows(home, way, CRUMBS)]);
}

/** Problems of rows that come out of SQL differently than the readers computed them. */
export function changedRows(home: Home, rows: HomeRows): string[] {
  return differences(home, way => [
    steppedRows(home, way, WHOLE),
    rowsOf(rows, way.name).map(plainRow),
  ]);
}

/** Problems of rows that differ when the home is read a second time. */
export async function unsteadyRows(home: Home, rows: HomeRows): Promise<string[]> {
  const again = await readHome(home);
  return differences(home, way => [
    rowsOf(rows, way.name).map(plainRow),
    rowsOf(again, way.name).map(plainRow),
  ]);
}

type Pair = readonly [readonly PlainRow[], readonly PlainRow[]];

function differences(home: Home, pairOf: (way: (typeof WAYS)[number]) => Pair): string[] {
  return WAYS.flatMap(way => {
    const [wanted, found] = pairOf(way).map(rows => rows.map(row => JSON.stringify(row)));
    const where = `${home.name}, ${way.name}`;
    if (wanted?.length !== found?.length) {
      return [`${where}: ${found?.length} rows instead of ${wanted?.length}`];
    }
    const index = wanted?.findIndex((row, i) => row !== found?.[i]) ?? -1;
    return index < 0 ? [] : [`${where}, row ${index}: ${found?.[index]} not ${wanted?.[index]}`];
  });
}

/** A row of the engine as the readers' rows are written. */
function plainRow(row: ObjectRow): PlainRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('latin1')];
      if (value === null || typeof value !== 'object') return [name, plainValue(value)];
      throw new Error(`${name} holds ${String(value)}`);
    }),
  );
}

function plainValue(value: PlainRow[string] | bigint): PlainRow[string] {
  return typeof value === 'bigint' ? value.toString() : value;
}
