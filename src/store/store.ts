/**
 * The store: one DuckDB file that any DuckDB can open.
 *
 * One process may write or many may read, so nobody stays attached: whoever wants something
 * attaches the file, does it and detaches. Whoever meets a process that holds the file waits a
 * while and then says who it is.
 */

import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { storeSchema, storeStatement } from '../assets.ts';
import { entryAt } from '../bytes/walk.ts';
import { AhqError } from '../errors.ts';
import { dataFolder, type Environment } from '../places.ts';
import { createView } from './merge-sql.ts';
import { comments, createTable, storeTables, text } from './tables.ts';

/** Raised whenever the tables change: a store of another format is not read. */
const STORE_FORMAT = 1;

/** The catalogue that the store is attached as. */
export const CATALOG = 'ahq';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Where the store of a machine lies: `AHQ_STORE`, else in the data folder. */
export function storePath(environment: Environment): string {
  const own = environment.variables['AHQ_STORE'];
  return own || environment.path.join(dataFolder(environment), 'ahq.duckdb');
}

/** How a store is attached. */
export interface AttachOptions {
  readonly isReadOnly: boolean;
  /** How long to wait for a process that holds the file. */
  readonly patienceMs: number;
  /** Told once when there is somebody to wait for. */
  readonly onWait?: (holder: string) => void;
}

const RETRY_MS = 50;

/**
 * Attaches the store at `path`. Throws READ when another process holds it for longer than the
 * patience, and DATA for a file that is no store, is damaged, or is of another format.
 */
export async function attach(
  connection: DuckDBConnection,
  path: string,
  { isReadOnly, patienceMs, onWait }: AttachOptions,
): Promise<void> {
  const mode = isReadOnly ? ' (READ_ONLY)' : '';
  const deadline = Date.now() + patienceMs;
  let hasTold = false;
  for (;;) {
    try {
      await connection.run(`ATTACH ${text(path)} AS ${CATALOG}${mode}`);
      break;
    } catch (error) {
      const holder = holderIn(error);
      if (holder === null) throw damaged(path, error);
      if (Date.now() >= deadline) throw held(path, holder, error);
      if (!hasTold) onWait?.(holder);
      hasTold = true;
      await pause(RETRY_MS);
    }
  }
  await checkFormat(connection, path);
}

/** Detaches the store; its lock is free when nobody streams from it any more. */
export async function detach(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DETACH ${CATALOG}`);
}

/** Who holds the file, in words, if that is what DuckDB says. */
function holderIn(error: unknown): string | null {
  const message = error instanceof Error ? error.message : String(error);
  if (!message.includes('Could not set lock on file')) return null;
  const [, holder = 'another process'] = /held in (.*?\(PID \d+\))/.exec(message) ?? [];
  return holder;
}

function held(path: string, holder: string, cause: unknown): AhqError {
  const message = `the store '${path}' is held by ${holder}; try again when it is done`;
  return new AhqError('READ', message, { path, cause });
}

function damaged(path: string, cause: unknown): AhqError {
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  const message = `cannot open the store '${path}': ${reason}; \`ahq rebuild\` makes it anew`;
  return new AhqError('DATA', message, { path, cause });
}

async function checkFormat(connection: DuckDBConnection, path: string): Promise<void> {
  const format = await formatOf(connection);
  if (format === STORE_FORMAT) return;
  await detach(connection);
  if (format === null) {
    const message = `'${path}' is a DuckDB file, but no store of ahq; choose another with --store`;
    throw new AhqError('DATA', message, { path });
  }
  const remedy =
    format > STORE_FORMAT ? 'use the newer ahq that made it' : '`ahq rebuild` makes it anew';
  const formats = `has format ${format}, and this ahq reads ${STORE_FORMAT}`;
  const message = `the store '${path}' ${formats}: ${remedy}`;
  throw new AhqError('DATA', message, { path });
}

async function formatOf(connection: DuckDBConnection): Promise<number | null> {
  try {
    const [row] = (await connection.runAndReadAll(storeStatement('format'))).getRows();
    return row === undefined ? null : Number(row[0]);
  } catch {
    return null;
  }
}

/** Whether there is a store at `path`. */
export function hasStore(path: string): boolean {
  return entryAt(path, '') !== null;
}

/** Makes an empty store at `path`, which must not exist, and leaves it attached. */
export async function createStore(connection: DuckDBConnection, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  await connection.run(`ATTACH ${text(path)} AS ${CATALOG} (STORAGE_VERSION 'latest')`);
  chmodSync(path, PRIVATE_FILE);
  // The text of a view is kept without a catalogue, so that it holds under any name.
  await connection.run(`USE ${CATALOG}`);
  const statements = storeTables.flatMap(table => [
    createTable(table),
    createView(table),
    ...comments(table),
  ]);
  await connection.run([...storeSchema(), ...statements].join(';\n'));
  await connection.run(storeStatement('write_format'), [String(STORE_FORMAT)]);
  await connection.run('USE memory');
}
