/**
 * What a git command does to history, if it succeeds: commits, cherry-picks and pushes.
 *
 * Commands that only show what they would do, stop an operation, delete a remote branch or leave
 * the commit to be made later are none of these.
 */

import { baseName } from './program.ts';

/** A change of history that a git command makes. */
export type GitOperation = 'commit' | 'cherry_pick' | 'push';

const GLOBAL_FLAGS_WITH_VALUE = new Set(
  '-C -c --git-dir --work-tree --namespace --super-prefix --config-env'.split(' '),
);
/** Global flags with which git prints something and runs no subcommand. */
const PRINTING_FLAG =
  /^(?:-h|--help|-v|--version|--exec-path|--html-path|--man-path|--info-path|--list-cmds=.*)$/;

/** The options of a subcommand that matter here. */
interface Subcommand {
  readonly operation: GitOperation;
  /** Options that take the next word. */
  readonly withValue: readonly string[];
  /** Letters whose value, if any, is the rest of their word. */
  readonly withRest: string;
  /** Options with which the operation does not happen; git takes long ones shortened, too. */
  readonly preventing: readonly string[];
}

const SUBCOMMANDS: ReadonlyMap<string, Subcommand> = new Map([
  [
    'commit',
    {
      operation: 'commit',
      withValue: (
        '-m -F -C -c -t --message --file --reuse-message --reedit-message --template --author ' +
        '--date --cleanup --fixup --squash --trailer --pathspec-from-file'
      ).split(' '),
      withRest: 'Su',
      preventing: '-h --help --dry-run --short --long --porcelain'.split(' '),
    },
  ],
  [
    'push',
    {
      operation: 'push',
      withValue: '-o --push-option --repo --receive-pack --exec'.split(' '),
      withRest: '',
      preventing: '-h -n -d --help --dry-run --delete'.split(' '),
    },
  ],
  [
    'cherry-pick',
    {
      operation: 'cherry_pick',
      withValue: '-m -X --mainline --strategy --strategy-option --cleanup'.split(' '),
      withRest: 'S',
      preventing: '-h -n --help --no-commit --abort --quit --skip'.split(' '),
    },
  ],
]);

/** The shortest beginning of a long option that stands for it, with its dashes. */
const SHORTENED_MIN = 4;

/** What the words of a simple command, from the program on, do; null if not one of these. */
export function gitOperationOf(words: readonly string[]): GitOperation | null {
  if (baseName(words[0] ?? '') !== 'git') return null;
  let at = 1;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    if (PRINTING_FLAG.test(word)) return null;
    at += GLOBAL_FLAGS_WITH_VALUE.has(word) ? 2 : 1;
  }
  const subcommand = SUBCOMMANDS.get(words[at] ?? '');
  if (!subcommand) return null;
  return happens(subcommand, words.slice(at + 1)) ? subcommand.operation : null;
}

function happens(subcommand: Subcommand, words: readonly string[]): boolean {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      operands.push(word);
      continue;
    }
    const effect = word.startsWith('--')
      ? longEffect(subcommand, word)
      : shortEffect(subcommand, word);
    if (effect === 'prevents') return false;
    if (effect === 'takes next') at++;
  }
  return subcommand.operation !== 'push' || !onlyDeletes(operands.slice(1));
}

type Effect = 'prevents' | 'takes next' | 'none';

function longEffect({ preventing, withValue }: Subcommand, word: string): Effect {
  const isPreventing = preventing.some(
    option => word === option || (word.length >= SHORTENED_MIN && option.startsWith(word)),
  );
  if (isPreventing) return 'prevents';
  return withValue.includes(word) ? 'takes next' : 'none';
}

/** The effect of a cluster of letters: a letter with a value takes the rest of the cluster. */
function shortEffect({ preventing, withValue, withRest }: Subcommand, word: string): Effect {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? '';
    if (preventing.includes(`-${letter}`)) return 'prevents';
    if (withValue.includes(`-${letter}`)) return at === word.length - 1 ? 'takes next' : 'none';
    if (withRest.includes(letter)) return 'none';
  }
  return 'none';
}

/** `git push origin :old` deletes; `:` alone pushes what both sides have. */
function onlyDeletes(refspecs: readonly string[]): boolean {
  return refspecs.length > 0 && refspecs.every(refspec => /^:./.test(refspec));
}
