/**
 * The store for one command: brought up to date, then attached for reading.
 *
 * Where another process holds the store, the answer comes from what is there, and says as of when.
 */

import type { Engine } from '../engine/engine.ts';
import { namesUsed } from '../engine/sql.ts';
import { AhqError } from '../errors.ts';
import { type Environment, environment } from '../places.ts';
import { relations } from '../relations/index.ts';
import { reasonOf } from '../scan/notes.ts';
import { defaultHomes } from '../store/plan.ts';
import { type RefreshOptions, type RefreshResult, refresh } from '../store/refresh.ts';
import { attach, CATALOG, hasStore, storePath } from '../store/store.ts';
import type { Host } from './host.ts';
import { ProgressLine } from './progress.ts';

/** What the user chose about the store. */
export interface StoreChoices {
  /** Another file than the default. */
  readonly store?: string;
  /** False for `--no-refresh`. */
  readonly refresh?: boolean;
}

const READER_PATIENCE_MS = 5000;

/** Names that make a statement ask for the store. */
const STORE_NAMES: ReadonlySet<string> = new Set([
  ...relations.map(({ name }) => name).filter(name => name !== 'events'),
  'store_source',
  'store_meta',
]);

/** Whether some statement may name a relation of the store. */
function asksForStore(sql: string): boolean {
  for (const name of namesUsed(sql)) if (STORE_NAMES.has(name)) return true;
  return false;
}

/** Where the store of the user lies. */
export function chosenStore({ store }: StoreChoices, machine: Environment): string {
  return store ?? storePath(machine);
}

/**
 * Whether a statement needs the store. A name may also be an alias or a column: that costs a look
 * at the files where there is a store, and must not make one where there is none.
 */
export async function needsStore(
  engine: Engine,
  sql: string,
  choices: StoreChoices,
): Promise<boolean> {
  if (!asksForStore(sql)) return false;
  return hasStore(chosenStore(choices, environment())) || !(await engine.understands(sql));
}

/** Brings the store up to date unless told not to, and attaches it for reading. */
export async function openStore(engine: Engine, choices: StoreChoices, host: Host): Promise<void> {
  const machine = environment();
  const path = chosenStore(choices, machine);
  if (choices.refresh !== false) await refreshOrTell(engine, path, machine, host);
  else if (!hasStore(path)) {
    const message = `there is no store at '${path}'; leave out --no-refresh to make it`;
    throw new AhqError('NOT_FOUND', message, { path });
  }
  const { messages } = host;
  await engine.withConnection(connection =>
    attach(connection, path, {
      isReadOnly: true,
      patienceMs: READER_PATIENCE_MS,
      onWait: holder => messages.note(`waiting for ${holder}, which holds the store`),
    }),
  );
  await engine.useCatalog(CATALOG);
}

async function refreshOrTell(
  engine: Engine,
  path: string,
  machine: Environment,
  host: Host,
): Promise<void> {
  try {
    await refreshStore(engine, path, machine, host);
  } catch (error) {
    const isHeld = error instanceof AhqError && error.code === 'READ' && hasStore(path);
    if (!isHeld) throw error;
    host.messages.note(`${reasonOf(error)}; answering from what is there`);
  }
}

/** Brings the store at `path` up to date, or does other `work` on it, with a line of progress. */
export async function refreshStore(
  engine: Engine,
  path: string,
  machine: Environment,
  { messages, interruption }: Host,
  work: (options: RefreshOptions) => Promise<RefreshResult> = refresh,
): Promise<RefreshResult> {
  // Whoever may write here may read all that the agents have seen.
  process.umask(0o077);
  const progress = new ProgressLine(messages);
  const homes = defaultHomes(machine);
  if (homes.length === 0) {
    messages.note('no home of any harness was found; `ahq sources` shows where ahq looks');
  }
  return engine.withConnection(async connection => {
    const result = await work({
      connection,
      path,
      homes,
      work: engine.work,
      onProblem: (file, error) => messages.note(`cannot read '${file}': ${reasonOf(error)}`),
      onProgress: progress.update,
      onWait: holder => messages.note(`waiting for ${holder}, which holds the store`),
      signal: interruption.signal,
    });
    messages.clear();
    return result;
  });
}
