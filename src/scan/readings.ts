/**
 * The files that a request reads, with their readers, in reading order.
 *
 * Most relations answer with no rows and a note when there is nothing to read. `events` fails: a
 * raw reader that returns nothing cannot be told from a lossless read of an empty folder.
 */

import { realPath } from '../bytes/walk.ts';
import { AhqError } from '../errors.ts';
import type { Harness, Reader, ReadOptions, Root, Source } from '../harness/harness.ts';
import type { Environment } from '../places.ts';
import type { Relation, RelationName } from '../relations/index.ts';
import { type Located, locate, type Missing, type Place, type Request } from './locate.ts';
import { type Notes, reasonOf } from './notes.ts';

/** What is to be read, and how. */
export interface ScanRequest extends Request, ReadOptions {
  readonly relation: Relation<RelationName>;
  /** Only files changed after this instant, in milliseconds since 1970 UTC. */
  readonly modifiedAfterMs: number | null;
  readonly environment: Environment;
}

/** A file and how it is read. */
export interface Reading {
  readonly source: Source;
  readonly reader: Reader;
}

/**
 * Lists what a request reads; nothing is opened. Each file comes once, however many paths lead to
 * it. Throws USAGE for a wrong request; for `events` also NOT_FOUND, UNSUPPORTED and READ.
 */
export function* readings(request: ScanRequest, notes: Notes): Generator<Reading> {
  const isStrict = request.relation.name === 'events';
  const onProblem = isStrict ? failToList : notes.problem;
  const located = locateOrExplain(request, onProblem);
  // A pattern may match what nobody wrote, such as `~/.claude.json` beside `~/.claude`.
  if (isStrict && located.places.length === 0) refuseMissing(located.missing);
  let files = 0;
  for (const reading of readingsOf(located.places, request, onProblem)) {
    files++;
    yield reading;
  }
  if (files === 0) explainNothing(located, request, notes);
}

function* readingsOf(
  places: readonly Place[],
  request: ScanRequest,
  onProblem: (path: string, error: unknown) => void,
): Generator<Reading> {
  const seen = new Set<string>();
  const roots = rootsByHarness(places);
  for (const { harness, root } of places) {
    const reader = harness.reader(request.relation.name, request);
    if (!reader) continue;
    // One name for a file, whatever path led to it: relations join by `file_path`.
    const entry = { ...root.entry, path: realPath(root.entry.path) };
    const kinds = new Set(reader.kinds);
    const options = { ...request, roots: roots.get(harness) ?? [] };
    for (const source of harness.discover({ ...root, entry }, kinds, onProblem, options)) {
      const isOld =
        request.modifiedAfterMs !== null && source.modifiedMs <= request.modifiedAfterMs;
      if (isOld || !kinds.has(source.kind) || seen.has(source.identity)) continue;
      seen.add(source.identity);
      yield { source, reader };
    }
  }
}

function rootsByHarness(places: readonly Place[]): ReadonlyMap<Harness, readonly Root[]> {
  const roots = new Map<Harness, Root[]>();
  for (const { harness, root } of places) {
    const known = roots.get(harness);
    if (known) known.push(root);
    else roots.set(harness, [root]);
  }
  return roots;
}

function locateOrExplain(
  request: ScanRequest,
  onProblem: (path: string, error: unknown) => void,
): Located {
  try {
    return locate(request, request.environment, onProblem);
  } catch (error) {
    if (!(error instanceof AhqError) || request.relation.name !== 'events') throw error;
    if (error.code !== 'USAGE' || request.source === null) throw error;
    throw new AhqError('UNSUPPORTED', `unsupported provider '${request.source}': ${error.message}`);
  }
}

function failToList(path: string, error: unknown): never {
  const message = `failed to list '${path}': ${reasonOf(error)}`;
  throw new AhqError('READ', message, { path, cause: error });
}

function refuseMissing(missing: readonly Missing[]): void {
  const [first] = missing;
  if (!first) return;
  const { path, reason, sentence } = first;
  if (reason === 'does not exist') throw new AhqError('NOT_FOUND', sentence, { path });
  throw new AhqError('UNSUPPORTED', `unsupported provider for path '${path}': ${sentence}`, {
    path,
  });
}

function explainNothing(located: Located, request: ScanRequest, notes: Notes): void {
  for (const { sentence } of located.missing) notes.add(sentence);
  if (located.missing.length > 0) return;
  for (const { harness } of located.places) {
    const { coverage, title } = harness.description;
    const covered = coverage[request.relation.name];
    if (covered !== true) notes.add(`${title}: ${covered.missing}`);
  }
  const where = located.tried.map(path => `'${path}'`).join(', ');
  const since = request.modifiedAfterMs;
  const changed = since === null ? '' : ` that changed after ${instantText(since)}`;
  notes.add(`no files to read in ${where}${changed}`);
}

/** DuckDB's instants reach further than those of JavaScript, and it has an infinity. */
function instantText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'modified_after' : date.toISOString();
}
