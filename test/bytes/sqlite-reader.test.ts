/** Rows of real SQLite databases as records. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceRecord } from '../../src/bytes/record.ts';
import { keysOf, rowsWithKey } from '../../src/bytes/sqlite.ts';
import { SqliteReader } from '../../src/bytes/sqlite-reader.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { CREATE_STATE, makeDatabase, makeState, readAll, STATE } from './sqlite-database.ts';

let folder: string;
let files = 0;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

const fresh = () => `${++files}.vscdb`;

describe('the value column', () => {
  it('is the record, row by row in the order of the keys', () => {
    const path = makeState(folder, fresh(), [
      ['b', '{"n":2}'],
      ['a', '{"text":"é😀"}'],
      ['c', 'no JSON'],
    ]);
    expect(readAll(path)).toEqual([
      ['state:a', '{"text":"é😀"}'],
      ['state:b', '{"n":2}'],
      ['state:c', 'no JSON'],
    ]);
  });

  it('has a running number, no offset, and its own length in bytes', () => {
    const path = makeState(folder, fresh(), [
      ['a', '"é"'],
      ['b', ''],
    ]);
    const reader = new SqliteReader(path, [STATE], new Work());
    expect(reader.next()).toBe(true);
    expect(reader).toMatchObject({ lineNumber: 1, byteOffset: null, byteLength: 4, ending: null });
    expect(reader).toMatchObject({ offsetSpace: 'none', isTooLong: false, blockDone: false });
    expect(reader.next()).toBe(true);
    expect(reader).toMatchObject({ lineNumber: 2, byteLength: 0, recordKey: 'state:b' });
    expect(reader.next()).toBe(false);
    expect(reader.next()).toBe(false);
    expect(reader.problem).toBeNull();
  });

  it('comes as it is when it is a BLOB, and as text when it is a number or NULL', () => {
    const path = makeState(folder, fresh(), [
      ['blob', Buffer.from([0xff, 0x00, 0x7b])],
      ['integer', 9007199254740993n],
      ['null', null],
      ['real', 1.5],
    ]);
    const reader = new SqliteReader(path, [STATE], new Work());
    reader.next();
    expect([...reader.buffer]).toEqual([0xff, 0x00, 0x7b]);
    expect(readAll(path).slice(1)).toEqual([
      ['state:integer', '9007199254740993'],
      ['state:null', 'null'],
      ['state:real', '1.5'],
    ]);
  });

  it('neither loses nor repeats a row whose key is not UTF-8', () => {
    const path = makeDatabase(folder, fresh(), CREATE_STATE, database => {
      const insert = database.prepare('INSERT INTO state VALUES (CAST(? AS TEXT), ?)');
      for (const byte of [0x61, 0xc3, 0xe9, 0xff]) insert.run(Buffer.from([byte]), 'x');
      insert.run(Buffer.from('é'), 'x');
    });
    expect(readAll(path).map(([key]) => key)).toEqual([
      'state:a',
      'state:\\xc3',
      Buffer.from('state:é').toString('latin1'),
      'state:\\xe9',
      'state:\\xff',
    ]);
  });

  it('comes out the same from a database whose texts are UTF-16', () => {
    const create = `PRAGMA encoding = 'UTF-16le'; ${CREATE_STATE}`;
    const path = makeDatabase(folder, fresh(), create, database => {
      const insert = database.prepare('INSERT INTO state VALUES (?, ?)');
      for (const key of ['a', 'é', '😀']) insert.run(key, `"${key}"`);
    });
    expect(readAll(path).map(([, text]) => text)).toEqual(['"😀"', '"a"', '"é"']);
    const followedBy = () => [Buffer.from('é').toString('latin1')];
    expect(readAll(path, [{ ...STATE, prefix: 'a', followedBy }])).toHaveLength(2);
    expect(readAll(path, [{ ...STATE, prefix: 'a', followedBy }])[1]?.[1]).toBe('"é"');
  });

  it('skips rows without a key and keeps rows that share one', () => {
    const path = makeDatabase(folder, fresh(), 'CREATE TABLE state (key TEXT, value)', database => {
      const insert = database.prepare('INSERT INTO state VALUES (?, ?)');
      for (const [key, value] of [
        [null, 'lost'],
        ['a', '1'],
        ['a', '2'],
        [null, 'lost'],
      ]) {
        insert.run(key, value);
      }
    });
    expect(readAll(path)).toEqual([
      ['state:a', '1'],
      ['state:a', '2'],
    ]);
  });
});

describe('a whole row', () => {
  const create = `CREATE TABLE "odd ""name" (
      id INTEGER PRIMARY KEY, big, real REAL, note, raw BLOB);
    CREATE TABLE a (x TEXT, y TEXT, n INTEGER, PRIMARY KEY (y, x)) WITHOUT ROWID;
    CREATE VIEW v AS SELECT 1 AS one;
    CREATE VIRTUAL TABLE words USING fts5(text);`;

  it('is a JSON object with exact integers; views and virtual tables are not read', () => {
    const path = makeDatabase(folder, fresh(), create, database => {
      const insert = database.prepare('INSERT INTO "odd ""name" VALUES (?, ?, ?, ?, ?)');
      insert.run(2n, 9223372036854775807n, 2, 'é"\n', Buffer.from('plain'));
      insert.run(1n, null, Number.POSITIVE_INFINITY, 0.1, Buffer.from([0xff, 0x01]));
      const pair = database.prepare('INSERT INTO a VALUES (?, ?, ?)');
      for (const [x, y] of [
        ['q', 'k'],
        ['p', 'k'],
        ['p', 'j'],
      ])
        pair.run(x, y, 1n);
    });
    const rows = readAll(path, null).filter(([key]) => !key?.startsWith('words'));
    expect(rows).toEqual([
      ['a:j,p', '{"x":"p","y":"j","n":1}'],
      ['a:k,p', '{"x":"p","y":"k","n":1}'],
      ['a:k,q', '{"x":"q","y":"k","n":1}'],
      ['odd "name:1', '{"id":1,"big":null,"real":9e999,"note":0.1,"raw":"\\\\xff01"}'],
      [
        'odd "name:2',
        '{"id":2,"big":9223372036854775807,"real":2.0,"note":"é\\"\\n","raw":"plain"}',
      ],
    ]);
  });

  it('is found by its row id even where a column is called so', () => {
    const path = makeDatabase(folder, fresh(), 'CREATE TABLE t (rowid TEXT)', database => {
      const insert = database.prepare('INSERT INTO t VALUES (?)');
      for (const text of ['z', 'z', 'a']) insert.run(text);
    });
    expect(readAll(path, null)).toEqual([
      ['t:1', '{"rowid":"z"}'],
      ['t:2', '{"rowid":"z"}'],
      ['t:3', '{"rowid":"a"}'],
    ]);
  });
});

describe('which rows are records', () => {
  const rows = [
    ['chat:1', '{"parts":["p:2","p:9","p:1"]}'],
    ['chat:2', 'no JSON'],
    ['chat;', '0'],
    ['chas:1', '0'],
    ['p:1', '"one"'],
    ['p:2', '"two"'],
    ['secret/a', '"hidden"'],
  ] as const;

  it('is told by a prefix, and by what is left out', () => {
    const path = makeState(folder, fresh(), rows);
    const keys = (tables: Parameters<typeof readAll>[1]) => readAll(path, tables).map(([k]) => k);
    expect(keys([{ ...STATE, prefix: 'chat:' }])).toEqual(['state:chat:1', 'state:chat:2']);
    const without = ['secret/', 'cha'];
    expect(keys([{ ...STATE, without }])).toEqual(['state:p:1', 'state:p:2']);
    expect(keysOf(path, { ...STATE, prefix: 'p:' })).toEqual(['p:1', 'p:2']);
  });

  it('is told by the row before: in its order, with null for a key that has no row', () => {
    const path = makeState(folder, fresh(), rows);
    const followedBy = (value: unknown) => (value as { parts?: string[] } | undefined)?.parts ?? [];
    expect(readAll(path, [{ ...STATE, prefix: 'chat:', followedBy }])).toEqual([
      ['state:chat:1', '{"parts":["p:2","p:9","p:1"]}'],
      ['state:p:2', '"two"'],
      ['state:p:9', 'null'],
      ['state:p:1', '"one"'],
      ['state:chat:2', 'no JSON'],
    ]);
  });

  it('may be told by what keys begin with: those that are there, as they were written', () => {
    const path = makeState(folder, fresh(), [
      ['chat:1', 'no JSON'],
      ['ł:2', '"two"'],
      ['ł:1', '"one"'],
      ['ł', '"none"'],
    ]);
    const followedBy = () => ({ prefix: Buffer.from('ł:').toString('latin1') });
    expect(readAll(path, [{ ...STATE, prefix: 'chat:', followedBy }]).map(([, it]) => it)).toEqual([
      ...['no JSON', '"two"', '"one"'],
    ]);
    const text = 'CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID';
    const keyed = makeDatabase(folder, fresh(), text, database => {
      for (const key of ['chat:1', 'p:2', 'p:1']) {
        database.prepare('INSERT INTO state VALUES (?, ?)').run(key, key);
      }
    });
    const byKey = [{ ...STATE, prefix: 'chat:', followedBy: () => ({ prefix: 'p:' }) }];
    expect(readAll(keyed, byKey).map(([, it]) => it)).toEqual(['chat:1', 'p:1', 'p:2']);
  });

  it('goes on with the followers on the next page', () => {
    const keys = Array.from({ length: 1300 }, (_, index) => `p:${index}`);
    const path = makeState(folder, fresh(), [
      ['chat:1', JSON.stringify(keys)],
      ...keys.map(key => [key, JSON.stringify(key)] as const),
      ['chat:2', '[]'],
    ]);
    const followedBy = (value: unknown) => value as string[];
    const found = readAll(path, [{ ...STATE, prefix: 'chat:', followedBy }]);
    expect(found.map(([key]) => key)).toEqual(
      ['chat:1', ...keys, 'chat:2'].map(key => `state:${key}`),
    );
  });

  it('is nothing where the table or a column is not there', () => {
    const path = makeState(folder, fresh(), rows);
    expect(readAll(path, [{ ...STATE, table: 'other' }])).toEqual([]);
    expect(readAll(path, [{ ...STATE, key: 'name' }])).toEqual([]);
    expect(readAll(path, [{ ...STATE, value: 'text' }])).toEqual([]);
    expect(readAll(path, [{ ...STATE, table: 'other' }, STATE])).toHaveLength(rows.length);
  });
});

describe('any rows', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.uint8Array().map(bytes => Buffer.from(bytes)),
    fc.constant(null),
  );

  it('come once each, whole and by key, however many there are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), value, { maxKeys: 30 }), given => {
        const rows = Object.entries(given).filter(([key]) => !key.includes('\0'));
        const path = makeState(folder, fresh(), rows);
        const whole = readAll(path, null).map(([, text]) => JSON.parse(text).key);
        expect(whole.sort()).toEqual(rows.map(([key]) => key).sort());
        expect(readAll(path)).toHaveLength(rows.length);
        for (const [key] of rows) {
          const wire = Buffer.from(key).toString('latin1');
          expect(rowsWithKey(path, 'state', 'key', wire)).toHaveLength(1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are counted: one file, the bytes of the values, the records', () => {
    const path = makeState(folder, fresh(), [
      ['a', 'x'.repeat(1000)],
      ['b', 'y'.repeat(500)],
    ]);
    const work = new Work();
    const reader = new SqliteReader(path, [STATE], work);
    while (reader.next()) new SourceRecord(reader, work);
    expect(work).toMatchObject({ bytesRead: 1500, filesOpened: 1, linesRead: 2 });
    expect(reader.doneBytes).toBe(1500);
  });
});

describe('pages', () => {
  it('hold at most 512 rows or about 2 MB: the first rows of a large file come early', () => {
    const text = 'x'.repeat(100_000);
    const path = makeState(
      folder,
      fresh(),
      Array.from({ length: 600 }, (_, index) => [`k${index}`, text] as const),
    );
    const work = new Work();
    const reader = new SqliteReader(path, [STATE], work);
    expect(reader.next()).toBe(true);
    expect(work.bytesRead).toBeGreaterThan(2_000_000);
    expect(work.bytesRead).toBeLessThan(2_300_000);
    while (reader.next());
    expect(reader.lineNumber).toBe(600);
    expect(work).toMatchObject({ bytesRead: 60_000_000, filesOpened: 1 });
  });

  it('leave no handle behind', () => {
    const path = makeState(folder, fresh(), [['a', '1']]);
    const reader = new SqliteReader(path, [STATE], new Work());
    reader.next();
    const open = readdirSync('/proc/self/fd').length;
    for (let times = 0; times < 20; times++) new SqliteReader(path, [STATE], new Work()).next();
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open + 2);
  });

  it('see what another connection has written between them, and no row twice', () => {
    const rows = Array.from({ length: 700 }, (_, index) => [`k${1000 + index}`, '1'] as const);
    const path = makeState(folder, fresh(), rows);
    const reader = new SqliteReader(path, [STATE], new Work());
    const keys: (string | null)[] = [];
    while (keys.length < 512 && reader.next()) keys.push(reader.recordKey);
    const writer = new Database(join(path));
    const put = writer.prepare('INSERT INTO state VALUES (?, ?)');
    for (const key of ['k1000', 'k1699', 'k1700']) put.run(key, '2');
    writer.close();
    while (reader.next()) keys.push(reader.recordKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(701);
  });
});
