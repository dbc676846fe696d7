/** The homes that the contract is checked on, found without the code under test. */

import { readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entryAt } from '../../src/bytes/walk.ts';
import type { Harness, Root } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import { projectRoot } from '../support/project.ts';

/** One home of one harness. */
export interface Home {
  /** For titles, for example `claude/demo`. */
  readonly name: string;
  /** Canonical path. */
  readonly path: string;
  readonly harness: Harness;
  /** The folder that the home lies in: paths in expected rows are relative to it. */
  readonly folder: string;
}

/** Every home in `fixtures/<harness>/<case>/`; throws for a case that no harness reads. */
export function fixtureHomes(): readonly Home[] {
  const fixtures = join(projectRoot, 'fixtures');
  return foldersIn(fixtures).flatMap(harness =>
    foldersIn(join(fixtures, harness)).flatMap(name => {
      const homes = homesBelow(join(fixtures, harness, name));
      const [first] = homes;
      if (homes.length !== 1 || first?.harness.description.name !== harness) {
        throw new Error(`fixtures/${harness}/${name} holds ${homes.length} homes of ${harness}`);
      }
      return [{ ...first, name: `${harness}/${name}` }];
    }),
  );
}

/** The folder itself or every folder below it that a harness takes for its home. */
export function homesBelow(folder: string): readonly Home[] {
  const path = realpathSync(folder);
  const entry = entryAt(path, basename(path));
  const harness = harnesses.find(({ recognise }) => entry && recognise(entry)?.part === 'home');
  if (harness) return [{ name: path, path, harness, folder: join(path, '..') }];
  return foldersIn(path).flatMap(name => homesBelow(join(path, name)));
}

/** The root that a home is. */
export function rootOf(home: Home): Root {
  const entry = entryAt(home.path, basename(home.path));
  if (!entry) throw new Error(`${home.path} is gone`);
  return home.harness.assume(entry);
}

/** Every file below a folder, links not followed. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort();
}
