/**
 * Git as shells used it, with what proves it.
 *
 * What the harness recorded itself wins (`gitOperation`), then what git printed, then commands that
 * prove by their success what they did and printed nothing of it. The same commit has the same
 * identity whatever proves it. Of a failed command only its output counts.
 */

import { member, textOf } from '../../../../bytes/json.ts';
import type { ParsedRow } from '../../../../relations/index.ts';
import { at, lookUp, nonEmptyText } from '../../fields.ts';
import { looseInteger } from '../../prompt/numbers.ts';
import type { GitOperation } from '../../shell/git-command.ts';
import { commitsIn, pushesIn, unprovedExtras } from '../../shell/git-output.ts';
import { pullRequestsIn } from '../../shell/pull-requests.ts';
import { type Line, whoseTurn } from './line.ts';

/** How many changes of history a result shows. */
export interface SeenInOutput {
  readonly commits: number;
  readonly pushes: number;
}

/** A finished command of a shell. */
export interface FinishedShell {
  readonly callUid: string;
  /** The structured result. */
  readonly result: unknown;
  /** What it printed, one text a stream. */
  readonly outputs: readonly string[];
  readonly isError: boolean;
  readonly pullRequestAction: string | null;
}

/** What a commit, push … tells beside its session and time. */
type GitFacts = Pick<ParsedRow<'git_event'>, 'op' | 'evidence'> &
  Partial<ParsedRow<'git_event'>> & { readonly uid: string };

const NOTHING: SeenInOutput = { commits: 0, pushes: 0 };
const UID_SHA = 7;
const SHORT_SHA = 12;

/** Adds what a finished command shows; how many commits and pushes that were. */
export function addGit(line: Line, shell: FinishedShell): SeenInOutput {
  const { callUid, result, outputs, isError } = shell;
  const recorded = member(result, 'gitOperation');
  const facts = [
    ...recordedFacts(recorded),
    ...outputs.flatMap(text => printedFacts(text, recorded)),
    ...(isError ? [] : pullRequestFacts(shell, recorded)),
  ];
  if (facts.length === 0) return NOTHING;
  const seen = new Set<string>();
  for (const fact of facts) {
    if (seen.has(fact.uid)) continue;
    seen.add(fact.uid);
    addGitEvent(line, callUid, fact);
  }
  const count = (prefix: string) => [...seen].filter(uid => uid.startsWith(prefix)).length;
  return { commits: count('commit:'), pushes: count('push:') };
}

/** Adds what a command proves by its success beyond what its output showed. */
export function addUnprinted(
  line: Line,
  callUid: string,
  operations: readonly GitOperation[],
  seen: SeenInOutput,
): void {
  if (operations.length === 0) return;
  for (const { operation, index } of unprovedExtras(operations, seen.commits, seen.pushes)) {
    const group = operation === 'push' ? 'push' : 'commit';
    addGitEvent(line, callUid, {
      uid: `${group}:cmd${index}`,
      op: operation,
      evidence: 'command',
    });
  }
}

function addGitEvent(line: Line, callUid: string, { uid, ...facts }: GitFacts): void {
  line.rows.add('git_event', line.place, {
    event_uid: `${callUid}:${uid}`,
    ...whoseTurn(line),
    call_uid: callUid,
    ts: line.at,
    cwd: line.state.cwd,
    ...facts,
  });
}

function recordedFacts(recorded: unknown): GitFacts[] {
  if (typeof recorded !== 'object' || recorded === null) return [];
  const evidence = 'gitOperation';
  const facts: GitFacts[] = [];
  const sha = nonEmptyText(at(recorded, 'commit', 'sha'));
  if (sha !== null) {
    const isPick = at(recorded, 'commit', 'kind') === 'cherry-picked';
    facts.push(commitFacts(sha, { op: isPick ? 'cherry_pick' : 'commit', evidence }));
  }
  const push = member(recorded, 'push');
  if (push !== undefined) {
    const branch = nonEmptyText(member(push, 'branch'));
    facts.push({ uid: `push:${branch ?? '-'}`, op: 'push', evidence, branch });
  }
  const pr = member(recorded, 'pr');
  if (pr !== undefined) facts.push(prFacts(pr, evidence));
  const op = lookUp(BRANCH_OPERATIONS, at(recorded, 'branch', 'action'));
  if (op !== undefined) {
    const branch = nonEmptyText(at(recorded, 'branch', 'ref'));
    facts.push({ uid: `${op}:${branch ?? '-'}`, op, evidence, branch });
  }
  return facts;
}

