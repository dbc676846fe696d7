/**
 * Rows that are written down, to be read by people:
 * `fixtures/<harness>/<case>/expected/<table>.jsonl`.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type JsValue, type ObjectRow, relations } from '../../src/index.ts';
import { ask } from '../support/asking.ts';
import type { Home } from './home.ts';

/** What the contract derives from the files, byte by byte: here it would only be in the way. */
const DERIVED: ReadonlySet<string> = new Set([
  ...['source', 'file_name', 'byte_offset', 'byte_length', 'line_ending', 'ordinal'],
  ...['raw', 'raw_bytes', 'raw_event', 'raw_is_exact'],
  // They hang on where and when the repository was cloned.
  ...['source_id', 'modified_at'],
  // Hashes and offsets tell a reader nothing that the texts and lines do not.
  ...['content_sha256', 'input_sha256', 'output_sha256', 'stdout_sha256', 'stderr_sha256'],
  ...['result_sha256', 'output_byte_offset'],
]);

/** How much of a long row a difference shows. */
const SHOWN_CHARACTERS = 300;

/** Newer versions of Node add line and column to the place where JSON is wrong. */
const PLACE_IN_JSON = /(in JSON at position \d+) \(line \d+ column \d+\)/g;

/** A case with more rows than anybody reads is written down by session. */
const SUMMARISED: ReadonlySet<string> = new Set(['claude/demo']);

/** Its tables with a row for each line or more; a summary by session stands for them. */
const WIDE: ReadonlySet<string> = new Set(['conversations', 'events']);

const SESSIONS = `
  SELECT file_path, min(session_id) AS session_id, any_value(is_agent) AS is_agent,
         any_value(parent_session_id) AS parent_session_id, min(project_path) AS project_path,
         min(timestamp) AS first_timestamp, max(timestamp) AS last_timestamp,
         count(*) AS "rows", count(DISTINCT line_number) AS lines,
         count(*) FILTER (author = 'user') AS by_user,
         count(*) FILTER (author = 'caller') AS by_caller,
         count(*) FILTER (author = 'agent') AS by_agent,
         count(*) FILTER (author = 'tool') AS by_tool,
         count(*) FILTER (author = 'system') AS by_system,
         count(tool_name) FILTER (author = 'agent') AS tool_calls,
         count(DISTINCT response_id) AS model_calls,
         sum(output_tokens)::BIGINT AS output_tokens_of_all_lines,
         count(parse_error) AS parse_errors,
         sum(length(message_content))::BIGINT AS characters
    FROM read_conversations(path = $path) GROUP BY file_path ORDER BY file_path`;

/** The tables of a case, with the statements that give their rows. */
export function tablesOf(home: Home): readonly (readonly [table: string, sql: string])[] {
  const tables = relations.map(({ name, functionName }) => {
    return [name, `FROM ${functionName}(path = $path)`] as const;
  });
  if (!SUMMARISED.has(home.name)) return tables;
  return [['sessions', SESSIONS], ...tables.filter(([table]) => !WIDE.has(table))];
}

/** What is written down and what the rows are now, a line a row. */
export interface Comparison {
  readonly wanted: readonly string[];
  readonly found: readonly string[];
}

/** Reads a table of a case. One that is not written down yet is written, but never in CI. */
export async function compare(home: Home, table: string, sql: string): Promise<Comparison> {
  const { rows } = await ask(sql, { path: home.path });
  const found = rows.map(row => lineOf(row, home.folder));
  const path = join(home.folder, 'expected', `${table}.jsonl`);
  if (!existsSync(path) && found.length > 0) {
    if (process.env['CI']) throw new Error(`${path} is missing; run the test without CI, read it`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, found.map(line => `${line}\n`).join(''));
  }
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return { wanted: text.split('\n').filter(line => line !== ''), found };
}

/** A row as it is written down: without NULLs and what is derived, paths relative to the case. */
function lineOf(row: ObjectRow, folder: string): string {
  const kept = Object.entries(row).filter(([name, value]) => value !== null && !DERIVED.has(name));
  return JSON.stringify(
    Object.fromEntries(kept.map(([name, value]) => [name, portable(value, folder)])),
  );
}

function portable(value: JsValue, folder: string): JsValue {
  if (typeof value !== 'string') return value;
  const path = value.startsWith(`${folder}/`) ? value.slice(folder.length + 1) : value;
  return path.replace(PLACE_IN_JSON, '$1');
}

/** The rows that differ, a few of them, each with the columns that do. */
export function differences({ wanted, found }: Comparison): string[] {
  const rows = Array.from({ length: Math.max(wanted.length, found.length) }, (_, row) => row);
  return rows
    .filter(row => wanted[row] !== found[row])
    .slice(0, 5)
    .map(row => `row ${row + 1}:\n${differingColumns(wanted[row], found[row]).join('\n')}`);
}

function differingColumns(wanted = '{}', found = '{}'): string[] {
  const [before, now]: Record<string, unknown>[] = [JSON.parse(wanted), JSON.parse(found)];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})]);
  return [...names]
    .map(name => [name, shown(before?.[name]), shown(now?.[name])])
    .filter(([, wasShown, isShown]) => wasShown !== isShown)
    .map(([name, wasShown, isShown]) => `  ${name}: ${isShown} instead of ${wasShown}`);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'NULL').slice(0, SHOWN_CHARACTERS);
}
