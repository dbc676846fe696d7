/** `ahq schema`: what the relations are called and what is in them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, open, relations } from '../../src/index.ts';
import { ahq } from '../support/ahq.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await open();
});

afterAll(() => {
  engine.close();
});

/** The rows of an answer in ndjson. */
function rows(args: readonly string[]): Record<string, unknown>[] {
  const { status, stdout, stderr } = ahq(['schema', ...args, '--format', 'ndjson']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

interface About {
  readonly function: string;
  readonly key: readonly string[];
  readonly parameters: readonly { name: string; type: string }[];
  readonly columns: readonly { name: string; type: string; nullable: boolean; meaning: string }[];
}

/** The answer for programs. */
function schema(...args: readonly string[]): Record<string, About> {
  const { status, stdout } = ahq(['schema', ...args, '--format', 'json']);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

/** What DuckDB calls the types that are declared under another name. */
const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE',
  JSON: 'VARCHAR',
};

describe('ahq schema', () => {
  it('lists every relation with its function, its columns and its meaning', () => {
    expect(rows([])).toEqual(
      relations.map(({ name, functionName, columns, meaning }) => ({
        name,
        function: functionName,
        columns: Object.keys(columns).length,
        meaning,
      })),
    );
  });

  it('takes the options of the program too', () => {
    const before = ahq(['--format', 'ndjson', 'schema']);
    expect(before).toEqual(ahq(['schema', '--format', 'ndjson']));
  });

  it('describes one, by its name or by that of its function', () => {
    const described = rows(['todos']);
    expect(described).toEqual(rows(['READ_TODOS']));
    expect(described[0]).toEqual({
      kind: 'column',
      name: 'source',
      type: 'VARCHAR',
      nullable: false,
      meaning: 'Harness that wrote the file',
    });
    const parameters = described.filter(({ kind }) => kind === 'parameter');
    expect(parameters.map(({ name }) => name)).toContain('path');
  });

  it('is a table when that is asked for', () => {
    expect(ahq(['schema', 'stats', '--format', 'table']).stdout).toContain('│ column    │ date ');
  });

  it('refuses a name that no relation has, and names those there are', () => {
    expect(ahq(['schema', 'conversation'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        "ahq: unknown relation 'conversation'; known are conversations, events, plans, todos, " +
        'history, stats, session, turn, message, llm_call, tool_call, tool_op, tool_io, ' +
        'subagent_spawn, compaction, hook_event, git_event, file_touch, artifact, attachment, ' +
        'session_event, session_continuation, rate_limit_sample, cost_state, record_type_seen, ' +
        'parse_issue, source_file\n',
    });
  });
});

describe('ahq schema --format json', () => {
  it('has the columns and parameters that DuckDB has, of all relations', async () => {
    const described = schema();
    expect(Object.keys(described)).toEqual(relations.map(({ name }) => name));
    for (const about of Object.values(described)) {
      const columns: unknown[] = [];
      const sql = `select column_name as name, column_type as type
                   from (describe from ${about.function}())`;
      for await (const column of engine.query(sql)) columns.push(column);
      const declared = about.columns.map(({ name, type }) => ({
        name,
        type: DUCKDB_TYPES[type] ?? type,
      }));
      expect(declared).toEqual(columns);
      expect(about.columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...about.key]));
      const parameters: unknown[] = [];
      const named = `select unnest(parameters) as name, unnest(parameter_types) as type
                     from duckdb_functions() where function_name = $name order by name`;
      for await (const row of engine.query(named, { name: about.function })) parameters.push(row);
      const own = about.parameters.map(({ name, type }) => ({ name, type }));
      expect(own.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(parameters);
    }
  });

  it('may be of one relation', () => {
    const { events, ...others } = schema('read_events');
    expect(others).toEqual({});
    expect(events?.key).toEqual(['file_path', 'byte_offset', 'record_key']);
    expect(events?.columns.find(({ name }) => name === 'raw')).toMatchObject({ nullable: true });
  });
});
