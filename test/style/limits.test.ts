/** Sizes: what a reader can hold at once. */

import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Module } from '../support/module.ts';
import { modulesIn, nodes, parseModule, placeOf } from '../support/module.ts';
import { projectFiles, projectText } from '../support/project.ts';
import { calleeName } from '../support/syntax.ts';

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;

/** Files with more lines than a file may have. */
function longFile(file: string, text: string): string[] {
  const lines = linesOf(text).length;
  return lines > FILE_LINES_MAX ? [`${file} has ${lines} lines`] : [];
}

/** Lines wider than a screen; a URL cannot be broken, so it does not count. */
function wideLines(file: string, text: string): string[] {
  return linesOf(text).flatMap((line, index) => {
    const columns = columnsOf(line);
    const bare = columnsOf(line.replace(/https?:\/\/\S+/g, ''));
    return bare > COLUMNS_MAX ? [`${file}:${index + 1} has ${columns} columns`] : [];
  });
}

function columnsOf(line: string): number {
  return [...line].length;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Functions with too many lines; the callback of `describe` is a chapter, not a function. */
function longFunctions(module: Module): string[] {
  return [...nodes(module.source)].flatMap(node => {
    if (!ts.isFunctionLike(node) || isChapter(node)) return [];
    const [start, end] = [node.getStart(module.source), node.getEnd()].map(
      position => module.source.getLineAndCharacterOfPosition(position).line,
    );
    const lines = (end ?? 0) - (start ?? 0) + 1;
    return lines > FUNCTION_LINES_MAX ? [`${placeOf(node)} is a function of ${lines} lines`] : [];
  });
}

function isChapter(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && calleeName(node.parent) === 'describe';
}

const modules = [...modulesIn('src'), ...modulesIn('test')];
const statements = projectFiles().filter(file => /^(sql|test)\/.*\.sql$/.test(file));
const texts = [
  ...modules.map(({ file, text }) => ({ file, text })),
  ...statements.map(file => ({ file, text: projectText(file) })),
];

/** Scripts hold rows of answers, which are as wide as they are. */
const scripts = projectFiles()
  .filter(file => /^test\/.*\.test$/.test(file))
  .map(file => ({ file, text: projectText(file) }));

describe('source, SQL and tests', () => {
  it(`have files of at most ${FILE_LINES_MAX} lines`, () => {
    const all = [...texts, ...scripts];
    expect(all.flatMap(({ file, text }) => longFile(file, text))).toEqual([]);
  });

  it(`have lines of at most ${COLUMNS_MAX} columns`, () => {
    expect(texts.flatMap(({ file, text }) => wideLines(file, text))).toEqual([]);
  });

  it(`have functions of at most ${FUNCTION_LINES_MAX} lines`, () => {
    expect(modules.flatMap(longFunctions)).toEqual([]);
  });
});

describe('the rule about files', () => {
  it('counts lines, not line ends', () => {
    expect(longFile('a.ts', 'a\n'.repeat(FILE_LINES_MAX))).toEqual([]);
    expect(longFile('a.ts', `${'a\n'.repeat(FILE_LINES_MAX)}a`)).toEqual(['a.ts has 401 lines']);
  });
});

describe('the rule about columns', () => {
  it('counts characters, not code units', () => {
    expect(wideLines('a.ts', '🦆'.repeat(COLUMNS_MAX))).toEqual([]);
    expect(wideLines('a.ts', `\n${'a'.repeat(101)}`)).toEqual(['a.ts:2 has 101 columns']);
  });

  it('spares the URL and nothing beside it', () => {
    const url = `https://example.org/${'a'.repeat(120)}`;
    expect(wideLines('a.ts', `// see ${url}`)).toEqual([]);
    expect(wideLines('a.ts', `// ${'a'.repeat(100)} ${url}`)).toHaveLength(1);
  });
});

describe('the rule about functions', () => {
  const body = '\n'.repeat(FUNCTION_LINES_MAX);
  const verdicts = (text: string) => longFunctions(parseModule('test/a.ts', text));

  it.each([
    `function a() {${body}}`,
    `const a = () => {${body}};`,
    `const a = function () {${body}};`,
    `class A { a() {${body}} }`,
    `class A { get a() {${body}} }`,
    `class A { constructor() {${body}} }`,
    `it('does', () => {${body}});`,
    `items.map(item => {${body}});`,
  ])('measures every form of function: %#', text => {
    expect(verdicts(text)).toEqual(['test/a.ts:1 is a function of 71 lines']);
    expect(verdicts(text.replace('\n', ''))).toEqual([]);
  });

  it('does not count the comment above', () => {
    expect(verdicts(`/**${body} Long. */\nfunction a() {}`)).toEqual([]);
  });

  it('spares the callbacks of describe, with all its suffixes', () => {
    expect(verdicts(`describe('a', () => {${body}});`)).toEqual([]);
    expect(verdicts(`describe.each(all)('a', () => {${body}});`)).toEqual([]);
  });
});
