/** package.json, the lock file, the README and the changelog agree with each other. */

import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { modulesIn } from '../support/module.ts';
import { projectFiles, projectRoot, projectText } from '../support/project.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly dev?: true;
  readonly optional?: true;
  readonly hasInstallScript?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(projectText('package.json'));
const lock: LockFile = JSON.parse(projectText('package-lock.json'));
const dependencies = {
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
};

/** Everything that is published, next to package.json, README and LICENSE which npm adds. */
const PUBLISHED = ['dist', 'sql', 'fixtures/claude/demo', 'CHANGELOG.md'];

/** Files and folders that may lie at the top, beside dot-files and tool configuration. */
const TOP_LEVEL = [
  ...['src', 'sql', 'test', 'fixtures', 'package.json', 'package-lock.json'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'tsconfig.json', 'tsconfig.build.json'],
  ...['biome.json', 'vitest.config.ts'],
];

/** Packages that are used without being imported, nor called by their own name. */
const INDIRECT = ['@biomejs/biome'];

/** Names of the packages in the table below the README's heading about dependencies. */
function packagesInTable(readme: string): string[] {
  const [, ...chapters] = readme.split(/^(?=#+ )/m);
  const chapter = chapters.filter(text => /^#+ .*dependenc/i.test(text)).join('\n');
  return [...chapter.matchAll(/^\|\s*(?:\[)?`([^`]+)`/gm)].flatMap(match => match[1] ?? []);
}

/** Versions that are a range, a tag or an address instead of one version. */
function inexact(versions: Readonly<Record<string, string>>): string[] {
  return Object.entries(versions)
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} ${version}`);
}

/** Dependencies that a lock file names but does not lock: `npm ci` refuses such a file. */
function unlocked(packages: LockFile['packages']): string[] {
  const locked = Object.keys(packages);
  return Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter(name => !locked.some(other => other.endsWith(`node_modules/${name}`)))
      .map(name => `${place} needs ${name}`),
  );
}

/** Versions that have a heading in a changelog, in its order. */
function headings(changelog: string): string[] {
  const found = changelog.matchAll(/^## \[?(Unreleased|\d+\.\d+\.\d+[\w.-]*)\]?/gim);
  return [...found].flatMap(match => match[1] ?? []);
}

describe('package.json', () => {
  it('pins every dependency to one version', () => {
    expect(inexact(dependencies)).toEqual([]);
  });

  it('publishes an allow-list', () => {
    expect(manifest.files).toEqual(PUBLISHED);
  });

  it('runs nothing when it is installed', () => {
    const names = ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare'];
    expect(Object.keys(manifest.scripts).filter(name => names.includes(name))).toEqual([]);
  });

  it('names no package that nothing uses', () => {
    const modules = [...modulesIn('src'), ...modulesIn('test')];
    const imported = modules.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const tools = Object.values(manifest.scripts).join(' ');
    const needless = Object.keys(dependencies).filter(name => {
      const code = name.replace(/^@types\/node$/, 'node:fs').replace(/^@types\//, '');
      const isImported = imported.some(text => text === code || text.startsWith(`${code}/`));
      return !isImported && !tools.includes(name) && !INDIRECT.includes(name);
    });
    expect(needless).toEqual([]);
  });
});

describe('package-lock.json', () => {
  it('has the version of package.json', () => {
    expect(lock.version).toBe(manifest.version);
  });

  it('locks every package that another one names', () => {
    expect(unlocked(lock.packages)).toEqual([]);
  });

  // npm goes on when the script of an optional package fails.
  it('requires no package that runs a script when it is installed', () => {
    const scripted = Object.entries(lock.packages)
      .filter(([, { dev, optional, hasInstallScript }]) => hasInstallScript && !dev && !optional)
      .map(([name]) => name);
    expect(scripted).toEqual([]);
  });
});

describe('README.md', () => {
  it('explains every dependency in its table, and no other package', () => {
    const named = packagesInTable(projectText('README.md'));
    expect(named.sort()).toEqual(Object.keys(dependencies).sort());
  });
});

describe('CHANGELOG.md', () => {
  it('starts with what is not released yet or with the current version', () => {
    const [first] = headings(projectText('CHANGELOG.md'));
    expect(['Unreleased', manifest.version]).toContain(first);
  });
});

describe('the top level', () => {
  it('holds nothing that has a place elsewhere', () => {
    const names = projectFiles().map(file => file.replace(/\/.*/, ''));
    const unknown = names.filter(name => !name.startsWith('.') && !TOP_LEVEL.includes(name));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('has a check that a machine can start', () => {
    expect(statSync(path.join(projectRoot, '.ci/run')).mode & 0o111).toBe(0o111);
  });
});

describe('the rules about the project', () => {
  it('take ranges, tags and addresses for inexact', () => {
    const wrong = {
      a: '^1.0.0',
      b: '~1.0.0',
      c: 'latest',
      d: '1.x',
      e: 'github:a/b',
      f: '>=1.0.0',
    };
    expect(inexact(wrong)).toHaveLength(6);
    expect(inexact({ a: '1.0.0', b: '1.5.6-r.1' })).toEqual([]);
  });

  it('find what a lock file names and does not lock', () => {
    const packages = {
      '': { dependencies: { a: '1.0.0' } },
      'node_modules/a': { optionalDependencies: { b: '^1.0.0', '@c/d': '^1.0.0' } },
      'node_modules/a/node_modules/b': {},
    };
    expect(unlocked(packages)).toEqual(['node_modules/a needs @c/d']);
  });

  it('read the first column of the tables about dependencies alone', () => {
    const readme = [
      '# ahq\n| `other` | x |\n',
      '## Dependencies\n| package | why |\n|---|---|\n| `a` | x |\n| [`@b/c`](https://b) | `d` |\n',
      '## Next\n| `e` | x |',
    ].join('\n');
    expect(packagesInTable(readme)).toEqual(['a', '@b/c']);
  });

  it('read the headings of a changelog', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n## [0.1.0] - 2026-01-02\n## 0.0.9\n';
    expect(headings(text)).toEqual(['Unreleased', '0.1.0', '0.0.9']);
  });
});
