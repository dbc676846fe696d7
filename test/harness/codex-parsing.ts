/** What the parser of Codex makes of homes that are made for one test. */

import { expect } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { Work } from '../../src/bytes/work.ts';
import { codex } from '../../src/harness/codex/index.ts';
import { codexParser } from '../../src/harness/codex/parse/index.ts';
import type { Source } from '../../src/harness/harness.ts';
import { Interpreter } from '../../src/harness/shared/parsed/interpreter.ts';
import { EVERYTHING, keyOf } from '../../src/harness/shared/parsed/open-rows.ts';
import type { ParsedName } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { type Feed, RESUMED, recordsOf, WHOLE } from '../contract/feed.ts';
import { writeFile } from '../support/folder.ts';
import { event, item, lines, rolloutPath, THREAD } from './codex-home.ts';

/** The rows of a home by relation. */
export type Parsed = ReadonlyMap<ParsedName, readonly MutableRow[]>;

/** The rows of the rollouts below a folder, which are the same after a stop at any record. */
export function parseHome(home: string, path = home): Parsed {
  const whole = read(home, path, WHOLE);
  expect([...read(home, path, RESUMED)]).toEqual([...whole]);
  return whole;
}

/** The rows of one rollout with these records. */
export function parseRollout(home: string, ...records: readonly unknown[]): Parsed {
  writeFile(home, rolloutPath(), lines(records));
  return parseHome(home);
}

function read(home: string, path: string, feed: Feed): Map<ParsedName, MutableRow[]> {
  const rows = new Map<ParsedName, MutableRow[]>();
  const seen = new Set<string>();
  for (const source of rolloutsIn(home, path)) {
    const context = new ScanContext(source, new Work());
    const begin = () =>
      new Interpreter(codex.description, codexParser, EVERYTHING, (relation, row) => {
        const key = `${relation.name} ${keyOf(relation, row)}`;
        if (relation.key[0] !== 'source_id' && seen.has(key)) return;
        seen.add(key);
        rows.set(relation.name, [...(rows.get(relation.name) ?? []), row]);
      });
    let interpreter = begin();
    interpreter.start(context.source, context);
    for (const record of recordsOf(source, null, feed)) {
      if (feed.isResumed) {
        const saved = JSON.parse(JSON.stringify(interpreter.save()));
        interpreter = begin();
        interpreter.restore(saved);
      }
      if (!record.isBlank) interpreter.read(record, context);
    }
    interpreter.finish(context);
  }
  return rows;
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
