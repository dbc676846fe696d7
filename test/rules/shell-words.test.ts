/** The tokeniser of shell commands. */

import { describe, expect, it } from 'vitest';
import { type Substitutions, shellTokens } from '../../src/harness/shared/shell/words.ts';

/** Tokens as one text each: words in brackets, operators and redirections as they are. */
function shown(command: string, substitutions: Substitutions = 'kept'): string | null {
  const read = shellTokens(command, substitutions);
  const tokens = read?.tokens.map(({ kind, text }) => (kind === 'word' ? `[${text}]` : text));
  return tokens?.join(' ').replaceAll('\n', '\\n') ?? null;
}

describe('words', () => {
  it.each([
    ['', ''],
    ['git  status\t-s', '[git] [status] [-s]'],
    ['a\\ b c', '[a b] [c]'],
    [`'a b'"c d"e`, '[a bc de]'],
    [`echo ''`, '[echo] []'],
    ['echo "a\\"b\\n\\$c"', '[echo] [a"b\\n$c]'],
    [`echo $'it\\'s\\there'`, `[echo] [it's\there]`],
    ['echo $"hello"', '[echo] [hello]'],
    ['git com\\\nmit', '[git] [commit]'],
    [`echo 'a\\\nb'`, '[echo] [a\\\\nb]'],
    ['a # b; c\nd', '[a] \\n [d]'],
    ['a#b $# c', '[a#b] [$#] [c]'],
    ['a\r\nb', '[a] \\n [b]'],
    ['x=(1 "2 3") y', '[x=(1 "2 3")] [y]'],
    // Bytes of a character are no blanks, although one of them is a no-break space alone.
    ['echo \xc3\xa0 b', '[echo] [\xc3\xa0] [b]'],
  ])('%j', (command, expected) => {
    expect(shown(command)).toBe(expected);
  });
});

describe('operators and redirections', () => {
  it.each([
    ['a;b&c&&d||e|f|&g', '[a] ; [b] & [c] && [d] || [e] | [f] |& [g]'],
    ['(a){ b; }', '( [a] ) [{] [b] ; [}]'],
    ['a;;b;&c;;&', '[a] ;; [b] ;& [c] ;;&'],
    ['a>b 2>>c 3<d', '[a] > [b] >> [c] < [d]'],
    ['a 2>&1 >|f &>g &>>h <>i', '[a] >& [1] >| [f] &> [g] &>> [h] <> [i]'],
    ['a 2 >b {fd}>c', '[a] [2] > [b] > [c]'],
    ['a <<< "b c"', '[a] <<< [b c]'],
    ['diff <(a b) >(c)', '[diff] [<(a b)] [>(c)]'],
  ])('%j', (command, expected) => {
    expect(shown(command)).toBe(expected);
  });
});

describe('substitutions', () => {
  it.each([
    ['a $(b c) d', '[a] [$(b c)] [d]'],
    ['a "$(b "c d" \')\')" e', `[a] [$(b "c d" ')')] [e]`],
    ['a `b c` d', '[a] [`b c`] [d]'],
    ['a $((1 + (2 << 3))) b', '[a] [$((1 + (2 << 3)))] [b]'],
    [`a \${x:-"b }"} c`, `[a] [\${x:-"b }"}] [c]`],
    [`a "\${x:-it's}" c`, `[a] [\${x:-it's}] [c]`],
    [`a $(b # it's )\n) c`, `[a] [$(b # it's )\\n)] [c]`],
    [`a "$(cat <<'E'\nit's ) "odd\nE\n)" b`, `[a] [$(cat <<'E'\\nit's ) "odd\\nE\\n)] [b]`],
  ])('are kept in their words: %j', (command, expected) => {
    expect(shown(command)).toBe(expected);
  });

  it.each([
    ['x=$(b c)', '[x=] ( [b] [c] )'],
    ['a `b c` d', '[a] ` [b] [c] ` [d]'],
    ['diff <(a b)', '[diff] < ( [a] [b] )'],
    ['a "$(b c)" $((1+2))', '[a] [$(b c)] [$((1+2))]'],
  ])('are split on demand: %j', (command, expected) => {
    expect(shown(command, 'split')).toBe(expected);
  });
});

describe('here-documents', () => {
  it.each([
    ["cat <<E\nit's\nE\nb", '[cat] << [E] \\n [b]'],
    ["cat <<'E F' && b\n$(\nE F\nc", '[cat] << [E F] && [b] \\n [c]'],
    ['cat <<-E\n\ta\n\tE\nb', '[cat] << [E] \\n [b]'],
    ['cat <<A <<"B"\n1\nA\n2\nB\nc', '[cat] << [A] << [B] \\n [c]'],
    ['cat <<E\na\\\nE\nE\nb', '[cat] << [E] \\n [b]'],
    ['cat <<\\E\na\\\nE\nb', '[cat] << [E] \\n [b]'],
    ['cat <<E\nE', '[cat] << [E] \\n'],
  ])('have no words: %j', (command, expected) => {
    expect(shown(command)).toBe(expected);
    expect(shellTokens(command, 'kept')?.isWhole).toBe(true);
  });

  it.each(['cat <<E', 'cat <<E\na', 'cat <<E\nE ', 'cat <<E\n\tE', 'cat <<', 'cat <<;\n'])(
    'without an end leave the command partial: %j',
    command => {
      expect(shellTokens(command, 'kept')).toMatchObject({ isWhole: false });
    },
  );
});

describe('no command', () => {
  it.each([
    "a 'b",
    'a "b',
    'a \\',
    'a $(b',
    'a `b',
    `a \${b`,
    'a "$(b"',
    "a $'b\\'",
    'x=(1',
    'a <(b',
    'a $((1)',
    'a "$(cat <<E\n)"',
    'a $(cat <<E)',
    '$('.repeat(500) + ')'.repeat(500),
  ])('%j', command => {
    expect(shellTokens(command, 'kept')).toBeNull();
  });
});