const BRANCH_OPERATIONS: Readonly<Record<string, string>> = { merged: 'merge', rebased: 'rebase' };

function commitFacts(sha: string, facts: Omit<GitFacts, 'uid'>): GitFacts {
  const sha_short = sha.slice(0, SHORT_SHA);
  return { ...facts, uid: `commit:${sha.slice(0, UID_SHA)}`, sha_short };
}

function prFacts(pr: unknown, evidence: string): GitFacts {
  const number = looseInteger(member(pr, 'number'));
  const url = textOf(member(pr, 'url'));
  const pr_repo = url === null ? null : (pullRequestsIn(url)[0]?.repo ?? null);
  const pr_action = textOf(member(pr, 'action'));
  const told = { pr_number: number, pr_url: url, pr_repo, pr_action };
  return { uid: `pr:${number ?? '-'}`, op: 'pr', evidence, ...told };
}

/** Looking for the marks first spares most outputs the search line by line. */
function printedFacts(text: string, recorded: unknown): GitFacts[] {
  const facts: GitFacts[] = [];
  const evidence = 'output_regex';
  const mayCommit = text.startsWith('[') || text.includes('\n[');
  if (mayCommit && member(member(recorded, 'commit'), 'sha') === undefined) {
    for (const { sha, branch } of commitsIn(text)) {
      facts.push(commitFacts(sha, { op: 'commit', evidence, branch }));
    }
  }
  if (text.includes(' -> ') && member(recorded, 'push') === undefined) {
    for (const { destination } of pushesIn(text)) {
      const branch = destination.replace(/^refs\/heads\//, '');
      facts.push({ uid: `push:${branch}`, op: 'push', evidence, branch });
    }
  }
  return facts;
}

/** What `gh pr` did, as the harness would call it. */
const ACTIONS: Readonly<Record<string, string>> = {
  create: 'created',
  merge: 'merged',
  close: 'closed',
  comment: 'commented',
  edit: 'edited',
  ready: 'ready',
  reopen: 'reopened',
  review: 'reviewed',
};

function pullRequestFacts(shell: FinishedShell, recorded: unknown): GitFacts[] {
  const pr_action = lookUp(ACTIONS, shell.pullRequestAction);
  if (pr_action === undefined || member(recorded, 'pr') !== undefined) return [];
  const [printed] = shell.outputs.flatMap(text => pullRequestsIn(text));
  if (printed === undefined) return [];
  const { number, repo, url } = printed;
  const told = { pr_number: number, pr_repo: repo, pr_url: url, pr_action };
  return [{ uid: `pr:${number}`, op: 'pr', evidence: 'output_regex', ...told }];
}

/** Takes a record that links a session to a pull request. */
export function readPrLink(line: Line): void {
  const { value, state, rows, place } = line;
  const pr_number = looseInteger(value['prNumber']);
  const pr_repo = textOf(value['prRepository']);
  const { session_uid, agent_id } = state.owner;
  rows.add('git_event', place, {
    event_uid: `${session_uid}/${agent_id}:pr_link:${pr_repo ?? '-'}#${pr_number ?? '-'}`,
    ...whoseTurn(line),
    ts: line.at,
    op: 'pr',
    evidence: 'pr_link',
    cwd: state.cwd,
    pr_number,
    pr_repo,
    pr_url: textOf(value['prUrl']),
  });
}
