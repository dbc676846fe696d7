/** What a user gets: the packed program and library, installed in an empty folder. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseModule } from './support/module.ts';
import { projectFiles, projectRoot, projectText } from './support/project.ts';
import type { Outcome } from './support/run.ts';
import { run } from './support/run.ts';

/** What may be in the package: npm's own three, the built program, SQL, and the demo's home. */
const ALLOWED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(cli|index)\.js$/,
  /^dist\/types\/.*\.d\.ts$/,
  /^sql\/.*\.sql$/,
  /^fixtures\/claude\/demo\//,
];

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ahq-package-'));
  const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
  const tarball = succeed(run('npm', pack, { cwd: projectRoot })).trim();
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // The scripts of optional packages fetch or compile; what is tested here works without them.
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  succeed(run('npm', ['install', ...quiet, `./${tarball}`], { cwd: folder }));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The standard output of a program that must have ended well. */
function succeed({ status, stdout, stderr }: Outcome): string {
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** The place of a file of the installed package. */
function installed(file: string): string {
  return path.join(folder, 'node_modules/ahq', file);
}

/**
 * The files of the installed package, with `/`. Looked up on disk: in the list that `npm pack`
 * prints, everything that looks like a secret is starred out, UUIDs included.
 */
function installedFiles(): string[] {
  const entries = readdirSync(installed('.'), { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(installed('.'), path.join(entry.parentPath, entry.name)))
    .map(file => file.replaceAll(path.sep, '/'));
}

/** The questions of the demo: each of its examples begins with its own, as a comment. */
function questions(): string[] {
  return projectFiles()
    .filter(file => /^sql\/examples\/[^/]+\.sql$/.test(file))
    .map(file => /^-- (.+)$/m.exec(projectText(file))?.[1] ?? `${file} has no question`);
}

/** The package that an import names: `@a/b` for `@a/b/c`. */
function packageOf(specifier: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Runs a module of this text beside the installed package. */
function runModule(text: string): string {
  writeFileSync(path.join(folder, 'script.js'), text);
  return succeed(run('node', ['script.js'], { cwd: folder, variables: { HOME: folder } }));
}

describe('the package', () => {
  it('holds nothing that is not on the list', () => {
    const stray = installedFiles().filter(file => !ALLOWED.some(pattern => pattern.test(file)));
    expect(stray).toEqual([]);
  });

  it('holds every SQL file and the whole demo', () => {
    const wanted = projectFiles().filter(file => /^(sql|fixtures\/claude\/demo)\//.test(file));
    expect(wanted.length).toBeGreaterThan(0);
    const files = installedFiles();
    expect(wanted.filter(file => !files.includes(file))).toEqual([]);
  });
});

describe('the built files', () => {
  it.each(['dist/cli.js', 'dist/index.js'])('%s loads only what is installed with it', file => {
    const { imports } = parseModule(file, readFileSync(installed(file), 'utf8'));
    const manifest: Manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    const dependencies = { ...manifest.dependencies, ...manifest.optionalDependencies };
    const missing = imports
      .map(({ specifier }) => specifier)
      .filter(
        name => !isBuiltin(name) && !name.startsWith('.') && !(packageOf(name) in dependencies),
      );
    expect(missing).toEqual([]);
  });
});

describe('the installed program', () => {
  const ahq = (args: readonly string[], home: string): Outcome =>
    run('npx', ['--no', '--', 'ahq', ...args], {
      cwd: folder,
      variables: { HOME: home, npm_config_cache: path.join(folder, 'npm'), NO_COLOR: '1' },
    });

  it('answers the questions of the demo in an empty home, and leaves it empty', () => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    const answer = succeed(ahq(['demo'], home));
    const missing = questions().filter(question => !answer.includes(question));
    expect(missing).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  it('says its version', () => {
    const { version }: Manifest = JSON.parse(projectText('package.json'));
    expect(succeed(ahq(['--version'], folder))).toContain(version);
  });
});

describe('the installed library', () => {
  it('answers a query over the demo', () => {
    const answer = runModule(`
      import { open } from 'ahq';
      import { dirname, join } from 'node:path';
      import { fileURLToPath } from 'node:url';
      const root = dirname(fileURLToPath(import.meta.resolve('ahq/package.json')));
      const engine = await open();
      const sql = 'SELECT count(*)::INTEGER AS lines FROM read_history(path := ?)';
      const home = join(root, 'fixtures/*/demo/.claude');
      for await (const row of engine.query(sql, [home])) console.log(JSON.stringify(row));
      engine.close();
    `);
    const lines = projectText('fixtures/claude/demo/.claude/history.jsonl')
      .trim()
      .split('\n').length;
    expect(JSON.parse(answer)).toEqual({ lines });
  });

  it('has types that a strict consumer can check', () => {
    const consumer = `
      import { AhqError, open, type ErrorCode, type ObjectRow } from 'ahq';
      const engine = await open({ onNote: () => undefined });
      const rows: ObjectRow[] = [];
      for await (const row of engine.query('SELECT 1 AS one')) rows.push(row);
      // @ts-expect-error a statement is a text
      engine.query(1);
      export const code = (error: AhqError): ErrorCode => error.code;
      engine.close();
    `;
    writeFileSync(path.join(folder, 'consumer.ts'), consumer);
    const modules = path.join(projectRoot, 'node_modules');
    const tsc = path.join(modules, 'typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext'];
    // The types of Node are what a consumer brings along.
    options.push('--types', 'node', '--typeRoots', path.join(modules, '@types'));
    const { status, stdout } = run('node', [tsc, ...options, 'consumer.ts'], { cwd: folder });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});
