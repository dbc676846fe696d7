/** A home of pi that a test writes, and the rows that the parser makes of it. */

import { basename } from 'node:path';
import { expect } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import type { Source, SourceKind } from '../../src/harness/harness.ts';
import { pi } from '../../src/harness/pi/index.ts';
import type { ParsedName } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { RESUMED, WHOLE } from '../contract/feed.ts';
import { parsedRows } from '../contract/parsed-rows.ts';
import { writeFile } from '../support/folder.ts';

/** The folder of the project that tests write to. */
export const PROJECT = 'sessions/--home-mira-tide--';

/** The name of the session that tests write, and of the folder of its sub-agents. */
export const BASE = '2026-05-04T08-00-00-000Z_tide';

/** An identifier of a run, told apart by one digit. */
export const runId = (digit: number) => `${digit.toString().repeat(8)}-1111-4222-8333-444455556666`;

/** The instant so many seconds after the session began. */
export const second = (seconds: number) =>
  new Date(Date.UTC(2026, 4, 4, 8, 0, seconds)).toISOString();

/** The header of a session. */
export const header = (more: object = {}) => ({
  ...{ type: 'session', version: 3, id: 'tide', timestamp: second(0), cwd: '/home/mira/tide' },
  ...more,
});

let entries = 0;

/** An entry with an identifier and a time of its own. */
export const entry = (type: string, more: object = {}) => {
  entries++;
  return { type, id: `e${entries}`, parentId: null, timestamp: second(entries), ...more };
};

const message = (id: string, message: object) => entry('message', { id, message });

/** What stands in the user's slot. */
export const user = (id: string, content: unknown) => message(id, { role: 'user', content });

/** An answer; what is not said of it is ordinary. */
export const answer = (id: string, stopReason: string | null, more: object = {}) =>
  message(id, {
    ...{ role: 'assistant', model: 'm', content: [], usage: { input: 1, output: 2 } },
    ...(stopReason === null ? {} : { stopReason }),
    ...more,
  });

/** A block that calls a tool. */
export const call = (id: string, name: string, args: object) => ({
  ...{ type: 'toolCall', id, name, arguments: args },
});

/** The result of a call. */
export const result = (id: string, toolName: string, text: string, more: object = {}) =>
  message(`r-${id}`, {
    ...{ role: 'toolResult', toolCallId: id, toolName, isError: false },
    ...{ content: [{ type: 'text', text }] },
    ...more,
  });

/** What an extension says. */
export const custom = (id: string, customType: string, content: string) =>
  entry('custom_message', { id, customType, content, display: true });

/** Records, or lines as they are, as the text of a file. */
export const lines = (...records: readonly (object | string)[]) =>
  records.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

/** The rows of a home, or of a part of it, by relation. */
export type Rows = (relation: ParsedName) => readonly MutableRow[];

/** The rows of a session with these entries. */
export function rowsOf(home: string, ...records: readonly (object | string)[]): Rows {
  writeFile(home, `${PROJECT}/${BASE}.jsonl`, lines(header(), ...records));
  return rowsIn(home);
}

/** The rows of a home: read in one go, and the same when stopped after every record. */
export function rowsIn(home: string): Rows {
  const sources = sourcesIn(home);
  const whole = parsedRows(pi, sources, WHOLE);
  expect([...parsedRows(pi, sources, RESUMED)]).toEqual([...whole]);
  return relation => whole.get(relation) ?? [];
}

/** Some columns of rows, in their order. */
export function pick(rows: readonly MutableRow[], ...columns: readonly string[]): unknown[][] {
  return rows.map(row => columns.map(column => row[column] ?? null));
}

const KINDS: ReadonlySet<SourceKind> = new Set(pi.parser.kinds);

function sourcesIn(home: string): readonly Source[] {
  const folder = entryAt(home, basename(home));
  if (!folder) throw new Error(`${home} is gone`);
  const fail = (path: string, error: unknown): never => {
    throw new Error(`cannot list ${path}`, { cause: error });
  };
  return [...pi.discover(pi.assume(folder), KINDS, fail)];
}
