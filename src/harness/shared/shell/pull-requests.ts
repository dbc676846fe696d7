/** GitHub's pull requests: their addresses in what commands print, and what `gh pr` does. */

import { commandsIn } from './commands.ts';
import { baseName } from './program.ts';

/** A pull request whose address was printed. */
export interface PrintedPullRequest {
  /** `owner/name`. */
  readonly repo: string;
  readonly number: number;
  /** The address of the pull request itself, without what followed it. */
  readonly url: string;
}

const REPO = '[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}';
const ADDRESS = new RegExp(
  `https://github\\.com/(${REPO})/pull/([0-9]{1,10})(?![0-9A-Za-z_])`,
  'g',
);

/** The pull requests whose addresses an output holds, each once, in the order of the first. */
export function pullRequestsIn(output: string): readonly PrintedPullRequest[] {
  const byAddress = new Map<string, PrintedPullRequest>();
  for (const [url, repo = '', digits] of output.matchAll(ADDRESS)) {
    const number = Number(digits);
    const key = `${repo.toLowerCase()}#${number}`;
    if (!byAddress.has(key)) byAddress.set(key, { repo, number, url });
  }
  return [...byAddress.values()];
}

/** Subcommands of `gh pr`; gh knows some of them by a second name. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ...(
    'checkout checks close comment create diff edit list lock merge ready reopen revert review ' +
    'status unlock update-branch view'
  )
    .split(' ')
    .map((name): [string, string] => [name, name]),
  ['co', 'checkout'],
  ['ls', 'list'],
  ['new', 'create'],
]);

/** What the first `gh pr` of a command does, by the name of its subcommand; null without one. */
export function ghPullRequestAction(command: string): string | null {
  for (const words of commandsIn(command)) {
    const action = baseName(words[0] ?? '') === 'gh' ? actionOf(words) : null;
    if (action !== null) return action;
  }
  return null;
}

function actionOf(words: readonly string[]): string | null {
  const [group, name] = operandsOf(words.slice(1));
  return group === 'pr' ? (ACTIONS.get(name ?? '') ?? null) : null;
}

/** The words that are no flags; before the subcommand only -R (--repo) takes a value. */
function operandsOf(words: readonly string[]): string[] {
  return words.filter((word, index) => {
    const before = words[index - 1];
    return !word.startsWith('-') && before !== '-R' && before !== '--repo';
  });
}
