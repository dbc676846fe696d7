/** JSON decoded as wire text: nothing but the speed may tell it from decoding as UTF-8. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  booleanOf,
  integerOf,
  isObject,
  member,
  parseJson,
  parseJsonStructure,
  textOf,
} from '../../src/bytes/json.ts';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { decoded, type Json, jsonStyle, jsonText, jsonValue, wellFormed } from '../support/json.ts';

function parse(text: string): unknown {
  const bytes = Buffer.from(text);
  return parseJson(bytes, 0, bytes.length);
}

/** Key order and `__proto__` included: what a deep comparison would overlook. */
function print(value: Json): string {
  return JSON.stringify(value);
}

/** The slow way, which is the truth. */
function plain(bytes: Buffer): Json {
  return wellFormed(JSON.parse(bytes.toString('utf8')));
}

describe('any JSON text', () => {
  it('holds the values and texts that JSON.parse finds in it', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, (value, style) => {
        const bytes = Buffer.from(jsonText(value, style));
        expect(print(decoded(parseJson(bytes, 0, bytes.length)))).toBe(print(plain(bytes)));
      }),
      { numRuns: 3000 },
    );
  });

  it('may lie amid other bytes', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, fc.uint8Array(), (value, style, around) => {
        const bytes = Buffer.from(jsonText(value, style));
        const buffer = Buffer.concat([around, bytes, around]);
        const found = parseJson(buffer, around.length, around.length + bytes.length);
        expect(print(decoded(found))).toBe(print(plain(bytes)));
      }),
    );
  });

  it('gives wire text only: one char a byte', () => {
    fc.assert(
      fc.property(jsonValue, jsonStyle, (value, style) => {
        const bytes = Buffer.from(jsonText(value, style));
        expect(print(parseJson(bytes, 0, bytes.length) as Json)).toMatch(/^[\0-\xff]*$/);
      }),
    );
  });
});

