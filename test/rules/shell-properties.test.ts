/** The rules about shell commands, on any text, on long ones, and against bash itself. */

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitsIn, pushesIn } from '../../src/harness/shared/shell/git-output.ts';
import { provedGitOperations } from '../../src/harness/shared/shell/grammar.ts';
import {
  ghPullRequestAction,
  pullRequestsIn,
} from '../../src/harness/shared/shell/pull-requests.ts';
import { commandVerb, sshTarget } from '../../src/harness/shared/shell/verb.ts';
import { shellTokens } from '../../src/harness/shared/shell/words.ts';

const read = (text: string) => ({
  kept: shellTokens(text, 'kept')?.tokens.length ?? 0,
  split: shellTokens(text, 'split')?.tokens.length ?? 0,
  proved: provedGitOperations(text).length,
  verb: commandVerb(text),
  target: sshTarget(text),
  action: ghPullRequestAction(text),
  printed: [...commitsIn(text), ...pushesIn(text), ...pullRequestsIn(text)].length,
});

/** Pieces that mean something to the shell, to git or to ssh, in any order. */
const PIECES = (
  "\\ ' \" ` $ $( $(( $' ( ) { } < > << <<- <<< <( 2> >& & && | || |& ; ;; ! # \n \r \t \\\n " +
  'a=( E if then fi for in do done case esac while function f() [[ ]] time set -o pipefail git ' +
  'commit push -m ssh host scp a:b sudo -u env A=1 timeout 5 xargs bash -c gh pr create exec ' +
  'exit [main abc1234] abc1234..def5678 -> \xc3 \u2028'
).split(' ');
const pieces = fc
  .array(fc.constantFrom(...PIECES, `\${`, ' ', ' ', ' '), { maxLength: 60 })
  .map(all => all.join(''));

describe('any text', () => {
  it('is answered', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string(), fc.string({ unit: 'binary' })), text => {
        const { kept, split, proved, verb } = read(text);
        expect(Math.max(kept, split, proved)).toBeLessThanOrEqual(text.length);
        expect((verb ?? '').length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 3000 },
    );
  });

  it('that is quoted is one word, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string()), text => {
        const quoted = `'${text.replaceAll("'", `'"'"'`)}'`;
        const words = shellTokens(`git commit -m ${quoted} && git push`, 'kept')?.tokens;
        expect(words?.[3]).toEqual({ kind: 'word', text, isPlain: false });
        expect(provedGitOperations(`git commit -m ${quoted} && git push`)).toEqual([
          'commit',
          'push',
        ]);
        expect(sshTarget(`echo ${quoted}`)).toBeNull();
      }),
    );
  });
});

describe('a long command', () => {
  /** Work that grew with the square of the length would not end within a test's time. */
  const MEGABYTE = 2 ** 20;
  /** Enough for each piece alone: what takes a tenth of a second would take minutes. */
  const SHORTER = 2 ** 16;
  const PATIENCE_MS = 2000;
  const filled = (piece: string, length = MEGABYTE) =>
    piece.repeat(Math.ceil(length / piece.length));

  it.each([
    ...'\t \n \\ \' " ` $ ( ) < > & | ; # { } <<- [ ->'.split(' '),
    ' ',
    '$(a ',
    '"$(',
    `\${a:-`,
    '<<E ',
    '<<E\n',
    '<<E\nE\n',
    "<<'' ",
    '((',
    'a;',
    'a && ',
    'a || git commit && ',
    'git push | ',
    'sudo ',
    'command -p ',
    'env A=1 ',
    'f() ',
    'if a; then ',
    '! ',
    'bash -c ',
    'bash -o ',
    'git -c ',
    'ssh -p ',
    'ssh a; ',
    '[main ',
    '[a abc1234] x\n',
    '   abc1234..def5678  a -> b\n',
    'https://github.com/a/b/pull/1 ',
    'https://github.com/',
    '\\\n',
    '- ',
    '5 ',
  ])(
    'of %j again and again is read',
    piece => {
      const command = `x ${filled(piece, SHORTER)}`;
      const tokens = shellTokens(command, 'kept')?.tokens ?? [];
      const found = [...provedGitOperations(command), ...commitsIn(command), ...pushesIn(command)];
      expect(Math.max(tokens.length, found.length)).toBeLessThanOrEqual(command.length);
      expect(pullRequestsIn(command).length).toBeLessThan(2);
      expect(['a', null]).toContain(sshTarget(command)?.host ?? null);
    },
    PATIENCE_MS,
  );

  it('of a megabyte is read to its last word', () => {
    expect(provedGitOperations(`${filled('ls -l; ')}git commit`)).toEqual(['commit']);
    expect(provedGitOperations(`${filled('git add a && ')}git push`)).toEqual(['push']);
    expect(provedGitOperations(`${filled('git push && ')}git push`).length).toBe(
      Math.ceil(MEGABYTE / 12) + 1,
    );
    expect(provedGitOperations(`cat <<E\n${filled('EE\n')}E\ngit push`)).toEqual(['push']);
    expect(provedGitOperations(`git commit -m '${filled('x\n')}' && git push`)).toHaveLength(2);
    expect(commandVerb(`${filled('cd x; ')}ls`)).toBe('ls');
    expect(sshTarget(`${filled('A=1 ')}ssh host ls`)).toEqual({ host: 'host', verb: 'ls' });
  });
});

