import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBTableFunction,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { namesUsed, tokens, withNamedPaths } from '../src/engine/sql.ts';

const NAMES: ReadonlySet<string> = new Set(['read_conversations', 'read_events']);

/** What one call of a table function received. */
interface Call {
  readonly name: string;
  readonly path: DuckDBValue | undefined;
  readonly source: DuckDBValue | undefined;
}

let connection: DuckDBConnection;
let calls: Call[] = [];

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of NAMES) connection.registerTableFunction(recordingFunction(name));
  await connection.run('CREATE TABLE t AS SELECT 1 AS k');
  await connection.run("SET VARIABLE home = '~/v'");
});

function recordingFunction(name: string): DuckDBTableFunction {
  return DuckDBTableFunction.create({
    name,
    namedParameterTypes: { path: VARCHAR, source: VARCHAR },
    bindFunction: bind => {
      const path = bind.getNamedParameter('path');
      calls.push({ name, path, source: bind.getNamedParameter('source') });
      bind.addResultColumn('k', VARCHAR);
    },
    initFunction: () => {},
    mainFunction: (_, output) => {
      output.rowCount = 0;
    },
  });
}

type Values = DuckDBValue[] | Record<string, DuckDBValue>;

/** Runs `sql` in DuckDB; the calls that it made. */
async function callsOf(sql: string, values?: Values): Promise<readonly Call[]> {
  calls = [];
  await connection.runAndReadAll(sql, values);
  return calls;
}

/** The tokens of `sql` that are not space, each as `kind text`. */
function shown(sql: string): string[] {
  return [...tokens(sql)]
    .filter(token => token.kind !== 'space')
    .map(token => `${token.kind} ${sql.slice(token.start, token.end)}`);
}

const joined = (sql: string) =>
  Array.from(tokens(sql), token => sql.slice(token.start, token.end)).join('');

/** `rewritten` without the `path=` that `original` does not have. */
function withoutInsertions(original: string, rewritten: string): string {
  let kept = '';
  for (let at = 0; at < rewritten.length; ) {
    const inserted =
      rewritten.startsWith('path=', at) && !original.startsWith('path=', kept.length);
    if (inserted) at += 'path='.length;
    else kept += rewritten.charAt(at++);
  }
  return kept;
}

describe('tokens', () => {
  test.each<[string, string[]]>([
    ["'it''s' x", ["string 'it''s'", 'word x']],
    [String.raw`'a\' b`, [String.raw`string 'a\'`, 'word b']],
    [String.raw`E'a\'b''c\\' d`, [String.raw`string E'a\'b''c\\'`, 'word d']],
    [String.raw`e'\'' xe'\'`, [String.raw`string e'\''`, 'word xe', String.raw`string '\'`]],
    ["E 'a'", ['word E', "string 'a'"]],
    ["'a'\n 'b'", ["string 'a'\n 'b'"]],
    ["'a' -- it's\n 'b'", ["string 'a' -- it's\n 'b'"]],
    ["E'a'\r'b\\'' c", ["string E'a'\r'b\\''", 'word c']],
    ["'a' 'b'", ["string 'a'", "string 'b'"]],
    ["'a' /* x */\n'b'", ["string 'a'", 'comment /* x */', "string 'b'"]],
    ['"a""b" "c', ['quoted "a""b"', 'quoted "c']],
    ["$$it's$$ $x", ["string $$it's$$", 'parameter $x']],
    ['$t$a$$b$T$c$t$d', ['string $t$a$$b$T$c$t$', 'word d']],
    ['$é1$ $é1$', ['string $é1$ $é1$']],
    ['a$$b $1$2', ['word a$$b', 'parameter $1', 'parameter $2']],
    ['$1 $name ? ?12', ['parameter $1', 'parameter $name', 'parameter ?', 'parameter ?12']],
    [String.raw`$e'\''`, ['symbol $', String.raw`string e'\''`]],
    ["1 -- it's\r2", ['number 1', "comment -- it's", 'number 2']],
    ["/* ' /* nested */ */ x", ["comment /* ' /* nested */ */", 'word x']],
    ['/*/ x */ y', ['comment /*/ x */', 'word y']],
    ['3*/* a */', ['number 3', 'symbol *', 'comment /* a */']],
    ['2<-- b', ['number 2', 'symbol <', 'comment -- b']],
    ['1.5e-3 .5 1_000 1.', ['number 1.5e-3', 'number .5', 'number 1_000', 'number 1.']],
    ['1abc 1e', ['number 1', 'word abc', 'number 1', 'word e']],
    ['1..2', ['number 1', 'symbol ..', 'number 2']],
    ['a:=b::c', ['word a', 'symbol :=', 'word b', 'symbol ::', 'word c']],
    ['a=>b', ['word a', 'symbol =', 'symbol >', 'word b']],
    ['a\u00a0b\u3000c\u2028d', ['word a', 'word b', 'word c\u2028d']],
    ['größe😀_1 \v', ['word größe😀_1', 'symbol \v']],
    ["x '", ['word x', "string '"]],
    ["E'a\\", ["string E'a\\"]],
    ["'a'\n", ["string 'a'"]],
    ['x /* /* */', ['word x', 'comment /* /* */']],
    ['x $t$ a $t', ['word x', 'string $t$ a $t']],
  ])('%j has the tokens %j', (sql, expected) => {
    expect(shown(sql)).toEqual(expected);
  });

  test('an empty text has no tokens', () => {
    expect([...tokens('')]).toEqual([]);
  });
});

