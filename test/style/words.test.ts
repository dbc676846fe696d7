/** What the source and the tests may not say. */

import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Module } from '../support/module.ts';
import { modulesIn, nodes, parseModule, placeOf } from '../support/module.ts';
import { projectFiles, projectText } from '../support/project.ts';
import { calleeName } from '../support/syntax.ts';

/** Put together here, so that this file does not say them. */
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
const UNCHECKED = new RegExp(`@ts-${'(ignore|nocheck)'}`);

/** Paths and names that exist only on the machine where ahq is written. */
const LOCAL = new RegExp(
  [
    `(?<![\\w.~-])/wo${'rk'}/`,
    `sha${'red'}/(spec|shapes|design|spikes)`,
    `\\bfa${'rm'}-`,
    `\\bsp${'ec'}/[a-z-]+\\.(md|txt)`,
    `/tmp/br${'ief'}`,
  ].join('|'),
);

/** Statements that may stand in the source: in which file, which, and why. */
const SQL_IN_SOURCE: readonly { file: string; statement: RegExp; reason: string }[] = [
  {
    file: 'src/engine/engine.ts',
    statement: /^SET TimeZone\b/,
    reason: 'a setting of every connection, before anything is asked',
  },
  {
    file: 'src/engine/engine.ts',
    statement: /^SET streaming_buffer_size\b/,
    reason: 'a setting of every connection, before anything is asked',
  },
  {
    file: 'src/engine/engine.ts',
    statement: /^SET search_path\b/,
    reason: 'a setting of every connection, before anything is asked',
  },
  {
    file: 'src/store/store.ts',
    statement: /^(ATTACH|DETACH|USE)\b/,
    reason: 'the path is a parameter that cannot be bound',
  },
  {
    file: 'src/store/tables.ts',
    statement: /^(CREATE TABLE|COMMENT ON)\b/,
    reason: 'made from the declarations',
  },
  {
    file: 'src/store/merge-sql.ts',
    statement: /^(CREATE VIEW|SELECT|FROM|UNION|WHERE)\b/,
    reason: 'made from the declarations',
  },
  {
    file: 'src/store/copies.ts',
    statement: /^(SELECT|UPDATE|CREATE OR REPLACE TEMP TABLE|DELETE|INSERT)\b/,
    reason: 'the same for every table that is made from the declarations',
  },
  {
    file: 'src/store/refresh.ts',
    statement: /^(BEGIN|COMMIT|ROLLBACK|DELETE FROM|SET|RESET)\b/,
    reason: 'the same for every table that is made from the declarations',
  },
  {
    file: 'src/bytes/sqlite-statements.ts',
    statement: /^SELECT \$ FROM \$/,
    reason: 'names come from declarations and from the database, values are bound',
  },
];

const SQL_WORDS = [
  'ALTER|ANALYZE|ATTACH|BEGIN|CALL|CHECKPOINT|COMMENT|COMMIT|COPY|CREATE|DELETE|DESCRIBE|DETACH',
  'DROP|EXECUTE|EXPLAIN|EXPORT|FROM|GRANT|IMPORT|INSERT|INSTALL|LOAD|MERGE|PIVOT|PRAGMA|PREPARE',
  'RESET|REVOKE|ROLLBACK|SELECT|SET|SHOW|SUMMARIZE|TRUNCATE|UPDATE|USE|VACUUM|VALUES|WITH',
].join('|');

/** Capitals make a statement; in small letters only what no English sentence says. */
const SQL = new RegExp(`^\\s*(${SQL_WORDS})\\s+(["'*($\\w]|$)`);
const SMALL_SQL = new RegExp(
  [
    '^\\s*(select\\s.*\\sfrom\\s',
    'insert\\s+into\\s',
    'delete\\s+from\\s',
    'update\\s+\\S+\\s+set\\s',
    'with\\s+\\w+\\s+as\\s+\\(',
    '(create|drop|alter)\\s+(or\\s+replace\\s+)?(temp\\w*\\s+)?(table|view|macro|schema|index)\\s)',
  ].join('|'),
  's',
);

