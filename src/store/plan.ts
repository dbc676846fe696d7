/**
 * Which sources a refresh has to read: those that are new, have changed, or were read by an older
 * version of their parser. A source that has not changed costs one look at its size and time.
 */

import { markOf } from '../bytes/mark.ts';
import { entryAt, type OnProblem, realPath } from '../bytes/walk.ts';
import type { Work } from '../bytes/work.ts';
import type { Harness, Source, SourceKind } from '../harness/harness.ts';
import { harnesses } from '../harness/index.ts';
import { type Environment, expandHome } from '../places.ts';
import { type KnownSource, readingVersion } from './known-sources.ts';

/** A home with the name under which its sessions are filed. */
export interface Home {
  readonly harness: Harness;
  readonly path: string;
  readonly namespace: string;
}

/** A source and what is to be done about it. */
export interface Step {
  readonly harness: Harness;
  readonly source: Source;
  readonly namespace: string;
  readonly companionsStamp: string;
  readonly before: KnownSource | null;
  /** Go on where the last refresh ended; else begin anew. */
  readonly isAppend: boolean;
  /** Why it begins anew although the store knows it: rewritten, or another version. */
  readonly reason: 'new' | 'grown' | 'changed' | 'rewritten' | 'upgraded';
}

/** What a refresh has to do. */
export interface Plan {
  readonly steps: readonly Step[];
  /** How many sources there are, and their bytes. */
  readonly sources: number;
  readonly sourceBytes: number;
  /** Bytes that have to be read. */
  readonly pendingBytes: number;
  /** Sources that the store knows and that are gone. */
  readonly missing: readonly KnownSource[];
  /** Sources that were gone and are back, unchanged. */
  readonly returned: readonly KnownSource[];
}

const KINDS: ReadonlySet<SourceKind> = new Set([
  ...(['transcript', 'journal', 'plan', 'todo', 'history', 'stats', 'other'] as const),
]);

/** The homes of every harness that exist, filed under `<harness>-local`. */
export function defaultHomes(environment: Environment): readonly Home[] {
  return harnesses.flatMap(harness => {
    const { homes, name } = harness.description;
    const paths = homes(environment).map(home => expandHome(home, environment));
    return paths
      .filter(path => entryAt(path, '') !== null)
      .map(path => ({ harness, path, namespace: `${name}-local` }));
  });
}

/** Lists the sources of all homes and compares them with what the store knows. */
export function planRefresh(
  homes: readonly Home[],
  known: ReadonlyMap<string, KnownSource>,
  work: Work,
  onProblem: OnProblem,
): Plan {
  const steps: Step[] = [];
  const returned: KnownSource[] = [];
  const found = new Set<string>();
  const identities = new Set<string>();
  let [sources, sourceBytes, pendingBytes] = [0, 0, 0];
  for (const { harness, source, namespace } of sourcesOf(homes, onProblem)) {
    if (found.has(source.path) || identities.has(source.identity)) continue;
    found.add(source.path);
    identities.add(source.identity);
    sources++;
    sourceBytes += source.byteLength;
    const before = known.get(source.path) ?? null;
    const companionsStamp = stampOf(source);
    const change = changeOf(harness, source, companionsStamp, before, work);
    if (change === null) {
      if (before?.isMissing) returned.push(before);
      continue;
    }
    const isAppend = change === 'grown';
    const step = { harness, source, namespace, companionsStamp, before, isAppend, reason: change };
    pendingBytes += bytesOf(step);
    steps.push(step);
  }
  const missing = [...known.values()].filter(
    ({ path, isMissing }) => !isMissing && !found.has(path),
  );
  return { steps, sources, sourceBytes, pendingBytes, missing, returned };
}

/** How many bytes a step has to read. */
export function bytesOf({ source, isAppend, before }: Step): number {
  return source.byteLength - (isAppend ? (before?.indexedOffset ?? 0) : 0);
}

function* sourcesOf(
  homes: readonly Home[],
  onProblem: OnProblem,
): Generator<{ readonly harness: Harness; readonly source: Source; readonly namespace: string }> {
  for (const { harness, path, namespace } of homes) {
    const entry = entryAt(realPath(path), '', onProblem);
    if (!entry) continue;
    const root = harness.assume(entry);
    const options = { includeArchived: true };
    for (const source of harness.discover(root, KINDS, onProblem, options)) {
      yield { harness, source, namespace };
    }
  }
}

/**
 * What can change without the file itself: the write-ahead log of a database, and the files that a
 * source is woven into. Others beside it, such as an index of titles, are read when it changes.
 */
function stampOf({ form, path, isWoven, companions }: Source): string {
  const logs = form === 'sqlite' ? [`${path}-wal`] : [];
  const files = isWoven ? [...logs, ...Object.values(companions)] : logs;
  return files
    .map(file => {
      const entry = entryAt(file, '');
      return entry ? `${entry.byteLength}:${entry.modifiedMs}` : '';
    })
    .join(' ');
}

/** Whether a source that has grown is read on from where it ended. */
export function isAppendable({ form, kind, isFolded, isWoven }: Source): boolean {
  return form === 'lines' && kind !== 'other' && !isFolded && !isWoven;
}

function changeOf(
  harness: Harness,
  source: Source,
  companionsStamp: string,
  before: KnownSource | null,
  work: Work,
): Step['reason'] | null {
  if (before === null) return 'new';
  if (before.readingVersion !== readingVersion(harness)) return 'upgraded';
  const isSame =
    before.sizeBytes === source.byteLength &&
    before.modifiedMs === source.modifiedMs &&
    before.companionsStamp === companionsStamp;
  if (isSame) return mayBeFinished(source, before) ? 'grown' : null;
  // Documents and databases are always read whole.
  if (!isAppendable(source)) return 'changed';
  return isGrown(source, before, work) ? 'grown' : 'rewritten';
}

const DAY_MS = 86_400_000;

/** A last line without its ending, in a file that nobody has touched for a day, can be read now. */
function mayBeFinished({ modifiedMs }: Source, { status }: KnownSource): boolean {
  return status === 'partial' && Date.now() - modifiedMs >= DAY_MS;
}

/** Whether what was read is still there, so that reading goes on behind it. */
function isGrown(source: Source, before: KnownSource, work: Work): boolean {
  if (source.byteLength < before.indexedOffset || before.head === null) return false;
  try {
    const { head, tail } = markOf(source.path, before.indexedOffset, work);
    return head === before.head && tail === before.tail;
  } catch {
    return false;
  }
}
