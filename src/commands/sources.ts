/** `ahq sources`: where ahq looks, what it finds there, and what it leaves out and why. */

import { entryAt } from '../bytes/walk.ts';
import { type PlainType, type PlainValue, resultOfRows } from '../engine/plain-rows.ts';
import { AhqError } from '../errors.ts';
import type { Harness, Source, SourceKind } from '../harness/harness.ts';
import { harnesses } from '../harness/index.ts';
import { environment, expandHome } from '../places.ts';
import { locate, type Place } from '../scan/locate.ts';
import { reasonOf } from '../scan/notes.ts';
import type { Host } from './host.ts';
import { Output } from './output.ts';
import type { SourcesChoices } from './program.ts';

/** How a kind of file is counted. */
const COUNTED_AS: Readonly<Record<SourceKind, 'transcripts' | 'side_files' | 'skipped'>> = {
  transcript: 'transcripts',
  journal: 'side_files',
  plan: 'side_files',
  todo: 'side_files',
  history: 'side_files',
  stats: 'side_files',
  other: 'skipped',
};

const KINDS: ReadonlySet<SourceKind> = new Set(Object.keys(COUNTED_AS) as SourceKind[]);

const COLUMNS = {
  source: 'text',
  path: 'text',
  found: 'flag',
  transcripts: 'integer',
  side_files: 'integer',
  bytes: 'integer',
  oldest_change: 'instant',
  newest_change: 'instant',
  skipped: 'integer',
  skipped_because: 'text',
} as const satisfies Record<string, PlainType>;

type Row = Readonly<Record<keyof typeof COLUMNS, PlainValue>>;

/**
 * Prints one row a place: every home of every harness, or what `path` names. Throws NOT_FOUND or
 * UNSUPPORTED for a path at which nothing can be read.
 */
export async function sources(choices: SourcesChoices, host: Host): Promise<void> {
  const rows = choices.path === undefined ? homeRows(host) : pathRows(choices.path, host);
  const output = new Output(choices, host.stdout);
  await output.print(resultOfRows(COLUMNS, rows));
  await output.finish();
}

function homeRows(host: Host): Row[] {
  const machine = environment();
  return harnesses.flatMap(harness => {
    const seen = new Set<string>();
    return harness.description.homes(machine).map(home => {
      const path = expandHome(home, machine);
      const census = new Census(path, host);
      const entry = entryAt(path, path, census.problem);
      if (entry) census.take({ harness, root: harness.assume(entry) }, seen);
      return census.row(harness, entry !== null);
    });
  });
}

function pathRows(path: string, host: Host): Row[] {
  const onProblem = (problemPath: string, error: unknown) =>
    host.messages.note(`cannot read '${problemPath}': ${reasonOf(error)}`);
  const { places, missing } = locate({ path, source: null }, environment(), onProblem);
  const [first] = missing;
  if (first && places.length === 0) {
    const code = first.reason === 'does not exist' ? 'NOT_FOUND' : 'UNSUPPORTED';
    throw new AhqError(code, first.sentence, { path: first.path });
  }
  for (const { sentence } of missing) host.messages.note(sentence);
  const seen = new Set<string>();
  return places.map(place => {
    const census = new Census(place.root.entry.path, host);
    census.take(place, seen);
    return census.row(place.harness, true);
  });
}

/** Counts the files of one place. */
class Census {
  readonly #path: string;
  readonly #host: Host;
  readonly #counts = { transcripts: 0, side_files: 0, skipped: 0 };
  /** Reason → how many were skipped for it. */
  readonly #reasons = new Map<string, number>();
  #bytes = 0;
  #oldestMs = Number.POSITIVE_INFINITY;
  #newestMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, host: Host) {
    this.#path = path;
    this.#host = host;
  }

  /** Takes what could not be read. */
  readonly problem = (path: string, error: unknown): void => {
    const reason = reasonOf(error);
    this.#host.messages.note(`cannot read '${path}': ${reason}`);
    this.#skip(reason);
  };

  /** Takes all files of a place; `seen` are those that another place had already. */
  take({ harness, root }: Place, seen: Set<string>): void {
    for (const source of harness.discover(root, KINDS, this.problem)) {
      if (seen.has(source.identity)) this.#skip('counted above under another path');
      else this.#count(source);
      seen.add(source.identity);
    }
  }

  row(harness: Harness, found: boolean): Row {
    const isEmpty = this.#newestMs < this.#oldestMs;
    const reasons = [...this.#reasons].map(([reason, count]) => `${reason}: ${count}`);
    return {
      source: harness.description.name,
      path: this.#path,
      found,
      ...this.#counts,
      bytes: this.#bytes,
      oldest_change: isEmpty ? null : wholeSecond(this.#oldestMs),
      newest_change: isEmpty ? null : wholeSecond(this.#newestMs),
      skipped_because: reasons.length === 0 ? null : reasons.join('; '),
    };
  }

  #count(source: Source): void {
    const column = COUNTED_AS[source.kind];
    if (column === 'skipped') {
      this.#skip(source.skipped ?? 'no relation reads it');
      return;
    }
    this.#counts[column]++;
    this.#bytes += source.byteLength;
    this.#oldestMs = Math.min(this.#oldestMs, source.modifiedMs);
    this.#newestMs = Math.max(this.#newestMs, source.modifiedMs);
  }

  #skip(reason: string): void {
    this.#counts.skipped++;
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
  }
}

/** Fractions of a second would only make the column wider. */
function wholeSecond(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
