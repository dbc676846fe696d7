/** Which relations a parser fills, for the descriptions of harnesses. */

import { type ParsedName, parsedRelations } from '../../relations/index.ts';
import type { Coverage } from '../harness.ts';

/** All relations that parsers fill, but for those of which `missing` tells why not. */
export function parsedCoverage(
  missing: Readonly<Partial<Record<ParsedName, string>>>,
): Readonly<Record<ParsedName, Coverage>> {
  const coverage = Object.fromEntries(
    parsedRelations.map(({ name }): [ParsedName, Coverage] => {
      const reason = missing[name];
      return [name, reason === undefined ? true : { missing: reason }];
    }),
  );
  return coverage as Record<ParsedName, Coverage>;
}
