/** The contract about rows: each line has its rows, and rows are what their relation declares. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { JsValue, ObjectRow } from '../../src/index.ts';
import { byFile, hasOffset, placeOf } from './address-checks.ts';
import { type Home, sourcesOf } from './home.ts';
import { type HomeRows, PARSED_WAYS, rowsOf, WAYS, type Way } from './rows.ts';
import { rowSchema } from './schema.ts';

/** All relations. */
const EVERY_WAY: readonly Way[] = [...WAYS, ...PARSED_WAYS];

const AUTHORS: readonly unknown[] = ['user', 'caller', 'agent', 'tool', 'system'];

/** Ways whose key is unique; by block, `conversations` has several rows for a line. */
const KEYED = EVERY_WAY.filter(way => way.name !== 'conversations');

/** Problems of relations that are filled and not declared so, or the other way round. */
export function wrongCoverage(home: Home): string[] {
  const { coverage } = home.harness.description;
  return EVERY_WAY.flatMap(way => {
    const isFilled = home.harness.reader(way.relation.name, way) !== null;
    const isDeclared = coverage[way.relation.name] === true;
    return isFilled === isDeclared ? [] : [`${way.name}: ${isFilled ? 'filled' : 'not filled'}`];
  });
}

/** Problems of lines that have no row, or by line not exactly one. */
export function linesWithoutRows(home: Home, rows: HomeRows): string[] {
  const byBlock = countByPlace(rowsOf(rows, 'conversations'));
  const byLine = countByPlace(rowsOf(rows, 'conversations by line'));
  const files = byFile(rowsOf(rows, 'events'));
  const isSpread = SPREADS_RECORDS.has(home.harness.description.name);
  return lineFilesOf(home).flatMap(path =>
    (files.get(path) ?? []).flatMap(event => {
      const place = placeOf(event);
      const wanted = isBlank(String(event['raw'])) ? 0 : 1;
      const [blocks, lines] = [byBlock.get(place) ?? 0, byLine.get(place) ?? 0];
      const isRight = lines === wanted && (isSpread || Math.min(blocks, 1) === wanted);
      return isRight ? [] : [`${place} has ${blocks} rows by block, ${lines} by line`];
    }),
  );
}

/** Harnesses some of whose records stand only in columns of the rows of others. */
const SPREADS_RECORDS: ReadonlySet<string> = new Set(['codex']);

/** The files of lines that `conversations` reads, each line for itself. */
function lineFilesOf(home: Home): string[] {
  return sourcesOf(home, 'conversations')
    .filter(({ form, isFolded }) => form === 'lines' && !isFolded)
    .map(({ path }) => path);
}

/** What a row tells about its record, however many rows the record has. */
const OF_THE_RECORD = [
  ...['source', 'session_id', 'project_path', 'project_dir', 'file_name', 'is_agent'],
  ...['line_number', 'event_type', 'client', 'parent_session_id', 'agent_path', 'agent_role'],
  ...['ordinal', 'parse_error', 'raw_event'],
];

/** Problems of records of which a block tells something else than the line. */
export function disagreeingRows(home: Home, rows: HomeRows): string[] {
  const folded = sourcesOf(home, 'conversations').filter(({ isFolded }) => isFolded);
  const foldedPaths = new Set<JsValue | undefined>(folded.map(({ path }) => path));
  const lines = new Map(rowsOf(rows, 'conversations by line').map(row => [placeOf(row), row]));
  return rowsOf(rows, 'conversations')
    .filter(hasOffset)
    .flatMap(row => {
      const line = lines.get(placeOf(row));
      // Whether a record fits the whole that it changes, it does not tell by itself.
      const isOwn = (name: string) => name !== 'parse_error' || !foldedPaths.has(row['file_path']);
      const wrong = OF_THE_RECORD.filter(name => row[name] !== line?.[name] && isOwn(name));
      return wrong.map(name => `${placeOf(row)}: ${name} is ${row[name]}, by line ${line?.[name]}`);
    });
}

/** Problems of record types that are not counted as a few lines of script count them. */
export function wrongCounts(home: Home, rows: HomeRows): string[] {
  const typeColumn = MESSAGE_TYPE_IS_TYPE.has(home.harness.description.name)
    ? 'message_type'
    : 'event_type';
  const counted = byFile(rowsOf(rows, 'conversations by line'));
  return lineFilesOf(home).flatMap(path => {
    const ours = (counted.get(path) ?? []).map(row => String(row[typeColumn] ?? '_parse_error'));
    const wanted = JSON.stringify(countOf(typesIn(path)));
    const found = JSON.stringify(countOf(ours));
    return found === wanted ? [] : [`${path} has ${found} instead of ${wanted}`];
  });
}

