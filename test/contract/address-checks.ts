/** The contract about bytes: nothing is lost, and every row leads back to its line. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Source, SourceKind } from '../../src/harness/harness.ts';
import type { ObjectRow } from '../../src/index.ts';
import { filesBelow, type Home, rootOf } from './home.ts';
import { type HomeRows, rowsOf } from './rows.ts';

const KINDS: ReadonlySet<SourceKind> = new Set<SourceKind>([
  ...(['transcript', 'journal', 'plan', 'todo', 'history', 'stats', 'other'] as const),
]);

const ENDINGS: Readonly<Record<string, string>> = { LF: '\n', CRLF: '\r\n' };

/** Problems of lines that do not add up to the bytes of their file. */
export function lostBytes(_home: Home, rows: HomeRows): string[] {
  return [...byFile(rowsOf(rows, 'events'))].flatMap(([path, events]) => {
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
  const listed = new Map(sourcesOf(home).map(source => [source.path, source]));
  return filesBelow(home.path).flatMap(path => {
    const source = listed.get(path);
    if (source?.kind === 'other' && !source.skipped) return [`${path} is skipped without a reason`];
    const isSeen = source !== undefined || !path.endsWith('.jsonl');
    if (!isSeen) return [`${relative(home.path, path)} is not seen`];
    const isTranscript = source?.kind === 'transcript' || source?.kind === 'journal';
    const isEmpty = source?.byteLength === 0;
    return isTranscript && !isEmpty && !read.has(path) ? [`${path} has no events`] : [];
  });
}

function sourcesOf(home: Home): readonly Source[] {
  return [
    ...home.harness.discover(rootOf(home), KINDS, path => {
      throw new Error(`cannot list ${path}`);
    }),
  ];
}

/** Problems of addresses that do not lead to the line of their row. */
export function wrongAddresses(_home: Home, rows: HomeRows): string[] {
  const events = byFile(rowsOf(rows, 'events'));
  const lines = new Map<string, ObjectRow>();
  const problems: string[] = [];
  for (const [path, ofFile] of events) {
    const file = readFileSync(path);
    for (const event of ofFile) {
      lines.set(placeOf(event), event);
      if (!leadsBack(event, file)) problems.push(`${placeOf(event)} leads elsewhere`);
    }
  }
  for (const way of ['conversations', 'conversations by line']) {
    for (const row of rowsOf(rows, way)) {
      const event = lines.get(placeOf(row));
      const isSame = event && event['raw'] === row['raw_event'];
      const isLine = event?.['line_number'] === row['line_number'];
      const isOrdinal = row['ordinal'] === Number(row['line_number']) - 1;
      if (!isSame || !isLine || !isOrdinal)
        problems.push(`${way}: ${placeOf(row)} is not its line`);
    }
  }
  return problems;
}

function leadsBack(event: ObjectRow, file: Buffer): boolean {
  const start = Number(event['byte_offset']);
  const line = file.subarray(start, start + Number(event['byte_length']));
  if (!line.equals(bytesOf(event)) || event['raw_is_exact'] !== isUtf8(line)) return false;
  return event['raw'] === line.toString();
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