/** Random commands whose parts succeed or fail as their last word says. */
const { list } = fc.letrec<{ list: string; andOr: string; pipeline: string; command: string }>(
  tie => {
    const simple = fc.constantFrom(
      ...['commit -m', 'push', 'cherry-pick'].flatMap(name =>
        ['ok', 'ok', 'ok', 'bad'].map(outcome => `git ${name} ${outcome}`),
      ),
      'true',
      'false',
      'exit 0',
      'exit 3',
      'exit',
      'set -o pipefail',
      'set -eo pipefail',
      'set +o pipefail',
      'A=1 git push ok >/dev/null',
      "bash -c 'git push ok | false'",
      'cat <<< "git push ok"',
      'f',
      'echo "$(git push ok)"',
    );
    const inner = tie('list');
    const compound = fc.oneof(
      inner.map(text => `{ ${text}\n}`),
      inner.map(text => `(${text})`),
      fc.tuple(inner, inner).map(([test, body]) => `if ${test}\nthen ${body}\nfi`),
      inner.map(text => `for x in 1; do ${text}\ndone`),
      inner.map(text => `while false; do ${text}\ndone`),
      inner.map(text => `case a in (b|a) ${text}\n;; esac`),
      // Bodies without calls: a function that calls itself in the background never ends.
      fc.constantFrom('exit 0', 'git push ok', 'false').map(text => `f() { ${text}\n}`),
    );
    const joined = (part: fc.Arbitrary<string>, operators: readonly string[]) =>
      fc
        .array(fc.tuple(part, fc.constantFrom(...operators)), { minLength: 1, maxLength: 3 })
        .map(parts =>
          parts.map(([text, operator], index) => (index === 0 ? text : operator + text)).join(''),
        );
    const separated = fc.tuple(tie('andOr'), fc.constantFrom('\n', ';\n', '\n', '\n', ' &\n'));
    return {
      command: fc.oneof({ maxDepth: 4, depthSize: 'small' }, simple, simple, compound),
      pipeline: fc
        .tuple(
          fc.constantFrom('', '', '', '', '', '! '),
          fc.oneof(
            { arbitrary: tie('command'), weight: 3 },
            { arbitrary: joined(tie('command'), [' | ', ' |& ']), weight: 1 },
          ),
        )
        .map(([negation, text]) => negation + text),
      andOr: joined(tie('pipeline'), [' && ', ' && ', ' || ']),
      list: fc
        .array(separated, { minLength: 1, maxLength: 3 })
        .map(parts => parts.map(([text, separator]) => text + separator).join('')),
    };
  },
);

/** A git that does what its last word says, and tells file descriptor 9 what succeeded. */
const FAKE_GIT = `
git() {
  [ "\${@: -1}" = ok ] || return 1
  echo "$1" >&9
}
f() { true; }
export -f git f
`;

/** For each command, whether bash ended it with status 0, and the operations that succeeded. */
function ranByBash(commands: readonly string[]): { isSuccess: boolean; done: string[] }[] {
  const script = commands.map(
    command =>
      `( eval '${command.replaceAll("'", `'"'"'`)}' ) 9>&1 >/dev/null 2>&1 </dev/null; ` +
      'status=$?; wait; echo "= $status"\n',
  );
  const output = execFileSync('bash', ['-s'], {
    input: `${FAKE_GIT}${script.join('')}`,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: 50_000,
  });
  const answers = output.split(/= ([0-9]+)\n/);
  return commands.map((_, index) => ({
    isSuccess: answers[2 * index + 1] === '0',
    done: (answers[2 * index] ?? '').split('\n').filter(line => line !== ''),
  }));
}

describe('against bash', () => {
  it('what a command is proved to have done was done', () => {
    const commands = fc.sample(list, { numRuns: 400, seed: 7 });
    const runs = ranByBash(commands);
    const wrong = commands.filter((command, index) => {
      const done = [...(runs[index]?.done ?? [])];
      const isDone = (operation: string) => {
        const at = done.indexOf(operation.replace('_', '-'));
        return at >= 0 && done.splice(at, 1).length === 1;
      };
      return runs[index]?.isSuccess === true && !provedGitOperations(command).every(isDone);
    });
    expect(wrong).toEqual([]);
    const proofs = commands.filter(
      (command, index) => runs[index]?.isSuccess && provedGitOperations(command).length > 0,
    );
    expect(proofs.length).toBeGreaterThan(20);
  });
});
