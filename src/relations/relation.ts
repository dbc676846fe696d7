/** A relation: a named list of columns, with the function that reads it from raw files. */

import type { Column, ColumnType, MergePolicy } from './column.ts';

/** The columns of a relation, in their order. */
export type Columns = Readonly<Record<string, Column>>;

/** A relation as declared. */
export interface Relation<Name extends string = string, C extends Columns = Columns> {
  /** The bare name, as in `FROM conversations`. */
  readonly name: Name;
  /** The table function over raw files, as in `FROM read_conversations()`. */
  readonly functionName: string;
  /** One sentence for people. */
  readonly meaning: string;
  /** The columns that identify a row; none where no set of columns does. */
  readonly key: readonly string[];
  /**
   * How sightings of one key merge, where a column does not say: `UPDATE` for rows that the records
   * of a file complete little by little, `NOTHING` for rows that one record makes. None for
   * relations whose rows are never merged, and never dropped as copies.
   */
  readonly merge?: 'UPDATE' | 'NOTHING';
  readonly columns: C;
}

/** How a column merges. */
export function policyOf(relation: Relation, column: Column): MergePolicy {
  return column.merge ?? relation.merge ?? 'NOTHING';
}

interface JavaScriptTypes {
  VARCHAR: string;
  BIGINT: number;
  BOOLEAN: boolean;
  BLOB: Uint8Array;
  DOUBLE: number;
  TIMESTAMPTZ: number;
  JSON: string;
}

type Value<C> =
  C extends Column<infer Type extends ColumnType, infer Nullable>
    ? JavaScriptTypes[Type] | (Nullable extends true ? null : never)
    : never;

/** The row of a relation as a JavaScript object, for example `RowOf<typeof conversations>`. */
export type RowOf<R extends Relation> = {
  readonly [K in keyof R['columns']]: Value<R['columns'][K]>;
};

/** The column names of a relation, for example `ColumnName<typeof conversations>`. */
export type ColumnName<R extends Relation> = keyof R['columns'] & string;

/** Declares a relation; the call only fixes the types, and that the key names its columns. */
export function relation<const Name extends string, const C extends Columns>(
  declaration: Relation<Name, C> & { readonly key: readonly (keyof C)[] },
): Relation<Name, C> {
  return declaration;
}