describe('any bytes', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '\\u0', '\\u00', '\\u00e9'),
      fc.constantFrom('\\ud83e', '1', '-', '.', 'e', 'true', 'null', ' ', '\x00', '\x1f', '\x7f'),
      fc.constantFrom('\xc3', '\xa9', '\xc3\xa9', '\xff', '\xe2\x82', '\xef\xbb\xbf', '\x80'),
      fc.integer({ min: 0, max: 255 }).map(byte => String.fromCharCode(byte)),
    ),
    { maxLength: 12 },
  );
  const almost = fc
    .tuple(jsonValue, jsonStyle, fc.double({ min: 0, max: 1, noNaN: true }), pieces)
    .map(([value, style, at, inserted]) => {
      const wire = Buffer.from(jsonText(value, style)).toString('latin1');
      const cut = Math.floor(at * wire.length);
      return wire.slice(0, cut) + inserted.join('') + wire.slice(cut);
    });

  it('parse or throw as they do for JSON.parse, invalid UTF-8 included', () => {
    const text = fc.oneof(
      pieces.map(parts => parts.join('')),
      pieces.map(parts => `"${parts.join('')}"`),
      almost,
    );
    fc.assert(
      fc.property(text, wire => {
        const bytes = Buffer.from(wire, 'latin1');
        let expected: Json;
        try {
          expected = plain(bytes);
        } catch {
          expect(() => parseJson(bytes, 0, bytes.length)).toThrow(SyntaxError);
          return;
        }
        const found = decoded(parseJson(bytes, 0, bytes.length));
        expect(print(wellFormed(found))).toBe(print(expected));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('escapes', () => {
  it('of every UTF-16 code unit give what JSON.parse gives', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = `["\\u${code.toString(16).padStart(4, '0')}\u20ac"]`;
      const expected = wellFormed(JSON.parse(text));
      if (print(decoded(parse(text))) !== print(expected)) expect.fail(text);
    }
  });

  it.each([
    ['\\u0041\\u007f', 'A\u007f'],
    ['\\u0080\\u00e9\\u00ff', '\u0080\u00e9\u00ff'],
    ['\\u00E9\\u00e9', '\u00e9\u00e9'],
    ['\\uD83E\\uDD86', '\ud83e\udd86'],
    ['\\ud83e', '\ufffd'],
    ['\\udd86\\ud83e', '\ufffd\ufffd'],
    ['\\ud83e\ud83e\udd86', '\ufffd\ud83e\udd86'],
    ['\\\\u00e9', '\\u00e9'],
    ['\\\\\\u00e9', '\\\u00e9'],
    ['\\u005cu00e9', '\\u00e9'],
    ['\\u0000', '\0'],
  ])('as %s in a text and in a key', (escaped, expected) => {
    expect(decoded(parse(`{"${escaped}":"${escaped}"}`))).toEqual({ [expected]: expected });
  });
});

describe('keys', () => {
  it('keep their order where an escape makes the slow path', () => {
    const value = parse('{"b":1,"é":2,"a":"\\u00e9","ö":[4]}');
    expect(Object.keys(value as object).map(fromWire)).toEqual(['b', 'é', 'a', 'ö']);
  });

  it('do not meet when one reads like the wire text of another', () => {
    const value = parse('{"é":"\\u00e9","Ã©":"second","ÃƒÂ©":["third"]}');
    expect(decoded(value)).toEqual({ é: 'é', 'Ã©': 'second', 'ÃƒÂ©': ['third'] });
  });

  it('that become equal leave the last one', () => {
    expect(decoded(parse('{"\\ud800":1,"x":2,"\\udbff":3}'))).toEqual({ '\ufffd': 3, x: 2 });
  });

  it.each(['{"__proto__":{"a":1},"b":"é"}', '{"__proto__":{"a":1},"b":"\\u00e9"}'])(
    'named __proto__ are members like others: %s',
    text => {
      const value = parse(text);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(print(decoded(value))).toBe('{"__proto__":{"a":1},"b":"é"}');
      expect(member(value, 'a')).toBeUndefined();
    },
  );

  it('named __proto__ with a text are members, too', () => {
    expect(print(decoded(parse('{"__proto__":"\\u00e9"}')))).toBe('{"__proto__":"é"}');
  });
});

describe('errors', () => {
  it.each(['{"a":"é€",}', '{"a":"é€","b":"\\u00e9",}', '{"\\ud83e":"🦆" "b"}'])(
    'count positions in bytes and are wire text: %s',
    text => {
      const wire = toWire(text);
      expect(() => parse(text)).toThrow(errorOf(wire));
    },
  );

  function errorOf(wire: string): Error {
    try {
      JSON.parse(wire);
    } catch (error) {
      if (error instanceof SyntaxError) return error;
    }
    throw new Error(`${wire} is valid`);
  }
});

describe('deep nesting', () => {
  const depth = 100_000;

  it.each(['"é"', '"\\u00e9"', '"x"'])('neither throws nor overflows: lists around %s', leaf => {
    let value = parse('['.repeat(depth) + leaf + ']'.repeat(depth));
    for (let i = 0; i < depth; i++) value = (value as unknown[])[0];
    expect(value).toBe(toWire(JSON.parse(leaf)));
  });

  it.each(['"é"', '"\\u00e9"'])('neither throws nor overflows: objects around %s', leaf => {
    let value = parse('{"ä":'.repeat(depth) + leaf + '}'.repeat(depth));
    const key = toWire('ä');
    for (let i = 0; i < depth; i++) value = member(value, key);
    expect(value).toBe(toWire('é'));
  });
});

describe('parsing for the structure alone', () => {
  it('gives the same shape, ASCII texts and numbers', () => {
    const text = '{"a":["\\u00e9",1,null,{"b":"plain"}],"c":"é"}';
    const bytes = Buffer.from(`x${text}x`);
    const value = parseJsonStructure(bytes, 1, bytes.length - 1);
    expect(value).toEqual({ a: ['\u00e9', 1, null, { b: 'plain' }], c: toWire('é') });
  });
});

describe('a value of a field', () => {
  const values = ['', 'a', 0, 1.5, -1, true, false, null, undefined, [], {}];

  it('is a text, an integer, a boolean or an object only when it is one', () => {
    expect(values.map(textOf)).toEqual(['', 'a', ...Array(9).fill(null)]);
    const integers = values.map(integerOf);
    expect(integers).toEqual([null, null, 0, null, -1, ...Array(6).fill(null)]);
    const booleans = values.map(booleanOf);
    expect(booleans.filter(value => value !== null)).toEqual([true, false]);
    expect(values.filter(isObject)).toEqual([{}]);
  });

  it('is no integer where JavaScript may have rounded it', () => {
    const numbers = [2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, -(2 ** 53), Infinity, NaN];
    expect(numbers.map(integerOf)).toEqual([2 ** 53 - 1, null, -(2 ** 53) + 1, null, null, null]);
  });

  it('is undefined where there is no such member', () => {
    expect([{ a: 1 }, {}, null, undefined, 'text', 1].map(value => member(value, 'a'))).toEqual([
      1,
      ...Array(5).fill(undefined),
    ]);
  });
});

describe('wire text', () => {
  it('goes to ordinary text and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(toWire(text)).toBe(Buffer.from(text).toString('latin1'));
        expect(fromWire(toWire(text))).toBe(text);
      }),
    );
  });

  it('has U+FFFD for what is no text, in both directions', () => {
    expect(fromWire('a\xffb\xc3')).toBe('a\ufffdb\ufffd');
    expect(toWire('a\ud800b')).toBe('a\xef\xbf\xbdb');
  });
});
