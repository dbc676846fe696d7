/** The counts of all sessions as one source: the summary and the signals of each are companions. */

import { join } from 'node:path';
import { type Entry, entryAt } from '../../bytes/walk.ts';
import type { Source } from '../harness.ts';
import { plainSource } from '../shared/sources.ts';

/** The source, with the time of the newest file; null when no session has either file. */
export function statsSource(sessionFolders: readonly Entry[]): Source | null {
  const companions: Record<string, string> = {};
  let first: Entry | null = null;
  let modifiedMs = 0;
  let sessions = 0;
  for (const folder of sessionFolders) {
    const summary = fileIn(folder, 'summary.json');
    const signals = fileIn(folder, 'signals.json');
    if (!summary && !signals) continue;
    first ??= summary ?? signals;
    modifiedMs = Math.max(modifiedMs, summary?.modifiedMs ?? 0, signals?.modifiedMs ?? 0);
    companions[`summary ${sessions}`] = join(folder.path, 'summary.json');
    companions[`signals ${sessions}`] = join(folder.path, 'signals.json');
    sessions++;
  }
  if (!first) return null;
  const facts = { sessions: `${sessions}` };
  return { ...plainSource('stats', 'document', first), modifiedMs, facts, companions };
}

function fileIn(folder: Entry, name: string): Entry | null {
  const entry = entryAt(join(folder.path, name), name);
  return entry?.isFile ? entry : null;
}
