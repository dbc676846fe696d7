/** The chunk writer at its borders: what texts, integers and chunks may be. */

import { isUtf8 } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHUNK_ROWS } from '../../src/engine/validity.ts';
import { type CellValue, CHUNK_BYTES } from '../../src/engine/vectors.ts';
import {
  type CellDatabase,
  type Cells,
  type Chunks,
  difference,
  openCells,
  plainRows,
  slice,
} from '../support/cells.ts';

let database: CellDatabase;

beforeAll(async () => {
  database = await openCells();
});

afterAll(() => database.connection.disconnectSync());

/** A row that has this value as its texts and its blob. */
function row(value: CellValue): Cells {
  return [value, value, value, null, null];
}

function bytes(wire: string): Buffer {
  return Buffer.from(wire, 'latin1');
}

/** Checks that rows come out as they should: read, and compared by DuckDB to the plain writer's. */
async function expectPlain(chunks: Chunks): Promise<void> {
  database.chunks = chunks;
  expect(difference(await database.rows('FROM written()'), plainRows(chunks))).toBeNull();
  const joined = `SELECT w.* FROM written() w JOIN plain() p
    ON w.n = p.n AND w.a IS NOT DISTINCT FROM p.a AND w.b IS NOT DISTINCT FROM p.b
    AND w.blob IS NOT DISTINCT FROM p.blob AND w.i IS NOT DISTINCT FROM p.i`;
  expect((await database.rows(joined)).length).toBe(chunks.flat().length);
}

/** The ways in which a text can be given: each has memory of its own. */
const FORMS: Record<string, (wire: string) => CellValue> = {
  'wire text': wire => wire,
  'borrowed slices': wire => slice(bytes(wire), 0, wire.length),
  'copied slices': wire => slice(bytes(wire), 0, wire.length, false),
};

/** All texts as slices of one buffer, with `between` between them. */
function slicesOf(wires: readonly string[], between: string, isBorrowable: boolean): CellValue[] {
  const buffer = bytes(wires.join(between) + between);
  let start = 0;
  return wires.map(wire => {
    const found = slice(buffer, start, start + wire.length, isBorrowable);
    start += wire.length + between.length;
    return found;
  });
}

/** A text given in every form, alone in its memory and beside the others. */
function everyForm(wires: readonly string[]): CellValue[][] {
  const alone = Object.values(FORMS).map(form => wires.map(form));
  const beside = ['', '\n', '\xac'].flatMap(between =>
    [true, false].map(isBorrowable => slicesOf(wires, between, isBorrowable)),
  );
  const mixed = wires.map((wire, i) => (Object.values(FORMS)[i % 3] ?? String)(wire));
  return [...alone, ...beside, mixed];
}

const LONG = 'a text of more than twelve bytes ';

describe('texts', () => {
  it.each(Object.entries(FORMS))('may have any length as %s', async (_, form) => {
    const wires = Array.from({ length: 40 }, (_, length) =>
      'abcdefghij'.repeat(4).slice(0, length),
    );
    await expectPlain([wires.map(wire => row(form(wire)))]);
    await expectPlain([wires.reverse().map(wire => row(form(wire)))]);
  });

  it.each(Object.entries(FORMS))('may hold NULs and any character as %s', async (_, form) => {
    const texts = ['\0', 'a\0b', '\0'.repeat(20), `${LONG}\0`, 'é', '€'.repeat(4), '🦆'.repeat(9)];
    await expectPlain([texts.map(text => row(form(bytes2wire(text))))]);
  });

  it('may be empty or NULL, in every order', async () => {
    const values = ['', null, 'x', '', LONG, null, '', slice(bytes(LONG), 3, 3), null, 'x'];
    await expectPlain([values.map(row)]);
    await expectPlain([values.reverse().map(row)]);
  });

  it('may equal their neighbours', async () => {
    const wires = [
      LONG,
      LONG,
      'x',
      'x',
      LONG,
      '',
      '',
      `${LONG}\xff`,
      `${LONG}\xff`,
      '\xff',
      '\xff',
    ];
    for (const cells of everyForm(wires)) await expectPlain([cells.map(row)]);
  });

  it('may equal the text before a NULL, or the last text of the chunk before', async () => {
    await expectPlain([
      [LONG, null, LONG].map(row),
      [LONG, null, 'x'].map(row),
      ['x', LONG].map(row),
    ]);
  });

  it('may equal a text that a slice came after', async () => {
    const [first, second] = slicesOf([LONG, `${LONG}2`], '\n', false);
    await expectPlain([[LONG, first ?? null, LONG, second ?? null, LONG].map(row)]);
  });

  function bytes2wire(text: string): string {
    return Buffer.from(text).toString('latin1');
  }
});

