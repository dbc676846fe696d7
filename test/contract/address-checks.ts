/** The contract about bytes: nothing is lost, and every row leads back to its line. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { ObjectRow } from '../../src/index.ts';
import { filesBelow, type Home, sourcesOf } from './home.ts';
import { type HomeRows, rowsOf } from './rows.ts';

const ENDINGS: Readonly<Record<string, string>> = { LF: '\n', CRLF: '\r\n' };

/** Problems of lines and elements that do not add up to the bytes of their file. */
export function lostBytes(home: Home, rows: HomeRows): string[] {
  const files = byFile(rowsOf(rows, 'events'));
  const documents = sourcesOf(home, 'events').filter(({ form }) => form === 'elements');
  const torn = documents.filter(
    ({ path }) => !elementsAndRest(files.get(path) ?? []).equals(readFileSync(path)),
  );
  return [
    ...lostBytesOfLines(home, files),
    ...torn.map(({ path }) => `${path} is not the sum of its elements and the rest`),
  ];
}

/** The elements put back into the rest of their document, which comes last and has the number 0. */
function elementsAndRest(events: readonly ObjectRow[]): Buffer {
  const rest = events.filter(event => event['line_number'] === 0).map(bytesOf);
  const parts: Buffer[] = [];
  let remaining = Buffer.concat(rest);
  let byteOffset = 0;
  for (const event of events.filter(({ line_number }) => line_number !== 0)) {
    const between = Number(event['byte_offset']) - byteOffset;
    parts.push(remaining.subarray(0, between), bytesOf(event));
    remaining = remaining.subarray(between);
    byteOffset += between + bytesOf(event).length;
  }
  return Buffer.concat([...parts, remaining]);
}

function lostBytesOfLines(home: Home, files: ReadonlyMap<string, ObjectRow[]>): string[] {
  const ofLines = sourcesOf(home, 'events').filter(({ form }) => form === 'lines');
  return ofLines.flatMap(({ path }) => {
    const events = files.get(path) ?? [];
    const parts = events.flatMap(event => [bytesOf(event), endingOf(event)]);
    const isWhole = Buffer.concat(parts).equals(readFileSync(path));
    return isWhole ? brokenChain(path, events) : [`${path} is not the sum of its lines`];
  });
}

/** Each line begins where the one before it ends, and has the next number. */
function brokenChain(path: string, events: readonly ObjectRow[]): string[] {
  let byteOffset = 0;
  return events.flatMap((event, index) => {
    const isRight = event['byte_offset'] === byteOffset && event['line_number'] === index + 1;
    byteOffset += Number(event['byte_length']) + endingOf(event).length;
    return isRight ? [] : [`${path}:${index + 1} has a wrong address`];
  });
}

/** Problems of transcripts that are neither read nor listed with a reason. */
export function unseenFiles(home: Home, rows: HomeRows): string[] {
  const read = new Set(rowsOf(rows, 'events').map(event => event['file_path']));
  const unread = sourcesOf(home, 'events').filter(
    ({ path, byteLength }) => byteLength > 0 && !read.has(path),
  );
  const listed = new Map(sourcesOf(home).map(source => [source.path, source]));
  const unseen = filesBelow(home.path).filter(
    path => path.endsWith('.jsonl') && listed.get(path) === undefined,
  );
  const unexplained = [...listed.values()].filter(
    ({ kind, skipped }) => (kind === 'other') !== (skipped !== undefined),
  );
  return [
    ...unread.map(({ path }) => `${path} has no events`),
    ...unseen.map(path => `${path} is not seen`),
    ...unexplained.map(({ path }) => `${path} is skipped without a reason, or read with one`),
  ];
}

/** Problems of addresses that do not lead to the bytes of their row. */
export function wrongAddresses(home: Home, rows: HomeRows): string[] {
  const places = new Map(rowsOf(rows, 'events').map(event => [placeOf(event), event]));
  const elsewhere = [...byFile(rowsOf(rows, 'events'))].flatMap(([path, events]) => {
    const file = readFileSync(path);
    return events.filter(isInFile).filter(event => !leadsBack(event, file));
  });
  const strangers = ['conversations', 'conversations by line'].flatMap(way =>
    rowsOf(rows, way).filter(row => hasOffset(row) && !isRowOf(row, places.get(placeOf(row)))),
  );
  return [
    ...elsewhere.map(event => `${home.name}: ${placeOf(event)} leads elsewhere`),
    ...strangers.map(row => `${home.name}: ${placeOf(row)} is no row of its line`),
  ];
}

/** Offsets into a stream that was decompressed, and the rest of a document, lead to no bytes. */
function isInFile(event: ObjectRow): boolean {
  const isCount = event['offset_space'] === 'file' || event['offset_space'] === 'element';
  return isCount && event['line_number'] !== 0;
}

function leadsBack(event: ObjectRow, file: Buffer): boolean {
  const start = Number(event['byte_offset']);
  const line = file.subarray(start, start + Number(event['byte_length']));
  if (!line.equals(bytesOf(event)) || event['raw_is_exact'] !== isUtf8(line)) return false;
  return event['raw'] === line.toString();
}

function isRowOf(row: ObjectRow, event: ObjectRow | undefined): boolean {
  const isSame = event?.['raw'] === row['raw_event'];
  const isLine = event?.['line_number'] === row['line_number'];
  const number = Number(row['line_number']);
  return isSame && isLine && row['ordinal'] === (number > 0 ? number - 1 : null);
}

/** Whether a row has an address; rows of databases have none. */
export function hasOffset(row: ObjectRow): boolean {
  return row['byte_offset'] !== null;
}

/** `path@offset` of a row. */
export function placeOf(row: ObjectRow): string {
  return `${row['file_path']}@${row['byte_offset']}`;
}

/** The rows of each file, in the order in which they come. */
export function byFile(rows: readonly ObjectRow[]): Map<string, ObjectRow[]> {
  const files = new Map<string, ObjectRow[]>();
  for (const row of rows) {
    const path = String(row['file_path']);
    const known = files.get(path);
    if (known) known.push(row);
    else files.set(path, [row]);
  }
  return files;
}

/** The exact bytes of a line. */
export function bytesOf(event: ObjectRow): Buffer {
  const bytes = event['raw_bytes'];
  if (!(bytes instanceof Uint8Array)) throw new Error(`${placeOf(event)} has no bytes`);
  return Buffer.from(bytes);
}

function endingOf(event: ObjectRow): Buffer {
  return Buffer.from(ENDINGS[String(event['line_ending'])] ?? '');
}
