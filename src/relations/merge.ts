/** How two sightings of one row become one, by the policies that its relation declares. */

import { policyOf, type Relation } from './relation.ts';

/** The value of a cell in a row that is being made. */
export type RowValue = string | number | boolean | null;

/** A row that is being made, by column; what is not there is not known. */
export type MutableRow = Record<string, RowValue | undefined>;

/** The column that decides which line wins, for relations with a group of `WINNER` columns. */
const DECIDES = 'output';

/** What merging needs to know of a relation, worked out once. */
interface Plan {
  readonly single: ReadonlyMap<string, Merge>;
  readonly group: readonly string[];
}

type Merge = (kept: RowValue, later: RowValue) => RowValue;

/** Both values are known. */
const MERGES: Readonly<Record<string, Merge>> = {
  KEEP: kept => kept,
  UPDATE: (_kept, later) => later,
  MIN: (kept, later) => (Number(later) < Number(kept) ? later : kept),
  MAX: (kept, later) => (Number(later) > Number(kept) ? later : kept),
  OR: (kept, later) => kept === true || later === true,
};

const plans = new WeakMap<Relation, Plan>();

function planOf(relation: Relation): Plan {
  const known = plans.get(relation);
  if (known) return known;
  const policies = Object.entries(relation.columns).map(
    ([name, column]) => [name, policyOf(relation, column)] as const,
  );
  const plan = {
    single: new Map(
      policies.flatMap(([name, policy]) => {
        const merge = MERGES[policy];
        return merge ? [[name, merge] as const] : [];
      }),
    ),
    group: policies.filter(([, policy]) => policy === 'WINNER').map(([name]) => name),
  };
  plans.set(relation, plan);
  return plan;
}

/** Merges a later sighting of the same key into `kept`, which changes. */
export function mergeInto(relation: Relation, kept: MutableRow, later: MutableRow): void {
  const { single, group } = planOf(relation);
  // A sighting tells few of the columns.
  for (const name in later) {
    const value = later[name] ?? null;
    const merge = value === null ? undefined : single.get(name);
    if (value === null || merge === undefined) continue;
    const before = kept[name] ?? null;
    kept[name] = before === null ? value : merge(before, value);
  }
  if (group.length > 0 && wins(group, kept, later)) {
    for (const name of group) kept[name] = later[name] ?? null;
  }
}

/** The most output wins, the later line on a tie; a line that tells nothing never does. */
function wins(group: readonly string[], kept: MutableRow, later: MutableRow): boolean {
  if (group.every(name => (later[name] ?? null) === null)) return false;
  return Number(later[DECIDES] ?? -1) >= Number(kept[DECIDES] ?? -1);
}