describe('invalid UTF-8', () => {
  const parts = ['\xff', '\x80', '\xc3', '\xe2\x82', '\xf0\x9f\xa6', '\xc0\x80', '\xed\xa0\x80'];

  it.each(parts.map(part => [Buffer.from(part, 'latin1').toString('hex'), part]))(
    'becomes U+FFFD, short and long, first and last: %s',
    async (_, part) => {
      const wires = [
        part,
        `a${part}`,
        `${part}a`,
        `${LONG}${part}`,
        `${part}${LONG}`,
        `${LONG}${part}b`,
      ];
      for (const wire of wires) {
        for (const form of Object.values(FORMS)) {
          await expectPlain([[form(wire)].map(row)]);
          await expectPlain([[form(wire), form(LONG), form('é')].map(row)]);
          await expectPlain([[form(LONG), null, form(wire)].map(row)]);
        }
      }
    },
  );

  it.each([
    ['\xe2', '\x82\xac'],
    ['\xe2\x82', '\xac'],
    ['\xe2', '\x80\x99'],
    ['\xc2', '\xbf'],
    ['\xf0\x9f', '\xa6\x86'],
    ['\xf0', '\x9f\xa6\x86'],
  ])(
    'is noticed where one text completes the character of the other: %j %j',
    async (head, tail) => {
      const pairs = ['', 'abc', LONG].flatMap(before =>
        ['', 'abc', LONG].map(after => [before + head, tail + after]),
      );
      for (const pair of pairs) {
        for (const wires of [pair, ['x', ...pair], [...pair, LONG], [LONG, ...pair, ...pair]]) {
          for (const cells of everyForm(wires)) {
            database.chunks = [cells.map(row)];
            expect(
              difference(await database.rows('FROM written()'), plainRows(database.chunks)),
            ).toBeNull();
          }
        }
      }
    },
  );

  it('is noticed in the chunk after a valid one, and leaves nothing to the next', async () => {
    for (const form of Object.values(FORMS)) {
      const valid = [LONG, `${LONG}2`, 'short', 'é'].map(wire => row(form(wire)));
      const invalid = [`\xff${LONG}`, LONG, null, '\xff'].map(value => row(value && form(value)));
      const blank = ['', null, 'b', null].map(row);
      await expectPlain([valid, invalid, blank, valid, invalid, invalid, blank]);
      await expectPlain([invalid, blank, invalid, valid]);
    }
  });

  it('in one segment does not touch the texts of others', async () => {
    const [valid, invalid] = [bytes(LONG.repeat(2)), bytes(`\xff${LONG}`)];
    const cells = [slice(valid, 0, 20), slice(invalid, 0, 20), LONG, slice(valid, 5, 30), null];
    await expectPlain([cells.map(row)]);
    await expectPlain([cells.reverse().map(row)]);
  });

  it('between borrowed texts does not matter', async () => {
    const buffer = bytes(`${LONG}\xff\xff${LONG}`);
    const cells = [slice(buffer, 0, LONG.length), slice(buffer, LONG.length + 2, buffer.length)];
    await expectPlain([cells.map(row)]);
  });

  it('cannot come in by a text that is no wire text', async () => {
    for (const values of [[`${LONG}\xe2`, `\u4e82\u4eac${LONG}`], ['\u4e82'], [`\u4e82${LONG}`]]) {
      database.chunks = [[...values, LONG].map(row)];
      const rows = await database.rows('FROM written()');
      const texts = rows.map(([, a]) => Buffer.from(a ?? '', 'hex'));
      expect(texts.map(text => isUtf8(text))).toEqual([...values, LONG].map(() => true));
      expect(texts.at(-1)?.toString()).toBe(LONG);
    }
  });

  it('stays as it is in a blob', async () => {
    const wires = parts.flatMap(part => [part, `${LONG}${part}`, `${part}${LONG}`]);
    for (const cells of everyForm(wires)) {
      await expectPlain([cells.map((value): Cells => [null, null, value, null, null])]);
    }
  });
});

