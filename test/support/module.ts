/** TypeScript modules as the house rules see them: what they import, export and contain. */

import path from 'node:path';
import ts from 'typescript';
import { projectFiles, projectText } from './project.ts';

/** One import, re-export, `import('…')`, `require('…')` or `import('…')` type. */
export interface Import {
  /** The specifier as written. */
  readonly specifier: string;
  /** The project file it names, or null for a package. */
  readonly target: string | null;
  /** Gone when compiled: `import type`, `export type … from`, a type in a type position. */
  readonly typeOnly: boolean;
  /** The exported names it takes from its target; null when it takes all of them. */
  readonly names: readonly string[] | null;
  /** Line number, from 1. */
  readonly line: number;
}

/** One exported name. */
export interface Export {
  readonly name: string;
  /** The declaration, or null when the name is passed on from another module. */
  readonly declaration: ts.Node | null;
  /** Line number, from 1. */
  readonly line: number;
}

/** One parsed module. */
export interface Module {
  /** Path relative to the project's root, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly source: ts.SourceFile;
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
}

/** Parses a module; `file` decides what its relative imports name. */
export function parseModule(file: string, text: string): Module {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  for (const node of nodes(source)) imports.push(...importsOf(node, source));
  const exports = source.statements.flatMap(statement => exportsOf(statement, source));
  return { file, text, source, imports, exports };
}

/** The project's modules below a folder, parsed once. */
export function modulesIn(folder: string): readonly Module[] {
  return projectFiles()
    .filter(file => file.startsWith(`${folder}/`) && file.endsWith('.ts'))
    .map(file => {
      const known = parsed.get(file) ?? parseModule(file, projectText(file));
      parsed.set(file, known);
      return known;
    });
}

/** All nodes below a node, parents first. */
export function* nodes(root: ts.Node): Generator<ts.Node> {
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, child => {
      children.push(child);
    });
    pending.push(...children.reverse());
  }
}

/** `file:line` of a node, for messages. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${lineOf(node, source)}`;
}

const parsed = new Map<string, Module>();

function lineOf(node: ts.Node, source: ts.SourceFile): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function importsOf(node: ts.Node, source: ts.SourceFile): Import[] {
  const found = specifierOf(node);
  if (found === null) return [];
  const relative = found.specifier.startsWith('.');
  const folder = path.posix.dirname(source.fileName);
  const target = relative ? path.posix.join(folder, found.specifier) : null;
  return [{ ...found, target, line: lineOf(node, source) }];
}

type Found = Pick<Import, 'specifier' | 'typeOnly' | 'names'>;

function specifierOf(node: ts.Node): Found | null {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    // Only `import type` vanishes: `import { type A }` still loads the module.
    const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: textOf(node.moduleSpecifier), typeOnly, names: namesTaken(clause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const { exportClause, isTypeOnly } = node;
    const named = exportClause !== undefined && ts.isNamedExports(exportClause);
    const names = named ? exportClause.elements.map(sourceName) : null;
    return { specifier: textOf(node.moduleSpecifier), typeOnly: isTypeOnly, names };
  }
  if (ts.isCallExpression(node) && isLoader(node.expression)) {
    const [argument] = node.arguments;
    if (argument === undefined || !ts.isStringLiteralLike(argument)) return null;
    return { specifier: argument.text, typeOnly: false, names: namesAwaited(node) };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const name = node.qualifier && ts.isIdentifier(node.qualifier) ? [node.qualifier.text] : null;
    return { specifier: textOf(node.argument.literal), typeOnly: true, names: name };
  }
  return null;
}

function isLoader(callee: ts.Expression): boolean {
  const isRequire = ts.isIdentifier(callee) && callee.text === 'require';
  return isRequire || callee.kind === ts.SyntaxKind.ImportKeyword;
}

function namesTaken(clause: ts.ImportClause | undefined): readonly string[] | null {
  if (clause === undefined) return [];
  const bindings = clause.namedBindings;
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) return null;
  const named = bindings === undefined ? [] : bindings.elements.map(sourceName);
  return clause.name === undefined ? named : ['default', ...named];
}

/** The names in `const { a, b } = await import(…)` and `(await import(…)).a`. */
function namesAwaited(call: ts.CallExpression): readonly string[] | null {
  let node: ts.Node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  if (ts.isPropertyAccessExpression(node)) return [node.name.text];
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return null;
  return node.name.elements.map(element => (element.propertyName ?? element.name).getText());
}

function exportsOf(statement: ts.Statement, source: ts.SourceFile): Export[] {
  const line = lineOf(statement, source);
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    if (clause === undefined) return [];
    if (ts.isNamespaceExport(clause)) return [{ name: clause.name.text, declaration: null, line }];
    return clause.elements.map(element => ({
      name: element.name.text,
      declaration: statement.moduleSpecifier ? null : declarationNamed(sourceName(element), source),
      line: lineOf(element, source),
    }));
  }
  if (ts.isExportAssignment(statement)) return [{ name: 'default', declaration: statement, line }];
  if (!hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return [];
  if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) {
    return [{ name: 'default', declaration: statement, line }];
  }
  return declaredNames(statement).map(name => ({ name, declaration: statement, line }));
}

function declarationNamed(name: string, source: ts.SourceFile): ts.Node | null {
  return source.statements.find(statement => declaredNames(statement).includes(name)) ?? null;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(declaration => boundNames(declaration));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function boundNames(declaration: ts.VariableDeclaration | ts.BindingElement): string[] {
  const { name } = declaration;
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap(part => (ts.isBindingElement(part) ? boundNames(part) : []));
}

function hasModifier(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(modifier => modifier.kind === kind) ?? false;
}

/** The name on the exporting side of `a as b`. */
function sourceName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text;
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : '';
}
