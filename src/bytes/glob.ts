/**
 * Paths by pattern: `*`, `?`, `[…]` within a name, `{…,…}`, and `**` for folders at any depth.
 * Hidden folders are included and links followed; every other character stands for itself. Our own
 * matcher, because the packages that match add a tenth to the start of the program, and leave out
 * links to folders.
 */

import { relative } from 'node:path';
import { entryAt, namesIn, sortByBytes } from './walk.ts';

const PATTERN = /[*?[{]/;

/** Whether a path holds anything that a pattern would. */
export function isPattern(path: string): boolean {
  return PATTERN.test(path);
}

/**
 * The files and folders that match, in the byte order of their paths, without trailing slashes;
 * relative to the working folder where the pattern is.
 */
export function matches(pattern: string): readonly string[] {
  const paths = withoutBraces(pattern.replaceAll('\\', '/')).flatMap(slashed => {
    const [root = ''] = /^([A-Za-z]:)?\/*/.exec(slashed) ?? [];
    const parts = slashed
      .slice(root.length)
      .split('/')
      .filter(part => part !== '' && part !== '.');
    return [...below(root.replace(/\/+$/, '/'), parts)];
  });
  const isAbsolute = /^(\/|[A-Za-z]:)/.test(pattern.replaceAll('\\', '/'));
  const named = isAbsolute ? paths : paths.map(path => relative('', path));
  return sortByBytes([...new Set(named)].filter(path => path !== ''));
}

/** The patterns that one with `{…,…}` stands for. */
function withoutBraces(pattern: string): readonly string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!match) return [pattern];
  const before = pattern.slice(0, match.index);
  const after = pattern.slice(match.index + match[0].length);
  const choices = (match[1] ?? '').split(',');
  return choices.flatMap(choice => withoutBraces(`${before}${choice}${after}`));
}

/** The paths below a folder that match the parts. */
function* below(folder: string, parts: readonly string[]): Generator<string> {
  const [part, ...rest] = parts;
  if (part === undefined) {
    if (folder !== '' && entryAt(folder, folder)) yield folder;
  } else if (part === '**') {
    yield* atAnyDepth(folder, rest, new Set());
  } else if (!isPattern(part)) {
    yield* below(joined(folder, part), rest);
  } else {
    const matcher = matcherOf(part);
    for (const name of namesIn(folder || '.')) {
      if (matcher.test(name)) yield* below(joined(folder, name), rest);
    }
  }
}

/** Each folder once: links between folders, as package managers make them, are ways without end. */
function* atAnyDepth(
  folder: string,
  rest: readonly string[],
  seen: Set<string>,
): Generator<string> {
  const here = entryAt(folder || '.', folder);
  if (!here?.isFolder || seen.has(here.identity)) return;
  seen.add(here.identity);
  yield* below(folder, rest);
  if (rest.length === 0) yield* below(folder, ['*']);
  for (const name of namesIn(folder || '.')) yield* atAnyDepth(joined(folder, name), rest, seen);
}

function joined(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** One piece of a pattern: what has a meaning, or one character that stands for itself. */
const PIECE = /\*+|\?|\[[!^]?\]?[^\]]*\]|./gsu;

/** A test for one name. */
function matcherOf(part: string): RegExp {
  const expression = part.replaceAll(PIECE, piece => {
    if (piece.startsWith('*')) return '.*';
    if (piece === '?') return '.';
    return piece.length > 1 && piece.startsWith('[') ? classOf(piece) : literal(piece);
  });
  return new RegExp(`^${expression}$`, 'su');
}

function classOf(piece: string): string {
  const isNegated = /^\[[!^]/.test(piece);
  const members = piece.slice(isNegated ? 2 : 1, -1);
  return `[${isNegated ? '^' : ''}${members.replaceAll(/[\\\]^[]/g, '\\$&')}]`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}