describe('slices of buffers', () => {
  const buffer = bytes('0123456789'.repeat(20));

  it.each([
    [
      'in order',
      [
        [0, 20],
        [20, 40],
        [50, 70],
      ],
    ],
    [
      'backwards',
      [
        [100, 130],
        [10, 40],
        [60, 90],
      ],
    ],
    [
      'over each other',
      [
        [10, 60],
        [0, 200],
        [30, 50],
        [30, 50],
      ],
    ],
    [
      'short and long',
      [
        [0, 12],
        [0, 13],
        [12, 12],
        [5, 6],
        [5, 200],
      ],
    ],
  ])('may lie %s', async (_, ranges) => {
    for (const isBorrowable of [true, false]) {
      const cells = ranges.map(([start = 0, end = 0]) => slice(buffer, start, end, isBorrowable));
      await expectPlain([cells.map(row)]);
    }
  });

  it('may begin or end amid a character, alone in their buffer or beside others', async () => {
    const euros = bytes(`${LONG}\xe2\x82\xac${LONG}\xe2\x82\xac${LONG}`);
    const first = LONG.length;
    const second = 2 * LONG.length + 3;
    for (const cut of [first, first + 1, first + 2, first + 3]) {
      const [head, tail] = [slice(euros, 0, cut), slice(euros, cut, second)];
      const [gap, rest] = [slice(euros, cut + 1, second), slice(euros, second + 2, euros.length)];
      for (const cells of [
        [head],
        [tail],
        [head, tail],
        [head, gap],
        [head, gap, rest],
        [head, rest],
      ]) {
        await expectPlain([cells.map(row)]);
      }
    }
  });

  it('may alternate between many buffers and texts', async () => {
    const buffers = Array.from({ length: 5 }, (_, i) => bytes(`${i} ${LONG}`.repeat(9)));
    const cells = Array.from({ length: 300 }, (_, i) =>
      i % 7 === 0
        ? `${LONG}${i}`
        : slice(buffers[i % 5] ?? buffer, i % 90, (i % 90) + (i % 40), i % 3 > 0),
    );
    await expectPlain([cells.map(row)]);
  });
});

describe('chunks', () => {
  it.each([1, 2, 31, 32, 33, 63, 64, 65, 2047, CHUNK_ROWS])('may have %i rows', async count => {
    const full = Array.from({ length: count }, (_, i) => row(`${LONG}${i % 9}`));
    await expectPlain([full]);
    const holes = full.map((cells, i): Cells => (i % 3 === 0 ? row(null) : cells));
    await expectPlain([holes, full, holes.map(() => row(null)), full.slice(0, 1)]);
  });

  it('may have a value in their last row alone, or in their first', async () => {
    const rows = Array.from({ length: CHUNK_ROWS }, () => row(null));
    await expectPlain([
      [...rows.slice(1), row(LONG)],
      [row('x'), ...rows.slice(1)],
    ]);
  });

  it('may hold texts of many megabytes, and small ones after them', async () => {
    const lengths = [65_536, 65_537, CHUNK_BYTES + 1, 9_000_000];
    for (const form of Object.values(FORMS)) {
      const long = lengths.map(length => row(form('x'.repeat(length))));
      const small = ['', LONG, null].map(row);
      await expectPlain([long, small, small]);
    }
  });

  it('may hold megabytes of invalid text', async () => {
    await expectPlain([[`\xff${'x'.repeat(9_000_000)}`, LONG].map(row), [LONG, ''].map(row)]);
  });

  it('without rows end the scan', async () => {
    await expectPlain([]);
  });
});

describe('integers and booleans', () => {
  const powers = [0, 31, 32, 33, 40, 52, 53].map(power => 2 ** power);
  const numbers = powers.flatMap(power => [power - 1, power, power + 1]);
  const plain = (i: number | null, f: boolean | null): Cells => [null, null, null, i, f];

  it('keep every bit and sign', async () => {
    const all = [...numbers, ...numbers.map(number => -number), -0, 2 ** 62, -(2 ** 62) - 2 ** 20];
    await expectPlain([all.map(number => plain(number, number > 0))]);
  });

  it('may be NULL in any row, and leave nothing to the next chunk', async () => {
    const full = Array.from({ length: 70 }, (_, i) => plain(-i, i % 2 === 0));
    const holes = full.map((cells, i) => (i % 3 === 0 ? plain(null, null) : cells));
    await expectPlain([full, holes, full.map(() => plain(null, null)), holes.slice(1), full]);
  });
});
