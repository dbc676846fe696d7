/** What a module shows to others is used by others, and says what it is. */

import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Export, Module } from '../support/module.ts';
import { modulesIn, nodes, parseModule } from '../support/module.ts';

/** The library's surface: whoever installs ahq uses these. */
const SURFACE = 'src/index.ts';

/** Exports of `modules` that neither they nor `users` import. */
function unusedExports(modules: readonly Module[], users: readonly Module[]): string[] {
  const used = usedNames([...modules, ...users]);
  return modules
    .filter(({ file }) => file !== SURFACE)
    .flatMap(module => {
      const names = used.get(module.file);
      return module.exports
        .filter(({ name }) => !(names?.has(name) || names?.has('*')))
        .filter(found => !isPartOfAnotherExport(found, module))
        .map(({ name, line }) => `${module.file}:${line} nobody uses ${name}`);
    });
}

/** File → the names that others take from it; `*` when somebody takes them all. */
function usedNames(modules: readonly Module[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { target, names } of modules.flatMap(module => module.imports)) {
    if (target === null) continue;
    const known = used.get(target) ?? new Set();
    for (const name of names ?? ['*']) known.add(name);
    used.set(target, known);
  }
  return used;
}

/** True for a type that another export of the same module mentions: callers meet it there. */
function isPartOfAnotherExport(found: Export, module: Module): boolean {
  const { name, declaration } = found;
  if (declaration === null) return false;
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeAliasDeclaration(declaration)) {
    return false;
  }
  return module.exports.some(
    other => other.declaration && other.declaration !== declaration && mentions(other, name),
  );
}

function mentions(found: Export, typeName: string): boolean {
  if (found.declaration === null) return false;
  return [...nodes(found.declaration)].some(
    node =>
      (ts.isTypeReferenceNode(node) && node.typeName.getText() === typeName) ||
      (ts.isExpressionWithTypeArguments(node) && node.expression.getText() === typeName),
  );
}

/** Re-exports of everything: a surface that grows unseen. */
function starExports(module: Module): string[] {
  return module.source.statements
    .filter(statement => ts.isExportDeclaration(statement) && statement.exportClause === undefined)
    .map(statement => `${module.file} ${statement.getText()}`);
}

/** Exported declarations whose JSDoc is missing or holds no sentence. */
function undocumented(module: Module): string[] {
  return module.exports
    .filter(
      ({ declaration }) => declaration !== null && !/\p{L}{2}.*[.:…]/su.test(docOf(declaration)),
    )
    .map(({ name, line }) => `${module.file}:${line} ${name} has no JSDoc sentence`);
}

/** The text of the JSDoc blocks of a declaration or of an earlier overload of it. */
function docOf(declaration: ts.Node): string {
  const overloads = ts.isFunctionDeclaration(declaration)
    ? declaration.getSourceFile().statements.filter(isOverloadOf(declaration))
    : [declaration];
  return overloads
    .flatMap(node => ts.getJSDocCommentsAndTags(node))
    .map(block => ts.getTextOfJSDocComment(block.comment) ?? '')
    .join('\n');
}

function isOverloadOf(declaration: ts.FunctionDeclaration): (statement: ts.Statement) => boolean {
  const name = declaration.name?.text;
  return statement =>
    statement === declaration ||
    (name !== undefined && ts.isFunctionDeclaration(statement) && statement.name?.text === name);
}

