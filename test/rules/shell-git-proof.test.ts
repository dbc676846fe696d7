/** Which git operations a shell command is proved to have done by its exit status 0. */

import { describe, expect, it } from 'vitest';
import { provedGitOperations } from '../../src/harness/shared/shell/grammar.ts';

const proved = (command: string) => provedGitOperations(command).join(' ');

describe('git commands', () => {
  it.each([
    ['git commit -qm x', 'commit'],
    ['git push -q', 'push'],
    ['git cherry-pick abc', 'cherry_pick'],
    ['git cherry-pick --continue', 'cherry_pick'],
    ['/usr/bin/git commit', 'commit'],
    ['"git" com"mit"', 'commit'],
    ['git com\\\nmit', 'commit'],
    ['git -C /srv -c user.name=x --no-pager --git-dir x --work-tree=y commit', 'commit'],
    ['git commit -m --dry-run', 'commit'],
    ['git commit -am --help', 'commit'],
    ['git commit -m "git push --dry-run"', 'commit'],
    ['git commit -n -m x', 'commit'],
    ['git commit -mnh', 'commit'],
    ['git commit -Sabh', 'commit'],
    ['git commit --date now -- --dry-run', 'commit'],
    ['git push --force-with-lease -u origin main:main', 'push'],
    ['git push origin :', 'push'],
    ['git push origin :old main', 'push'],
    ['git push -o ci.skip', 'push'],
    ['git cherry-pick -m 1 -x abc', 'cherry_pick'],
    ['A=1 B=2 git commit', 'commit'],
    ['sudo -u ada env A=1 timeout 60 git push', 'push'],
    ['exec git push', 'push'],
    ['command git push', 'push'],
    ['time -p git push', 'push'],
    ["bash -c 'git commit -m x'", 'commit'],
    [`bash -lc "git commit -m 'x' && git push"`, 'commit push'],
    ["bash -eo pipefail -c 'git commit | tee x'", 'commit'],
    ['>log 2>&1 git commit </dev/null', 'commit'],
    ['git commit -F - <<< "subject"', 'commit'],
    ['git commit # git push', 'commit'],
  ])('count: %j', (command, expected) => {
    expect(proved(command)).toBe(expected);
  });

  it.each([
    'git status',
    'git',
    'git commit --dry-run',
    'git commit --dry',
    'git commit --porcelain',
    'git commit -h',
    'git commit --help',
    'git --help commit',
    'git --version commit',
    'git push --dry-run',
    'git push -n',
    'git push -fn',
    'git push -d origin x',
    'git push --delete origin x',
    'git push origin :old',
    'git cherry-pick --no-commit abc',
    'git cherry-pick -n abc',
    'git cherry-pick -xn abc',
    'git cherry-pick --abort',
    'git cherry-pick --quit',
    'git cherry-pick --skip',
    'git commit-tree x',
    'git stash push',
    'echo git commit',
    'echo "git commit"',
    '$GIT commit',
    'git $COMMAND',
    'command -v git commit',
    'sudo -b git push',
    'echo x | xargs git commit',
    'npx git commit',
    'bash script.sh git commit',
    "bash -c 'git commit || true'",
    "bash -c 'git commit",
    'eval "git commit"',
    '# git commit',
    'FOO=git commit',
  ])('do not count: %j', command => {
    expect(proved(command)).toBe('');
  });
});

describe('lists', () => {
  it.each([
    ['git commit -qm x && git push -q', 'commit push'],
    ['git add -A; git commit', 'commit'],
    ['git add -A\ngit commit\n', 'commit'],
    ['git commit;', 'commit'],
    ['\n\ngit commit\n# done\n', 'commit'],
    ['git commit &&\n\ngit push', 'commit push'],
    ['git commit && \\\n  git push', 'commit push'],
    ['make || git commit && git push', 'push'],
    ['git commit && echo $(git push)', 'commit'],
    ['git commit && echo `git push`', 'commit'],
    ['git commit && echo "$(git push)" <(git push)', 'commit'],
    ['sleep 1 & git commit', 'commit'],
    ['cd x || exit 1; git commit', 'commit'],
    ['cd x || exit; git commit', 'commit'],
    ['cd x || { echo no; exit 2; }; git commit', 'commit'],
    ['exec 3>log; git commit', 'commit'],
    ['(exit 0); git commit', 'commit'],
    ['git commit && exit 0', 'commit'],
  ])('prove what must have run: %j', (command, expected) => {
    expect(proved(command)).toBe(expected);
  });

  it.each([
    'git commit -qm x || true',
    'git commit -qm x; echo done',
    'git commit -qm x\necho done',
    'git commit -qm x &',
    'git commit && git push || true',
    'make || git commit',
    'git commit; git push &',
    'exit 0; git commit',
    'test -f x && exit; git commit',
    'test -f x || { echo no; exit; }; git commit',
    'exec make; git commit',
    'exit 256; git commit',
    'exit $code; git commit',
  ])('prove nothing of what may not have run: %j', command => {
    expect(proved(command)).toBe('');
  });
});

