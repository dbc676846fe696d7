/**
 * Reads one source into the store, from its beginning or from where it was read to.
 *
 * Of files of lines only whole lines are read: a last line without its ending may still be in the
 * making. It is read all the same when nobody has touched the file for a day and it is JSON.
 */

import { BLOCK_BYTES } from '../bytes/blocks.ts';
import { isObject } from '../bytes/json.ts';
import { LineReader } from '../bytes/lines.ts';
import { type Mark, markOf } from '../bytes/mark.ts';
import { type RecordCursor, SourceRecord } from '../bytes/record.ts';
import type { Work } from '../bytes/work.ts';
import { AhqError } from '../errors.ts';
import type { Harness, Source } from '../harness/harness.ts';
import { ScanContext } from '../scan/context.ts';
import { reasonOf } from '../scan/notes.ts';
import { openRecords } from '../scan/open-records.ts';
import type { KnownSource, Standing } from './known-sources.ts';
import { isAppendable } from './plan.ts';
import { type PutRow, SourcePass } from './source-pass.ts';

/** A source that is to be read. */
export interface Job {
  readonly harness: Harness;
  readonly source: Source;
  readonly namespace: string;
  readonly companionsStamp: string;
  /** What the store knows of it, or null. */
  readonly before: KnownSource | null;
  /** Where to go on: the state of the last pass; null to begin anew. */
  readonly state: string | null;
}

/** What all sources of a refresh share. */
export interface Loading {
  readonly put: PutRow;
  readonly work: Work;
  /** Memory to read into. */
  readonly block: Buffer;
  readonly nowMs: number;
}

/** Sources that grew more often than this have their rows tidied. */
export const COLLAPSE_AFTER = 32;

const DAY_MS = 86_400_000;

/** New memory for `Loading`. */
export function newBlock(): Buffer {
  return Buffer.allocUnsafeSlow(BLOCK_BYTES);
}

/** Where reading ended. */
interface End {
  readonly offset: number;
  readonly lines: number;
  readonly problem: string | null;
  /** A last line was left that may still be in the making. */
  readonly isPartial: boolean;
}

/** Reads a source and gives where it stands. Problems with the file are part of that. */
export function loadSource(job: Job, loading: Loading): Standing {
  const { harness, source, before, state } = job;
  const { work, put } = loading;
  const context = new ScanContext(source, work);
  const pass = new SourcePass(harness, source, context, put, state);
  const from = state === null ? null : before;
  const start: End = {
    offset: from?.indexedOffset ?? 0,
    lines: from?.lineCount ?? 0,
    problem: null,
    isPartial: false,
  };
  const end = source.kind === 'other' ? start : readRecords(job, loading, pass, start);
  const saved = pass.finish();
  return {
    ...{ source, harness, namespace: job.namespace, companionsStamp: job.companionsStamp },
    indexedOffset: end.offset,
    lineCount: end.lines,
    mark: isAppendable(source) ? markOrNull(source.path, end.offset, work, from) : null,
    state: isAppendable(source) && !isUnsettled(context, source) ? saved : null,
    status: end.problem !== null ? 'error' : end.isPartial ? 'partial' : 'indexed',
    problem: end.problem,
    growthCount: state === null ? 0 : growthOf(before),
    provisionalTables: pass.provisionalTables,
    rewriteCount: (before?.rewriteCount ?? 0) + (before !== null && state === null ? 1 : 0),
  };
}

/** A file this small is read anew when it grows, rather than left with an answer missing. */
const SMALL_BYTES = 1024 * 1024;

/**
 * Whether rows may come out otherwise when the file goes on: what they looked for in it, such as
 * its working folder, may still come. Nothing goes on from such a pass.
 */
function isUnsettled(context: ScanContext, { kind, byteLength }: Source): boolean {
  return kind === 'other' || (context.hasUnanswered && byteLength < SMALL_BYTES);
}

function markOrNull(
  path: string,
  offset: number,
  work: Work,
  before: KnownSource | null,
): Mark | null {
  const head = before?.head ?? null;
  const known = before && head !== null ? { head, offset: before.indexedOffset } : null;
  try {
    return markOf(path, offset, work, known);
  } catch {
    return null;
  }
}

function readRecords(
  { harness, source }: Job,
  loading: Loading,
  pass: SourcePass,
  start: End,
): End {
  let [offset, lines] = [start.offset, start.lines];
  let isPartial = false;
  try {
    const records = cursorOf(harness, source, loading, start);
    while (records.next()) {
      const record = new SourceRecord(records, loading.work);
      if (isUnfinished(record, harness, source)) {
        isPartial = loading.nowMs - source.modifiedMs < DAY_MS;
        if (isPartial || !isWholeJson(record)) break;
      }
      pass.read(record);
      offset = records.nextByteOffset;
      lines = record.lineNumber;
    }
    return { offset, lines, problem: records.problem, isPartial };
  } catch (error) {
    // What DuckDB refuses is no problem of the file.
    if (error instanceof AhqError) throw error;
    return { offset, lines, problem: reasonOf(error), isPartial };
  }
}

function cursorOf(harness: Harness, source: Source, loading: Loading, start: End): RecordCursor {
  const { block, work } = loading;
  if (source.form !== 'lines') {
    const tables = SourcePass.tablesOf(harness, source);
    return openRecords(source, { tables }, block, work);
  }
  return new LineReader(source.path, {
    block,
    work,
    byteOffset: start.offset,
    lineNumber: start.lines,
  });
}

/** Of a text, which is read whole whenever it changes, the last line counts as it stands. */
function isUnfinished(record: SourceRecord, { parser }: Harness, source: Source): boolean {
  const isText = parser.isText?.(source) ?? false;
  return source.form === 'lines' && record.ending === null && !isText;
}

function isWholeJson(record: SourceRecord): boolean {
  return record.error === null && isObject(record.value);
}

/** How often a source has grown since its rows were tidied. */
function growthOf(before: KnownSource | null): number {
  const count = before?.growthCount ?? 0;
  return count >= COLLAPSE_AFTER ? 1 : count + 1;
}
