/** Links, kinds of artifacts, names of tools, and the text and size of messages. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/bytes/json.ts';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { jsonByteLength, textBlocks } from '../../src/harness/shared/prompt/blocks.ts';
import { artifactKind, linkedPaths, mcpParts } from '../../src/harness/shared/prompt/links.ts';
import { jsonText, jsonValue } from '../support/json.ts';

describe('the paths that a text links to', () => {
  it.each([
    ['[a](/x/y.md)', ['/x/y.md']],
    ['See [a](/x) and ![b](/y.png).', ['/x', '/y.png']],
    ['[a](/x) [b](/y) [c](/x)', ['/x', '/y']],
    ['[a](file:///x/y)', ['/x/y']],
    ['[a](</x y/(z).md>)', ['/x y/(z).md']],
    ['[a](<file:///x>)', ['/x']],
    ['[a](file://</x>)', ['/x']],
    ['[a](/x "Title")', ['/x']],
    ["[a](/x\t'Title' )", ['/x']],
    ['[a](</x> "Title")', ['/x']],
    ['[a](/x y/z.md)', ['/x y/z.md']],
    ['[a](/x"y")', ['/x"y"']],
    ['[a](/x (1).pdf)', ['/x (1).pdf']],
    ['[a](/x/[id]/page.tsx)', ['/x/[id]/page.tsx']],
    ['[a](/x/a.ts:12)', ['/x/a.ts:12']],
    ['[a\nb](/x)', ['/x']],
    ['[](/x)', ['/x']],
    ['[[a]](/x)', ['/x']],
    ['[ü](/büro/ä.md)', ['/büro/ä.md']],
    ['[a](/open [b](/x)', ['/x']],
  ])('in %s are %j', (text, paths) => {
    expect(linkedPaths(toWire(text)).map(fromWire)).toEqual(paths);
  });

  it.each([
    ...['', '/x', '[a](x)', '[a](https://b.c/d)', '[a] (/x)', 'a](/x)', '[a](/x', '[a](/x\n)'],
    ...['[a](</x)', '[a](</x>', '[a](</x> y)', '[a](</x\n>)', '[a](file:/x)', '[a](<x>)'],
  ])('in %j are none', text => {
    expect(linkedPaths(text)).toEqual([]);
  });

  it('are read in a time that grows with the length of the text only', () => {
    const started = performance.now();
    for (const piece of ['[', '[a](/x', '[a](/(', '[a](</x', '[a](/x "']) {
      expect(linkedPaths(piece.repeat(100_000))).toEqual([]);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

it.each([
  ['/a/b.XLSX', 'spreadsheet'],
  ['/a/b.csv', 'spreadsheet'],
  ['b.docx', 'document'],
  ['/a/b.tar.md', 'document'],
  ['/a/b.jpeg', 'image'],
  ['/a/b.svg/', 'image'],
  ['/a/b.key', 'presentation'],
  ['/a/b.ts', 'file'],
  ['/a.d/b', 'path'],
  ['/a/.md', 'path'],
  ['/a/b.', 'path'],
  ['/a/..', 'path'],
  ['/', 'path'],
  ['', 'path'],
])('the artifact %s is a %s', (path, kind) => {
  expect(artifactKind(path)).toBe(kind);
});

it.each([
  ['mcp__github__get_issue', 'github', 'get_issue'],
  ['mcp__plugin__web__fetch', 'plugin__web', 'fetch'],
  ['mcp__my_server__a_b', 'my_server', 'a_b'],
  ['mcp__github', 'github', null],
  ['mcp__github__', 'github', null],
  ['mcp____get', null, 'get'],
  ['mcp__', null, null],
  ['Bash', null, null],
  ['xmcp__a__b', null, null],
])('the tool %s has the server %s and the name %s', (name, server, tool) => {
  expect(mcpParts(name)).toEqual({ server, tool });
});

describe('the text of a message', () => {
  const types = new Set(['text', 'input_text']);
  const blocks = [
    { type: 'text', text: ' a \n' },
    { type: 'image', text: 'no' },
    { type: 'text', text: toWire('\u00a0\n') },
    { type: 'text', text: 7 },
    { text: 'no type' },
    null,
    'loose',
    { type: 'input_text', text: toWire('à') },
  ];

  it('is that of its blocks of the wanted types, a blank line between two', () => {
    expect(textBlocks(blocks, types)).toBe(toWire('a\n\nà'));
    expect(textBlocks(blocks, types, false)).toBe(toWire(' a \n\n\nà'));
  });

  it('is the message itself when that is a string', () => {
    expect(textBlocks(toWire(' à\u2003'), types)).toBe(toWire('à'));
    expect(textBlocks(' a ', types, false)).toBe(' a ');
  });

  it('is empty for anything else', () => {
    for (const value of [null, undefined, 1, {}, [], { type: 'text', text: 'a' }]) {
      expect(textBlocks(value, types)).toBe('');
    }
  });
});

describe('the size of a value', () => {
  it('is that of a string, else that of its compact JSON', () => {
    expect(jsonByteLength(null)).toBe(0);
    expect(jsonByteLength(undefined)).toBe(0);
    expect(jsonByteLength(toWire('à"'))).toBe(3);
    expect(jsonByteLength([toWire('à"')])).toBe(Buffer.byteLength('["à\\""]'));
    expect(jsonByteLength({ a: [1, null, true], b: {} })).toBe('{"a":[1,null,true],"b":{}}'.length);
  });

  it('is that of any value, as UTF-8', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        const bytes = Buffer.from(jsonText([value], { escapeEvery: 0, space: '' }));
        const parsed = parseJson(bytes, 0, bytes.length);
        const size = Buffer.byteLength(JSON.stringify(parsed), 'latin1');
        expect(jsonByteLength(parsed)).toBe(size);
      }),
    );
  });

  it('is known however deep a value nests', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(jsonByteLength(value)).toBe(200_001);
  });
});
