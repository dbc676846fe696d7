/** Elements of an array in a document: what one is, where it lies, what the rest is. */

import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ElementOptions, ElementReader } from '../../src/bytes/elements.ts';
import { parseJson } from '../../src/bytes/json.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

const BLOCK_SIZES = [1, 2, 3, 7, 1024];

type Path = readonly string[];

/** A record as the reader gives it; `text` has one char a byte. */
interface Part {
  readonly text: string;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly lineNumber: number;
}

/** The elements of a document, and the rest with what is known of it. */
interface Parts {
  readonly elements: readonly Part[];
  readonly rest: Part | null;
  readonly restValue: unknown;
  readonly error: string | null;
  readonly work: Work;
}

function document(content: string | Uint8Array): string {
  return writeFile(folder, 'document.json', content);
}

function read(path: string, arrayPath: Path, size = 7, options: ElementOptions = {}): Parts {
  const work = new Work();
  const block = Buffer.alloc(size, '[');
  const reader = new ElementReader(path, arrayPath, { block, work, ...options });
  const parts: Part[] = [];
  let error: string | null = null;
  while (reader.next()) {
    const { buffer, start, end, byteOffset, byteLength, lineNumber } = reader;
    parts.push({
      text: buffer.toString('latin1', start, end),
      byteOffset,
      byteLength,
      lineNumber,
    });
    ({ error } = new SourceRecord(reader, work));
  }
  const rest = parts.pop() ?? null;
  return { elements: parts, rest, restValue: reader.readRest(), error, work };
}

/** A value as a reader decodes it, with its texts as bytes. */
function wire(value: unknown): unknown {
  const bytes = Buffer.from(JSON.stringify(value) ?? 'null');
  return parseJson(bytes, 0, bytes.length);
}

function decoded({ text }: Part): unknown {
  return JSON.parse(Buffer.from(text, 'latin1').toString());
}

/** The elements put back into the rest. */
function rebuilt({ elements, rest }: Parts): string {
  let file = '';
  let taken = 0;
  for (const { text, byteOffset } of elements) {
    const between = byteOffset - file.length;
    file += (rest?.text ?? '').slice(taken, taken + between) + text;
    taken += between;
  }
  return file + (rest?.text ?? '').slice(taken);
}

/** JSON text with white space between all tokens, taken in turn from `spaces`. */
function spaced(value: unknown, spaces: readonly string[]): string {
  let turn = 0;
  const space = () => spaces[turn++ % spaces.length] ?? '';
  const print = (part: unknown): string => {
    if (Array.isArray(part)) return `[${space()}${part.map(print).join(`,${space()}`)}]${space()}`;
    if (part === null || typeof part !== 'object') return JSON.stringify(part) + space();
    const members = Object.entries(part).map(
      ([name, member]) => `${JSON.stringify(name)}${space()}:${space()}${print(member)}`,
    );
    return `{${space()}${members.join(`,${space()}`)}}${space()}`;
  };
  return space() + print(value);
}

