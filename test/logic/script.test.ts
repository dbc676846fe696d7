/** The scripts are read strictly: what is not in their form would else prove nothing. */

import { describe, expect, it } from 'vitest';
import { withPlaces } from './places.ts';
import { stepsOf, textOfRows } from './script.ts';

describe('a script', () => {
  it('is steps between blank lines, with the lines where they begin', () => {
    const steps = stepsOf(
      '# a\n\nstatement ok\nSET x = 1\n\n# b\nquery TI rowsort\nFROM t\n----\na\t1\n',
    );
    expect(steps).toEqual([
      expect.objectContaining({ kind: 'statement', line: 3, sql: 'SET x = 1', mustFail: false }),
      expect.objectContaining({ kind: 'query', line: 7, types: 'TI', expected: ['a\t1'] }),
    ]);
    expect(steps.map(step => step.isSorted)).toEqual([false, true]);
  });

  it.each([
    ['a step that is none', 'SELECT 1', 'line 1: no step: SELECT 1'],
    ['a type that is none', 'query X\nSELECT 1\n----\n1', 'line 1: no step: query X'],
    ['an order that is none', 'query I sort\nSELECT 1\n----\n1', 'line 1: no step: query I sort'],
    ['a query without an answer', '\nquery I\nSELECT 1', 'line 2: no line ----'],
    ['an answer to a statement', 'statement ok\nSELECT 1\n----\n1', 'line 1: an answer to'],
    ['an error without its message', 'statement error\nSELECT\n----', 'line 1: no message'],
  ])('with %s is refused', (_what, text, message) => {
    expect(() => stepsOf(text)).toThrow(message);
  });
});

describe('an answer', () => {
  const step = (types: string) => {
    const [found] = stepsOf(`query ${types}\nSELECT\n----`);
    if (!found) throw new Error('no step');
    return found;
  };

  it('is a line a row, with NULL, empty texts and line breaks in words', () => {
    expect(textOfRows([[null, '', 'a\n\tb\r', 2n, 1.5, true]], step('ITTIRB'))).toEqual([
      'NULL\t(empty)\ta\\n\\tb\\r\t2\t1.5\ttrue',
    ]);
  });

  it('is sorted only where the script says so', () => {
    expect(textOfRows([['b'], ['a']], step('T'))).toEqual(['b', 'a']);
    expect(textOfRows([['b'], ['a']], step('T rowsort'))).toEqual(['a', 'b']);
  });

  it.each([
    ['a text', 'T', 1],
    ['an integer', 'I', '1'],
    ['an integer', 'I', 1.5],
    ['a boolean', 'B', 'true'],
  ])('that is not %s is refused', (_what, types, value) => {
    expect(() => textOfRows([[value]], step(types))).toThrow(/^line 1: /);
  });

  it('with another number of columns is refused', () => {
    expect(() => textOfRows([[1, 2]], step('I'))).toThrow('line 1: 2 columns, not 1');
  });
});

describe('a folder in braces', () => {
  const places = { fixtures: "/o'clock", home: '/home', built: '/built' };

  it('stands where its name stood, as a text of SQL holds it', () => {
    expect(withPlaces("FROM f('{fixtures}/{a,b}')", places)).toBe("FROM f('/o''clock/{a,b}')");
  });

  it.each(['fixture', 'constructor'])('called %s is refused: there is none', name => {
    expect(() => withPlaces(`'{${name}}'`, places)).toThrow(`there is no folder {${name}}`);
  });
});
