/** Instants, counts and truth values of records. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantMicros } from '../../src/harness/shared/prompt/instants.ts';
import { looseFlag, looseInteger, strictCount } from '../../src/harness/shared/prompt/numbers.ts';

/** Microseconds of a time that JavaScript reads, and more of them. */
function micros(text: string, more = 0): number {
  return Date.parse(text) * 1000 + more;
}

describe('an instant', () => {
  it.each([
    ['2026-10-12T08:09:10.123Z', micros('2026-10-12T08:09:10.123Z')],
    ['2026-10-12T08:09:10Z', micros('2026-10-12T08:09:10Z')],
    ['2026-10-12T08:09:10.123456Z', micros('2026-10-12T08:09:10.123Z', 456)],
    ['2026-10-12T08:09:10.123456999Z', micros('2026-10-12T08:09:10.123Z', 456)],
    ['2026-10-12T08:09:10.1Z', micros('2026-10-12T08:09:10.100Z')],
    ['2026-10-12T08:09:10,5Z', micros('2026-10-12T08:09:10.500Z')],
    ['2026-10-12T08:09:10.123', micros('2026-10-12T08:09:10.123Z')],
    ['2026-10-12 08:09:10', micros('2026-10-12T08:09:10Z')],
    ['2026-10-12t08:09:10z', micros('2026-10-12T08:09:10Z')],
    ['2026-10-12T08:09', micros('2026-10-12T08:09:00Z')],
    ['2026-10-12T08:09+02:00', micros('2026-10-12T06:09:00Z')],
    ['2026-10-12T00:09:10.5+05:30', micros('2026-10-11T18:39:10.500Z')],
    ['2026-10-12T08:09:10-0330', micros('2026-10-12T11:39:10Z')],
    ['2026-10-12T08:09:10+02', micros('2026-10-12T06:09:10Z')],
    ['2026-10-12', micros('2026-10-12T00:00:00Z')],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2000-02-29', micros('2000-02-29T00:00:00Z')],
    ['1970-01-01', 0],
  ])('is what %s names', (text, expected) => {
    expect(instantMicros(text)).toBe(expected);
  });

  it.each([
    ...['', ' ', 'now', '2026', '2026-10', '2026-10-1', '20261012', '2026/10/12', '1760256550'],
    ...['2026-02-30', '2026-02-29T00:00:00Z', '1900-02-29', '2026-04-31', '2026-13-01'],
    ...['2026-00-10', '2026-10-00', '0000-01-01', '-026-10-12', '2026-1a-12'],
    ...['2026-10-12T24:00:00Z', '2026-10-12T08:60:00Z', '2026-10-12T08:09:60Z'],
    ...['2026-10-12T', '2026-10-12T08', '2026-10-12T8:09:10Z', '2026-10-12T08:09:1Z'],
    ...['2026-10-12T08:09:10.Z', '2026-10-12T08:09:10.1x', '2026-10-12T08:09:10ZZ'],
    ...['2026-10-12T08:09:10+24:00', '2026-10-12T08:09:10+02:60', '2026-10-12T08:09:10+2'],
    ...['2026-10-12T08:09:10+02:0', '2026-10-12T08:09:10+02:000', '2026-10-12T08:09:10 Z'],
    ...['2026-10-12x08:09:10Z', ' 2026-10-12', '2026-10-12 ', '2026-10-12Z'],
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ])('is not what "%s" names', text => {
    expect(instantMicros(text)).toBeNull();
  });

  it('is a number of seconds, or of milliseconds above ten billion', () => {
    expect(instantMicros(1_760_256_550)).toBe(1_760_256_550_000_000);
    expect(instantMicros(1_760_256_550.123456)).toBe(1_760_256_550_123_456);
    expect(instantMicros(10_000_000_000)).toBeNull();
    expect(instantMicros(9_000_000_000)).toBe(9_000_000_000_000_000);
    expect(instantMicros(10_000_000_001)).toBe(10_000_000_001_000);
    expect(instantMicros(1_760_256_550_123)).toBe(1_760_256_550_123_000);
    expect(instantMicros(1_760_256_550_123.456)).toBe(1_760_256_550_123_456);
    expect(instantMicros(-1.5)).toBe(-1_500_000);
    expect(Object.is(instantMicros(-0), 0)).toBe(true);
    expect(instantMicros(1e300)).toBeNull();
    expect(instantMicros(Number.NaN)).toBeNull();
  });

  it.each([null, undefined, true, false, {}, ['2026-10-12'], new Date(0)])('is not %s', value => {
    expect(instantMicros(value)).toBeNull();
  });

  const ms = fc.integer({ min: Date.UTC(1700, 0, 1), max: Date.UTC(2250, 0, 1) });

  it('is the one that Date reads from any text with milliseconds', () => {
    fc.assert(
      fc.property(ms, time => {
        const text = new Date(time).toISOString();
        expect(instantMicros(text)).toBe(Date.parse(text) * 1000);
      }),
      { numRuns: 5000 },
    );
  });

  it('is null exactly for the dates that no calendar has', () => {
    for (const year of [1896, 1900, 1999, 2000, 2024, 2026, 2100]) {
      for (let month = 1; month <= 12; month++) {
        for (let day = 1; day <= 31; day++) {
          const two = (value: number) => String(value).padStart(2, '0');
          const date = new Date(Date.UTC(year, month - 1, day));
          const expected = date.getUTCDate() === day ? date.getTime() * 1000 : null;
          expect(instantMicros(`${year}-${two(month)}-${two(day)}`)).toBe(expected);
        }
      }
    }
  });

  it('is null or exact for any text', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789-:T.Z+ '), maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), text => {
        const found = instantMicros(text);
        expect(found === null || Number.isSafeInteger(found)).toBe(true);
      }),
    );
  });
});

describe('a count', () => {
  it('is an integer from zero on', () => {
    expect(strictCount(0)).toBe(0);
    expect(Object.is(strictCount(-0), 0)).toBe(true);
    expect(strictCount(600_000)).toBe(600_000);
    expect(strictCount(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([-1, 1.5, true, '12', null, undefined, Number.NaN, Infinity, 2 ** 53 + 2, [1]])(
    'is not %s',
    value => {
      expect(strictCount(value)).toBeNull();
    },
  );
});

describe('an integer of a lenient field', () => {
  it.each([
    [7, 7],
    [-7, -7],
    [7.9, 7],
    [-7.9, -7],
    [-0.5, 0],
    ['12', 12],
    [' -12\n', -12],
    ['-0', 0],
  ])('of %s is %s', (value, expected) => {
    expect(looseInteger(value)).toBe(expected);
  });

  it.each([true, '', '-', '1.5', '--1', '0x10', '1e3', '1_000', 1e300, Number.NaN, null, [1]])(
    'is not %s',
    value => {
      expect(looseInteger(value)).toBeNull();
    },
  );
});

describe('a truth value of a lenient field', () => {
  it('is a boolean or its name', () => {
    expect([true, 'true', 'TRUE'].map(looseFlag)).toEqual([true, true, true]);
    expect([false, 'false', 'False'].map(looseFlag)).toEqual([false, false, false]);
    const others = ['', 'yes', ' true', 'true\n', 1, 0, null, undefined, {}];
    expect(others.map(looseFlag)).toEqual(others.map(() => null));
  });
});
