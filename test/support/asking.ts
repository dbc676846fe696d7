/** Questions to an engine on a machine that has nothing of the real one. */

import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Environment, ObjectRow, Parameters } from '../../src/index.ts';
import { AhqError, open } from '../../src/index.ts';

/** A machine whose home folder is `home`, with these variables and no others. */
export function machine(
  home = path.join(tmpdir(), 'nobody-lives-here'),
  variables: Environment['variables'] = {},
): Environment {
  return { platform: process.platform, home, variables, path };
}

/** What a statement answered. */
export interface Answer {
  readonly rows: readonly ObjectRow[];
  /** What the scan said beside its rows. */
  readonly notes: readonly string[];
}

/** Runs SQL on an engine of its own. Throws what the query throws. */
export async function ask(
  sql: string,
  given: Parameters = [],
  environment = machine(),
): Promise<Answer> {
  const notes: string[] = [];
  const engine = await open({ environment, onNote: note => notes.push(note) });
  try {
    return { rows: await all(engine.query(sql, given)), notes };
  } finally {
    engine.close();
  }
}

/** The error that a statement ends with. Throws when it ends without one. */
export async function refusal(
  sql: string,
  given: Parameters = [],
  environment = machine(),
): Promise<AhqError> {
  try {
    await ask(sql, given, environment);
  } catch (error) {
    if (error instanceof AhqError) return error;
    throw error;
  }
  throw new Error(`no error: ${sql}`);
}

/** Everything that an asynchronous iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
