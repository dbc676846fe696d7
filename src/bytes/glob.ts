/**
 * Paths by pattern: `*`, `?`, `[…]`, `{…}` and `**`, hidden folders included, links followed.
 * Every other character stands for itself.
 */

import { dirname, parse, relative, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { sortByBytes } from './walk.ts';

const PATTERN = /[*?[{]/;

/** What the matcher would take for a pattern beyond those. */
const MORE_PATTERNS = /["()|+]|(?<!\[)!/g;

/** Whether a path holds anything that a pattern would. */
export function isPattern(path: string): boolean {
  return PATTERN.test(path);
}

/**
 * The files and folders that match, in the byte order of their paths, without trailing slashes;
 * relative to the working folder where the pattern is.
 */
export function matches(pattern: string): readonly string[] {
  const slashed = pattern.replaceAll('\\', '/').replaceAll(MORE_PATTERNS, '\\$&');
  const isAbsolute = /^(\/|[A-Za-z]:)/.test(slashed);
  const absolute = isAbsolute ? slashed : `${literally(resolve())}/${slashed}`;
  // The matcher does not give a link to a folder, only what lies in the folder.
  const paths = new Set([...found(absolute), ...found(`${absolute}/*`).map(path => dirname(path))]);
  if (isAbsolute) return sortByBytes([...paths]);
  return sortByBytes([...paths].map(path => relative('', path)).filter(path => path !== ''));
}

function found(pattern: string): readonly string[] {
  return globSync(pattern, {
    // Below another folder the matcher would lose what a pattern matches above that folder.
    cwd: parse(resolve(pattern)).root,
    absolute: true,
    dot: true,
    expandDirectories: false,
    onlyFiles: false,
  }).map(path => path.replace(/(?<=.)\/$/, ''));
}

/** A folder as a pattern that matches nothing else. */
function literally(folder: string): string {
  return folder.replaceAll('\\', '/').replaceAll(/[*?[\]{}!"()|+]/g, '\\$&');
}
