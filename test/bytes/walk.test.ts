/** Folders and files: in which order they come, and what cannot be read. */

import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, entriesIn, entryAt, namesIn, realPath } from '../../src/bytes/walk.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let root: string;
let folders = 0;

beforeAll(() => {
  root = makeFolder();
});

afterAll(() => removeFolder(root));

/** A new folder with empty files of these names. */
function folderOf(...names: readonly string[]): string {
  const folder = join(root, `folder-${++folders}`);
  mkdirSync(folder);
  for (const name of names) writeFile(folder, name);
  return folder;
}

/** What was told to `onProblem`: paths, with the code or message of the error. */
class Problems {
  readonly told: [path: string, reason: string][] = [];
  readonly add = (path: string, error: unknown): void => {
    if (!(error instanceof Error)) throw new TypeError('a problem is an error');
    this.told.push([path, 'code' in error ? String(error.code) : error.message]);
  };
}

/** A file name whose bytes are not UTF-8, beside others. */
function writeStrangeName(folder: string, ...bytes: readonly number[]): void {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes)]), '');
}

const NOT_UTF8 = 'the file name is not UTF-8; rename the file to have it read';

describe('the names in a folder', () => {
  it('come in the order of their bytes', () => {
    const names = ['b', 'a', 'B', '10', '9', '.a', 'a.b', 'a-b', 'é', 'z', '日', '～', '🦆', 'a b'];
    const sorted = [
      '.a',
      '10',
      '9',
      'B',
      'a',
      'a b',
      'a-b',
      'a.b',
      'b',
      'z',
      'é',
      '日',
      '～',
      '🦆',
    ];
    expect(namesIn(folderOf(...names))).toEqual(sorted);
  });

  it('come in the order of their bytes, whatever they are', () => {
    const unit = fc.constantFrom('a', 'B', '-', '\u007f', 'é', '\ud7ff', '\ue000', '\uffee', '🦆');
    const name = fc.string({ unit, minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), names => {
        const expected = names.map(text => Buffer.from(text)).sort(Buffer.compare);
        expect(namesIn(folderOf(...names))).toEqual(expected.map(String));
      }),
      { numRuns: 100 },
    );
  });

  it('hold hidden ones, folders, links and links to nowhere', () => {
    const folder = folderOf('.hidden', 'file', 'sub/x');
    symlinkSync('nowhere', join(folder, 'dangling'));
    symlinkSync('sub', join(folder, 'link'));
    expect(namesIn(folder)).toEqual(['.hidden', 'dangling', 'file', 'link', 'sub']);
  });

  it('are none, without a problem, where there is no such folder', () => {
    const problems = new Problems();
    const folder = folderOf('file');
    for (const name of ['missing', 'missing/sub', 'file', 'file/sub']) {
      expect(namesIn(join(folder, name), problems.add)).toEqual([]);
    }
    expect(namesIn(join(folder, 'missing'))).toEqual([]);
    expect(problems.told).toEqual([]);
  });

  it('are none, with a problem, where the folder cannot be read', () => {
    const problems = new Problems();
    const folder = folderOf();
    const [loop, long] = [join(folder, 'loop'), join(folder, 'x'.repeat(300))];
    symlinkSync('loop', loop);
    expect([namesIn(loop, problems.add), namesIn(long, problems.add)]).toEqual([[], []]);
    expect(problems.told).toEqual([
      [loop, 'ELOOP'],
      [long, 'ENAMETOOLONG'],
    ]);
    expect(namesIn(loop)).toEqual([]);
  });
});

