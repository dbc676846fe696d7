/** What the parser of Claude Code's records makes of homes that are made for one test. */

import { expect } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { claude } from '../../src/harness/claude/index.ts';
import { claudeParser } from '../../src/harness/shared/claude-records/parse/index.ts';
import type { ParsedName } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { RESUMED, WHOLE } from '../contract/feed.ts';
import { parsedRows } from '../contract/parsed-rows.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

/** The rows of a home by relation. */
export type Parsed = ReadonlyMap<ParsedName, readonly MutableRow[]>;

/** The session of a test. */
export const SESSION = '5d1c7a52-0f0e-4c5e-9a63-2b7f0c4d8e11';
const PROJECT = '.claude/projects/-home-mira-tide';
/** The file of the session below a home. */
export const MAIN = `${PROJECT}/${SESSION}.jsonl`;
/** The file of a sub-agent of the session. */
export const agentFile = (id: string) => `${PROJECT}/${SESSION}/subagents/agent-${id}.jsonl`;
/** A file of a workflow of the session. */
export const workflowFile = (name: string) =>
  `${PROJECT}/${SESSION}/subagents/workflows/wf_1/${name}.jsonl`;

/** The rows of a session with these records. */
export const parse = (...records: readonly object[]): Parsed => parseFiles({ [MAIN]: records });

/**
 * The rows of files in the order of their discovery, which are the same when the parser is stopped
 * after every record.
 */
export function parseFiles(files: Readonly<Record<string, readonly object[]>>): Parsed {
  const home = makeFolder();
  try {
    for (const [path, records] of Object.entries(files)) {
      writeFile(home, path, records.map(record => `${JSON.stringify(record)}\n`).join(''));
    }
    const sources = sourcesIn(home);
    const whole = parsedRows(PARSING, sources, WHOLE);
    expect([...parsedRows(PARSING, sources, RESUMED)]).toEqual([...whole]);
    return whole;
  } finally {
    removeFolder(home);
  }
}

const parser = claudeParser({ kinds: ['transcript', 'journal'] });
const PARSING = { description: claude.description, parser };

function sourcesIn(home: string) {
  const entry = entryAt(`${home}/.claude`, '.claude');
  if (!entry) throw new Error(`${home} is empty`);
  const fail = (where: string, error: unknown): never => {
    throw new Error(`cannot list ${where}`, { cause: error });
  };
  return [...claude.discover(claude.assume(entry), new Set(parser.kinds), fail)];
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

const START_MS = Date.UTC(2026, 4, 12, 9);
const stamp = (ms: number) => new Date(START_MS + ms).toISOString();
/** The instant `ms` milliseconds into a test as rows tell it. */
export const micros = (ms: number) => (START_MS + ms) * 1000;

/** A record of the session with the identifier `uuid`, `ms` milliseconds into the test. */
export function at(ms: number, uuid: string, record: object): object {
  return { sessionId: SESSION, uuid, timestamp: stamp(ms), version: '2.1.251', ...record };
}

/** A line in the user's slot. */
export function said(ms: number, uuid: string, content: unknown, more: object = {}): object {
  return at(ms, uuid, { type: 'user', message: { role: 'user', content }, ...more });
}

/** A line of the model. */
export function answer(
  ms: number,
  uuid: string,
  message: { readonly id?: string; readonly [name: string]: unknown },
  more: object = {},
): object {
  const whole = { role: 'assistant', model: 'claude-opus-5', content: [], ...message };
  return at(ms, uuid, { type: 'assistant', message: whole, ...more });
}

/** A block that calls a tool. */
export const call = (id: string, name: string, input: object) => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** A line with the result of a call. */
export function result(
  ms: number,
  uuid: string,
  id: string,
  content: unknown,
  more: { readonly toolUseResult?: unknown; readonly isError?: boolean } = {},
): object {
  const { toolUseResult, isError } = more;
  const block = { type: 'tool_result', tool_use_id: id, content };
  const marked = isError === undefined ? block : { ...block, is_error: isError };
  return said(ms, uuid, [marked], toolUseResult === undefined ? {} : { toolUseResult });
}

/** What a shell gives. */
export const shell = (stdout: string, more: object = {}) => ({
  stdout,
  stderr: '',
  interrupted: false,
  ...more,
});

/** A record of type `attachment`. */
export const attached = (ms: number, uuid: string, attachment: object): object =>
  at(ms, uuid, { type: 'attachment', attachment });
