/** All rows of a home, as SQL gives them. */

import type { ReadOptions } from '../../src/harness/harness.ts';
import type { ObjectRow, Relation } from '../../src/index.ts';
import { parsedRelations, type RelationName, readerRelations } from '../../src/relations/index.ts';
import { ask } from '../support/asking.ts';
import type { Home } from './home.ts';

/** One way to read: a relation, and how a line becomes rows. */
export interface Way extends ReadOptions {
  /** For messages: the relation, and the mode where it matters. */
  readonly name: string;
  readonly relation: Relation<RelationName>;
}

/** The relations that parsers fill. */
export const PARSED_WAYS: readonly Way[] = parsedRelations.map(relation => {
  return { name: relation.name, relation, rows: 'block' };
});

/** The relations that show what is in the files, and `conversations` by line too. */
export const WAYS: readonly Way[] = readerRelations.flatMap((relation): Way[] => {
  const byBlock: Way = { name: relation.name, relation, rows: 'block' };
  if (relation.name !== 'conversations') return [byBlock];
  return [byBlock, { name: 'conversations by line', relation, rows: 'line' }];
});

/** What a home gives, by the name of the way. */
export type HomeRows = ReadonlyMap<string, readonly ObjectRow[]>;

/** The rows of a home in one way, all columns. Throws when the scan reports a problem. */
async function readWay(home: Home, way: Way): Promise<readonly ObjectRow[]> {
  if (!home.harness.reader(way.relation.name, way)) return [];
  const mode = way.relation.name === 'conversations' ? `, rows = '${way.rows}'` : '';
  const sql = `FROM ${way.relation.functionName}(path = $path${mode})`;
  const { rows, notes } = await ask(sql, { path: home.path });
  const problems = notes.filter(note => !note.includes('no files to read'));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return rows;
}

/** The rows of a home in every way. */
export async function readHome(home: Home): Promise<HomeRows> {
  const rows = new Map<string, readonly ObjectRow[]>();
  for (const way of [...WAYS, ...PARSED_WAYS]) rows.set(way.name, await readWay(home, way));
  return rows;
}

/** The rows of one way. */
export function rowsOf(rows: HomeRows, name: string): readonly ObjectRow[] {
  const found = rows.get(name);
  if (!found) throw new Error(`there is no way called ${name}`);
  return found;
}
