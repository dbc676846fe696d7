/** Paths by pattern: what is a pattern, and what stands for itself. */

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isPattern, matches } from '../../src/bytes/glob.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const start = process.cwd();

/** Names with characters that some matcher or shell gives a meaning to. */
const STRANGE = [
  ...['with (1)', '(open', 'close)', '+(a)', '@(a)', '!(a)', '!bang', 'a|b', 'plus+', '"quoted"'],
  ...['[x]', '{k}', 'star*', 'why?', "it's", '$HOME', '~', '#n', 'a b', 'a,b', '^a', 'a^', '&;<>'],
  ...['日本', '🦆', '%41', '-r', '...'],
];

let root: string;

beforeAll(() => {
  root = makeFolder();
  for (const name of ['a.jsonl', 'b.jsonl', 'B.jsonl', 'c.json', '.hidden.jsonl', 'ab.jsonl']) {
    writeFile(root, `plain/${name}`);
  }
  for (const name of ['one/a.jsonl', 'two/b.jsonl', 'two/deep/.x/c.jsonl', '.three/d.jsonl']) {
    writeFile(root, `tree/${name}`);
  }
  for (const name of STRANGE) writeFile(root, `strange/${name}/in.jsonl`);
});

afterEach(() => process.chdir(start));

afterAll(() => removeFolder(root));

/** Matches below the folder, as paths relative to it. */
function found(pattern: string): string[] {
  return matches(join(root, pattern)).map(path => {
    expect(path.startsWith(root)).toBe(true);
    return path.slice(root.length + 1);
  });
}

describe('a path', () => {
  it.each(['*', 'a/*.jsonl', '?', 'a[bc]', '[', '{a,b}', '/x/**'])('is a pattern: %s', path => {
    expect(isPattern(path)).toBe(true);
  });

  it.each([
    '',
    '/',
    'a',
    '/a/b.jsonl',
    '~/.claude',
    'a(1)',
    'a|b',
    '!a',
    '+a',
    'a]',
    'a}',
    'C:\\a',
  ])('is no pattern: %s', path => {
    expect(isPattern(path)).toBe(false);
  });
});

describe('a pattern', () => {
  it.each([
    ['*.jsonl', ['.hidden.jsonl', 'B.jsonl', 'a.jsonl', 'ab.jsonl', 'b.jsonl']],
    ['*', ['.hidden.jsonl', 'B.jsonl', 'a.jsonl', 'ab.jsonl', 'b.jsonl', 'c.json']],
    ['?.jsonl', ['B.jsonl', 'a.jsonl', 'b.jsonl']],
    ['??.jsonl', ['ab.jsonl']],
    ['[ab].jsonl', ['a.jsonl', 'b.jsonl']],
    ['[a-b].jsonl', ['a.jsonl', 'b.jsonl']],
    ['[!a].jsonl', ['B.jsonl', 'b.jsonl']],
    ['[^a].jsonl', ['B.jsonl', 'b.jsonl']],
    ['{a,c}.json*', ['a.jsonl', 'c.json']],
    ['{a,{b,c}}.*', ['a.jsonl', 'b.jsonl', 'c.json']],
    ['.*', ['.hidden.jsonl']],
    ['A.*', []],
    ['x*', []],
  ])('finds in a folder: %s', (pattern, names) => {
    expect(found(`plain/${pattern}`)).toEqual(names.map(name => `plain/${name}`));
  });

  it('finds hidden folders, files and folders, at one level', () => {
    expect(found('tree/*')).toEqual(['tree/.three', 'tree/one', 'tree/two']);
    expect(found('tree/*/')).toEqual(['tree/.three', 'tree/one', 'tree/two']);
    const files = ['tree/.three/d.jsonl', 'tree/one/a.jsonl', 'tree/two/b.jsonl'];
    expect(found('tree/*/*.jsonl')).toEqual(files);
  });

  it('finds files at every level with two stars', () => {
    const files = ['one/a.jsonl', 'two/b.jsonl', 'two/deep/.x/c.jsonl'].map(name => `tree/${name}`);
    expect(found('tree/**/*.jsonl')).toEqual(['tree/.three/d.jsonl', ...files]);
    expect(found('**/c.jsonl')).toEqual(['tree/two/deep/.x/c.jsonl']);
    expect(found('tree/two/**')).toEqual(
      ['', '/b.jsonl', '/deep', '/deep/.x', '/deep/.x/c.jsonl'].map(name => `tree/two${name}`),
    );
  });

  it('matches nothing below a file, nothing or a link to nowhere', () => {
    mkdirSync(join(root, 'dangling'));
    symlinkSync('nowhere', join(root, 'dangling/link'));
    symlinkSync('loop', join(root, 'dangling/loop'));
    const patterns = [
      'plain/a.jsonl/*',
      'missing/*',
      'dangling/*/*',
      'dangling/link/*',
      'missing*/x',
    ];
    expect(patterns.flatMap(found)).toEqual([]);
  });

  it('comes out in the order of the bytes', () => {
    for (const name of ['🦆', '～', 'é', 'a', 'B', 'a.b', 'a-b']) writeFile(root, `order/${name}`);
    const names = ['B', 'a', 'a-b', 'a.b', 'é', '～', '🦆'];
    expect(found('order/*')).toEqual(names.map(name => `order/${name}`));
  });

  it('may have backslashes for slashes', () => {
    const pattern = `${root}/tree\\one\\*.jsonl`.replaceAll('/', '\\');
    expect(matches(pattern)).toEqual([join(root, 'tree/one/a.jsonl')]);
  });
});

