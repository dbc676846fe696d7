/** Two sightings of a row become one by the policies that the relation declares. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flag, instant, integer, requiredText, text } from '../../src/relations/column.ts';
import { type MutableRow, mergeInto } from '../../src/relations/merge.ts';
import { relation } from '../../src/relations/relation.ts';

const example = relation({
  name: 'example',
  functionName: 'read_examples',
  meaning: 'For these tests',
  key: ['id'],
  merge: 'UPDATE',
  columns: {
    id: requiredText('Key', { merge: 'KEEP' }),
    first: text('First value', { merge: 'KEEP' }),
    latest: text('Latest value'),
    low: instant('Lowest', { merge: 'MIN' }),
    high: integer('Highest', { merge: 'MAX' }),
    any: flag('Ever true', { merge: 'OR' }),
    model: text('Model of the winner', { merge: 'WINNER' }),
    cached: integer('Cached of the winner', { merge: 'WINNER' }),
    output: integer('What decides', { merge: 'WINNER' }),
  },
});

function merged(...sightings: readonly MutableRow[]): MutableRow {
  const [first = {}, ...later] = sightings;
  const row = { ...first };
  for (const sighting of later) mergeInto(example, row, sighting);
  return row;
}

describe('sightings of a row', () => {
  it('keep the first value that is known', () => {
    expect(merged({ first: null }, { first: 'a' }, { first: 'b' })['first']).toBe('a');
  });

  it('take the latest value that is known', () => {
    expect(merged({ latest: 'a' }, { latest: 'b' }, { latest: null }, {})['latest']).toBe('b');
  });

  it('take the lowest and the highest, past what is not known', () => {
    const row = merged({ low: 7, high: null }, { low: 3, high: 5 }, { low: null, high: 4 });
    expect(row).toMatchObject({ low: 3, high: 5 });
  });

  it('are true when one of them is, and unknown when none tells', () => {
    expect(merged({ any: false }, { any: true }, { any: false })['any']).toBe(true);
    expect(merged({ any: false }, {})['any']).toBe(false);
    expect(merged({}, {})['any'] ?? null).toBeNull();
  });
});

describe('the group of columns that one line wins', () => {
  it('comes whole from the line with the most output', () => {
    const fallback = { model: 'small', cached: 900, output: 5 };
    const answer = { model: 'large', cached: null, output: 40 };
    expect(merged(fallback, answer, { ...fallback, output: 20 })).toMatchObject(answer);
  });

  it('comes from the later line on a tie', () => {
    const row = merged({ model: 'a', output: 5, cached: 1 }, { model: 'b', output: 5, cached: 2 });
    expect(row).toMatchObject({ model: 'b', cached: 2 });
  });

  it('is not taken from a line that tells none of it', () => {
    expect(merged({ model: 'a', output: null }, { latest: 'x' })['model']).toBe('a');
  });

  it('does not depend on where the sightings are cut in two', () => {
    const sighting = fc.record({ model: fc.string(), output: fc.option(fc.nat(5)) });
    fc.assert(
      fc.property(fc.array(sighting, { minLength: 2 }), fc.nat(), (sightings, seed) => {
        const cut = 1 + (seed % (sightings.length - 1));
        const halves = [merged(...sightings.slice(0, cut)), merged(...sightings.slice(cut))];
        expect(merged(...halves)).toEqual(merged(...sightings));
      }),
    );
  });
});
