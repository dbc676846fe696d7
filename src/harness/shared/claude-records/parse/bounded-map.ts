/** A map of bounded size that is part of a parser's state: what is oldest goes first. */

/** The entries of a map as plain JSON, oldest first. */
export type SavedMap<V> = readonly (readonly [key: string, value: V])[];

/** Keeps the newest `limit` entries; values are plain JSON. */
export class BoundedMap<V> {
  readonly #limit: number;
  readonly #entries: Map<string, V>;

  constructor(limit: number, saved: SavedMap<V> = []) {
    this.#limit = limit;
    this.#entries = new Map(saved);
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Sets a value; gives the value that had to go for it, if one had to. */
  set(key: string, value: V): V | undefined {
    const entries = this.#entries;
    entries.set(key, value);
    if (entries.size <= this.#limit) return undefined;
    const oldest = entries.keys().next().value;
    return oldest === undefined ? undefined : this.take(oldest);
  }

  /** Takes an entry out. */
  take(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#entries.delete(key);
    return value;
  }

  /** The entry that came first, or null. */
  oldest(): readonly [key: string, value: V] | null {
    return this.#entries.entries().next().value ?? null;
  }

  save(): SavedMap<V> {
    return [...this.#entries];
  }
}
