/** The contract of every harness, held against each of its fixture homes. */

import { beforeAll, describe, expect, it } from 'vitest';
import { harnesses } from '../../src/harness/index.ts';
import { relations } from '../../src/index.ts';
import { CONTRACT } from './contract.ts';
import { fixtureHomes } from './home.ts';
import { type HomeRows, readHome } from './rows.ts';

const homes = fixtureHomes();

describe('the contract', () => {
  it('is checked for every harness', () => {
    const checked = new Set(homes.map(home => home.harness.description.name));
    expect([...checked].sort()).toEqual(
      harnesses.map(({ description }) => description.name).sort(),
    );
  });

  it('is about conversations of 58 columns and events of 19', () => {
    const columns = relations.slice(0, 2).map(relation => Object.keys(relation.columns).length);
    expect(columns).toEqual([58, 19]);
  });
});

describe.each(homes)('$name', home => {
  let rows: HomeRows;

  beforeAll(async () => {
    rows = await readHome(home);
  });

  it.each(CONTRACT)('%s', async (_sentence, check) => {
    expect(await check(home, rows)).toEqual([]);
  });
});