describe('pipelines', () => {
  it.each([
    ['echo x | git commit -F -', 'commit'],
    ['set -o pipefail; git commit | tee', 'commit'],
    ['set -euo pipefail\ngit commit 2>&1 |& tee log', 'commit'],
    ['set -o errexit -o pipefail && git commit | tee && git push | tee', 'commit push'],
    ['set -o pipefail; git commit | tee | git push', 'commit push'],
    ['set -o pipefail; (git commit | tee)', 'commit'],
    ['{ set -o pipefail; }; git commit | tee', 'commit'],
    ['git commit |\n git push', 'push'],
  ])('prove their last command, or all: %j', (command, expected) => {
    expect(proved(command)).toBe(expected);
  });

  it.each([
    'git commit -qm x | tee',
    'git commit | tee; set -o pipefail',
    'set -o pipefail; set +o pipefail; git commit | tee',
    '(set -o pipefail); git commit | tee',
    'set -o pipefail | cat; git commit | tee',
    'set -o pipefail & git commit | tee',
    'make && set -o pipefail; git commit | tee',
    'make || set -o pipefail && git commit | tee',
    'make && set -o pipefail || make && git commit | tee',
    'if make; then set -o pipefail; fi; git commit | tee',
    'f() { set -o pipefail; }; git commit | tee',
    "set -o pipefail; bash -c 'git commit | tee'",
    'set -- -o pipefail; git commit | tee',
    '! git commit -qm x',
    'time ! git commit',
    '! { git commit; }',
    'set -o pipefail; ! git commit | tee',
  ])('do not prove the others: %j', command => {
    expect(proved(command)).toBe('');
  });
});

describe('groups, compounds and functions', () => {
  it.each([
    ['(git commit)', 'commit'],
    ['(cd x && git commit && git push) 2>&1', 'commit push'],
    ['{ git commit; git push; } >log', 'push'],
    ['( { (git commit) } )', 'commit'],
    ['if make; then ls; elif ls; then ls; else ls; fi; git commit', 'commit'],
    ['for f in a "b c"; do git add "$f"; done && git commit', 'commit'],
    ['for f\ndo ls; done; git commit', 'commit'],
    ['for ((i=0; i<3; i++)); do ls; done; git commit', 'commit'],
    ['while read x; do echo done; done <list; git commit', 'commit'],
    ['until ls; do sleep 1; done; git commit', 'commit'],
    ['case $x in a|b) ls;; (c) ;; *) ls; esac; git commit', 'commit'],
    ['[[ -f a && ( $b < c ) ]] && git commit', 'commit'],
    ['f() { git push; }; git commit', 'commit'],
    ['function f { git push; }\ngit commit', 'commit'],
    ['if make; then exit 1; fi; git commit', 'commit'],
  ])('are passed, and groups prove what they hold: %j', (command, expected) => {
    expect(proved(command)).toBe(expected);
  });

  it.each([
    'if make; then git commit; fi',
    'if git commit; then ls; fi',
    'for f in a b; do git commit; done',
    'while git commit; do ls; done',
    'until git commit; do sleep 1; done',
    'case x in x) git commit;; esac',
    'f() { git commit; }',
    'f() (git commit)',
    'function f { git commit; }; f',
    'git() { true; }; git commit',
    'function git { true; }; git commit',
    'f() { exit 0; }; f; git commit',
    'if make; then exit 0; fi; git commit',
    '(git commit) & ',
    '(git commit || true)',
    '(exit 0; git commit)',
  ])('prove nothing otherwise: %j', command => {
    expect(proved(command)).toBe('');
  });
});

describe('here-documents', () => {
  it.each([
    ["git commit -F - <<'E' && git push\nit's || done\nE", 'commit push'],
    ['git commit -F - <<-E\n\tgit push\n\tE\n', 'commit'],
    [`git commit -m "$(cat <<'E'\nit's "so" (much)\n\nE\n)" && git push`, 'commit push'],
    ['cat <<A <<B; git commit\nx\nA\ny\nB', 'commit'],
    ["cat <<'E'\ngit push\nE\ngit commit", 'commit'],
  ])('are read: %j', (command, expected) => {
    expect(proved(command)).toBe(expected);
  });

  it.each([
    'git commit -F - <<E',
    'git commit -F - <<E\nno end',
    'git commit -F - <<E\n E',
    'git commit -F - <<-E\n  E',
    "cat <<'E'\ngit commit\nE",
  ])('without an end, or as text, prove nothing: %j', command => {
    expect(proved(command)).toBe('');
  });
});

describe('what is no shell command', () => {
  it.each([
    '',
    '\n',
    ';',
    'git commit &&',
    '&& git commit',
    'git commit; ; git push',
    'git commit | | git push',
    'git commit )',
    '( git commit',
    '{ git commit; ',
    '{ git commit }',
    'fi; git commit',
    'if make; git commit',
    'git commit; done',
    'git commit >',
    'git commit (x)',
    'case x in a) git commit',
    'for in; git commit',
    '[[ -f x; git commit',
    `git commit -m "x`,
    `git commit -m $(echo x`,
    'echo $(case x in a) git commit; esac)',
    'git commit ;;',
    '(ls) git commit',
    `${'('.repeat(101)}git commit${')'.repeat(101)}`,
  ])('proves nothing: %j', command => {
    expect(proved(command)).toBe('');
  });
});
