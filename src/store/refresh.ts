/**
 * Brings the store up to date with the homes.
 *
 * Every source is looked at, and only what has changed is read, a batch of sources at a time: the
 * rows of a batch and where its sources stand are one transaction, and between two batches others
 * may read. The first load goes to a second file that takes the place of the store when it is done,
 * so that a store is never half loaded.
 */

import { renameSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { storeStatement } from '../assets.ts';
import { toWire } from '../bytes/text.ts';
import type { OnProblem } from '../bytes/walk.ts';
import type { Work } from '../bytes/work.ts';
import { AhqError } from '../errors.ts';
import type { Progress } from '../scan/scan.ts';
import { collapse, markCopies } from './copies.ts';
import { idOf, type KnownSource, knownSources, stateOf, writeStanding } from './known-sources.ts';
import { COLLAPSE_AFTER, type Loading, loadSource, newBlock } from './load-source.ts';
import { bytesOf, type Home, type Plan, planRefresh, type Step } from './plan.ts';
import { attach, CATALOG, createStore, detach, hasStore } from './store.ts';
import { storeTables } from './tables.ts';
import { Writers } from './writers.ts';

/** How a refresh is done. */
export interface RefreshOptions {
  readonly connection: DuckDBConnection;
  readonly path: string;
  readonly homes: readonly Home[];
  readonly work: Work;
  readonly onProblem: OnProblem;
  readonly onProgress?: (progress: Progress) => void;
  readonly onWait?: (holder: string) => void;
  /** Ends the refresh between two batches. */
  readonly signal?: AbortSignal;
  /** How long to wait for readers. */
  readonly patienceMs?: number;
}

/** What a refresh has done. */
export interface RefreshResult {
  readonly sources: number;
  readonly sourceBytes: number;
  readonly read: number;
  readonly rewritten: number;
  readonly upgraded: number;
  readonly missing: number;
  readonly rows: number;
  /** Sources that were not read because the refresh was ended. */
  readonly left: number;
}

const PATIENCE_MS = 2000;

/** A batch holds the store for about a second. */
const BATCH_BYTES = 48 * 1024 * 1024;
const BATCH_SOURCES = 500;

/** Refreshes the store; makes it where there is none. Throws what attaching and writing throw. */
export async function refresh(options: RefreshOptions): Promise<RefreshResult> {
  if (!hasStore(options.path)) return firstLoad(options);
  const { connection, homes, work, onProblem } = options;
  const known = await attached(options, true, () => knownSources(connection));
  const plan = planRefresh(homes, known, work, onProblem);
  const isIdle = plan.steps.length + plan.missing.length + plan.returned.length === 0;
  if (isIdle) return resultOf(plan, 0, 0);
  const runner = new Runner(options, plan);
  for (const batch of batchesOf(plan.steps)) {
    if (options.signal?.aborted) break;
    await attached(options, false, () => runner.run(batch, false));
  }
  await attached(options, false, () => markMissing(connection, plan));
  return resultOf(plan, runner.rows, plan.steps.length - runner.sources);
}

/** Runs `work` with the store attached. */
async function attached<T>(
  { connection, path, onWait, patienceMs = PATIENCE_MS }: RefreshOptions,
  isReadOnly: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const wait = onWait ? { onWait } : {};
  await attach(connection, path, { isReadOnly, patienceMs, ...wait });
  try {
    return await work();
  } finally {
    await detach(connection);
  }
}

/**
 * Loads everything anew into a file that then takes the place of the store. Throws DATA when files
 * whose rows the store has are gone, because those rows would be lost, unless `mayLose`.
 */
export async function rebuild(options: RefreshOptions, mayLose: boolean): Promise<RefreshResult> {
  const gone = hasStore(options.path) && !mayLose ? await goneSources(options) : [];
  const [first] = gone;
  if (first === undefined) return firstLoad(options);
  const count = gone.length === 1 ? "a file is gone, '" : `${gone.length} files are gone, '`;
  const message = `${count}${first.path}': its rows would be lost; --lose-history does it anyway`;
  throw new AhqError('DATA', message, { path: first.path });
}

async function goneSources(options: RefreshOptions): Promise<readonly KnownSource[]> {
  const { connection, homes, work, onProblem } = options;
  const known = await attached(options, true, () => knownSources(connection));
  const { missing } = planRefresh(homes, known, work, onProblem);
  return [...[...known.values()].filter(({ isMissing }) => isMissing), ...missing];
}

async function firstLoad(options: RefreshOptions): Promise<RefreshResult> {
  const { connection, path, homes, work, onProblem } = options;
  const making = `${path}.${Math.random().toString(36).slice(2)}.new`;
  const plan = planRefresh(homes, new Map(), work, onProblem);
  await createStore(connection, making);
  for (const sql of LOADING) await connection.run(sql);
  try {
    const runner = new Runner(options, plan);
    for (const batch of batchesOf(plan.steps)) {
      if (options.signal?.aborted) break;
      await runner.run(batch, true);
    }
    await markCopies(connection, storeTables, null);
    await detach(connection);
    renameSync(making, path);
    return resultOf(plan, runner.rows, plan.steps.length - runner.sources);
  } catch (error) {
    await detach(connection);
    for (const file of [making, `${making}.wal`]) rmSync(file, { force: true });
    throw error;
  } finally {
    for (const sql of LOADED) await connection.run(sql);
  }
}

/** A load holds little memory, and writes a table once rather than after every batch. */
const LOADING = ["SET memory_limit = '300MB'", "SET wal_autocheckpoint = '4GB'"];
const LOADED = ['RESET memory_limit', 'RESET wal_autocheckpoint'];

function resultOf(plan: Plan, rows: number, left: number): RefreshResult {
  const count = (reason: Step['reason']) =>
    plan.steps.filter(step => step.reason === reason).length;
  return {
    sources: plan.sources,
    sourceBytes: plan.sourceBytes,
    read: plan.steps.length - left,
    rewritten: count('rewritten'),
    upgraded: count('upgraded'),
    missing: plan.missing.length,
    rows,
    left,
  };
}

function* batchesOf(steps: readonly Step[]): Generator<readonly Step[]> {
  let batch: Step[] = [];
  let bytes = 0;
  for (const step of steps) {
    batch.push(step);
    bytes += bytesOf(step);
    if (bytes < BATCH_BYTES && batch.length < BATCH_SOURCES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Runs batches and counts what they did. */
class Runner {
  rows = 0;
  sources = 0;
  readonly #options: RefreshOptions;
  readonly #block = newBlock();
  readonly #totals: Pick<Progress, 'files' | 'totalBytes'>;
  #doneBytes = 0;

  constructor(options: RefreshOptions, plan: Plan) {
    this.#options = options;
    this.#totals = { files: plan.steps.length, totalBytes: plan.pendingBytes };
  }

  /** Reads the sources of a batch in one transaction. */
  async run(batch: readonly Step[], isFirstLoad: boolean): Promise<void> {
    const { connection } = this.#options;
    await connection.run('BEGIN');
    const writers = await Writers.open(connection);
    try {
      for (const step of batch) await this.#load(step, writers);
      const tables = writers.close();
      const ids = batch.map(({ source }) => idOf(source));
      if (!isFirstLoad) await markCopies(connection, tables, ids);
      await connection.run('COMMIT');
    } catch (error) {
      writers.discard();
      await connection.run('ROLLBACK');
      throw error;
    }
    this.rows += writers.rows;
    this.sources += batch.length;
  }

  async #load(step: Step, writers: Writers): Promise<void> {
    const { connection, work, onProgress } = this.#options;
    const { before, isAppend } = step;
    const state = before && isAppend ? await stateOf(connection, before.sourceId) : null;
    if (before && state === null) await forget(connection, before.sourceId);
    else if (before) await forgetEnd(connection, before);
    if (before && state !== null && before.growthCount >= COLLAPSE_AFTER) {
      await collapse(connection, before.sourceId);
    }
    const loading: Loading = { put: writers.put, work, block: this.#block, nowMs: Date.now() };
    const standing = loadSource({ ...step, state }, loading);
    await writeStanding(connection, standing);
    if (step.reason === 'rewritten') this.#tellRewritten(step, writers);
    this.#doneBytes += bytesOf(step);
    onProgress?.({ ...this.#totals, doneBytes: this.#doneBytes });
  }

  /** A file that was rewritten is no error, and nobody should have to guess that it was. */
  #tellRewritten({ source, before, harness }: Step, writers: Writers): void {
    const table = storeTables.find(({ relation }) => relation.name === 'parse_issue');
    if (!table || !before) return;
    const { indexedOffset, sizeBytes } = before;
    const detail = `read to byte ${indexedOffset} of ${sizeBytes}, now ${source.byteLength}`;
    const row: Readonly<Record<string, string | number | boolean>> = {
      source: harness.description.name,
      source_id: before.sourceId,
      file_path: toWire(source.path),
      kind: 'source_rewritten',
      detail,
      line_number: 0,
      byte_offset: -1,
      byte_length: 0,
      key_hash: 0,
      has_copies: false,
      is_provisional: false,
    };
    writers.put(
      table,
      table.columns.map(({ name }) => row[name] ?? null),
    );
  }
}

/** Deletes what the store has of a source. */
async function forget(connection: DuckDBConnection, sourceId: string): Promise<void> {
  for (const { name } of storeTables) {
    await connection.run(`DELETE FROM ${CATALOG}.${name} WHERE source_id = $1`, [sourceId]);
  }
}

/** Deletes the rows that stood for the end of a source. */
async function forgetEnd(
  connection: DuckDBConnection,
  { sourceId, provisionalTables }: KnownSource,
): Promise<void> {
  for (const name of provisionalTables) {
    const sql = `DELETE FROM ${CATALOG}.${name} WHERE source_id = $1 AND is_provisional`;
    await connection.run(sql, [sourceId]);
  }
}

async function markMissing(connection: DuckDBConnection, plan: Plan): Promise<void> {
  const sql = storeStatement('mark_missing');
  for (const { sourceId } of plan.missing) await connection.run(sql, [sourceId, true]);
  for (const { sourceId } of plan.returned) await connection.run(sql, [sourceId, false]);
}