describe('withNamedPaths', () => {
  interface Example {
    readonly sql: string;
    readonly rewritten: string;
    readonly path: DuckDBValue;
    readonly source?: string;
    readonly values?: Values;
  }

  /** A call with the arguments `written`, which become `named`. */
  const call = (written: string, named: string, path: DuckDBValue, values?: Values): Example => ({
    sql: `FROM read_events(${written})`,
    rewritten: `FROM read_events(${named})`,
    path,
    ...(values === undefined ? {} : { values }),
  });

  test.each<Example>([
    call("'~/x'", "path='~/x'", '~/x'),
    call(" '~/x' ", " path='~/x' ", '~/x'),
    call("E'a\\'b'", "path=E'a\\'b'", "a'b"),
    call("$$a'b$$", "path=$$a'b$$", "a'b"),
    call('$t$a$t$', 'path=$t$a$t$', 'a'),
    call("'a'\n'b'", "path='a'\n'b'", 'ab'),
    call("'a' || 'b'", "path='a' || 'b'", 'ab'),
    call("('a')", "path=('a')", 'a'),
    call("concat('a', 'b')", "path=concat('a', 'b')", 'ab'),
    call("getvariable('home')", "path=getvariable('home')", '~/v'),
    call("CAST('a' AS VARCHAR)", "path=CAST('a' AS VARCHAR)", 'a'),
    call("CASE WHEN true THEN 'a' END", "path=CASE WHEN true THEN 'a' END", 'a'),
    call('NULL', 'path=NULL', null),
    call('-1', 'path=-1', '-1'),
    call('?', 'path=?', 'p', ['p']),
    call('$1', 'path=$1', 'p', ['p']),
    call("$1 || '/x'", "path=$1 || '/x'", 'p/x', ['p']),
    call('$home', 'path=$home', 'p', { home: 'p' }),
    call('$ home', 'path=$ home', 'p', { home: 'p' }),
    call("/* here */ 'a'", "/* here */ path='a'", 'a'),
    call("-- it's\n'a'", "-- it's\npath='a'", 'a'),
    call("path='a'", "path='a'", 'a'),
    call("PATH := 'a'", "PATH := 'a'", 'a'),
    call("path /* here */ => 'a'", "path /* here */ => 'a'", 'a'),
    call(`"path" = 'a'`, `"path" = 'a'`, 'a'),
    call("path == 'a'", "path == 'a'", 'a'),
    call('', '', null),
    call(' /* none */ ', ' /* none */ ', null),
    { ...call("'a', source='c'", "path='a', source='c'", 'a'), source: 'c' },
    { ...call("source='c', path='a'", "source='c', path='a'", 'a'), source: 'c' },
    { ...call("'a', source := lower('C')", "path='a', source := lower('C')", 'a'), source: 'c' },
  ])('$sql becomes $rewritten, and DuckDB sees $path', async example => {
    expect(withNamedPaths(example.sql, NAMES)).toBe(example.rewritten);
    expect(await callsOf(example.rewritten, example.values)).toEqual([
      { name: 'read_events', path: example.path, source: example.source ?? null },
    ]);
  });

  const HERE = "('a')";
  const NAMED = "(path='a')";
  test.each([
    `SELECT * FROM read_conversations${HERE}`,
    `FROM read_conversations -- here\n/* and here */ ${HERE}`,
    `FROM "read_conversations"${HERE}`,
    `FROM "Read_Conversations" ${HERE}`,
    `FROM main.read_conversations${HERE}`,
    `FROM system . "main" . read_conversations${HERE} AS r(k)`,
    `FROM\u00a0read_conversations${HERE}`,
    `FROM t, read_conversations${HERE}`,
    `FROM t JOIN read_conversations${HERE} r USING (k)`,
    `FROM t, LATERAL read_conversations${HERE}`,
    `FROM (read_conversations${HERE} CROSS JOIN t)`,
    `FROM r: read_conversations${HERE}`,
    `FROM (FROM read_conversations${HERE})`,
    `FROM range(1) WITH ORDINALITY, read_conversations${HERE}`,
    `FROM t JOIN t u ON now() > TIMESTAMP WITH TIME ZONE '2000-01-01', read_conversations${HERE}`,
    `WITH a AS (SELECT 1), b AS (FROM read_conversations${HERE}) FROM a, b`,
    `WITH a AS (SELECT 1) FROM a, read_conversations${HERE}`,
    `SELECT 'read_events(''b'')' /* read_events('c') */ FROM read_conversations${HERE}`,
    `CALL read_conversations${HERE}`,
    `UNPIVOT read_conversations${HERE} ON k`,
    `COPY (FROM read_conversations${HERE}) TO '/dev/null'`,
    `DELETE FROM t USING read_conversations${HERE} r WHERE t.k::VARCHAR = r.k`,
    `CREATE OR REPLACE TEMP TABLE u AS FROM read_conversations${HERE}`,
    `CREATE OR REPLACE TEMP TABLE read_conversations AS FROM read_conversations${HERE}`,
  ])('the call in %j gets its path named', async sql => {
    const rewritten = withNamedPaths(sql, NAMES);
    expect(rewritten).toBe(sql.replace(HERE, () => NAMED));
    expect(new Set((await callsOf(rewritten)).map(({ name, path }) => `${name} ${path}`))).toEqual(
      new Set(['read_conversations a']),
    );
  });

  test('several calls, also one within another, each get their path named', async () => {
    const sql = "FROM read_events('a'), (FROM read_conversations('b')), read_events() e";
    const rewritten = withNamedPaths(sql, NAMES);
    expect(rewritten).toBe(
      "FROM read_events(path='a'), (FROM read_conversations(path='b')), read_events() e",
    );
    expect((await callsOf(rewritten)).map(seen => seen.path)).toEqual(['a', 'b', null]);
    expect(withNamedPaths("FROM read_events((FROM read_events('a')))", NAMES)).toBe(
      "FROM read_events(path=(FROM read_events(path='a')))",
    );
  });

  test('a macro that wraps a function hands its parameter on as the path', async () => {
    await connection.run(
      withNamedPaths('CREATE TEMP MACRO mine(p) AS TABLE FROM t, read_events(p)', NAMES),
    );
    expect((await callsOf("FROM mine('a')")).map(seen => seen.path)).toEqual(['a']);
  });

  test.each([
    'CREATE MACRO read_events(a) AS a + 1',
    'CREATE OR REPLACE TEMP MACRO main.read_events(a, b := 2) AS TABLE SELECT a, b',
    'CREATE TABLE IF NOT EXISTS main."read_events" (a INT)',
    'CREATE VIEW read_events(a) AS SELECT 1',
    'CREATE TABLE read_events(a INT); INSERT INTO read_events(a) VALUES (1)',
    'CREATE TABLE read_events(a INT); CREATE INDEX i ON read_events(a)',
    "CREATE TABLE read_events(a INT); COPY read_events(a) TO '/dev/null'",
    'WITH read_events(a) AS (SELECT 1) FROM read_events',
    'WITH RECURSIVE b AS (SELECT 1), read_events(a) AS MATERIALIZED (SELECT 1) FROM read_events',
    'WITH RECURSIVE b AS (SELECT 1), read_events(a) USING KEY (a) AS (SELECT 1) FROM read_events',
    'FROM t AS read_events(a)',
    'FROM (SELECT 1) read_events(a)',
    'SELECT * FROM t read_events(a), t u',
    "PREPARE read_events AS SELECT $1; EXECUTE read_events('a'); DEALLOCATE read_events",
    "SELECT 'FROM read_events(''a'')', $$FROM read_events('a')$$",
    "SELECT E'\\'FROM read_events(''a'')' AS \"FROM read_events('a')\"",
    "SELECT 1 -- FROM read_events('a')",
    "SELECT 1 /* /* */ FROM read_events('a') */",
    'SELECT k AS read_events FROM t',
  ])('%j is not a call and stays as it is', async sql => {
    expect(withNamedPaths(sql, NAMES)).toBe(sql);
    await connection.run('BEGIN');
    expect(await callsOf(sql)).toEqual([]);
    await connection.run('ROLLBACK');
  });

  test.each([
    ["FROM read_events('a', 'b')", "FROM read_events(path='a', 'b')", /Unnamed parameters cannot/],
    ["SELECT read_events('a')", "SELECT read_events('a')", /has to be called in a FROM clause/],
    ["FROM read_events(@'a')", "FROM read_events(@'a')", /Binder Error/],
    ["FROM read_events(, 'a')", "FROM read_events(, 'a')", /syntax error at or near ","/],
    ["FROM read_events('a", "FROM read_events(path='a", /unterminated quoted string/],
    ['FROM read_events(', 'FROM read_events(', /syntax error at end of input/],
  ])('%j becomes %j, which DuckDB refuses', async (sql, rewritten, message) => {
    expect(withNamedPaths(sql, NAMES)).toBe(rewritten);
    await expect(callsOf(rewritten)).rejects.toThrow(message);
  });
});