describe('a character that is no pattern', () => {
  it.each(STRANGE)('stands for itself before a pattern: %s', name => {
    const pattern = name.replace(/[[{*?]/g, '[$&]');
    expect(found(`strange/${pattern}/*.jsonl`)).toEqual([`strange/${name}/in.jsonl`]);
  });

  it.each(STRANGE)('stands for itself beside a pattern: %s', name => {
    const pattern = name.replace(/[[{*?]/g, '[$&]');
    expect(found(`strange/${pattern}*`)).toEqual([`strange/${name}`]);
    expect(found(`*/${pattern}/in.jsonl`)).toEqual([`strange/${name}/in.jsonl`]);
  });

  it.each(STRANGE)('does not change where the working folder is: %s', name => {
    process.chdir(join(root, 'strange', name));
    expect(found('tree/one/*')).toEqual(['tree/one/a.jsonl']);
    expect(matches('*')).toEqual(['in.jsonl']);
    expect(matches('../../tree/o*/*')).toEqual(['../../tree/one/a.jsonl']);
  });
});

describe('links', () => {
  it('are followed, to files and to folders', () => {
    writeFile(root, 'links/real/a.jsonl');
    symlinkSync('real', join(root, 'links/folder'));
    symlinkSync('real/a.jsonl', join(root, 'links/file.jsonl'));
    expect(found('links/*.jsonl')).toEqual(['links/file.jsonl']);
    expect(found('links/folder/*')).toEqual(['links/folder/a.jsonl']);
    expect(found('links/*/a.jsonl')).toEqual(['links/folder/a.jsonl', 'links/real/a.jsonl']);
    expect(found('links/f*')).toEqual(['links/file.jsonl', 'links/folder']);
    expect(found('links/f*/')).toContain('links/folder');
    expect(found('links/**')).toContain('links/folder');
  });

  it('that go in circles end', () => {
    writeFile(root, 'circle/sub/a.jsonl');
    symlinkSync('..', join(root, 'circle/sub/up'));
    symlinkSync('.', join(root, 'circle/here'));
    symlinkSync('self', join(root, 'circle/self'));
    expect(found('circle/**/a.jsonl')).toContain('circle/sub/a.jsonl');
    expect(found('circle/here/here/*/a.jsonl')).toEqual(['circle/here/here/sub/a.jsonl']);
    expect(found('circle/*/up/sub/*.jsonl')).toContain('circle/sub/up/sub/a.jsonl');
  });

  it('between many folders are no more ways to them than one', () => {
    const names = Array.from({ length: 14 }, (_, i) => `d${i}`);
    for (const name of names) {
      writeFile(root, `web/${name}/a.jsonl`);
      for (const other of names) symlinkSync(`../${other}`, join(root, `web/${name}/to-${other}`));
    }
    expect(found('web/**/a.jsonl')).toHaveLength(names.length);
  });
});

describe('the working folder', () => {
  const files = ['tree/.three/d.jsonl', 'tree/one/a.jsonl', 'tree/two/b.jsonl'];

  it.each(['.', 'tree', 'tree/one', 'tree/two/deep'])(
    'does not hide what an absolute pattern matches above it: %s',
    folder => {
      process.chdir(join(root, folder));
      expect(found('tree/*/*.jsonl')).toEqual(files);
      expect(found('*/one/*.jsonl')).toEqual(['tree/one/a.jsonl']);
      expect(found('**/a.jsonl')).toEqual(expect.arrayContaining(['tree/one/a.jsonl']));
      expect(found('tree/o*')).toEqual(['tree/one']);
    },
  );

  it('is where a relative pattern begins, and its matches, too', () => {
    process.chdir(join(root, 'tree/two'));
    expect(matches('*')).toEqual(['b.jsonl', 'deep']);
    expect(matches('./*.jsonl')).toEqual(['b.jsonl']);
    expect(matches('deep/*/*')).toEqual(['deep/.x/c.jsonl']);
    expect(matches('**')).toEqual(['b.jsonl', 'deep', 'deep/.x', 'deep/.x/c.jsonl']);
    expect(matches('../one/*')).toEqual(['../one/a.jsonl']);
    expect(matches('../*/*.jsonl')).toEqual(['../.three/d.jsonl', '../one/a.jsonl', 'b.jsonl']);
    expect(matches('../../pl*')).toEqual(['../../plain']);
  });

  it('may be the root', () => {
    process.chdir('/');
    expect(found('tree/one/*')).toEqual(['tree/one/a.jsonl']);
    expect(matches(`${join(root, 'tree/o*').slice(1)}`)).toEqual([join(root, 'tree/one').slice(1)]);
    const [top = ''] = root.slice(1).split('/');
    expect(matches(`/${top}*`)).toContain(`/${top}`);
  });
});
