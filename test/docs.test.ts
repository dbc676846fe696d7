/**
 * The README says what is true: its generated parts equal what the declarations give, and its
 * commands and its script run as they stand. `npm run docs` rewrites the generated parts.
 */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsedRelations } from '../src/relations/index.ts';
import { ahq } from './support/ahq.ts';
import { makeFolder, removeFolder, writeFile } from './support/folder.ts';
import { projectRoot, projectText } from './support/project.ts';
import {
  commandsMarkdown,
  coverageMarkdown,
  questionsMarkdown,
  relationsMarkdown,
} from './support/reference.ts';
import { run } from './support/run.ts';

const PARTS: Readonly<Record<string, string>> = {
  relations: relationsMarkdown(),
  questions: questionsMarkdown(),
  coverage: coverageMarkdown(),
  commands: commandsMarkdown(),
};

const README = projectText('README.md');

/** The README with its generated parts made anew. Throws where a part has no place. */
function renewed(readme: string): string {
  return Object.entries(PARTS).reduce((text, [name, part]) => {
    const [open, close] = [`<!-- reference:${name} -->`, '<!-- /reference -->'];
    const start = text.indexOf(open) + open.length;
    const end = text.indexOf(close, start);
    if (start < open.length || end < 0) throw new Error(`README.md has no place for ${name}`);
    return `${text.slice(0, start)}\n${part.trim()}\n${text.slice(end)}`;
  }, readme);
}

/** The commands of the README's shell blocks that run `npx ahq` with SQL or a command. */
function commands(readme: string): string[] {
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(match => match[1] ?? '');
  return blocks
    .flatMap(block => block.replaceAll('\\\n', ' ').split('\n'))
    .filter(line => /^npx ahq /.test(line))
    .map(line => line.replace(/\s+#.*$/, ''));
}

/** A home with the demo's sessions wherever the README looks for some. */
const HOME = makeFolder();

beforeAll(() => {
  for (const place of ['.', 'backup', 'archive/old']) {
    mkdirSync(path.join(HOME, place), { recursive: true });
    const demo = path.join(projectRoot, 'fixtures/claude/demo/.claude');
    symlinkSync(demo, path.join(HOME, place, '.claude'));
  }
  // Some commands ask the store, whichever of them runs first.
  expect(ahq(['refresh'], { home: HOME }).status).toBe(0);
});

afterAll(() => removeFolder(HOME));

describe('README.md', () => {
  it('has generated parts that are up to date (`npm run docs` rewrites them)', () => {
    if (process.env['AHQ_WRITE_DOCS']) writeFileSync('README.md', renewed(README));
    else expect(README).toBe(renewed(README));
  });

  it.each(commands(README))('has a command that runs: %s', command => {
    const program = path.join(projectRoot, 'dist/cli.js');
    const asBuilt = command.replace(/^npx ahq/, `"${process.execPath}" "${program}"`);
    const cwd = projectRoot;
    const ended = run('/bin/sh', ['-c', asBuilt], { cwd, variables: { HOME } });
    const said = ended.stderr.replaceAll(/^ahq: note: .*\n/gm, '');
    // What `status` says beside its answer.
    expect(said.replace(/^ahq: \S+\/ahq\.duckdb: [\d.]+ \w+\n$/, '')).toBe('');
    expect(ended.status).toBe(0);
  });

  it('has a script that runs against the library', () => {
    const [, script = ''] = /```js\n([\s\S]*?)```/.exec(README) ?? [];
    const folder = makeFolder();
    const library = path.join(projectRoot, 'dist/index.js');
    writeFile(folder, 'ask.mjs', script.replace("'ahq'", `'${library}'`));
    const ended = run(process.execPath, ['ask.mjs'], { cwd: folder, variables: { HOME } });
    removeFolder(folder);
    expect(ended.stderr).toBe('');
    expect(ended.stdout.trim().split('\n')).toHaveLength(3);
  });

  it('names every example file of its examples', () => {
    const named = [...README.matchAll(/sql\/examples\/[\w-]+\.sql/g)].map(match => match[0]);
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) expect(projectText(file)).toMatch(/^-- .*\?/);
  });
});

describe('the examples', () => {
  it('run one after the other as one text on standard input', () => {
    const input = run('/bin/sh', ['-c', 'cat sql/examples/*.sql'], { cwd: projectRoot }).stdout;
    const ended = ahq(['--format', 'json'], { home: HOME, input });
    expect(ended.stderr).toBe('');
    expect(ended.status).toBe(0);
    expect(ended.stdout.match(/^\[/gm)?.length).toBe(10);
  });

  it('ask every relation of meaning one question that runs', () => {
    const files = 'cat sql/examples/relations/*.sql';
    const input = run('/bin/sh', ['-c', files], { cwd: projectRoot }).stdout;
    const ended = ahq(['--format', 'json'], { home: HOME, input });
    expect(ended.stderr.replaceAll(/^ahq: note: .*\n/gm, '')).toBe('');
    expect(ended.status).toBe(0);
    const answers = ended.stdout.match(/^\[/gm)?.length;
    expect(answers).toBe(parsedRelations.length);
  });
});
