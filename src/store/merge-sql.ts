/**
 * The statements that make sightings of a row one, by the policies that its relation declares.
 *
 * A source that grows adds sightings of rows that it has already; other sources have copies of
 * rows. Both are merged when they are read: few rows have more than one sighting.
 */

import { policyOf, type Relation } from '../relations/relation.ts';
import { quoted, type StoreTable } from './tables.ts';

/** The order of the sightings of a row: by source, and what is provisional last. */
const ORDER = 'is_provisional, file_path, line_number';

/** Which line wins: the most output, the first source, and in a source the later line. */
const WINNER_ORDER = 'coalesce(output, -1) DESC, is_provisional, file_path, line_number DESC';

/** The view of a relation: rows without copies as they are, the others merged. */
export function createView({ relation, name }: StoreTable): string {
  const columns = Object.keys(relation.columns).map(quoted);
  const all = `SELECT ${columns.join(', ')}\nFROM ${name}`;
  const view = `CREATE VIEW ${relation.name} AS\n`;
  if (!mergesCopies(relation)) return view + all;
  const key = relation.key.map(quoted).join(', ');
  const merged = Object.keys(relation.columns).map(column =>
    relation.key.includes(column)
      ? quoted(column)
      : `${mergedColumn(relation, column)} AS ${quoted(column)}`,
  );
  return `${view}${all}
WHERE NOT has_copies
UNION ALL
SELECT ${merged.join(',\n  ')}
FROM ${name}
WHERE has_copies
GROUP BY ${key}`;
}

/** Whether copies of a row in several sources are one; a census and diagnoses are about files. */
export function mergesCopies({ merge, key }: Relation): boolean {
  return merge !== undefined && key[0] !== 'source_id';
}

function mergedColumn(relation: Relation, name: string): string {
  const column = relation.columns[name];
  const policy = column ? policyOf(relation, column) : 'NOTHING';
  const cell = quoted(name);
  switch (policy) {
    case 'MIN':
      return `min(${cell})`;
    case 'MAX':
      return `max(${cell})`;
    case 'OR':
      return `bool_or(${cell})`;
    case 'UPDATE':
      return `last(${cell} ORDER BY ${ORDER}) FILTER (${cell} IS NOT NULL)`;
    case 'KEEP':
      return `first(${cell} ORDER BY ${ORDER}) FILTER (${cell} IS NOT NULL)`;
    case 'WINNER':
      return `first(${cell} ORDER BY ${WINNER_ORDER}) FILTER (${tells(relation)})`;
    case 'NOTHING':
      return `first(${cell} ORDER BY ${ORDER})`;
  }
}

/** Whether a row tells any column of the group that one line wins. */
function tells(relation: Relation): string {
  const group = Object.entries(relation.columns).filter(
    ([, column]) => policyOf(relation, column) === 'WINNER',
  );
  return `coalesce(${group.map(([name]) => `${quoted(name)}::VARCHAR`).join(', ')}) IS NOT NULL`;
}

/** What tells the sightings of one row apart from those of others within a source. */
function keyOf({ key }: Relation): readonly string[] {
  return ['source_id', ...key.filter(name => name !== 'source_id')];
}

/**
 * The statement that gives the sightings of each row in one source (`$1`) as one, for a table of
 * the same columns called `name`: what a source that grew line by line has left.
 */
export function collapsedRows({ relation, columns }: StoreTable, name: string): string {
  const key = keyOf(relation);
  const cells = columns.map(column => {
    const cell = quoted(column.name);
    if (key.includes(column.name)) return cell;
    if (column.name === 'key_hash') return 'any_value(key_hash) AS key_hash';
    if (column.name === 'has_copies') return 'true AS has_copies';
    if (column.name === 'is_provisional') return 'false AS is_provisional';
    return `${mergedColumn(relation, column.name)} AS ${cell}`;
  });
  return `SELECT ${cells.join(',\n  ')}
FROM ${name}
WHERE source_id = $1 AND has_copies AND NOT is_provisional
GROUP BY ${key.map(quoted).join(', ')}`;
}