/** Texts that are SQL statements, with the places where they stand. */
function sqlTexts(module: Module): { place: string; text: string }[] {
  return [...nodes(module.source)].flatMap(node => {
    const text = literalText(node);
    const isSql = text !== null && (SQL.test(text) || SMALL_SQL.test(text));
    return isSql ? [{ place: placeOf(node), text: text.trim() }] : [];
  });
}

/** SQL statements that have no permission to stand in the source. */
function strayStatements(module: Module): string[] {
  const allowed = SQL_IN_SOURCE.filter(({ file }) => file === module.file);
  return sqlTexts(module)
    .filter(({ text }) => !allowed.some(({ statement }) => statement.test(text)))
    .map(({ place, text }) => `${place} ${text}`);
}

/** The text of a string or template; `$` stands where a template has a value. */
function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `$${literal.text}`).join('');
}

function firstLine(node: ts.Node): string {
  return node.getText().split('\n', 1)[0] ?? '';
}

/** Types that switch the compiler off: `any`, and a cast through `unknown`. */
function uncheckedTypes(module: Module): string[] {
  return [...nodes(module.source)]
    .filter(isUnchecked)
    .map(node => `${placeOf(node)} ${firstLine(node)}`);
}

function isUnchecked(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return true;
  if (!ts.isAsExpression(node)) return false;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return ts.isAsExpression(inner) && inner.type.kind === ts.SyntaxKind.UnknownKeyword;
}

/** Tests that do not run, or keep others from running. */
function unrunTests(module: Module): string[] {
  const marks = ['only', 'skip', 'todo', 'fails', 'skipIf', 'runIf'];
  const runners = ['it', 'test', 'describe', 'suite', 'bench'];
  return [...nodes(module.source)]
    .filter(ts.isCallExpression)
    .filter(call => runners.includes(calleeName(call) ?? ''))
    .filter(({ expression }) => marks.some(mark => hasMember(expression, mark)))
    .map(call => `${placeOf(call)} ${firstLine(call)}`);
}

function hasMember(expression: ts.Expression, name: string): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  return expression.name.text === name || hasMember(expression.expression, name);
}

/** Lines that match a pattern. */
function linesThatSay(pattern: RegExp, file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line);
    return found === null ? [] : [`${file}:${index + 1} says ${found[0].trim()}`];
  });
}

const source = modulesIn('src');
const tests = modulesIn('test');
const modules = [...source, ...tests];

describe('source and tests', () => {
  it('have no unfinished work', () => {
    const found = modules.flatMap(({ file, text }) => linesThatSay(UNFINISHED, file, text));
    expect(found).toEqual([]);
  });

  it('never switch the compiler off', () => {
    expect(modules.flatMap(uncheckedTypes)).toEqual([]);
    expect(modules.flatMap(({ file, text }) => linesThatSay(UNCHECKED, file, text))).toEqual([]);
  });

  it('run every test', () => {
    expect(tests.flatMap(unrunTests)).toEqual([]);
  });
});

describe('the source', () => {
  it('holds no SQL but the statements named here', () => {
    expect(source.flatMap(strayStatements)).toEqual([]);
  });

  it('needs every permission to hold SQL', () => {
    const found = source.flatMap(module =>
      sqlTexts(module).map(({ text }) => ({ text, file: module.file })),
    );
    const needless = SQL_IN_SOURCE.filter(
      ({ file, statement }) => !found.some(sql => sql.file === file && statement.test(sql.text)),
    );
    expect(needless).toEqual([]);
  });
});

describe('every file of the project', () => {
  it('knows nothing of the machine where it was written', () => {
    const found = projectFiles().flatMap(file => linesThatSay(LOCAL, file, projectText(file)));
    expect(found).toEqual([]);
  });
});

