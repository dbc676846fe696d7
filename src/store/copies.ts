/** Rows with more than one sighting: found after new rows have come, and now and then made one. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { collapsedRows, mergesCopies } from './merge-sql.ts';
import { CATALOG } from './store.ts';
import { type StoreTable, storeTables, text } from './tables.ts';

/** The tables whose rows may have copies. */
const KEYED: readonly StoreTable[] = storeTables.filter(({ relation }) => mergesCopies(relation));

/**
 * Marks the rows of sources that have another sighting anywhere, and those. `sourceIds` are the
 * sources that have got rows; all when null.
 */
export async function markCopies(
  connection: DuckDBConnection,
  tables: readonly StoreTable[],
  sourceIds: readonly string[] | null,
): Promise<void> {
  for (const table of KEYED.filter(keyed => tables.includes(keyed))) {
    const name = `${CATALOG}.${table.name}`;
    const ours =
      sourceIds && `SELECT key_hash FROM ${name} WHERE source_id IN (${list(sourceIds)})`;
    const among = ours === null ? '' : `WHERE key_hash IN (${ours})`;
    const repeated = `SELECT key_hash FROM ${name} ${among} GROUP BY key_hash HAVING count(*) > 1`;
    await connection.run(
      `UPDATE ${name} SET has_copies = true WHERE NOT has_copies AND key_hash IN (${repeated})`,
    );
  }
}

function list(ids: readonly string[]): string {
  return ids.map(text).join(', ');
}

/** Makes the sightings of each row of a source one. */
export async function collapse(connection: DuckDBConnection, sourceId: string): Promise<void> {
  for (const table of KEYED) {
    const name = `${CATALOG}.${table.name}`;
    const rows = collapsedRows(table, name);
    await connection.run(`CREATE OR REPLACE TEMP TABLE collapsed AS ${rows}`, [sourceId]);
    await connection.run(
      `DELETE FROM ${name} WHERE source_id = $1 AND has_copies AND NOT is_provisional`,
      [sourceId],
    );
    await connection.run(`INSERT INTO ${name} BY NAME FROM temp.collapsed`);
  }
}
