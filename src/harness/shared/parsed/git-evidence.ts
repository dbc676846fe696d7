/**
 * What a shell command that has succeeded proves that git did: commits and pushes that its output
 * shows, pull requests whose addresses it holds after `gh pr`, and operations that the command
 * itself proves by the exit status 0 where the output does not show them.
 */

import type { GitOperation } from '../shell/git-command.ts';
import { commitsIn, pushesIn, unprovedExtras } from '../shell/git-output.ts';
import { provedGitOperations } from '../shell/grammar.ts';
import { ghPullRequestAction, pullRequestsIn } from '../shell/pull-requests.ts';

/** What a command tells before it has run: plain JSON. */
export interface GitCommand {
  readonly operations: readonly GitOperation[];
  readonly pullRequestAction: string | null;
}

/** The columns of an event that its evidence tells. */
export interface GitColumns {
  readonly event_uid: string;
  readonly op: string;
  readonly evidence: string;
  readonly branch?: string | null;
  readonly sha_short?: string | null;
  readonly pr_number?: number;
  readonly pr_action?: string;
  readonly pr_url?: string;
  readonly pr_repo?: string;
}

/** Names of the programs; a command without them proves nothing. */
const MAYBE_GIT = /\b(?:git|gh)\b/;

/** What a command may do with git; null for one that runs neither git nor gh. */
export function gitCommandOf(command: string | null): GitCommand | null {
  if (command === null || !MAYBE_GIT.test(command)) return null;
  const operations = provedGitOperations(command);
  return { operations, pullRequestAction: ghPullRequestAction(command) };
}

const SHORT_SHA = 12;

/** The events that the output and the exit status of a call prove; null for an unknown status. */
export function gitEvents(
  call_uid: string,
  command: GitCommand,
  output: string,
  exitCode: number | null,
): readonly GitColumns[] {
  const commits = commitsIn(output).map(({ sha, branch }) => ({
    event_uid: `${call_uid}:commit:${sha}`,
    op: 'commit',
    evidence: 'output_regex',
    branch,
    sha_short: sha.slice(0, SHORT_SHA),
  }));
  const pushes = pushesIn(output).map(({ to, destination }) => ({
    event_uid: `${call_uid}:push:${to ?? destination}`,
    op: 'push',
    evidence: 'output_regex',
    branch: destination,
    sha_short: to?.slice(0, SHORT_SHA) ?? null,
  }));
  const operations = exitCode === 0 ? command.operations : [];
  const extras = unprovedExtras(operations, commits.length, pushes.length).map(extra => ({
    event_uid: `${call_uid}:${extra.operation === 'push' ? 'push' : 'commit'}:cmd${extra.index}`,
    op: extra.operation,
    evidence: 'command',
  }));
  return [...commits, ...pushes, ...extras, ...pullRequests(call_uid, command, output)];
}

function pullRequests(call_uid: string, command: GitCommand, output: string) {
  const { pullRequestAction: pr_action } = command;
  if (pr_action === null) return [];
  return pullRequestsIn(output).map(({ repo, number, url }) => ({
    event_uid: `${call_uid}:pr:${repo}#${number}`,
    op: 'pr',
    evidence: 'pr_link',
    pr_number: number,
    pr_action,
    pr_url: url,
    pr_repo: repo,
  }));
}
