/** `ahq refresh`: brings the store up to date, once or again and again. */

import { setTimeout as pause } from 'node:timers/promises';
import { open } from '../engine/engine.ts';
import { AhqError } from '../errors.ts';
import { countText } from '../output/count.ts';
import { environment } from '../places.ts';
import { type RefreshOptions, type RefreshResult, rebuild } from '../store/refresh.ts';
import type { Host } from './host.ts';
import { chosenStore, refreshStore, type StoreChoices } from './store-session.ts';
import { bytesText } from './units.ts';

/** What the user chose for `ahq refresh`. */
export interface RefreshChoices extends StoreChoices {
  /** Seconds between the ends and the beginnings of two refreshes; once when absent. */
  readonly every?: number;
  /** One line of JSON a refresh. */
  readonly json?: boolean;
}

/**
 * Refreshes the store. With `every` it goes on until it is told to stop: the refresh that is under
 * way is finished first. One that fails is told and tried again.
 */
export async function refreshCommand(choices: RefreshChoices, host: Host): Promise<void> {
  const { every } = choices;
  if (every === undefined) return refreshOnce(choices, host);
  const { signal } = host.interruption;
  while (!signal.aborted) {
    try {
      await refreshOnce(choices, host);
    } catch (error) {
      if (!(error instanceof AhqError)) throw error;
      host.messages.note(`${error.message}; trying again in ${every} s`);
    }
    await pause(every * 1000, undefined, { signal }).catch(() => {});
  }
}

/** What the user chose for `ahq rebuild`. */
export interface RebuildChoices extends StoreChoices {
  readonly json?: boolean;
  /** Rows of files that are gone may be lost. */
  readonly loseHistory?: boolean;
}

/** Loads the store anew. Throws DATA where that would lose rows of files that are gone. */
export async function rebuildCommand(choices: RebuildChoices, host: Host): Promise<void> {
  const mayLose = choices.loseHistory ?? false;
  await refreshOnce(choices, host, options => rebuild(options, mayLose));
}

async function refreshOnce(
  choices: RefreshChoices,
  host: Host,
  work?: (options: RefreshOptions) => Promise<RefreshResult>,
): Promise<void> {
  const machine = environment();
  const path = chosenStore(choices, machine);
  const started = performance.now();
  const engine = await open({ environment: machine });
  try {
    const result = await refreshStore(engine, path, machine, host, work);
    const { bytesRead, filesOpened } = engine.work;
    const seconds = Math.round(performance.now() - started) / 1000;
    const summary = { ...result, bytesRead, filesOpened, seconds };
    await host.stdout.write(choices.json ? `${jsonLine(summary)}\n` : `${sentence(summary)}\n`);
  } finally {
    engine.close();
  }
}

interface Summary extends RefreshResult {
  readonly bytesRead: number;
  readonly filesOpened: number;
  readonly seconds: number;
}

function jsonLine(summary: Summary): string {
  const { sourceBytes, bytesRead, filesOpened, ...rest } = summary;
  return JSON.stringify({
    ...rest,
    source_bytes: sourceBytes,
    bytes_read: bytesRead,
    files_opened: filesOpened,
  });
}

function sentence(summary: Summary): string {
  const { sources, read, rows, bytesRead, rewritten, missing, left, seconds } = summary;
  const parts = [
    `${countText(sources, 'source')}, ${countText(read, 'source')} read`,
    `${countText(rows, 'row')} from ${bytesText(bytesRead)} in ${seconds.toFixed(1)} s`,
    ...(rewritten > 0 ? [`${rewritten} rewritten`] : []),
    ...(missing > 0 ? [`${missing} gone, rows kept`] : []),
    ...(left > 0 ? [`${left} left for the next time`] : []),
  ];
  return parts.join('; ');
}
