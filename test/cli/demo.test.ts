/** `ahq demo`: questions, SQL and answers over the files that come with ahq. */

import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectRoot, projectText } from '../support/project.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

const examples = readdirSync('sql/examples')
  .filter(name => name.endsWith('.sql'))
  .sort()
  .map(name => projectText(`sql/examples/${name}`));

describe('ahq demo', () => {
  it('gives for each question its SQL and a table with rows, in order', () => {
    const home = path.join(folder, 'home');
    const cwd = path.join(folder, 'work');
    mkdirSync(home);
    mkdirSync(cwd);
    const { status, stdout, stderr } = ahq(['demo'], { home, cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    let from = 0;
    for (const text of examples) {
      const question = /^-- (.*)/.exec(text)?.[1] ?? 'no question';
      const sql = text.replace(/^(--.*\n)*/, '').trim();
      const asked = stdout.indexOf(`${question}\n`, from);
      expect(asked).toBeGreaterThanOrEqual(from);
      from = stdout.indexOf(`\n\n${sql}\n\n┌`, asked);
      expect(from).toBeGreaterThan(asked);
    }
    expect(stdout.match(/^\d+ rows?$/gm)).toHaveLength(examples.length);
    expect(stdout).not.toMatch(/^0 rows$/m);
    const [, command = ''] = /\n {2}npx ahq "([^"]+)"\n$/.exec(stdout) ?? [];
    expect(ahq([command], { home: path.join(projectRoot, 'fixtures/claude/demo') }).status).toBe(0);
    expect([...readdirSync(home), ...readdirSync(cwd)]).toEqual([]);
  });

  it('reads nothing but its own files', () => {
    const variables = { CLAUDE_CONFIG_DIR: '/nowhere' };
    expect(ahq(['demo'], { variables })).toEqual(ahq(['demo']));
  });

  it('makes the questions bold where colours are wanted', () => {
    const [text = ''] = examples;
    const question = /^-- (.*)/.exec(text)?.[1];
    expect(ahq(['demo', '--colour', 'always']).stdout).toContain(`\u001b[1m${question}\u001b[22m`);
    expect(ahq(['demo']).stdout).not.toContain('\u001b');
  });

  it('runs in a home that cannot be written to', () => {
    expect(ahq(['demo'], { home: '/proc' }).status).toBe(0);
  });
});
