/** The contract, held against every home below the folder that `AHQ_SHAPES` names. */

import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT } from '../contract/contract.ts';
import { filesBelow, homesBelow } from '../contract/home.ts';
import { type HomeRows, PARSED_WAYS, readHome, rowsOf, WAYS } from '../contract/rows.ts';

/** How many breaches of one check are shown: a home has thousands of rows. */
const SHOWN = 10;

const folder = process.env['AHQ_SHAPES'];
if (folder === undefined) throw new Error('AHQ_SHAPES names no folder');

const homes = homesBelow(folder);
const figures: Record<string, string | number>[] = [];

/** How many rows the parsers made of all homes, by relation and harness. */
const parsed: Record<string, Record<string, number>> = {};

afterAll(() => {
  console.table(figures);
  console.table(parsed);
});

describe(folder, () => {
  it('holds a home of a harness', () => {
    expect(homes.length).toBeGreaterThan(0);
  });
});

describe.each(homes)('$name', home => {
  let rows: HomeRows;

  beforeAll(async () => {
    rows = await readHome(home);
    const events = rowsOf(rows, 'events');
    figures.push({
      home: home.path.slice(folder.length + 1),
      harness: home.harness.description.name,
      files: filesBelow(home.path).length,
      transcripts: new Set(events.map(event => event['file_path'])).size,
      unknown: events.filter(event => event['is_known_type'] === false).length,
      ...Object.fromEntries(WAYS.map(way => [way.name, rowsOf(rows, way.name).length])),
    });
    for (const { name } of PARSED_WAYS) count(name, home.harness.description.name, rows);
  });

  it.each(CONTRACT)('%s', async (_sentence, check) => {
    const problems = await check(home, rows);
    expect(problems.slice(0, SHOWN)).toEqual([]);
  });
});

function count(name: string, harness: string, rows: HomeRows): void {
  const counts = parsed[name] ?? {};
  parsed[name] = { ...counts, [harness]: (counts[harness] ?? 0) + rowsOf(rows, name).length };
}
