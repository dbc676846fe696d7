/**
 * From what a caller names (a path, a harness, or nothing) to the roots that are read.
 *
 * - Without a path: the default homes of the harness, Claude Code's when none is named.
 * - A path that exists is taken as it is; else it is read as a pattern.
 * - The first harness that recognises a folder or file reads it; `source` overrides that.
 */

import { isPattern, matches } from '../bytes/glob.ts';
import { type Entry, entryAt, type OnProblem } from '../bytes/walk.ts';
import { AhqError } from '../errors.ts';
import type { Harness, Root } from '../harness/harness.ts';
import { harnesses } from '../harness/index.ts';
import { type Environment, expandHome } from '../places.ts';

/** What is to be read. Null means that the caller did not say. */
export interface Request {
  readonly path: string | null;
  readonly source: string | null;
}

/** A root with the harness that reads it. */
export interface Place {
  readonly harness: Harness;
  readonly root: Root;
}

/** What was found, and in words where it was looked for and what was not recognised. */
export interface Located {
  readonly places: readonly Place[];
  /** The paths that were tried. */
  readonly tried: readonly string[];
  /** One sentence for each path that gave nothing. */
  readonly missing: readonly Missing[];
}

/** A path that gave nothing, and why. */
export interface Missing {
  readonly reason: 'does not exist' | 'not recognised';
  readonly path: string;
  readonly sentence: string;
}

/** The harness called `name` (any case, `_` and blanks as `-`). Throws USAGE naming the known. */
export function harnessNamed(name: string): Harness {
  const wanted = name.trim().toLowerCase().replaceAll(/[_ ]/g, '-');
  const found = harnesses.find(harness => harness.description.name === wanted);
  if (found) return found;
  const known = harnesses.map(harness => `'${harness.description.name}'`).join(', ');
  throw new AhqError('USAGE', `unknown source '${name}'; known are ${known}`);
}

/** Finds the roots of a request. Throws USAGE for an unknown source or a list of paths. */
export function locate(request: Request, environment: Environment, onProblem: OnProblem): Located {
  const named = request.source === null ? null : harnessNamed(request.source);
  if (request.path === null) return locateHomes(named ?? defaultHarness(), environment, onProblem);
  const path = expandHome(request.path, environment);
  const entries = entriesFor(path, onProblem);
  if (entries.length === 0) return nothingAt(path);
  const located = entries.map(entry => placeOf(entry, named));
  return {
    places: located.filter(place => place !== null),
    tried: [path],
    missing: entries.flatMap((entry, i) => (located[i] ? [] : [unrecognised(entry.path)])),
  };
}

function defaultHarness(): Harness {
  return harnessNamed('claude');
}

function locateHomes(harness: Harness, environment: Environment, onProblem: OnProblem): Located {
  const homes = harness.description.homes(environment).map(home => expandHome(home, environment));
  const entries = homes.map(home => entryFor(home, onProblem));
  const places = entries.flatMap(entry =>
    entry ? [{ harness, root: harness.assume(entry) }] : [],
  );
  if (places.length > 0) return { places, tried: homes, missing: [] };
  return { places, tried: homes, missing: homes.map(home => absent(home)) };
}

function entriesFor(path: string, onProblem: OnProblem): readonly Entry[] {
  const entry = entryFor(path, onProblem);
  if (entry) return [entry];
  if (/^\[.*\]$/s.test(path)) {
    throw new AhqError(
      'USAGE',
      'path takes one text, not a list; use a pattern such as ~/.claude*, or UNION ALL BY NAME',
    );
  }
  if (!isPattern(path)) return [];
  return matches(path).flatMap(match => entryFor(match, onProblem) ?? []);
}

/** The entry at a path; its name is the last part of the path. */
function entryFor(path: string, onProblem: OnProblem): Entry | null {
  const parts = path.split(/[\\/]/).filter(part => part !== '');
  return entryAt(path, parts.at(-1) ?? path, onProblem);
}

function placeOf(entry: Entry, named: Harness | null): Place | null {
  if (named) return { harness: named, root: named.assume(entry) };
  for (const harness of harnesses) {
    const root = harness.recognise(entry);
    if (root) return { harness, root };
  }
  return null;
}

function nothingAt(path: string): Located {
  return { places: [], tried: [path], missing: [absent(path)] };
}

function absent(path: string): Missing {
  const what = isPattern(path) ? 'matches nothing' : 'does not exist';
  return { reason: 'does not exist', path, sentence: `path '${path}' ${what}` };
}

function unrecognised(path: string): Missing {
  const marks = harnesses.map(({ description }) => `${description.marks} (${description.title})`);
  const sentence = `no harness recognises '${path}'; looked for ${marks.join('; ')}; pass source=… to read it anyway`;
  return { reason: 'not recognised', path, sentence };
}
