/** Column names that can serve as keys. */

import type { ResultColumn } from './result.ts';

/** The names of `columns`, a second `a` as `a_1`: what DuckDB calls the columns of a new table. */
export function uniqueNames(columns: readonly ResultColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let suffix = 1; taken.has(unique); suffix += 1) unique = `${name}_${suffix}`;
    taken.add(unique);
    return unique;
  });
}
