/** The contract about parsers: the same rows however the records reach them. */

import { Work } from '../../src/bytes/work.ts';
import type { Source } from '../../src/harness/harness.ts';
import type { Parser } from '../../src/harness/parser.ts';
import { Interpreter } from '../../src/harness/shared/parsed/interpreter.ts';
import { EVERYTHING, keyOf } from '../../src/harness/shared/parsed/open-rows.ts';
import type { ParsedName, Relation } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { placeOf } from './address-checks.ts';
import { CRUMBS, type Feed, RESUMED, recordsOf, WHOLE } from './feed.ts';
import { type Home, sourcesOf } from './home.ts';
import { type HomeRows, PARSED_WAYS, rowsOf } from './rows.ts';

/** The rows of a home by relation, each as JSON. */
type ParsedRows = ReadonlyMap<ParsedName, readonly string[]>;

/** Relations whose rows the parser does not make. */
const WITHOUT_PARSER: ReadonlySet<string> = new Set(['source_file']);

/** Problems of parsers that give other rows when stopped after any record, or in other blocks. */
export function forgetfulParsers(home: Home): string[] {
  const whole = parsedRows(home, WHOLE);
  return [RESUMED, CRUMBS].flatMap(feed => {
    const found = parsedRows(home, feed);
    return differences(home, whole, found);
  });
}

/** Problems of rows that come out of SQL differently than the parsers made them together. */
export function changedParsedRows(home: Home, rows: HomeRows): string[] {
  if (!home.harness.parser) return [];
  const whole = parsedRows(home, WHOLE);
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

function parsedRows(home: Home, feed: Feed): ParsedRows {
  const rows = new Map<ParsedName, string[]>();
  const { parser } = home.harness;
  if (!parser) return rows;
  const seen = new Set<string>();
  const take = (relation: Relation<ParsedName>, row: MutableRow): void => {
    const key = `${relation.name} ${keyOf(relation, row)}`;
    // Relations about a file have its rows only: the scan knows the file, the parser does not.
    const isOfFile = relation.key[0] === 'source_id';
    if (!isOfFile && seen.has(key)) return;
    seen.add(key);
    const list = rows.get(relation.name);
    if (list) list.push(JSON.stringify(row));
    else rows.set(relation.name, [JSON.stringify(row)]);
  };
  for (const source of sourcesToParse(home, parser)) drive(home, parser, source, feed, take);
  return rows;
}

function sourcesToParse(home: Home, parser: Parser): readonly Source[] {
  const kinds = new Set(parser.kinds);
  return sourcesOf(home).filter(({ kind }) => kinds.has(kind));
}

type Take = (relation: Relation<ParsedName>, row: MutableRow) => void;

function drive(home: Home, parser: Parser, source: Source, feed: Feed, take: Take): void {
  const { description } = home.harness;
  const context = new ScanContext(source, new Work());
  let interpreter = new Interpreter(description, parser, EVERYTHING, take);
  interpreter.start(context.source, context);
  for (const record of recordsOf(source, parser.tables ?? null, feed)) {
    if (feed.isResumed) {
      const saved = JSON.parse(JSON.stringify(interpreter.save()));
      interpreter = new Interpreter(description, parser, EVERYTHING, take);
      interpreter.restore(saved);
    }
    if (!record.isBlank || parser.isText) interpreter.read(record, context);
  }
  interpreter.finish(context);
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
