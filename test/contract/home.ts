/** The homes that the contract is checked on, found without the code under test. */

import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Entry, entryAt } from '../../src/bytes/walk.ts';
import type { Harness, ReadOptions, Source, SourceKind } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import type { RelationName } from '../../src/relations/index.ts';
import { projectRoot } from '../support/project.ts';
import { canReadZstd } from '../support/zstd.ts';

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
      // Their absence is told where the tests of compressed files are left out.
      const isReadable = canReadZstd() || !filesBelow(first.path).some(isCompressed);
      return isReadable ? [{ ...first, name: `${harness}/${name}` }] : [];
    }),
  );
}

function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

/** The folder itself or every folder below it that a harness recognises. */
export function homesBelow(folder: string): readonly Home[] {
  const path = realpathSync(folder);
  const entry = entryOf(path);
  const harness = harnesses.find(({ recognise }) => recognise(entry) !== null);
  if (harness) return [{ name: path, path, harness, folder: dirname(path) }];
  return foldersIn(path).flatMap(name => homesBelow(join(path, name)));
}

/** The files of a home that a relation reads, or all that the harness knows of. */
export function sourcesOf(
  home: Home,
  relation?: RelationName,
  rows: ReadOptions['rows'] = 'block',
): readonly Source[] {
  const reader = relation && home.harness.reader(relation, { rows });
  const kinds = new Set(relation ? (reader?.kinds ?? []) : KINDS);
  const root = home.harness.recognise(entryOf(home.path));
  if (!root) throw new Error(`${home.path} is no home of ${home.harness.description.name}`);
  const fail = (path: string, error: unknown): never => {
    throw new Error(`cannot list ${path}`, { cause: error });
  };
  const sources = [...home.harness.discover(root, kinds, fail)];
  return sources.filter(({ kind }) => kinds.has(kind));
}

const SIDE_KINDS: readonly SourceKind[] = ['plan', 'todo', 'history', 'stats', 'other'];
const KINDS: readonly SourceKind[] = ['transcript', 'journal', ...SIDE_KINDS];

function entryOf(path: string): Entry {
  const entry = entryAt(path, basename(path));
  if (!entry) throw new Error(`${path} is gone`);
  return entry;
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
