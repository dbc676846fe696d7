/** Commits, pushes and pull requests in what commands print. */

import { describe, expect, it } from 'vitest';
import { toWire } from '../../src/bytes/text.ts';
import { commitsIn, pushesIn, unprovedExtras } from '../../src/harness/shared/shell/git-output.ts';
import { pullRequestsIn } from '../../src/harness/shared/shell/pull-requests.ts';

describe('printed commits', () => {
  it.each([
    ['[main abc1234] Add x', 'main', 'abc1234'],
    ['[feat/x-1 (root-commit) abc1234] First', 'feat/x-1', 'abc1234'],
    ['[detached HEAD abc1234] Add x', null, 'abc1234'],
    ['[detached HEAD (root-commit) abc1234] Add x', null, 'abc1234'],
    [`[main ${'a'.repeat(40)}]`, 'main', 'a'.repeat(40)],
    [toWire('[größe abc1234] Add à'), toWire('größe'), 'abc1234'],
  ])('%j', (line, branch, sha) => {
    expect(commitsIn(line)).toEqual([{ branch, sha }]);
  });

  it.each([
    ' [main abc1234] indented',
    'x [main abc1234]',
    '[main abc123] short',
    `[main ${'a'.repeat(41)}]`,
    '[main ABC1234]',
    '[main abc1234',
    '[my branch abc1234]',
    '[a]b abc1234]',
    '[INFO] abc1234',
    '',
  ])('none in %j', line => {
    expect(commitsIn(line)).toEqual([]);
  });

  it('stand on any line, in order', () => {
    const output = 'x\r\n[a 1111111] One\r\n 1 file changed\n[b 2222222] Two';
    expect(commitsIn(output)).toEqual([
      { branch: 'a', sha: '1111111' },
      { branch: 'b', sha: '2222222' },
    ]);
  });
});

const push = (values: object) => ({
  from: null,
  to: null,
  source: 'main',
  destination: 'main',
  isForced: false,
  isNew: false,
  ...values,
});
const hashes = { from: 'abc1234', to: 'def5678' };

describe('printed pushes', () => {
  it.each([
    ['   abc1234..def5678  main -> main', push(hashes)],
    ['abc1234..def5678 HEAD -> dev', push({ ...hashes, source: 'HEAD', destination: 'dev' })],
    [' + abc1234...def5678 main -> main (forced update)', push({ ...hashes, isForced: true })],
    [' * [new branch]      main -> main', push({ isNew: true })],
    [
      'To github.com:ada/site.git\n   abc1234..def5678  main -> ada/main',
      push({ ...hashes, destination: 'ada/main' }),
    ],
    [
      'From ../x\n   1111111..2222222  main -> main\nTo ../x\n   abc1234..def5678  main -> main',
      push(hashes),
    ],
    ['Writing: 50%\rWriting: 100%\r   abc1234..def5678  main -> main', push(hashes)],
  ])('%j', (output, expected) => {
    expect(pushesIn(output)).toEqual([expected]);
  });

  it.each([
    ' ! [rejected]        main -> main (fetch first)',
    ' - [deleted]         old',
    ' = [up to date]      main -> main',
    ' * [new tag]         v1 -> v1',
    ' * branch            main       -> FETCH_HEAD',
    '   abc1234...def5678  main -> main',
    ' + abc1234..def5678 main -> main',
    '   abc123..def5678  main -> main',
    'x  abc1234..def5678  main -> main',
    'Updating abc1234..def5678',
    'From https://example.org/site\n   abc1234..def5678  main -> main',
    '   abc1234..def5678  main       -> origin/main',
    ' * [new branch]      feat/x     -> origin/feat/x',
    'Everything up-to-date',
  ])('none in %j', output => {
    expect(pushesIn(output)).toEqual([]);
  });
});

describe('printed pull requests', () => {
  const url = 'https://github.com/ada/site.js/pull/7';

  it.each([
    url,
    `${url}\n`,
    `See ${url}/files#diff, ${url}.`,
    `(${url}) https://github.com/ADA/site.js/pull/7`,
  ])('one in %j', output => {
    expect(pullRequestsIn(output)).toEqual([{ repo: 'ada/site.js', number: 7, url }]);
  });

  it('several, in the order of the first', () => {
    const output = `${url}\nhttps://github.com/bo/x/pull/12\n${url}`;
    expect(pullRequestsIn(output).map(({ repo, number }) => `${repo}#${number}`)).toEqual([
      'ada/site.js#7',
      'bo/x#12',
    ]);
  });

  it.each([
    'https://github.com/ada/site/pull/new/topic',
    'https://github.com/ada/site/issues/7',
    'https://github.com/ada/site/pull/7x',
    'https://example.org/ada/site/pull/7',
    'http://github.com/ada/site/pull/7',
    '',
  ])('none in %j', output => {
    expect(pullRequestsIn(output)).toEqual([]);
  });
});

describe('operations that the output does not show', () => {
  it('are those beyond what it shows, commits and cherry-picks counted together', () => {
    const operations = ['commit', 'push', 'cherry_pick', 'commit', 'push'] as const;
    const extras = (commits: number, pushes: number) =>
      unprovedExtras(operations, commits, pushes).map(
        ({ operation, index }) => `${operation} ${index}`,
      );
    expect(extras(0, 0)).toEqual(['commit 0', 'push 0', 'cherry_pick 1', 'commit 2', 'push 1']);
    expect(extras(1, 0)).toEqual(['push 0', 'cherry_pick 1', 'commit 2', 'push 1']);
    expect(extras(2, 1)).toEqual(['commit 2', 'push 1']);
    expect(extras(3, 2)).toEqual([]);
    expect(extras(9, 9)).toEqual([]);
    expect(unprovedExtras([], 0, 0)).toEqual([]);
  });
});
