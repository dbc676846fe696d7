/** Where prompts come from, and white space as their texts have it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { promptOrigin } from '../../src/harness/shared/prompt/origin.ts';
import {
  afterCodePoints,
  codePoints,
  isBlank,
  spaceLengthAt,
  spaceLengthBefore,
  trimmed,
} from '../../src/harness/shared/prompt/wire-space.ts';

describe('a launch message', () => {
  it.each([
    'You are the root of loop 3.',
    'Hi.\nyou are the ROOT',
    'You are the campaign root',
    'You are the Loop Root.',
    '“You are the wave root”',
    '/home/mira/codex/launch-a.b_2.txt',
    ' `launch-x.md` \n',
    '` ./codex/LAUNCH-9.MD `',
    '/büro/launch-übung.md',
    'You are the root [Pasted text #1]',
  ])('is %s', text => {
    expect(promptOrigin(toWire(text))).toBe('launch_message');
  });

  it.each([
    'You are the rooted',
    'éYou are the root',
    'You are the rooté',
    'You are the _root',
    'You are the team root',
    'You are  the root',
    'see launch-x.md',
    'launch-x.md now',
    'launch-.pdf',
    'launch-.md',
    '/a/prelaunch-x.md',
    '/launch-x.md/y.txt',
    '/a/launch-x\u00a0y.md',
    '',
  ])('is not %s', text => {
    expect(promptOrigin(toWire(text))).toBe('typed');
  });
});

it('is a launch message when the first 8,000 characters say so', () => {
  const before = (count: number) => toWire(`${'ä'.repeat(count)} You are the root`);
  expect(promptOrigin(before(7983))).toBe('launch_message');
  expect(promptOrigin(before(7984))).toBe('typed');
});

it('is pasted when a text holds the mark of a paste', () => {
  expect(promptOrigin('Look: [Pasted text #2 +14 lines]')).toBe('pasted');
  expect(promptOrigin('<pasted_content id="1">x</pasted_content>')).toBe('pasted');
  expect(promptOrigin('[Pasted text] <pasted>')).toBe('typed');
});

describe('white space of wire text', () => {
  /** What Unicode calls white space, and the four separators of ASCII. */
  const space = /^[\p{White_Space}\x1c-\x1f]$/u;

  it('is what it is in the text', () => {
    for (let code = 0; code <= 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const wire = toWire(character);
      const size = space.test(character) ? wire.length : 0;
      if (spaceLengthAt(wire, 0) !== size) expect.fail(`U+${code.toString(16)} at`);
      if (spaceLengthBefore(wire, wire.length) !== size) {
        expect.fail(`U+${code.toString(16)} before`);
      }
    }
    expect(spaceLengthAt('', 0)).toBe(0);
    expect(spaceLengthBefore('', 0)).toBe(0);
  });

  const unit = fc.constantFrom(' ', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff', 'à', 'x', '…');
  const words = fc.string({ unit, maxLength: 12 });

  it('is trimmed at both ends and nowhere else', () => {
    fc.assert(
      fc.property(words, text => {
        const expected = text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
        expect(fromWire(trimmed(toWire(text)))).toBe(expected);
        expect(isBlank(toWire(text))).toBe(expected === '');
      }),
    );
  });
});

describe('code points of wire text', () => {
  it('are counted, and found again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const start = toWire(a).length;
        const wire = toWire(a + b);
        const count = [...fromWire(toWire(b))].length;
        // A pair that only the joined text has is one character of neither part.
        fc.pre(wire === toWire(a) + toWire(b));
        expect(codePoints(wire, start, wire.length)).toBe(count);
        expect(afterCodePoints(wire, start, count)).toBe(wire.length);
        expect(afterCodePoints(wire, start, count + 1)).toBeNull();
      }),
    );
  });
});
