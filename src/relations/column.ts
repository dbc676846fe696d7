/**
 * A column of a relation, declared once. DuckDB columns, row types, the schema command and the
 * README tables all derive from these declarations.
 */

/**
 * The DuckDB types that ahq's relations use. An instant is a count of microseconds since 1970 UTC
 * in rows that are being made. `JSON` is a text that holds compact JSON, members in the order in
 * which they were recorded.
 */
export type ColumnType =
  | 'VARCHAR'
  | 'BIGINT'
  | 'BOOLEAN'
  | 'BLOB'
  | 'DOUBLE'
  | 'TIMESTAMPTZ'
  | 'JSON';

/**
 * How two sightings of one row (the same key, met again in the same file or in another) become one:
 * `KEEP` the first value that is not NULL, `UPDATE` to the latest that is not NULL, `MIN`, `MAX`,
 * `OR`, `WINNER` (the whole group of columns from the one line that wins), or `NOTHING`: the first
 * sighting stays as it is.
 */
export type MergePolicy = 'KEEP' | 'UPDATE' | 'MIN' | 'MAX' | 'OR' | 'WINNER' | 'NOTHING';

/** One column: its type, whether it may be NULL, and what it means in one line. */
export interface Column<Type extends ColumnType = ColumnType, Nullable extends boolean = boolean> {
  readonly type: Type;
  readonly nullable: Nullable;
  /** One line for people, without a full stop. */
  readonly meaning: string;
  /** How sightings merge; null for the policy of the relation. */
  readonly merge: MergePolicy | null;
  /** Long text: a store keeps it compressed. */
  readonly compressed: boolean;
  /** For a column that is computed from another of the same row. */
  readonly derived: Derivation | null;
}

/** What a column is of the text in column `from`; NULL where that is NULL. */
export interface Derivation {
  readonly from: string;
  readonly as: 'byte_length' | 'sha256';
}

/** Everything about a column but its type, nullability and meaning; both parts have defaults. */
export interface ColumnOptions {
  readonly merge?: MergePolicy;
  readonly compressed?: boolean;
  readonly derived?: Derivation;
}

function column<Type extends ColumnType, Nullable extends boolean>(
  type: Type,
  nullable: Nullable,
  meaning: string,
  options: ColumnOptions = {},
): Column<Type, Nullable> {
  const { merge = null, compressed = false, derived = null } = options;
  return { type, nullable, meaning, merge, compressed, derived };
}

/** A text column that may be NULL. */
export const text = (meaning: string, options?: ColumnOptions) =>
  column('VARCHAR', true, meaning, options);

/** A text column that is never NULL. */
export const requiredText = (meaning: string, options?: ColumnOptions) =>
  column('VARCHAR', false, meaning, options);

/** A 64-bit integer column that may be NULL. */
export const integer = (meaning: string, options?: ColumnOptions) =>
  column('BIGINT', true, meaning, options);

/** A 64-bit integer column that is never NULL. */
export const requiredInteger = (meaning: string, options?: ColumnOptions) =>
  column('BIGINT', false, meaning, options);

/** A boolean column that may be NULL. */
export const flag = (meaning: string, options?: ColumnOptions) =>
  column('BOOLEAN', true, meaning, options);

/** A boolean column that is never NULL. */
export const requiredFlag = (meaning: string, options?: ColumnOptions) =>
  column('BOOLEAN', false, meaning, options);

/** Exact bytes, possibly NULL. */
export const bytes = (meaning: string, options?: ColumnOptions) =>
  column('BLOB', true, meaning, options);

/** An instant that may be NULL. */
export const instant = (meaning: string, options?: ColumnOptions) =>
  column('TIMESTAMPTZ', true, meaning, options);

/** A number with a fraction, possibly NULL. */
export const real = (meaning: string, options?: ColumnOptions) =>
  column('DOUBLE', true, meaning, options);

/** Compact JSON, possibly NULL. */
export const json = (meaning: string, options?: ColumnOptions) =>
  column('JSON', true, meaning, options);

/** The length of the text in another column, in bytes of UTF-8. */
export const byteLengthOf = (from: string) =>
  integer(`Length of \`${from}\` in bytes of UTF-8`, { derived: { from, as: 'byte_length' } });

/** The SHA-256 of the text in another column. */
export const sha256Of = (from: string) =>
  text(`SHA-256 of \`${from}\` as UTF-8, in hexadecimal digits`, {
    derived: { from, as: 'sha256' },
  });