/** Harnesses whose rows by line are called by the type of their record. */
const MESSAGE_TYPE_IS_TYPE: ReadonlySet<string> = new Set(['claude', 'claude-desktop']);

/** The record types of a file, line by line: the script. */
function typesIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (isBlank(line)) return [];
    try {
      const record: unknown = JSON.parse(index === 0 ? line.replace(/^\ufeff/, '') : line);
      const type = record && !Array.isArray(record) && (record as { type?: unknown }).type;
      return typeof type === 'string' ? type : '_parse_error';
    } catch {
      return '_parse_error';
    }
  });
}

/** Problems of rows that are not what their relation declares. */
export function undeclaredRows(_home: Home, rows: HomeRows): string[] {
  return EVERY_WAY.flatMap(way => {
    const schema = rowSchema(way.relation);
    const names = Object.keys(way.relation.columns).join();
    return rowsOf(rows, way.name).flatMap((row, index) => {
      const { error } = schema.safeParse(row);
      const problem = error?.issues.map(issue => `${issue.path.join()} ${issue.message}`).join();
      if (problem !== undefined) return [`${way.name} ${index}: ${problem}`];
      return Object.keys(row).join() === names ? [] : [`${way.name} ${index}: columns disordered`];
    });
  });
}

/** Problems of rows that do not name the harness and the file that they come from. */
export function rowsWithoutOrigin(home: Home, rows: HomeRows): string[] {
  const { name } = home.harness.description;
  return EVERY_WAY.flatMap(way =>
    rowsOf(rows, way.name)
      .filter(row => row['source'] !== name || !(isOfOthers(way) || hasOwnName(row)))
      .map(row => `${way.name}: ${row['source']}, ${row['file_path']}, ${row['file_name']}`),
  );
}

/** The name of an attachment is not that of the file that tells of it. */
function isOfOthers({ relation }: Way): boolean {
  return relation.name === 'attachment';
}

/** Relations without one of the two columns have nothing to compare. */
function hasOwnName({ file_name: name, file_path: path }: ObjectRow): boolean {
  return name === undefined || path === undefined || name === basename(String(path));
}

/** The columns that tell the rows of a way apart. */
function keyOf({ relation }: Way): readonly string[] {
  return relation.name === 'conversations' ? ['file_path', 'line_number'] : relation.key;
}

/** Problems of two rows with one key. */
export function sharedKeys(_home: Home, rows: HomeRows): string[] {
  return KEYED.flatMap(way => {
    const keys = rowsOf(rows, way.name).map(row => keyOf(way).map(name => row[name]));
    const seen = new Set<string>();
    return keys.flatMap(key => {
      const text = JSON.stringify(key);
      if (seen.has(text)) return [`${way.name} has two rows ${text}`];
      seen.add(text);
      return [];
    });
  });
}

/** Problems of records whose type is lost, or not marked as known or unknown. */
export function lostTypes(home: Home, rows: HomeRows): string[] {
  const { recordTypes } = home.harness.description;
  const byLine = new Map(rowsOf(rows, 'conversations by line').map(row => [placeOf(row), row]));
  return rowsOf(rows, 'events').flatMap(event => {
    const { event_type: type, record_subtype: subtype, is_known_type: isKnown } = event;
    if (type === null) return isKnown === null ? [] : [`${placeOf(event)} is known without type`];
    const subtypes = Object.hasOwn(recordTypes, String(type)) ? recordTypes[String(type)] : null;
    const isKnownSubtype = subtype === null || subtypes?.includes(String(subtype));
    const wanted = !!subtypes && (subtypes.length === 0 || isKnownSubtype);
    const row = byLine.get(placeOf(event));
    const isKept = !row || row['event_type'] === type;
    return isKnown === wanted && isKept ? [] : [`${placeOf(event)} is ${type}, known: ${isKnown}`];
  });
}

/** Problems of rows that nobody wrote. */
export function rowsWithoutAuthor(_home: Home, rows: HomeRows): string[] {
  return ['conversations', 'conversations by line'].flatMap(way =>
    rowsOf(rows, way)
      .filter(row => !AUTHORS.includes(row['author']))
      .map(row => `${way}: ${placeOf(row)} is by ${row['author']}`),
  );
}

/** Only what JSON calls white space; a no-break space is not blank. */
function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

function countByPlace(rows: readonly ObjectRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(placeOf(row), (counts.get(placeOf(row)) ?? 0) + 1);
  return counts;
}

function countOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
