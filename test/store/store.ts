/** Stores for tests: filled from homes, and compared relation by relation. */

import { DuckDBInstance } from '@duckdb/node-api';
import { Work } from '../../src/bytes/work.ts';
import type { Harness } from '../../src/harness/harness.ts';
import { relations } from '../../src/relations/index.ts';
import { type RefreshResult, refresh } from '../../src/store/refresh.ts';
import { attach, CATALOG, detach } from '../../src/store/store.ts';

/** A refresh and what it cost. */
export interface Refreshed {
  readonly result: RefreshResult;
  readonly work: Work;
}

/** Brings the store at `path` up to date with one home. */
export async function refreshFrom(
  path: string,
  harness: Harness,
  home: string,
): Promise<Refreshed> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const work = new Work();
  const problems: string[] = [];
  try {
    const homes = [{ harness, path: home, namespace: `${harness.description.name}-local` }];
    const onProblem = (file: string, error: unknown) => problems.push(`${file}: ${error}`);
    const result = await refresh({ connection, path, homes, work, onProblem });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return { result, work };
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

/** All rows of the store by relation, each as JSON, in an order of their own. */
export async function rowsIn(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = new Map<string, readonly string[]>();
  try {
    await attach(connection, path, { isReadOnly: true, patienceMs: 0 });
    for (const { name, columns } of relations) {
      if (name === 'events') continue;
      const cells = Object.keys(columns)
        .filter(column => column !== 'modified_at')
        .map(column => `"${column}"`);
      const sql = `SELECT to_json({${cells.map(cell => `${cell}: ${cell}`).join(', ')}})::VARCHAR
        FROM ${CATALOG}.${name}`;
      const found = (await connection.runAndReadAll(sql)).getRows().map(([row]) => String(row));
      rows.set(name, found.sort());
    }
    await detach(connection);
    return rows;
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}