describe('namesUsed', () => {
  test.each<[string, string[]]>([
    ['SELECT Id FROM session', ['select', 'id', 'from', 'session']],
    ['FROM "Tool""Call".main . t', ['from', 'tool"call', 'main', 't']],
    ["SELECT 'turn', E'turn', $$turn$$ -- turn\n/* turn */", ['select']],
    ["FROM read_events('session')", ['from', 'read_events']],
    ["FROM 'Session' JOIN 'it''s'", ['from', 'session', 'join', "it's"]],
    ["SUMMARIZE 'session'; FROM E'turn'", ['summarize', 'session', 'from']],
    ['SELECT $session, ?, 1 FROM größe', ['select', 'from', 'größe']],
    ['', []],
  ])('%j mentions %j', (sql, names) => {
    expect([...namesUsed(sql)]).toEqual(names);
  });

  test('a table named by a string is the table that DuckDB reads', async () => {
    const found = await connection.runAndReadAll("FROM 'T'");
    expect(found.getRows()).toEqual([[1]]);
    expect(namesUsed("FROM 'T'")).toContain('t');
  });
});

/** Pieces of SQL that meet badly. */
const PIECES = [
  ...["'", "''", '"', '""', "E'", "e'", "x'", "\\'", '\\', '$$', '$a$', '$', '$1', '$b', '?'],
  ...['--', "-- it's\n", '\n', ' ', '\u00a0', '/*', '*/', '/**/', '*', '/', '-'],
  ...['a', 'é', '😀', '\ud800', '1.5', '1e', '.', ',', ';', ':', '::', ':=', '=', '=>', '@', '#'],
  ...['(', ')', '[', '{', 'FROM ', 'from t, ', 'JOIN ', 'WITH ', 'AS ', 'path', 'path=', "('a')"],
];
const CALLS = ['read_events', 'READ_EVENTS(', '"read_events"(', "read_conversations('a'", 'main.'];