/** Modules without a comment before their first statement that says what they are for. */
function withoutHead(module: Module): string[] {
  return /^(#!.*\n)?\s*\/\*\*/.test(module.text) ? [] : [`${module.file} does not say its purpose`];
}

const source = modulesIn('src');

describe('the source', () => {
  it('exports only what another module or a test uses', () => {
    expect(unusedExports(source, modulesIn('test'))).toEqual([]);
  });

  it('passes names on one by one', () => {
    expect(source.flatMap(starExports)).toEqual([]);
  });

  it('documents every exported declaration', () => {
    expect(source.flatMap(undocumented)).toEqual([]);
  });

  it('opens every module with its purpose', () => {
    expect(source.flatMap(withoutHead)).toEqual([]);
  });
});

describe('the test helpers', () => {
  it('export only what a test uses', () => {
    expect(unusedExports(modulesIn('test/support'), modulesIn('test'))).toEqual([]);
  });
});

describe('the rule about unused exports', () => {
  const verdicts = (text: string, user = '') =>
    unusedExports([parseModule('src/scan/a.ts', text)], [parseModule('src/scan/b.ts', user)]);

  it('finds every kind of declaration', () => {
    for (const text of [
      'export const a = 1;',
      'export const { a } = source, { b: [c] } = source;',
      'export function a() {}',
      'export class a {}',
      'export interface a {}',
      'export type a = 1;',
      'const a = 1; export { a };',
      'const b = 1; export { b as a };',
      "export { a } from './c.ts';",
      'export default 1;',
    ]) {
      expect(verdicts(text), text).not.toEqual([]);
    }
  });

  it.each([
    "import { a } from './a.ts';",
    "import { a as b } from './a.ts';",
    "import type { a } from './a.ts';",
    "import * as all from './a.ts';",
    "export { a as b } from './a.ts';",
    "const { a } = await import('./a.ts');",
    "const { a: b } = await import('./a.ts');",
    "(await import('./a.ts')).a();",
    "type A = import('./a.ts').a;",
  ])('takes "%s" for a use', user => {
    expect(verdicts('export const a = 1;', user)).toEqual([]);
  });

  it('does not take the use of one name for the use of another', () => {
    const text = 'export const a = 1;\nexport const b = 2;';
    expect(verdicts(text, "import { a } from './a.ts';")).toEqual([
      'src/scan/a.ts:2 nobody uses b',
    ]);
    expect(verdicts(text, "import { a, b } from './c.ts';")).toHaveLength(2);
  });

  it('spares a type that another export of the module mentions', () => {
    const text = 'export interface A { b: 1 }\nexport function f(): A[] { return []; }';
    expect(verdicts(text, "import { f } from './a.ts';")).toEqual([]);
    expect(verdicts(text, "import { A } from './a.ts';")).toEqual([
      'src/scan/a.ts:2 nobody uses f',
    ]);
  });

  it('leaves the surface of the library alone', () => {
    expect(unusedExports([parseModule(SURFACE, 'export const a = 1;')], [])).toEqual([]);
  });
});

describe('the rules about documentation', () => {
  const verdicts = (text: string) => undocumented(parseModule('src/scan/a.ts', text));

  it('refuse a missing, empty or wordless comment, and one that is not JSDoc', () => {
    expect(verdicts('export const a = 1;')).toHaveLength(1);
    expect(verdicts('/** */\nexport const a = 1;')).toHaveLength(1);
    expect(verdicts('/** @internal */\nexport const a = 1;')).toHaveLength(1);
    expect(verdicts('// The first letter.\nexport const a = 1;')).toHaveLength(1);
    expect(verdicts('/** Some words */\nexport function a() {}')).toHaveLength(1);
    expect(verdicts('/** First. */\nexport const a = 1;\nexport const b = 1;')).toHaveLength(1);
  });

  it('accept a sentence, on one overload of a function or before a local name', () => {
    expect(verdicts('/** The first letter. */\nexport const a = 1;')).toEqual([]);
    expect(verdicts('/** Makes it. */\nexport function a(): 1;\nexport function a() {}')).toEqual(
      [],
    );
    expect(verdicts('/** The first letter. */\nconst a = 1;\nexport { a };')).toEqual([]);
    expect(verdicts("export { a } from './b.ts';")).toEqual([]);
  });

  it('want a comment at the head of the module', () => {
    expect(withoutHead(parseModule('src/a.ts', "import { b } from './b.ts';"))).toHaveLength(1);
    expect(withoutHead(parseModule('src/a.ts', '#!/usr/bin/env node\n/** Why. */'))).toEqual([]);
  });

  it('find a re-export of everything', () => {
    expect(starExports(parseModule('src/a.ts', "export * from './b.ts';"))).toHaveLength(1);
    expect(starExports(parseModule('src/a.ts', "export { b } from './b.ts';"))).toEqual([]);
  });
});
