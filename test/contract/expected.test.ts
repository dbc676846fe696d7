/** The rows of every fixture are those that are written down beside it. */

import { describe, expect, it } from 'vitest';
import { compare, differences, tablesOf } from './expected.ts';
import { fixtureHomes } from './home.ts';

describe.each(fixtureHomes())('$name', home => {
  it.each(tablesOf(home))('has the rows of expected/%s.jsonl', async (table, sql) => {
    const comparison = await compare(home, table, sql);
    expect(differences(comparison).join('\n')).toBe('');
  });
});

describe('the comparison', () => {
  it('names the columns of rows that differ, and rows too many', () => {
    const wanted = ['{"a":1,"b":"x"}'];
    const found = ['{"a":1,"b":"y","c":2}', '{"a":3}'];
    expect(differences({ wanted, found })).toEqual([
      'row 1:\n  b: "y" instead of "x"\n  c: 2 instead of NULL',
      'row 2:\n  a: 3 instead of NULL',
    ]);
  });
});
