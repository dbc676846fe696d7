/**
 * A column of a relation, declared once. DuckDB columns, row types, the schema command and the
 * README tables all derive from these declarations.
 */

/** The DuckDB types that ahq's relations use. */
export type ColumnType = 'VARCHAR' | 'BIGINT' | 'BOOLEAN' | 'BLOB';

/**
 * How two copies of one row (the same key in two files) become one:
 * `KEEP` the first value seen, `UPDATE` to the latest that is not NULL, `MIN`, `MAX`, `OR`,
 * `WINNER` (the whole group of columns from the one line that wins), or `NOTHING`: rows of this
 * relation are never merged.
 */
export type MergePolicy = 'KEEP' | 'UPDATE' | 'MIN' | 'MAX' | 'OR' | 'WINNER' | 'NOTHING';

/** One column: its type, whether it may be NULL, and what it means in one line. */
export interface Column<Type extends ColumnType = ColumnType, Nullable extends boolean = boolean> {
  readonly type: Type;
  readonly nullable: Nullable;
  /** One line for people, without a full stop. */
  readonly meaning: string;
  /** How copies merge; `NOTHING` for relations that keep every copy. */
  readonly merge: MergePolicy;
  /** Long text: a store keeps it compressed. */
  readonly compressed: boolean;
}

/** Everything about a column but its type, nullability and meaning; both parts have defaults. */
export interface ColumnOptions {
  readonly merge?: MergePolicy;
  readonly compressed?: boolean;
}

function column<Type extends ColumnType, Nullable extends boolean>(
  type: Type,
  nullable: Nullable,
  meaning: string,
  options: ColumnOptions = {},
): Column<Type, Nullable> {
  const { merge = 'NOTHING', compressed = false } = options;
  return { type, nullable, meaning, merge, compressed };
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