const soup = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map(parts => parts.join(''));
const anySql = fc.oneof(fc.string({ unit: 'binary' }), soup(PIECES), soup([...PIECES, ...CALLS]));

describe('for any text', () => {
  const check = (predicate: (sql: string) => void, texts = anySql) =>
    fc.assert(fc.property(texts, predicate), { numRuns: 3000 });

  test('the tokens joined are the text, and none is empty', () => {
    check(sql => {
      expect(joined(sql)).toBe(sql);
      expect([...tokens(sql)].every(token => token.end > token.start)).toBe(true);
    });
  });

  test('without a name of ours the text comes out unchanged', () => {
    const foreign = fc.oneof(fc.string({ unit: 'binary' }), soup(PIECES));
    check(sql => {
      expect(withNamedPaths(sql, NAMES)).toBe(sql);
    }, foreign);
  });

  test('rewriting twice is rewriting once', () => {
    check(sql => {
      const once = withNamedPaths(sql, NAMES);
      expect(withNamedPaths(once, NAMES)).toBe(once);
    });
  });

  test('without the inserted names the text is the original again', () => {
    check(sql => {
      expect(withoutInsertions(sql, withNamedPaths(sql, NAMES))).toBe(sql);
    });
  });

  test('a quoted name is used, whatever it contains', () => {
    check(name => {
      expect(namesUsed(`FROM "${name.replaceAll('"', '""')}" t`)).toContain(name.toLowerCase());
    });
  });

  test('long runs of one piece are scanned to their end', () => {
    const pieces = [...PIECES, ...CALLS, "'a'\n", '-- a\n', 'FROM read_events(1)'];
    for (const run of [...pieces.map(piece => piece.repeat(100_000)), '1_'.repeat(5_000_000)]) {
      expect(withNamedPaths(`x ${run}`, NAMES).length).toBeGreaterThan(run.length);
      expect(namesUsed(`x ${run}`)).toContain('x');
    }
  });
});

