/** The torture home in full, with what was built in memory only, and its rows file by file. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { claude } from '../../src/harness/claude/index.ts';
import type { ObjectRow } from '../../src/index.ts';
import { type TortureFile, tortureFiles, writeTorture } from '../fixtures/torture.ts';
import { type HomeRows, readHome, rowsOf } from './rows.ts';
import type { Part } from './torture-lines.ts';

const TRANSCRIPT = /^\.claude\/projects\/-home-mira-tide\/([^/]*)\.jsonl$/s;

/** The torture home on disk, and all it gives. */
export interface TortureHome {
  readonly folder: string;
  readonly rows: HomeRows;
}

/** Writes every file below a folder of its own and reads them in every way. */
export async function openTorture(): Promise<TortureHome> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ahq-torture-home-')));
  writeTorture(folder);
  const home = { name: 'torture', path: join(folder, '.claude'), harness: claude, folder };
  return { folder, rows: await readHome(home) };
}

/** Removes the folder. */
export function closeTorture({ folder }: TortureHome): void {
  rmSync(folder, { recursive: true });
}

/** The transcripts with their names, without folder and ending. */
export function tortureTranscripts(): readonly (readonly [stem: string, file: TortureFile])[] {
  return tortureFiles().flatMap(file => {
    const stem = TRANSCRIPT.exec(file.path)?.[1];
    return stem === undefined ? [] : [[stem, file] as const];
  });
}

/** The rows of one transcript. */
export function rowsOfFile(home: TortureHome, way: string, stem: string): readonly ObjectRow[] {
  return rowsOf(home.rows, way).filter(row => row['file_name'] === `${stem}.jsonl`);
}

/** Asserts that each row holds what is expected of it, and that there is no other row. */
export function expectRows(rows: readonly ObjectRow[], wanted: readonly Part[]): void {
  const found = rows.map((row, index) => pick(row, Object.keys(wanted[index] ?? {})));
  expect(found).toEqual(wanted.map(matching));
}

function pick(row: ObjectRow, names: readonly string[]): ObjectRow {
  return Object.fromEntries(names.map(name => [name, row[name] ?? null]));
}

function matching(part: Part): Part {
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );
}

/** The lines of a file with their endings, cut without the code under test. */
export function linesOf(bytes: Buffer): readonly { line: Buffer; ending: string | null }[] {
  const pieces = bytes.toString('latin1').split('\n');
  const last = pieces.pop() ?? '';
  const ended = pieces.map(piece => {
    const isCrlf = piece.endsWith('\r');
    const line = Buffer.from(isCrlf ? piece.slice(0, -1) : piece, 'latin1');
    return { line, ending: isCrlf ? 'CRLF' : 'LF' };
  });
  return last === '' ? ended : [...ended, { line: Buffer.from(last, 'latin1'), ending: null }];
}
