/**
 * What a parser remembers under names out of the records, as plain JSON: at most so many, the
 * oldest go first.
 */

/** Values by names out of the records. */
export interface Bounded<T> {
  size: number;
  /** The names have a mark before them, so that none means something to JavaScript. */
  readonly values: Record<string, T>;
}

const MARK = ':';
const MOST = 2048;

/** A memory of nothing. */
export function nothing<T>(): Bounded<T> {
  return { size: 0, values: {} };
}

/** Remembers a value under a name; the oldest is forgotten when there are too many. */
export function remember<T>(all: Bounded<T>, name: string, value: T): void {
  const key = MARK + name;
  if (!(key in all.values)) all.size++;
  all.values[key] = value;
  if (all.size <= MOST) return;
  for (const oldest in all.values) {
    delete all.values[oldest];
    all.size--;
    return;
  }
}

/** The value with a name, or null. */
export function recall<T>(all: Bounded<T>, name: string): T | null {
  return all.values[MARK + name] ?? null;
}

/** The value with a name, which is forgotten, or null. */
export function forget<T>(all: Bounded<T>, name: string): T | null {
  const found = recall(all, name);
  if (found === null) return null;
  delete all.values[MARK + name];
  all.size--;
  return found;
}

/** All names and values, oldest first. */
export function entriesOf<T>(all: Bounded<T>): readonly (readonly [name: string, value: T])[] {
  return Object.entries(all.values).map(([key, value]) => [key.slice(MARK.length), value]);
}
