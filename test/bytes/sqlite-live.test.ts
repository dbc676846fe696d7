/** Databases that are in use, damaged, or change while they are read. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqliteReader } from '../../src/bytes/sqlite-reader.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { makeState, readAll, STATE } from './sqlite-database.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  for (const child of children) child.kill();
  removeFolder(folder);
});

/** Starts a program that works on a database, and waits until it does. */
async function startWriter(path: string, mode: 'wal' | 'lock'): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'sqlite-writer.mjs');
  const child = spawn(process.execPath, [program, path, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

/** Ends a program that was started, and waits for it. */
async function stopWriter(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

/** Rows for more than one page. */
const MANY = Array.from({ length: 600 }, (_, index) => [`k${1000 + index}`, '1'] as const);

/** A reader that has given the first of several pages. */
function halfRead(path: string): SqliteReader {
  const reader = new SqliteReader(path, [STATE], new Work());
  while (reader.lineNumber < 512) reader.next();
  return reader;
}

describe('a database that another program writes', () => {
  it('gives the rows of a write-ahead log that is not checkpointed', async () => {
    const path = makeState(folder, 'wal.vscdb', [['main', '1']]);
    const before = readFileSync(path);
    const writer = await startWriter(path, 'wal');
    expect(readAll(path)).toHaveLength(101);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(readAll(path).at(-1)).toEqual(['state:wal:99', '"99"']);
    expect(readFileSync(path).subarray(100).equals(before.subarray(100))).toBe(true);
    await stopWriter(writer);
  });

  it('is an error after two seconds when it is locked, and is read when it is not', async () => {
    const path = makeState(folder, 'locked.vscdb', [['a', '1']]);
    const writer = await startWriter(path, 'lock');
    const reader = new SqliteReader(path, [STATE], new Work());
    expect(() => reader.next()).toThrow('database is locked');
    await stopWriter(writer);
    expect(reader.next()).toBe(true);
    expect(reader.recordKey).toBe('state:a');
  });
});

describe('a database that changes between two pages', () => {
  it('ends with a problem when another file takes its place', () => {
    const path = makeState(folder, 'replaced.vscdb', MANY);
    const other = makeState(folder, 'other.vscdb', MANY);
    const reader = halfRead(path);
    renameSync(other, path);
    expect(reader.next()).toBe(false);
    expect(reader.problem).toBe('the database was replaced while it was read');
    expect(reader.next()).toBe(false);
    expect(reader.lineNumber).toBe(512);
  });

  it('ends with a problem when it vanishes', () => {
    const path = makeState(folder, 'vanished.vscdb', MANY);
    const reader = halfRead(path);
    rmSync(path);
    expect(reader.next()).toBe(false);
    expect(reader.problem).toBe('the database vanished while it was read');
  });

  it('is an error when what is in its place is no database', () => {
    const path = makeState(folder, 'overwritten.vscdb', MANY);
    const reader = halfRead(path);
    writeFileSync(path, 'x'.repeat(10_000), { flag: 'r+' });
    expect(() => reader.next()).toThrow('file is not a database');
  });
});

describe('a file that is no database', () => {
  it('is an error, each time it is asked', () => {
    const path = writeFile(folder, 'text.vscdb', 'x'.repeat(5000));
    const reader = new SqliteReader(path, [STATE], new Work());
    expect(() => reader.next()).toThrow('file is not a database');
    expect(() => reader.next()).toThrow('file is not a database');
    expect(() => readAll(path, null)).toThrow('file is not a database');
  });

  it('is the error of the system when it is not there', () => {
    const path = join(folder, 'absent.vscdb');
    expect(() => readAll(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('has no tables when it is empty', () => {
    const path = writeFile(folder, 'empty.vscdb');
    expect(readAll(path)).toEqual([]);
    expect(readAll(path, null)).toEqual([]);
  });

  it('gives rows or an error, however much of it is left', () => {
    const path = makeState(folder, 'whole.vscdb', MANY);
    const bytes = readFileSync(path);
    for (let length = 1; length < bytes.length; length += 509) {
      const cut = writeFile(folder, 'cut.vscdb', bytes.subarray(0, length));
      let rows = -1;
      try {
        rows = readAll(cut).length;
      } catch (error) {
        expect(String(error)).toMatch(/not a database|malformed|disk I\/O/);
      }
      expect([-1, MANY.length]).toContain(rows);
    }
  });

  it('gives rows or an error, wherever it is damaged', () => {
    const path = makeState(folder, 'sound.vscdb', MANY);
    const bytes = readFileSync(path);
    for (let at = 100; at < bytes.length; at += 1021) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xff, at, at + 64);
      const broken = writeFile(folder, 'broken.vscdb', damaged);
      const read = () => readAll(broken).length;
      try {
        expect(read()).toBeGreaterThan(0);
      } catch (error) {
        expect(String(error)).toMatch(/SqliteError/);
      }
    }
  });
});
