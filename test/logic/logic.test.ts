/** Runs every script in this folder through the public functions. */

import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArrayRow, type Engine, open } from '../../src/index.ts';
import { all, machine } from '../support/asking.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { projectText } from '../support/project.ts';
import { makePlaces, type Places, withPlaces } from './places.ts';
import { type Step, stepsOf, textOfRows } from './script.ts';

const scripts = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test'));

let engine: Engine;
let folder: string;
let places: Places;

beforeAll(async () => {
  folder = makeFolder();
  places = makePlaces(folder);
  // The default homes are those of Linux, wherever the tests run.
  engine = await open({ environment: { ...machine(places.home), platform: 'linux' } });
});

afterAll(() => {
  engine.close();
  removeFolder(folder);
});

function rowsOf(sql: string): Promise<ArrayRow[]> {
  return all(engine.query(withPlaces(sql, places), [], { rows: 'array' }));
}

async function run(step: Step): Promise<void> {
  if (step.mustFail) await expect(rowsOf(step.sql)).rejects.toThrow(step.expected.join('\n'));
  else if (step.kind === 'statement') await rowsOf(step.sql);
  else expect(textOfRows(await rowsOf(step.sql), step)).toEqual(step.expected);
}

describe.each(scripts)('%s', name => {
  const steps = stepsOf(projectText(`test/logic/${name}`));

  it('holds at least twelve steps', () => {
    expect(steps.length).toBeGreaterThanOrEqual(12);
  });

  it.each(steps.map(step => [step.line, step] as const))('holds from line %i', async (_, step) => {
    await run(step);
  });
});
