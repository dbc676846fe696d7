/**
 * What git prints about commits and pushes, one line each.
 *
 *     [main 1a2b3c4] Subject               a commit; also `[main (root-commit) 1a2b3c4]`
 *     [detached HEAD 1a2b3c4] Subject      a commit on no branch
 *        1a2b3c4..5d6e7f8  main -> main    a push
 *      + 1a2b3c4...5d6e7f8 main -> main (forced update)
 *      * [new branch]      main -> main    a push of a branch the other side did not have
 *
 * A fetch prints the same lines as a push, under `From <address>` instead of `To <address>`.
 * Where the output has neither, a destination such as `origin/main` for `main` tells a fetch.
 */

import type { GitOperation } from './git-command.ts';

/** A commit that was printed; it has no branch when HEAD was detached. */
export interface PrintedCommit {
  readonly branch: string | null;
  readonly sha: string;
}

/** A push of one branch that was printed; a new branch has no hashes. */
export interface PrintedPush {
  readonly from: string | null;
  readonly to: string | null;
  readonly source: string;
  readonly destination: string;
  readonly isForced: boolean;
  readonly isNew: boolean;
}

const COMMIT = /^\[(?:detached HEAD|([^ \t\]]{1,1000}))(?: \(root-commit\))? ([0-9a-f]{7,40})\]/;
const UPDATE = new RegExp(
  [
    String.raw`^[ \t]*(?:(\+)[ \t]*)?([0-9a-f]{7,40})(\.\.\.?)([0-9a-f]{7,40})`,
    String.raw`[ \t]+([^ \t]+)[ \t]+->[ \t]+([^ \t]+)`,
  ].join(''),
);
const NEW_BRANCH = /^[ \t]*\*[ \t]+\[new branch\][ \t]+([^ \t]+)[ \t]+->[ \t]+([^ \t]+)/;
const HEADER = /^(From|To) [^ \t]+$/;

/** The commits that an output shows, in its order. */
export function commitsIn(output: string): readonly PrintedCommit[] {
  return linesOf(output).flatMap(line => {
    const [, branch = null, sha] = COMMIT.exec(line) ?? [];
    return sha === undefined ? [] : [{ branch, sha }];
  });
}

/** The pushes that an output shows, in its order; deleted and rejected branches are none. */
export function pushesIn(output: string): readonly PrintedPush[] {
  let header: string | null = null;
  return linesOf(output).flatMap(line => {
    header = HEADER.exec(line)?.[1] ?? header;
    const push = header === 'From' ? null : pushOf(line);
    return push === null || (header === null && isTracking(push)) ? [] : [push];
  });
}

function linesOf(output: string): string[] {
  return output.split(/\r?\n|\r/);
}

function pushOf(line: string): PrintedPush | null {
  const [, source, destination] = NEW_BRANCH.exec(line) ?? [];
  if (source !== undefined && destination !== undefined) {
    return { from: null, to: null, source, destination, isForced: false, isNew: true };
  }
  return updateOf(line);
}

function updateOf(line: string): PrintedPush | null {
  const [, plus, from, dots, to, source, destination] = UPDATE.exec(line) ?? [];
  const isForced = plus === '+';
  // Two dots lead from an ancestor, three between histories that parted.
  if (source === undefined || destination === undefined || isForced !== (dots === '...')) {
    return null;
  }
  return { from: from ?? null, to: to ?? null, source, destination, isForced, isNew: false };
}

function isTracking({ source, destination }: PrintedPush): boolean {
  return destination.endsWith(`/${source}`) && !destination.startsWith('refs/heads/');
}

/** An operation that a command did and its output does not show. */
export interface UnprintedOperation {
  readonly operation: GitOperation;
  /** Its number among the commits and cherry-picks, or among the pushes, of its command. */
  readonly index: number;
}

/**
 * The operations beyond those that the output showed. Git prints cherry-picks as commits, so both
 * count against `commitsSeen`.
 */
export function unprovedExtras(
  operations: readonly GitOperation[],
  commitsSeen: number,
  pushesSeen: number,
): readonly UnprintedOperation[] {
  let commits = 0;
  let pushes = 0;
  return operations.flatMap(operation => {
    const isPush = operation === 'push';
    const index = isPush ? pushes++ : commits++;
    return index < (isPush ? pushesSeen : commitsSeen) ? [] : [{ operation, index }];
  });
}
