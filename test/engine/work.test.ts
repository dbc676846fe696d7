/** What reading costs, in bytes, files and records: no more than the statement needs. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, open } from '../../src/index.ts';
import { promptLine, writeHome } from '../scan/claude-home.ts';
import { all, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const MIB = 1024 * 1024;

const LINES = 50_000;

/** A record that does not tell its working directory. */
const MODE = '{"type":"mode","sessionId":"ahead"}\n';

let folder: string;
let large: string;
let home: string;
let engine: Engine;

beforeAll(() => {
  folder = makeFolder();
  const lines = promptLine('large', 'x'.repeat(1000)).repeat(LINES);
  expect(lines.length).toBeGreaterThan(50 * MIB);
  large = writeFile(folder, 'large/projects/-p/large.jsonl', lines);
  home = writeHome(folder);
});
afterAll(() => removeFolder(folder));

beforeEach(async () => {
  engine = await open({ environment: machine() });
  return () => engine.close();
});

const cost = async (sql: string, p: string) => {
  const before = { ...engine.work };
  const rows = await all(engine.query(sql, { p }));
  const { bytesRead, filesOpened, linesRead, recordsParsed } = engine.work;
  return {
    rows: rows.length,
    bytesRead: bytesRead - before.bytesRead,
    filesOpened: filesOpened - before.filesOpened,
    linesRead: linesRead - before.linesRead,
    recordsParsed: recordsParsed - before.recordsParsed,
  };
};

describe('LIMIT', () => {
  it.each([
    'FROM read_conversations(path = $p) LIMIT 5',
    "FROM read_conversations(path = $p, rows = 'line') LIMIT 5",
    'FROM read_events(path = $p) LIMIT 5',
    "SELECT uuid FROM read_conversations(path = $p) WHERE author = 'user' LIMIT 5",
  ])('ends the reading of 50 MB within 3 MiB: %s', async sql => {
    const { rows, bytesRead, filesOpened } = await cost(sql, large);
    expect(rows).toBe(5);
    expect(bytesRead).toBeLessThanOrEqual(3 * MIB);
    expect(filesOpened).toBeLessThanOrEqual(1);
  });

  it('does not open files that come later', async () => {
    writeHome(folder, 'later');
    const sql = 'SELECT raw FROM read_events(path = $p) LIMIT 1';
    expect(await cost(sql, `${folder}/{large,later}`)).toMatchObject({ rows: 1, filesOpened: 1 });
  });
});

describe('a count', () => {
  it('of lines parses nothing', async () => {
    const sql = "SELECT count(*) FROM read_conversations(path = $p, rows = 'line')";
    const { linesRead, recordsParsed } = await cost(sql, large);
    expect([linesRead, recordsParsed]).toEqual([LINES, 0]);
  });

  it('of events parses nothing', async () => {
    const { linesRead, recordsParsed } = await cost('SELECT count(*) FROM read_events($p)', large);
    expect([linesRead, recordsParsed]).toEqual([LINES, 0]);
  });

  it('of blocks parses each line once', async () => {
    const sql = 'SELECT count(*) FROM read_conversations(path = $p)';
    const { linesRead, recordsParsed } = await cost(sql, large);
    expect([linesRead, recordsParsed]).toEqual([LINES, LINES]);
  });
});

describe('a column', () => {
  const byLine = (columns: string) =>
    `SELECT ${columns} FROM read_conversations(path = $p, rows = 'line')`;
  const events = (columns: string) => `SELECT ${columns} FROM read_events(path = $p)`;

  it.each([
    byLine('file_name, file_path, line_number, byte_offset, ordinal'),
    byLine('source, project_dir, is_agent, agent_path, raw_event'),
    events('file_name, line_number, byte_offset, byte_length, line_ending, session_id'),
    events('raw, raw_bytes, raw_is_exact, offset_space'),
    'SELECT content, file_size FROM read_plans(path = $p)',
  ])('that tells of the file needs no parsing: %s', async sql => {
    const { rows, recordsParsed } = await cost(sql, home);
    expect(rows).toBeGreaterThan(0);
    expect(recordsParsed).toBe(0);
  });

  it.each([
    byLine('author'),
    byLine('message_content, uuid, session_id, tool_input'),
    byLine('* EXCLUDE (agent_role)'),
    'SELECT * EXCLUDE (agent_role) FROM read_conversations(path = $p)',
    events('event_type'),
    events('*'),
  ])('that tells of the record parses each of the four records once: %s', async sql => {
    const { rows, recordsParsed } = await cost(sql, home);
    expect([rows, recordsParsed]).toEqual([4, 4]);
  });

  it('that comes from a file beside it opens that file only when it is asked for', async () => {
    expect(await cost(byLine('agent_path'), home)).toMatchObject({ filesOpened: 4 });
    expect(await cost(byLine('agent_role'), home)).toMatchObject({ filesOpened: 5 });
  });

  it('that looks ahead in a file does so once, and not further than it must', async () => {
    const rest = promptLine('ahead', 'x'.repeat(1000)).repeat(1000);
    const path = writeFile(folder, 'ahead.jsonl', `${MODE.repeat(1000)}${rest}`);
    const without = await cost(byLine('line_number'), path);
    const { bytesRead, rows } = await cost(byLine('project_path'), path);
    expect(rows).toBe(2000);
    expect(bytesRead - without.bytesRead).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('a relation named twice', () => {
  const PAIRS = 'SELECT count(*) FROM x a JOIN x b USING (file_path, byte_offset)';

  it('is read once where it is materialised', async () => {
    const columns = 'file_path, byte_offset, raw';
    const once = await cost(`SELECT ${columns} FROM read_events(path = $p)`, home);
    const source = `(SELECT ${columns} FROM read_events(path = $p))`;
    const kept = await cost(`WITH x AS MATERIALIZED ${source} ${PAIRS}`, home);
    expect(kept.bytesRead).toBe(once.bytesRead);
    const again = await cost(`WITH x AS NOT MATERIALIZED ${source} ${PAIRS}`, home);
    expect(again.bytesRead).toBe(2 * once.bytesRead);
  });
});
