/**
 * What a parser remembers under names out of the records, as plain JSON: at most so many, the
 * oldest go first.
 */

/** Values by name; a mark stands before names, so that none means something to JavaScript. */
export type Remembered<T> = Record<string, T>;

const MARK = ':';

/** How many values are remembered. */
const MOST = 2048;

/** Remembers a value; one that has the same name is forgotten. */
export function remember<T>(all: Remembered<T>, name: string, value: T): void {
  const key = MARK + name;
  delete all[key];
  all[key] = value;
  const keys = Object.keys(all);
  const [oldest] = keys;
  if (keys.length > MOST && oldest !== undefined) delete all[oldest];
}

/** The value with this name. */
export function recall<T>(all: Remembered<T>, name: string): T | undefined {
  return all[MARK + name];
}

/** The value with this name, which is forgotten. */
export function forget<T>(all: Remembered<T>, name: string): T | undefined {
  const value = recall(all, name);
  delete all[MARK + name];
  return value;
}
