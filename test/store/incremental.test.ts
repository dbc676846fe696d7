/** A store that was filled little by little holds what one filled at once holds. */

import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { relations } from '../../src/relations/index.ts';
import { fixtureHomes, type Home, sourcesOf } from '../contract/home.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { refreshFrom, rowsIn } from './store.ts';

const FOLDER = makeFolder();
afterAll(() => removeFolder(FOLDER));

/** Files of lines are cut behind each of their first lines; more would take long. */
const MOST_CUTS = 6;

/** A copy of the home, so that its files can be cut and go on. */
function copyOf(home: Home, name: string): string {
  const copy = path.join(FOLDER, name, path.basename(home.path));
  cpSync(home.path, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The files of lines in a copy, with their bytes and where their lines end. */
function lineFiles(home: Home, copy: string) {
  return sourcesOf(home)
    .filter(({ form, kind }) => form === 'lines' && kind !== 'other')
    .map(({ path: file }) => {
      const bytes = readFileSync(file);
      const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
      return { file: path.join(copy, path.relative(home.path, file)), bytes, ends };
    });
}

/** Files that nobody has touched for a day: their last lines count without an ending, too. */
function age(file: string): void {
  const then = new Date('2026-01-02T03:04:05Z');
  utimesSync(file, then, then);
}

/** Relations whose rows a scan sums up over all files, and the store has by file. */
const SUMMED: ReadonlySet<string> = new Set(['stats']);

/** Relations of which the store has another number of rows than the functions over the files. */
async function otherCounts(
  { harness }: Home,
  copy: string,
  stored: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> {
  const parameters = { path: copy, source: harness.description.name };
  const others: string[] = [];
  for (const { name, functionName } of relations) {
    const rows = stored.get(name);
    if (rows === undefined || SUMMED.has(name)) continue;
    const call = `${functionName}(path := $path, source := $source, include_archived := true)`;
    const [counted] = (await ask(`SELECT count(*) AS n FROM ${call}`, parameters)).rows;
    if (counted?.['n'] !== rows.length) others.push(`${name}: ${rows.length}, ${counted?.['n']}`);
  }
  return others;
}

/** A few rows of each relation that only one of the two has. */
function differences(
  wanted: ReadonlyMap<string, readonly string[]>,
  found: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...wanted].flatMap(([relation, rows]) => {
    const others = found.get(relation) ?? [];
    const lost = rows.filter(row => !others.includes(row));
    const extra = others.filter(row => !rows.includes(row));
    const isSame = lost.length + extra.length === 0 && rows.length === others.length;
    if (isSame) return [];
    const counts = `${relation}: ${others.length} rows instead of ${rows.length}`;
    return [counts, ...pairOf(lost[0], extra[0])];
  });
}

/** The columns in which two rows differ. */
function pairOf(wanted = '{}', found = '{}'): readonly string[] {
  const [before, now]: Record<string, unknown>[] = [JSON.parse(wanted), JSON.parse(found)];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})]);
  return [...names]
    .filter(name => JSON.stringify(before?.[name]) !== JSON.stringify(now?.[name]))
    .map(name => `  ${name}: ${now?.[name]} instead of ${before?.[name]}`.slice(0, SHOWN));
}

const SHOWN = 200;

const homes = fixtureHomes().filter(({ name }) => !name.includes('torture'));

describe.each(homes)('$name', home => {
  it('holds the same rows when its files came in steps', { timeout: 120_000 }, async () => {
    const slug = home.name.replaceAll('/', '-');
    const copy = copyOf(home, slug);
    const files = lineFiles(home, copy);
    const most = Math.max(0, ...files.map(({ ends }) => ends.length));
    const grown = path.join(FOLDER, `${slug}-grown.duckdb`);
    const cuts = Array.from({ length: Math.min(most, MOST_CUTS) }, (_, step) => step + 1);
    for (const cut of cuts) {
      for (const { file, bytes, ends } of files) {
        writeFileSync(file, bytes.subarray(0, ends[cut - 1] ?? ends.at(-1) ?? 0));
      }
      await refreshFrom(grown, home.harness, copy);
    }
    for (const { file, bytes } of files) {
      writeFileSync(file, bytes);
      age(file);
    }
    await refreshFrom(grown, home.harness, copy);
    const whole = path.join(FOLDER, `${slug}-whole.duckdb`);
    await refreshFrom(whole, home.harness, copy);
    const [wanted, found] = [await rowsIn(whole), await rowsIn(grown)];
    expect(differences(wanted, found)).toEqual([]);
    expect(await otherCounts(home, copy, wanted)).toEqual([]);
  });
});
