/** Rows of companion databases, looked up by key and kept for the length of a scan. */

import type { JsonObject } from '../bytes/json.ts';
import { rowsWithKey } from '../bytes/sqlite.ts';
import { toWire } from '../bytes/text.ts';
import { entryAt } from '../bytes/walk.ts';
import { reasonOf } from './notes.ts';

/** The rows that a scan has asked for; all sources of the scan share them. */
export class CompanionTables {
  readonly #rows = new Map<string, readonly JsonObject[]>();
  readonly #problems = new Map<string, string>();

  /**
   * The rows whose `keyColumn` is the wire text `key`, in the order of the table; none where there
   * is no such file or table. Where the database cannot be read: why, as wire text.
   */
  rows(
    path: string,
    table: string,
    keyColumn: string,
    key: string,
  ): readonly JsonObject[] | string {
    const id = [path, table, keyColumn, key].join('\0');
    // A database that is locked would be waited for with every question.
    return (
      this.#rows.get(id) ??
      this.#problems.get(path) ??
      this.#lookUp(id, path, table, keyColumn, key)
    );
  }

  #lookUp(
    id: string,
    path: string,
    table: string,
    keyColumn: string,
    key: string,
  ): readonly JsonObject[] | string {
    try {
      const rows = entryAt(path, '') ? rowsWithKey(path, table, keyColumn, key) : [];
      this.#rows.set(id, rows);
      return rows;
    } catch (error) {
      const problem = toWire(reasonOf(error));
      this.#problems.set(path, problem);
      return problem;
    }
  }
}