describe('the rule about SQL', () => {
  const verdicts = (text: string) => sqlTexts(parseModule('src/scan/a.ts', text));

  it.each([
    "'SELECT 1'",
    `\`\n  SELECT * FROM \${name}\``,
    `\`INSERT INTO \${name} VALUES (1)\``,
    `\`CREATE \${kind} x\``,
    "'WITH x AS (SELECT 1) FROM x'",
    "'COPY x TO y'",
    "'SELECT ' + columns",
    "'ATTACH \\'x\\''",
    "'select a from b'",
    "'create or replace view a as b'",
    "'delete from a'",
  ])('finds a statement in %s', text => {
    expect(verdicts(`run(${text});`)).toHaveLength(1);
  });

  it.each([
    "'SELECT'",
    "'with a harness that is not known'",
    "'select one of the formats'",
    "'update the store first'",
    "'The statement SELECT 1 gave nothing'",
    `\`\${name} SELECT 1\``,
    "'SELECTED rows'",
  ])('takes %s for plain words', text => {
    expect(verdicts(`run(${text});`)).toEqual([]);
  });
});

describe('the rule about types', () => {
  const verdicts = (text: string) => uncheckedTypes(parseModule('src/scan/a.ts', text));

  it('finds the type any and the cast through unknown', () => {
    expect(verdicts('const a: any = 1;')).toHaveLength(1);
    expect(verdicts('type A = Record<string, any[]>;')).toHaveLength(1);
    expect(verdicts(`const a = b as unk${'nown'} as string;`)).toHaveLength(1);
    expect(verdicts(`const a = (b as unk${'nown'}) as string;`)).toHaveLength(1);
  });

  it('leaves words, plain casts and unknown alone', () => {
    expect(
      verdicts("// any\nconst any = 'any'; const a = b as string; const c: unknown = d;"),
    ).toEqual([]);
  });
});

describe('the rule about tests', () => {
  const verdicts = (text: string) => unrunTests(parseModule('test/a.test.ts', text));

  it.each(['only', 'skip', 'todo', 'fails'])('finds .%s on every runner', mark => {
    expect(verdicts(`it.${mark}('a', () => {});`)).toHaveLength(1);
    expect(verdicts(`describe.${mark}('a', () => {});`)).toHaveLength(1);
    expect(verdicts(`it.${mark}.each([1])('a', () => {});`)).not.toEqual([]);
  });

  it('finds the conditional forms, and leaves other methods of these names alone', () => {
    expect(verdicts("it.skipIf(slow)('a', () => {});")).toHaveLength(1);
    expect(verdicts("it.each([1])('a', () => {}); scanner.skip(1);")).toEqual([]);
  });
});

describe('the rule about words', () => {
  const says = (pattern: RegExp, text: string) => linesThatSay(pattern, 'a', text).length > 0;

  it('finds unfinished work and switched-off checks', () => {
    expect(says(UNFINISHED, `// TO${'DO'}: later`)).toBe(true);
    expect(says(UNFINISHED, `// FIX${'ME'}`)).toBe(true);
    expect(says(UNFINISHED, 'TodoWrite, TODOS, todo')).toBe(false);
    expect(says(UNCHECKED, `// @ts-${'ignore'}`)).toBe(true);
    expect(says(UNCHECKED, '// @ts-expect-error')).toBe(false);
  });

  it('finds paths of the machine, and leaves a folder of that name inside a home alone', () => {
    expect(says(LOCAL, `see /wo${'rk'}/main`)).toBe(true);
    expect(says(LOCAL, `"cwd":"/wo${'rk'}/x"`)).toBe(true);
    expect(says(LOCAL, `sha${'red'}/spec/x`)).toBe(true);
    expect(says(LOCAL, `fa${'rm'}-01`)).toBe(true);
    expect(says(LOCAL, `sp${'ec'}/x.md`)).toBe(true);
    expect(says(LOCAL, `"cwd":"/home/ada/wo${'rk'}/site"`)).toBe(false);
  });
});