describe('an entry', () => {
  it('tells what lies at a path', () => {
    const folder = folderOf();
    const path = writeFile(folder, 'a.jsonl', 'twelve bytes');
    utimesSync(path, 1, 1_700_000_000.25);
    const entry = entryAt(path, 'any name');
    expect(entry).toEqual({
      name: 'any name',
      path,
      isFolder: false,
      isFile: true,
      byteLength: 12,
      modifiedMs: 1_700_000_000_250,
      identity: expect.stringMatching(/^\d+:\d+$/),
    } satisfies Record<keyof Entry, unknown>);
    expect(entryAt(folder, 'x')).toMatchObject({ isFolder: true, isFile: false });
  });

  it('is what a link leads to', () => {
    const folder = folderOf();
    const path = writeFile(folder, 'sub/a', '123');
    symlinkSync('sub', join(folder, 'link'));
    symlinkSync('link/a', join(folder, 'other'));
    linkSync(path, join(folder, 'hard'));
    const file = entryAt(path, 'a');
    const identity = file?.identity;
    const names = ['sub/a', 'link/a', 'other', 'hard'];
    const entries = names.map(name => entryAt(join(folder, name), name));
    expect(entries.map(entry => entry?.identity)).toEqual(names.map(() => identity));
    expect(entries.map(entry => entry?.path)).toEqual(names.map(name => join(folder, name)));
    expect(entryAt(join(folder, 'link'), 'link')).toMatchObject({ isFolder: true });
    expect(entryAt(join(folder, 'sub'), 'sub')?.identity).not.toBe(identity);
  });

  it('is neither file nor folder where it is something else', () => {
    const path = join(folderOf(), 'pipe');
    execFileSync('mkfifo', [path]);
    expect(entryAt(path, 'pipe')).toMatchObject({ isFolder: false, isFile: false });
  });

  it('is none, without a problem, where there is none', () => {
    const problems = new Problems();
    const folder = folderOf('file');
    symlinkSync('nowhere', join(folder, 'dangling'));
    for (const name of ['missing', 'missing/sub', 'file/sub', 'dangling']) {
      expect(entryAt(join(folder, name), name, problems.add)).toBeNull();
    }
    expect(problems.told).toEqual([]);
  });

  it('is none, with a problem, where its name was not UTF-8', () => {
    const problems = new Problems();
    const folder = folderOf();
    writeStrangeName(folder, 0x62, 0xff);
    expect(entryAt(join(folder, 'b\ufffd'), 'b\ufffd', problems.add)).toBeNull();
    expect(problems.told).toEqual([[join(folder, 'b\ufffd'), NOT_UTF8]]);
  });

  it('is none, with a problem, where it cannot be looked at', () => {
    const problems = new Problems();
    const folder = folderOf();
    symlinkSync('loop', join(folder, 'loop'));
    const paths = [join(folder, 'loop'), join(folder, 'x'.repeat(300)), `${folder}/a\0b`];
    for (const path of paths) {
      expect(entryAt(path, path, problems.add)).toBeNull();
      expect(entryAt(path, path)).toBeNull();
    }
    expect(problems.told.map(([path]) => path)).toEqual(paths);
    const reasons = problems.told.map(([, reason]) => reason);
    expect(reasons).toEqual(['ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);
  });
});

describe('the entries of a folder', () => {
  function namesOf(entries: Iterable<Entry>): string[] {
    return [...entries].map(({ name }) => name);
  }

  it('come in the order of their names, each with its path', () => {
    const folder = folderOf('b', '～', '🦆', 'a', 'sub/x');
    const entries = [...entriesIn(folder)];
    expect(entries.map(({ name }) => name)).toEqual(['a', 'b', 'sub', '～', '🦆']);
    expect(entries.map(({ path }) => path)).toEqual(
      ['a', 'b', 'sub', '～', '🦆'].map(name => join(folder, name)),
    );
  });

  it('leave out what cannot be looked at and go on after it', () => {
    const problems = new Problems();
    const folder = folderOf('a', 'z');
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(namesOf(entriesIn(folder, problems.add))).toEqual(['a', 'z']);
    expect(problems.told).toEqual([[join(folder, 'loop'), 'ELOOP']]);
  });

  it('leave out a file that vanishes after it was listed', () => {
    const problems = new Problems();
    const folder = folderOf('a', 'b', 'c');
    const names: string[] = [];
    for (const { name } of entriesIn(folder, problems.add)) {
      names.push(name);
      if (name === 'a') removeFolder(join(folder, 'b'));
    }
    expect([names, problems.told]).toEqual([['a', 'c'], []]);
  });

  it('are looked at one after the other, as they are then', () => {
    const folder = folderOf('a', 'b');
    const lengths: number[] = [];
    for (const { byteLength } of entriesIn(folder)) {
      lengths.push(byteLength);
      truncateSync(join(folder, 'b'), 5);
    }
    expect(lengths).toEqual([0, 5]);
  });

  it('report each name that is not UTF-8 and go on after it', () => {
    const problems = new Problems();
    const folder = folderOf('a', 'z', '\ufffd');
    writeStrangeName(folder, 0x62, 0xff);
    writeStrangeName(folder, 0x62, 0xfe);
    writeStrangeName(folder, 0xe2, 0x82);
    expect(namesOf(entriesIn(folder, problems.add))).toEqual(['a', 'z', '\ufffd']);
    expect(problems.told).toEqual([
      [join(folder, 'b\ufffd'), NOT_UTF8],
      [join(folder, 'b\ufffd'), NOT_UTF8],
      [join(folder, '\ufffd'), NOT_UTF8],
    ]);
    expect(namesOf(entriesIn(folder))).toEqual(['a', 'z', '\ufffd']);
  });

  it('do not take a link loop named with U+FFFD for a name that is not UTF-8', () => {
    const problems = new Problems();
    const folder = folderOf();
    symlinkSync('\ufffd', join(folder, '\ufffd'));
    expect(namesOf(entriesIn(folder, problems.add))).toEqual([]);
    expect(problems.told).toEqual([[join(folder, '\ufffd'), 'ELOOP']]);
  });

  it('of a link to the folder above do not end in a circle by themselves', () => {
    const folder = folderOf('a');
    symlinkSync('.', join(folder, 'self'));
    const [, self] = [...entriesIn(folder)];
    expect(self?.identity).toBe(entryAt(folder, 'x')?.identity);
    expect(namesOf(entriesIn(self?.path ?? ''))).toEqual(['a', 'self']);
  });

  it('are none where there is no folder', () => {
    const problems = new Problems();
    const folder = folderOf('file');
    expect(namesOf(entriesIn(join(folder, 'missing'), problems.add))).toEqual([]);
    expect(namesOf(entriesIn(join(folder, 'file'), problems.add))).toEqual([]);
    expect(problems.told).toEqual([]);
  });
});

describe('the real path', () => {
  it('has every link resolved', () => {
    const folder = folderOf('sub/a');
    symlinkSync('sub', join(folder, 'link'));
    expect(realPath(join(folder, 'link/../link/a'))).toBe(join(folder, 'sub/a'));
  });

  it('is the path itself where there is none', () => {
    const folder = folderOf();
    symlinkSync('loop', join(folder, 'loop'));
    for (const path of [join(folder, 'missing'), join(folder, 'loop'), 'no/such/path']) {
      expect(realPath(path)).toBe(path);
    }
  });
});
