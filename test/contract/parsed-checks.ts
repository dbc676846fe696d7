/** The contract about parsers: the same rows however the records reach them. */

import type { ParsedName } from '../../src/relations/index.ts';
import { placeOf } from './address-checks.ts';
import { CRUMBS, type Feed, RESUMED, WHOLE } from './feed.ts';
import { type Home, sourcesOf } from './home.ts';
import { parsedRows } from './parsed-rows.ts';
import { type HomeRows, PARSED_WAYS, rowsOf } from './rows.ts';

/** The rows of a home by relation, each as JSON. */
type ParsedRows = ReadonlyMap<ParsedName, readonly string[]>;

/** Relations whose rows the parser does not make. */
const WITHOUT_PARSER: ReadonlySet<string> = new Set(['source_file']);

/** Problems of parsers that give other rows when stopped after any record, or in other blocks. */
export function forgetfulParsers(home: Home): string[] {
  const whole = rowsOfParser(home, WHOLE);
  return [RESUMED, CRUMBS].flatMap(feed => {
    const found = rowsOfParser(home, feed);
    return differences(home, whole, found);
  });
}

/** Problems of rows that come out of SQL differently than the parsers made them together. */
export function changedParsedRows(home: Home, rows: HomeRows): string[] {
  const whole = rowsOfParser(home, WHOLE);
  return PARSED_WAYS.filter(({ name }) => !WITHOUT_PARSER.has(name)).flatMap(way => {
    const keys = (whole.get(way.relation.name as ParsedName) ?? []).length;
    const found = rowsOf(rows, way.name).length;
    return keys === found ? [] : [`${home.name}, ${way.name}: ${found} rows instead of ${keys}`];
  });
}

/** Problems of rows whose address is not that of a record. */
export function misplacedRows(home: Home, rows: HomeRows): string[] {
  const events = rowsOf(rows, 'events');
  const places = new Map(events.map(event => [placeOf(event), event]));
  return PARSED_WAYS.filter(({ name }) => !WITHOUT_PARSER.has(name)).flatMap(way =>
    rowsOf(rows, way.name).flatMap(row => {
      if (row['byte_offset'] === null) return [];
      const event = places.get(placeOf(row));
      const isSame = ['line_number', 'byte_length'].every(name => event?.[name] === row[name]);
      return isSame ? [] : [`${home.name}, ${way.name}: ${placeOf(row)} is no record`];
    }),
  );
}

/** The rows that the parser of a home makes, each as JSON. */
function rowsOfParser(home: Home, feed: Feed): ParsedRows {
  const kinds = new Set(home.harness.parser.kinds);
  const sources = sourcesOf(home).filter(({ kind }) => kinds.has(kind));
  const rows = parsedRows(home.harness, sources, feed);
  return new Map([...rows].map(([name, list]) => [name, list.map(row => JSON.stringify(row))]));
}

function differences(home: Home, wanted: ParsedRows, found: ParsedRows): string[] {
  return PARSED_WAYS.flatMap(({ relation }) => {
    const name = relation.name as ParsedName;
    const [before, now] = [wanted.get(name) ?? [], found.get(name) ?? []];
    const where = `${home.name}, ${name}`;
    if (before.length !== now.length) {
      return [`${where}: ${now.length} rows instead of ${before.length}`];
    }
    const index = before.findIndex((row, i) => row !== now[i]);
    return index < 0 ? [] : [`${where}, row ${index}: ${now[index]} not ${before[index]}`];
  });
}
