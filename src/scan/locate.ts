/**
 * From what a caller names (a path, a harness, or nothing) to the roots that are read.
 *
 * - Without a path: the default homes of the harness, Claude Code's when none is named.
 * - A path that exists is taken as it is; else it is read as a pattern.
 * - The first harness that recognises a folder or file reads it; `source` overrides that, unless
 *   the folder is the home of another harness: its files would be misread.
 */

import { basename } from 'node:path';
import { isPattern, matches } from '../bytes/glob.ts';
import { type Entry, entryAt, type OnProblem, realPath } from '../bytes/walk.ts';
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
  readonly reason: 'does not exist' | 'not recognised' | 'of another harness';
  readonly path: string;
  readonly sentence: string;
}

/** What `source` takes for the homes of every harness. */
const EVERY = 'all';

/** The harness called `name` (any case, `_` and blanks as `-`). Throws USAGE naming the known. */
function harnessNamed(name: string): Harness {
  const wanted = normalised(name);
  const found = harnesses.find(harness => harness.description.name === wanted);
  if (found) return found;
  const known = [...harnesses.map(({ description }) => description.name), EVERY];
  const list = known.map(one => `'${one}'`).join(', ');
  throw new AhqError('USAGE', `unknown source '${name}'; known are ${list}`);
}

function normalised(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[_ ]/g, '-');
}

/** Finds the roots of a request. Throws USAGE for an unknown source or a list of paths. */
export function locate(request: Request, environment: Environment, onProblem: OnProblem): Located {
  const isEvery = request.source !== null && normalised(request.source) === EVERY;
  const named = request.source === null || isEvery ? null : harnessNamed(request.source);
  if (request.path === null) {
    const readers = isEvery ? harnesses : [named ?? defaultHarness()];
    const located = locateHomes(readers, environment, onProblem);
    const isLost = request.source === null && located.places.length === 0;
    return isLost ? withOthers(located, environment) : located;
  }
  const path = expandHome(request.path, environment);
  const entries = entriesFor(path, onProblem);
  if (entries.length === 0) return nothingAt(path);
  const places: Place[] = [];
  const missing: Missing[] = [];
  for (const entry of entries) {
    const found = named ? placeAs(named, entry) : placeOf(entry);
    if ('root' in found) places.push(found);
    else missing.push(found);
  }
  return { places, tried: [path], missing };
}

function defaultHarness(): Harness {
  return harnessNamed('claude');
}

/** The default homes that exist; that others do not is told only when none does. */
function locateHomes(
  readers: readonly Harness[],
  environment: Environment,
  onProblem: OnProblem,
): Located {
  const tried: string[] = [];
  const places: Place[] = [];
  for (const harness of readers) {
    for (const home of harness.description.homes(environment)) {
      const path = expandHome(home, environment);
      const entry = entryFor(path, onProblem);
      tried.push(path);
      if (entry) places.push({ harness, root: harness.assume(entry) });
    }
  }
  if (places.length > 0) return { places, tried, missing: [] };
  return { places, tried, missing: tried.length > 0 ? tried.map(absent) : [HOMELESS] };
}

/** Some systems run programs for users who have no home folder. */
const HOMELESS: Missing = {
  reason: 'does not exist',
  path: '~',
  sentence: 'no home folder is known; pass path=…',
};

/** Adds whose homes there are, where the default harness has none and the caller named none. */
function withOthers(located: Located, environment: Environment): Located {
  const { places } = locateHomes(harnesses, environment, () => {});
  const names = [...new Set(places.map(({ harness }) => harness.description.name))];
  const [first, ...rest] = located.missing;
  if (names.length === 0 || !first) return located;
  const hint = `found ${names.join(', ')}: ask with source = '${names[0]}' or 'all'`;
  return { ...located, missing: [{ ...first, sentence: `${first.sentence}; ${hint}` }, ...rest] };
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

/** The entry at a path, by its canonical path and name: `.` and links have names of their own. */
function entryFor(path: string, onProblem: OnProblem): Entry | null {
  // The system would take an empty path for the working folder.
  const canonical = path === '' ? path : realPath(path);
  return entryAt(canonical, basename(canonical), onProblem);
}

function placeOf(entry: Entry): Place | Missing {
  for (const harness of harnesses) {
    const root = harness.recognise(entry);
    if (root) return { harness, root };
  }
  return unrecognised(entry.path);
}

/** The place that an entry is when the caller says whose it is. */
function placeAs(named: Harness, entry: Entry): Place | Missing {
  const place = { harness: named, root: named.assume(entry) };
  if (!entry.isFolder || named.recognise(entry)) return place;
  const owner = placeOf(entry);
  if (!('root' in owner) || owner.root.part !== 'home') return place;
  const { name, title } = owner.harness.description;
  if (named.description.looksLike?.includes(name)) return place;
  const { path } = entry;
  const sentence = `'${path}' is a home of ${title}: ask with source = '${name}', or with none`;
  return { reason: 'of another harness', path, sentence };
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
  const looked = `looked for ${marks.join('; ')}`;
  const sentence = `no harness recognises '${path}'; ${looked}; pass source=… to read it anyway`;
  return { reason: 'not recognised', path, sentence };
}
