/**
 * Commits, pushes and pull requests that a command made.
 *
 * What the output shows counts first. Operations that it does not show count when the command
 * exited with status 0 and could not have done so without them.
 */

import type { GitOperation } from '../../shared/shell/git-command.ts';
import {
  commitsIn,
  type PrintedCommit,
  type PrintedPush,
  pushesIn,
  unprovedExtras,
} from '../../shared/shell/git-output.ts';
import { provedGitOperations } from '../../shared/shell/grammar.ts';
import { ghPullRequestAction, pullRequestsIn } from '../../shared/shell/pull-requests.ts';
import { commandVerb } from '../../shared/shell/verb.ts';
import { type Line, ownerOf } from './line.ts';

/** What a command does with git, as far as its text tells. */
export interface GitPlan {
  /** What succeeded if the command did. */
  readonly operations: readonly GitOperation[];
  readonly pullRequestAction: string | null;
  readonly runsGh: boolean;
}

/** How a command ended. */
export interface CommandEnd {
  /** The call or operation: its events are named after it. */
  readonly owner: string;
  readonly call: string | null;
  readonly cwd: string | null;
  readonly output: string;
  /** It is known to have succeeded. */
  readonly isProved: boolean;
}

const SHA_DIGITS = 12;
const MENTIONS = /\b(?:git|gh)\b/;

/** The plan of a shell command; null when it has nothing to do with git. */
export function gitPlanOf(command: string | null): GitPlan | null {
  if (command === null || !MENTIONS.test(command)) return null;
  const operations = provedGitOperations(command);
  const verb = commandVerb(command);
  const pullRequestAction = ghPullRequestAction(command);
  const isGit = verb === 'git' || verb === 'gh' || operations.length > 0;
  if (!isGit && pullRequestAction === null) return null;
  return { operations, pullRequestAction, runsGh: verb === 'gh' || pullRequestAction !== null };
}

/** Adds what a command did. */
export function addGitEvents(line: Line, plan: GitPlan, end: CommandEnd): void {
  const commits = commitsIn(end.output);
  const pushes = pushesIn(end.output);
  for (const commit of commits) addCommit(line, end, commit);
  for (const push of pushes) addPush(line, end, push);
  if (end.isProved) {
    for (const { operation, index } of unprovedExtras(
      plan.operations,
      commits.length,
      pushes.length,
    )) {
      const group = operation === 'push' ? 'push' : 'commit';
      addRow(line, end, `${group}:cmd${index}`, { op: operation, evidence: 'command' });
    }
  }
  if (plan.runsGh) addPullRequests(line, plan, end);
}

function addCommit(line: Line, end: CommandEnd, { branch, sha }: PrintedCommit): void {
  const shown = { op: 'commit', evidence: 'output_regex', branch };
  addRow(line, end, `commit:${sha}`, { ...shown, sha_short: sha.slice(0, SHA_DIGITS) });
}

function addPush(line: Line, end: CommandEnd, { to, destination }: PrintedPush): void {
  const shown = { op: 'push', evidence: 'output_regex', branch: destination };
  const name = to ?? `new:${destination}`;
  addRow(line, end, `push:${name}`, { ...shown, sha_short: to?.slice(0, SHA_DIGITS) ?? null });
}

function addPullRequests(line: Line, plan: GitPlan, end: CommandEnd): void {
  for (const { repo, number, url } of pullRequestsIn(end.output)) {
    addRow(line, end, `pr:${repo}#${number}`, {
      ...{ op: 'pr', evidence: 'output_regex', pr_action: plan.pullRequestAction },
      ...{ pr_number: number, pr_url: url, pr_repo: repo },
    });
  }
}

interface Told {
  readonly op: string;
  readonly evidence: string;
  readonly branch?: string | null;
  readonly sha_short?: string | null;
  readonly pr_action?: string | null;
  readonly pr_number?: number;
  readonly pr_url?: string;
  readonly pr_repo?: string;
}

function addRow(line: Line, end: CommandEnd, name: string, told: Told): void {
  line.rows.add('git_event', line.place, {
    ...ownerOf(line),
    event_uid: `${end.owner}:${name}`,
    turn_key: line.turn,
    call_uid: end.call,
    ts: line.at,
    cwd: end.cwd ?? line.state.cwd,
    ...told,
  });
}