/** Characters above ASCII as escapes. */
function escaped(json: string): string {
  return json.replace(
    /[^\0-\x7f]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Texts that look like structure. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('messages', '"messages":[', '],', '}', '\\', '\\"', '{"a":[1', '', 'é', '🌊'),
);

const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom(null, true, false, 0, -1.5, 1e300),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const items = fc.array(value, { maxLength: 6 });

/** Members beside the one that is looked for: the names occur in them, but elsewhere. */
const siblings = fc.dictionary(
  text.filter(name => name !== 'messages' && name !== 'chat'),
  fc.oneof(value, fc.constant({ messages: [1, [2]] }), fc.constant([{ messages: [3] }])),
  { maxKeys: 3, noNullPrototype: true },
);

/** A document, where its array is, and the document without the elements. */
interface Case {
  readonly path: Path;
  readonly json: unknown;
  readonly elements: readonly unknown[];
  readonly emptied: unknown;
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.integer({ min: 0, max: 2 }), items, siblings, siblings)
  .map(([depth, elements, before, after]) => {
    const path = ['chat', 'messages'].slice(2 - depth);
    const around = (inner: unknown) =>
      path.reduceRight((part, name) => ({ ...before, [name]: part, ...after }), inner);
    return { path, json: around(elements), elements, emptied: around([]) };
  });

const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\r\n', '\t', '  \n '), { minLength: 1 });

describe.each(BLOCK_SIZES)('a document in blocks of %i bytes', size => {
  it('gives the elements that JSON.parse finds, each where it lies in the file', () => {
    fc.assert(
      fc.property(cases, spaces, fc.boolean(), ({ path, json, elements }, gaps, isEscaped) => {
        const content = spaced(json, gaps);
        const file = document(isEscaped ? escaped(content) : content);
        const parts = read(file, path, size);
        const bytes = readFileSync(file);
        expect(parts.elements.map(decoded)).toEqual(JSON.parse(JSON.stringify(elements)));
        for (const [
          index,
          { text, byteOffset, byteLength, lineNumber },
        ] of parts.elements.entries()) {
          expect(bytes.toString('latin1', byteOffset, byteOffset + byteLength)).toBe(text);
          expect(text).toBe(text.trim());
          expect(lineNumber).toBe(index + 1);
        }
      }),
    );
  });

  it('is the sum of its elements and the rest, which decodes to it with an empty array', () => {
    fc.assert(
      fc.property(cases, spaces, ({ path, json, emptied }, gaps) => {
        const content = spaced(json, gaps);
        const parts = read(document(content), path, size);
        expect(rebuilt(parts)).toBe(Buffer.from(content).toString('latin1'));
        expect(parts.restValue).toEqual(wire(emptied));
        expect(parts.error).toBeNull();
        const byteLength = Buffer.byteLength(content);
        expect(parts.rest).toMatchObject({ byteOffset: 0, lineNumber: 0, byteLength });
      }),
    );
  });

  it('cut short anywhere, gives the elements that are complete and says where it ends', () => {
    fc.assert(
      fc.property(cases, spaces, ({ path, json }, gaps) => {
        const whole = Buffer.from(spaced(json, gaps).trim());
        if (!isContainer(whole)) return;
        const all = read(document(whole), path, size).elements;
        for (let end = 1; end < whole.length; end += 1 + Math.floor(whole.length / 50)) {
          const parts = read(document(whole.subarray(0, end)), path, size);
          const complete = all.filter(part => isComplete(part, end));
          expect(parts.elements).toEqual(complete);
          expect(rebuilt(parts)).toBe(whole.toString('latin1', 0, end));
          expect(parts.error).toBe(`the document is cut short at byte ${end}`);
        }
      }),
      { numRuns: 25 },
    );
  });
});

function isContainer(json: Buffer): boolean {
  return json[0] === 0x5b || json[0] === 0x7b;
}

/** A number or word is complete when what follows it is there. */
function isComplete({ text, byteOffset, byteLength }: Part, end: number): boolean {
  const isClosed = /["\]}]$/.test(text);
  return byteOffset + byteLength + (isClosed ? 0 : 1) <= end;
}

describe('a document cut short', () => {
  const whole = '{"id":"é","messages" : [ {"a":[1,"]"]} , "b,", 12 , true ],"end":{"x":[0]}}';
  const bytes = Buffer.from(whole);
  const arrayStart = bytes.indexOf('[') + 1;

  it('at any byte keeps what stands before its array', () => {
    for (let end = 1; end < bytes.length; end++) {
      const { restValue } = read(document(bytes.subarray(0, end)), ['messages']);
      expect(restValue).toEqual(end < arrayStart ? undefined : wire({ id: 'é', messages: [] }));
    }
  });

  it('at no byte is nothing', () => {
    expect(read(document(''), ['messages'])).toMatchObject({ elements: [], rest: null });
  });

  it('behind its end is not', () => {
    expect(read(document(whole), ['messages'])).toMatchObject({ error: null });
    expect(read(document(`${whole}\n`), ['messages'])).toMatchObject({ error: null });
  });
});

describe('the array', () => {
  const elementsOf = (content: string, path: Path) =>
    read(document(content), path).elements.map(({ text }) => text);

  it.each<[string, string, Path, string[]]>([
    ['is the root where no name is given', ' [1, "a",{}]', [], ['1', '"a"', '{}']],
    ['is not the root where a name is given', '[1,2]', ['messages'], []],
    ['is not in an object where no name is given', '{"a":[1]}', [], []],
    ['is found below its name only', '{"a":{"messages":[1]},"messages":[2]}', ['messages'], ['2']],
    ['is the first of that name', '{"messages":[1],"messages":[2]}', ['messages'], ['1']],
    ['is the first of that name that is an array', '{"m":1,"m":{"m":[2]},"m":[3]}', ['m'], ['3']],
    ['is not what a text says', '{"a":"messages","b":["messages"],"c":[1]}', ['messages'], []],
    ['is found behind a step that leads nowhere', '{"a":{},"a":{"b":[1]}}', ['a', 'b'], ['1']],
    ['is not in an array on the way', '{"a":[{"b":[1]}]}', ['a', 'b'], []],
    ['has its name as it is written', '{"m\\u0065":[1],"me":[2]}', ['me'], ['2']],
    ['has no name as long as that', `{"${'m'.repeat(300)}":[1]}`, ['m'.repeat(255)], []],
    ['may be empty', '{"messages":[ ]}', ['messages'], []],
    ['may be absent', '{"a":1}', ['messages'], []],
    ['is not a scalar', '12', [], []],
    ['is not what follows the document', '{} [1]', [], []],
    ['is found behind a byte order mark', '\ufeff[1,2]', [], ['1', '2']],
  ])('%s', (_, content, path, wanted) => {
    expect(elementsOf(content, path)).toEqual(wanted);
  });

  it('is decoded from behind a byte order mark, and the rest too', () => {
    const { elements, restValue, error } = read(document('\ufeff{"v":1,"m":[2]}'), ['m'], 2);
    expect(elements).toMatchObject([{ text: '2', byteOffset: 15 }]);
    expect({ restValue, error }).toEqual({ restValue: { v: 1, m: [] }, error: null });
  });

  it('is closed by the bracket that is there, and what is wrong is diagnosed', () => {
    const { elements, error } = read(document('{"m":[1}}'), ['m']);
    expect(elements.map(({ text }) => text)).toEqual(['1']);
    expect(error).toMatch(/JSON/);
  });

  it('keeps what stands before it when what stands behind it is wrong', () => {
    const { restValue, error } = read(document('{"v":1,"m":[2],oops}'), ['m']);
    expect(restValue).toEqual({ v: 1, m: [] });
    expect(error).toMatch(/JSON/);
  });
});

describe('an element over the limit', () => {
  const long = JSON.stringify('x'.repeat(50));
  const content = `{"m":[1,${long},[3]],"after":true}`;
  const limit = { maxElementBytes: 40 };

  it.each(BLOCK_SIZES)('has an address and no bytes in blocks of %i', size => {
    const { elements, restValue } = read(document(content), ['m'], size, limit);
    expect(elements).toMatchObject([
      { text: '1' },
      { text: '', byteOffset: 8, byteLength: 52 },
      { text: '[3]', byteOffset: 61 },
    ]);
    expect(restValue).toEqual({ m: [], after: true });
  });

  it('that is torn takes the rest with it', () => {
    const torn = `{"m":[1,${long.slice(0, -1)}`;
    const reader = new ElementReader(document(torn), ['m'], limit);
    while (reader.next());
    expect(reader).toMatchObject({ isTooLong: true, byteLength: torn.length, end: 0 });
  });
});

describe('a large document', () => {
  const ELEMENTS = 100_000;
  const element = JSON.stringify({ id: 'ä'.repeat(20), text: '[{"}]'.repeat(50), tool: [{}] });

  /** About 30 MB, printed for people, so that there is much between the elements. */
  function largeDocument(): string {
    const path = writeFile(folder, 'large.json');
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, '{\n  "version": 3,\n  "messages": [');
    const batch = `\n    ${element},`.repeat(1000);
    for (let i = 0; i < ELEMENTS / 1000; i++) writeSync(descriptor, batch);
    writeSync(descriptor, `\n    "last"\n  ]\n}`);
    closeSync(descriptor);
    return path;
  }

  it('is read once, a block at a time, with one element in memory', () => {
    const path = largeDocument();
    const { size } = statSync(path);
    expect(size).toBeGreaterThan(30_000_000);
    const work = new Work();
    const block = Buffer.alloc(16 * 1024);
    const reader = new ElementReader(path, ['messages'], { block, work });
    let elements = 0;
    for (; reader.next() && reader.lineNumber > 0; elements++) {
      const isWhole = reader.buffer.length === reader.byteLength;
      if (!isWhole || reader.end > Buffer.byteLength(element)) expect.fail(`element ${elements}`);
    }
    expect(elements).toBe(ELEMENTS + 1);
    expect(work).toMatchObject({ bytesRead: size, filesOpened: 1, recordsParsed: 0 });
    expect(reader.end).toBe(size - ELEMENTS * Buffer.byteLength(element) - '"last"'.length);
    expect(reader.readRest()).toEqual({ version: 3, messages: [] });
  });

  it('gives its first element after one block', () => {
    const work = new Work();
    const block = Buffer.alloc(16 * 1024);
    const reader = new ElementReader(largeDocument(), ['messages'], { block, work });
    expect(reader.next()).toBe(true);
    expect(work.bytesRead).toBe(block.length);
  });
});

describe('a file that changes while it is read', () => {
  it('ends with a problem, and its torn rest', () => {
    const path = document(`{"m":[${'1,'.repeat(50)}2]}`);
    const reader = new ElementReader(path, ['m'], { block: Buffer.alloc(16) });
    reader.next();
    document('{"m"');
    while (reader.next());
    expect(reader.problem).toMatch(/cut short/);
    expect(reader).toMatchObject({ lineNumber: 0, diagnosis: expect.stringMatching(/cut short/) });
  });
});
