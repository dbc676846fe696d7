/** Runs every script in this folder through the public functions. */

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArrayRow, type Engine, open } from '../../src/index.ts';
import { projectRoot, projectText } from '../support/project.ts';
import { type Step, stepsOf, textOfRows } from './script.ts';

const FIXTURES = path.join(projectRoot, 'fixtures');

const scripts = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test'));

let engine: Engine;

beforeAll(async () => {
  engine = await open();
});

afterAll(() => engine.close());

async function rowsOf(sql: string): Promise<ArrayRow[]> {
  const rows: ArrayRow[] = [];
  for await (const row of engine.query(sql, [], { rows: 'array' })) rows.push(row);
  return rows;
}

async function run(step: Step): Promise<void> {
  const answer = rowsOf(step.sql.replaceAll('{fixtures}', FIXTURES));
  if (step.mustFail) await expect(answer).rejects.toThrow(step.expected.join('\n'));
  else if (step.kind === 'statement') await answer;
  else expect(textOfRows(await answer, step)).toEqual(step.expected);
}

describe.each(scripts)('%s', name => {
  const steps = stepsOf(projectText(`test/logic/${name}`));

  it('holds at least one query', () => {
    expect(steps.filter(step => step.kind === 'query').length).toBeGreaterThan(0);
  });

  it.each(steps.map(step => [step.line, step] as const))('holds from line %i', async (_, step) => {
    await run(step);
  });
});
