/** Paths by pattern: `*`, `?`, `[…]`, `{…}` and `**`, hidden folders included, links followed. */

import { globSync } from 'tinyglobby';

const PATTERN = /[*?[{]/;

/** Whether a path holds anything that a pattern would. */
export function isPattern(path: string): boolean {
  return PATTERN.test(path);
}

/** The files and folders that match, in the byte order of their paths, without trailing slashes. */
export function matches(pattern: string): readonly string[] {
  const isAbsolute = /^([\\/]|[A-Za-z]:)/.test(pattern);
  return globSync(pattern.replaceAll('\\', '/'), {
    absolute: isAbsolute,
    dot: true,
    expandDirectories: false,
    onlyFiles: false,
  })
    .map(path => path.replace(/(?<=.)\/$/, ''))
    .sort();
}
