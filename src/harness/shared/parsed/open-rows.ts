/**
 * Rows on their way from a parser to whoever reads them.
 *
 * Rows that one record makes leave at once. Rows that several records complete are held by key
 * until the parser says that they are whole, or the file ends; then they leave in the order in
 * which they were first seen. Held rows are plain JSON: they are part of the state between records.
 */

import type { ParsedName, ParsedRow, Relation } from '../../../relations/index.ts';
import { parsedRelations } from '../../../relations/index.ts';
import { type MutableRow, mergeInto, type RowValue } from '../../../relations/merge.ts';
import type { Place, Rows, Wanted } from '../../parser.ts';

/** A row that leaves. */
export type TakeRow = (relation: Relation<ParsedName>, row: MutableRow) => void;

/** Held rows as plain JSON. */
export type SavedRows = readonly (readonly [relation: ParsedName, rows: readonly MutableRow[]])[];

const byName: ReadonlyMap<ParsedName, Relation<ParsedName>> = new Map(
  parsedRelations.map(relation => [relation.name, relation]),
);

const SEPARATOR = '\0';

/** Every column of every relation. */
export const EVERYTHING: Wanted = new Map(
  parsedRelations.map(({ name, columns }) => [name, new Set(Object.keys(columns))]),
);

/** Takes the rows of one source and hands them on. */
export class OpenRows implements Rows {
  readonly #source: string;
  readonly #wanted: Wanted;
  readonly #take: TakeRow;
  readonly #held = new Map<ParsedName, Map<string, MutableRow>>();

  /** `source` is the name of the harness, the first column of every row. */
  constructor(source: string, wanted: Wanted, take: TakeRow) {
    this.#source = source;
    this.#wanted = wanted;
    this.#take = take;
  }

  wants(relation: ParsedName): boolean {
    return this.#wanted.has(relation);
  }

  wantsColumn(relation: ParsedName, column: string): boolean {
    return this.#wanted.get(relation)?.has(column) ?? false;
  }

  add<N extends ParsedName>(name: N, place: Place, row: ParsedRow<N>, isWhole = false): void {
    const relation = byName.get(name);
    if (!relation || !this.#wanted.has(name)) return;
    if (relation.merge === 'UPDATE') this.#hold(relation, place, row as MutableRow, isWhole);
    else this.#take(relation, this.#placed(place, row as MutableRow));
  }

  issue(place: Place, kind: string, detail: string | null = null): void {
    this.add('parse_issue', place, { kind, detail: detail?.slice(0, DETAIL_BYTES) ?? null });
  }

  /** Hands on what is held: the file has ended. */
  finish(): void {
    for (const [name, rows] of this.#held) {
      const relation = byName.get(name);
      for (const row of rows.values()) if (relation) this.#take(relation, row);
    }
    this.#held.clear();
  }

  /** How many rows are held. */
  get heldRows(): number {
    return [...this.#held.values()].reduce((sum, rows) => sum + rows.size, 0);
  }

  /** What is held, as plain JSON. */
  save(): SavedRows {
    return [...this.#held].map(([name, rows]) => [name, [...rows.values()]] as const);
  }

  /** Holds again what was saved. */
  restore(saved: SavedRows): void {
    for (const [name, rows] of saved) {
      const relation = byName.get(name);
      if (!relation) continue;
      this.#held.set(name, new Map(rows.map(row => [keyInSource(relation, row), { ...row }])));
    }
  }

  /** The columns that are the same for all rows of a record stand behind those of the row. */
  #placed(place: Place, row: MutableRow): MutableRow {
    return {
      source: this.#source,
      ...row,
      line_number: place.lineNumber,
      byte_offset: place.byteOffset,
      byte_length: place.byteLength,
      raw_record_origin: place.recordType,
    };
  }

  #hold(relation: Relation<ParsedName>, place: Place, row: MutableRow, isWhole: boolean): void {
    const rows = this.#held.get(relation.name) ?? new Map<string, MutableRow>();
    const key = keyInSource(relation, row);
    const kept = rows.get(key);
    // The place of a row is that of its first sighting.
    if (kept) mergeInto(relation, kept, row);
    const merged = kept ?? this.#placed(place, row);
    if (isWhole) {
      rows.delete(key);
      this.#take(relation, merged);
    } else if (!kept) {
      rows.set(key, merged);
      this.#held.set(relation.name, rows);
    }
  }
}

const DETAIL_BYTES = 120;

/** What a parser does not tell: it is the same for all rows of a source. */
const OF_SOURCE: ReadonlySet<string> = new Set(['source', 'source_id']);

/** The key of a row among those of its source. */
function keyInSource({ key }: Relation<ParsedName>, row: MutableRow): string {
  let text = '';
  for (const name of key) if (!OF_SOURCE.has(name)) text += SEPARATOR + valueText(row[name]);
  return text;
}

/** The key of a row as one text. */
export function keyOf(relation: Relation<ParsedName>, row: MutableRow): string {
  const { key } = relation;
  let text = String(row[key[0] ?? ''] ?? '');
  for (let i = 1; i < key.length; i++) text += SEPARATOR + valueText(row[key[i] ?? '']);
  return text;
}

function valueText(value: RowValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
