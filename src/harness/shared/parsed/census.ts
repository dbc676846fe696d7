/**
 * The census of a file: how many records of which type, and the first of each type that is new.
 *
 * Copies count: the census is about what is in the file, not about what was said.
 */

import { isObject } from '../../../bytes/json.ts';
import type { Description } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { isKnown as isKnownType, typeOfRecord } from '../record-type.ts';

/** What the census calls a record without a type. */
const NO_TYPE = '<none>';

const SEPARATOR = '\0';

/** Records whose members are data, such as a map by path, would fill the memory. */
const MOST_KEYS = 200;

/** Records of one type in one version, as plain JSON. */
interface Entry {
  readonly place: Place;
  readonly type: string;
  readonly subtype: string;
  readonly version: string;
  readonly isKnown: boolean;
  count: number;
  keys: readonly string[];
  first: number | null;
  last: number | null;
}

/** A census as plain JSON. */
export type SavedCensus = readonly Entry[];

/** Counts the records of one source. */
export class Census {
  readonly #description: Description;
  readonly #entries = new Map<string, Entry>();
  readonly #unknown = new Set<string>();

  constructor(description: Description, saved: SavedCensus = []) {
    this.#description = description;
    for (const entry of saved) {
      this.#entries.set(keyOf(entry.type, entry.subtype, entry.version), { ...entry });
      if (!entry.isKnown) this.#unknown.add(keyOf(entry.type, entry.subtype, ''));
    }
  }

  /** Counts a record; one of a type that is not known is an issue, once in a file. */
  add(value: unknown, place: Place, version: string, at: number | null, rows: Rows): void {
    const type = typeOfRecord(this.#description, value);
    const subtype = this.#description.subtypeOf(value);
    const name = type ?? NO_TYPE;
    const key = keyOf(name, subtype ?? '', version);
    const entry = this.#entries.get(key);
    if (entry) {
      count(entry, value, at);
      return;
    }
    const known = type !== null && isKnownType(this.#description, type, subtype);
    const counts = { count: 1, keys: keysOf(value), first: at, last: at };
    const names = { type: name, subtype: subtype ?? '', version, isKnown: known };
    this.#entries.set(key, { place, ...names, ...counts });
    if (!known && type !== null) this.#tellUnknown(name, names.subtype, place, rows);
  }

  #tellUnknown(type: string, subtype: string, place: Place, rows: Rows): void {
    const key = keyOf(type, subtype, '');
    if (this.#unknown.has(key)) return;
    this.#unknown.add(key);
    rows.issue(place, 'unknown_type', subtype === '' ? type : `${type}/${subtype}`);
  }

  /** Gives a row for each type and version. */
  finish(rows: Rows): void {
    for (const entry of this.#entries.values()) {
      rows.add('record_type_seen', entry.place, {
        record_type: entry.type,
        record_subtype: entry.subtype,
        cli_version: entry.version,
        is_known: entry.isKnown,
        seen_count: entry.count,
        key_set: entry.keys.join(','),
        first_seen: entry.first,
        last_seen: entry.last,
      });
    }
  }

  /** The census so far, as plain JSON. */
  save(): SavedCensus {
    return [...this.#entries.values()];
  }
}

/** The members of a row of the census that identify it. */
function keyOf(type: string, subtype: string, version: string): string {
  return type + SEPARATOR + subtype + SEPARATOR + version;
}

function count(entry: Entry, value: unknown, at: number | null): void {
  entry.count++;
  if (entry.keys.length < MOST_KEYS && !hasAllKeys(entry.keys, value)) {
    entry.keys = [...new Set([...entry.keys, ...keysOf(value)])].sort().slice(0, MOST_KEYS);
  }
  if (at === null) return;
  if (entry.first === null || at < entry.first) entry.first = at;
  if (entry.last === null || at > entry.last) entry.last = at;
}

/** Records of a type have the same members as a rule: then nothing is sorted. */
function hasAllKeys(keys: readonly string[], value: unknown): boolean {
  if (!isObject(value)) return true;
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value).sort().slice(0, MOST_KEYS) : [];
}