/** Ways to write `text` as a string of SQL; null where a way cannot. */
const QUOTINGS: readonly ((text: string) => string | null)[] = [
  text => `'${text.replaceAll("'", "''")}'`,
  text => `E'${text.replace(/['\\]/g, '\\$&')}'`,
  text => `e'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  text => dollarQuoted(text, '$$'),
  text => dollarQuoted(text, '$tag_1$'),
  text => `'${Array.from(text, char => (char === "'" ? "''" : char)).join("' -- '\n '")}'`,
];

function dollarQuoted(text: string, mark: string): string | null {
  return `${text}${mark}`.indexOf(mark) === text.length ? `${mark}${text}${mark}` : null;
}

/**
 * Texts without what DuckDB itself does not keep: a NUL ends its SQL, half a surrogate pair is no
 * character, and it takes Unicode spaces in a string for plain ones after `\'` or after a quote in
 * a comment.
 */
const anyText = fc
  .oneof(fc.string({ unit: 'binary' }), soup(PIECES))
  .map(text => text.replace(/[\0\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff\ud800]/gu, ''));

const written = fc
  .record({ text: anyText, quoting: fc.constantFrom(...QUOTINGS) })
  .map(({ text, quoting }) => ({ text, literal: quoting(text) ?? QUOTINGS[0]?.(text) ?? '' }));

const trivia = fc.constantFrom(
  ...['', ' ', '\n', '\t\f\r', "-- read_events('a')\n", "/* it's */", "/* /* ' */ ('b', */"],
);

describe('for any path', () => {
  test('DuckDB sees exactly the text that was quoted', async () => {
    const gaps = fc.tuple(trivia, trivia, trivia, trivia);
    const property = fc.asyncProperty(written, written, gaps, async (path, source, gap) => {
      const [a, b, c, d] = gap;
      const sql = `FROM${a} read_events${b}(${c}${path.literal}${d}, source${a}=${source.literal})`;
      const rewritten = withNamedPaths(sql, NAMES);
      expect(withoutInsertions(sql, rewritten)).toBe(sql);
      expect(await callsOf(rewritten)).toEqual([
        { name: 'read_events', path: path.text, source: source.text },
      ]);
    });
    await fc.assert(property, { numRuns: 1000 });
  });
});
