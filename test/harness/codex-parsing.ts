/** What the parser of Codex makes of homes that are made for one test. */

import { expect } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { codex } from '../../src/harness/codex/index.ts';
import type { Source } from '../../src/harness/harness.ts';
import type { ParsedName } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { RESUMED, WHOLE } from '../contract/feed.ts';
import { parsedRows } from '../contract/parsed-rows.ts';
import { writeFile } from '../support/folder.ts';
import { event, item, lines, rolloutPath, THREAD } from './codex-home.ts';

/** The rows of a home by relation. */
export type Parsed = ReadonlyMap<ParsedName, readonly MutableRow[]>;

/** The rows of the rollouts below a folder, which are the same after a stop at any record. */
export function parseHome(home: string, path = home): Parsed {
  const sources = rolloutsIn(home, path);
  const whole = parsedRows(codex, sources, WHOLE);
  expect([...parsedRows(codex, sources, RESUMED)]).toEqual([...whole]);
  return whole;
}

/** The rows of one rollout with these records. */
export function parseRollout(home: string, ...records: readonly unknown[]): Parsed {
  writeFile(home, rolloutPath(), lines(records));
  return parseHome(home);
}

function rolloutsIn(home: string, path: string): readonly Source[] {
  const entry = entryAt(path, path.slice(home.length + 1));
  if (!entry) throw new Error(`${path} is not there`);
  const fail = (where: string, error: unknown): never => {
    throw new Error(`cannot list ${where}`, { cause: error });
  };
  const options = { includeArchived: true };
  return [...codex.discover(codex.assume(entry), new Set(['transcript']), fail, options)];
}

/** The rows of a relation, only with the columns that are named and known. */
export function pick(parsed: Parsed, relation: ParsedName, ...columns: readonly string[]) {
  return (parsed.get(relation) ?? []).map(row =>
    Object.fromEntries(
      columns.flatMap(name => {
        const value = row[name] ?? null;
        return value === null ? [] : [[name, value]];
      }),
    ),
  );
}

/** The values of one column. */
export function column(parsed: Parsed, relation: ParsedName, name: string) {
  return (parsed.get(relation) ?? []).map(row => row[name] ?? null);
}

const START = Date.UTC(2026, 4, 12, 9);

/** A record `seconds` after 2026-05-12 09:00 UTC. */
export const at = (seconds: number, record: object) => ({
  ...record,
  timestamp: new Date(START + seconds * 1000).toISOString(),
});

/** That instant as rows tell it. */
export const micros = (seconds: number) => (START + seconds * 1000) * 1000;

/** A call of a tool with JSON as arguments. */
export const toolCall = (id: string, name: string, input: object, more: object = {}) =>
  item('function_call', { name, arguments: JSON.stringify(input), call_id: id, ...more });
/** A call of the shell. */
export const shell = (id: string, cmd: string) => toolCall(id, 'exec_command', { cmd });
/** What a tool gave. */
export const output = (id: string, text: unknown) =>
  item('function_call_output', { call_id: id, output: text });
/** An item of the turn `t1` that is completed. */
export const completed = (inner: object) =>
  event('item_completed', { thread_id: THREAD, turn_id: 't1', item: inner });
