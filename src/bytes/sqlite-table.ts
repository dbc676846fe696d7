/** Tables of a SQLite database: which of their rows are records, and how they are read. */

/** Rows that are records. */
export interface SqliteTable {
  readonly table: string;
  /**
   * The column that identifies a row, ordered by it; `rowid` when there is none better, which in a
   * table without row ids stands for its primary key. Rows where it is NULL are not read.
   */
  readonly key: string;
  /** The column that holds the record as JSON text; null for the whole row. */
  readonly value: string | null;
  /** Only rows whose key begins so. */
  readonly prefix?: string;
  /** No row whose key begins with one of these. */
  readonly without?: readonly string[];
  /** Rows of the same table that follow a row, given its decoded value and its key as wire text. */
  readonly followedBy?: (value: unknown, key: string) => Followers;
}

/**
 * Keys of rows in their order, as wire text: each gives a record, of the value null where there is
 * no such row. Or what the keys begin with: the rows that are there, in the order in which they
 * were written as far as the table tells it.
 */
export type Followers = readonly string[] | { readonly prefix: string };

/** How a table is read: what identifies and orders its rows, and what a row holds. */
export interface TableLayout {
  readonly table: string;
  /** The columns whose values are the key of a row. */
  readonly keys: readonly string[];
  /** The columns that rows are ordered by: the key, and what tells rows of one key apart. */
  readonly order: readonly string[];
  readonly columns: readonly string[];
  /** Texts are UTF-8 on the disk, so that their bytes can be had as they are. */
  readonly isUtf8: boolean;
}
