/**
 * A small scanner of DuckDB SQL: where its tokens begin and end, which names it mentions, and the
 * one rewrite we make before DuckDB sees a statement: `read_x('~/a')` to `read_x(path='~/a')`,
 * because an argument of a table function is either always given by position or always by name.
 *
 * It knows tokens, not grammar, and never throws: SQL that DuckDB would refuse is scanned too, so
 * that the error which the user reads is DuckDB's own. Token borders follow DuckDB 1.5, where
 * - block comments nest;
 * - a string goes on after a line break (`'a'⏎'b'` is one string), and so do its escape rules;
 * - certain Unicode spaces count as white space and everything else above ASCII as letters;
 * - `$tag$` opens a dollar quote, even where `$tag` could have been a parameter.
 */

/**
 * What a token is. `word` is a keyword, a name without quotes or a literal's prefix (`x'41'` is a
 * word and a string); `quoted` is a name in double quotes; `symbol` is `::`, `:=`, `..` or one
 * character that is nothing else, so that other operators arrive one character at a time.
 */
export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'number'
  | 'parameter'
  | 'symbol'
  | 'comment'
  | 'space';

/** One token: `sql.slice(start, end)`, in UTF-16 units, never empty. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const SPACES = ' \\t\\n\\f\\r\\u00a0\\u2000-\\u200b\\u202f\\u205f\\u2060\\u3000\\ufeff';
const LETTERS =
  'A-Za-z_\\u0080-\\u009f\\u00a1-\\u1fff\\u200c-\\u202e\\u2030-\\u205e\\u2061-\\u2fff' +
  '\\u3001-\\ufefe\\uff00-\\uffff';
const TAG = `[${LETTERS}][${LETTERS}\\d]*`;
// Bounded, because each turn of a group takes stack from the matcher.
const DIGITS = '\\d+(?:_\\d+){0,99}';

const SPACE = new RegExp(`[${SPACES}]+`, 'y');
const LINE_COMMENT = /--[^\n\r]*/y;
const WORD = new RegExp(`[${LETTERS}][${LETTERS}\\d$]*`, 'y');
const NUMBER = new RegExp(
  `(?:${DIGITS}(?:\\.(?!\\.)(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`,
  'y',
);
// `$e'…'` is a lone `$` before an escape string.
const PARAMETER = new RegExp(`\\?(?:${DIGITS})?|\\$(?:${DIGITS}|(?![eE]')${TAG})`, 'y');
const SYMBOL_PAIR = /::|:=|\.\./y;
const DOLLAR_QUOTE = new RegExp(`\\$(?:${TAG})?\\$`, 'y');
const BLOCK_COMMENT_EDGE = /\/\*|\*\//g;
const QUOTE = /'/g;
const QUOTE_OR_ESCAPE = /['\\]/g;

/** Kinds that one expression describes; what none of them matches is a symbol. */
const PLAIN: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', SPACE],
  ['word', WORD],
  ['number', NUMBER],
  ['parameter', PARAMETER],
  ['comment', LINE_COMMENT],
];

/**
 * The tokens of `sql`, in order and without gaps: their texts joined are `sql` again. What is
 * opened and never closed (a string, a quoted name, a comment) runs to the end of the text. Takes
 * time in proportion to the length of the text.
 */
export function* tokens(sql: string): Generator<Token, void, undefined> {
  let start = 0;
  while (start < sql.length) {
    const token = delimitedToken(sql, start) ?? plainToken(sql, start);
    yield token;
    start = token.end;
  }
}

/** The token at `start` if it has an opening and a closing mark, else null. */
function delimitedToken(sql: string, start: number): Token | null {
  const next = sql[start + 1];
  switch (sql[start]) {
    case "'":
      return { kind: 'string', start, end: stringEnd(sql, start + 1, QUOTE) };
    case 'e':
    case 'E':
      if (next !== "'") return null;
      return { kind: 'string', start, end: stringEnd(sql, start + 2, QUOTE_OR_ESCAPE) };
    case '"':
      return { kind: 'quoted', start, end: quotedEnd(sql, start + 1) };
    case '$': {
      const body = matchEnd(DOLLAR_QUOTE, sql, start);
      if (body === start) return null;
      const close = sql.indexOf(sql.slice(start, body), body);
      return { kind: 'string', start, end: close < 0 ? sql.length : close + body - start };
    }
    case '/':
      return next === '*' ? { kind: 'comment', start, end: blockCommentEnd(sql, start) } : null;
    default:
      return null;
  }
}

function plainToken(sql: string, start: number): Token {
  for (const [kind, pattern] of PLAIN) {
    const end = matchEnd(pattern, sql, start);
    if (end > start) return { kind, start, end };
  }
  return { kind: 'symbol', start, end: Math.max(matchEnd(SYMBOL_PAIR, sql, start), start + 1) };
}

/** Where a match of the sticky `pattern` at `start` ends; `start` itself when there is none. */
function matchEnd(pattern: RegExp, sql: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(sql) ? pattern.lastIndex : start;
}

/** The first match of the global `pattern` from `start` on: its offset, or -1. */
function indexOfMatch(pattern: RegExp, sql: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(sql)?.index ?? -1;
}

/** The end of the string whose text begins at `start`; `marks` finds its quotes and escapes. */
function stringEnd(sql: string, start: number, marks: RegExp): number {
  let at = start;
  for (;;) {
    const mark = indexOfMatch(marks, sql, at);
    if (mark < 0) return sql.length;
    if (sql[mark] === '\\') {
      at = mark + 2;
      continue;
    }
    const continued = sql[mark + 1] === "'" ? mark + 2 : continuationStart(sql, mark + 1);
    if (continued < 0) return mark + 1;
    at = continued;
  }
}

/**
 * Where the text of a string that was closed before `end` goes on, or -1: a quote follows, parted
 * from it only by space and line comments in which a line breaks.
 */
function continuationStart(sql: string, end: number): number {
  let at = end;
  let broken = false;
  for (;;) {
    const afterSpace = matchEnd(SPACE, sql, at);
    broken ||= /[\n\r]/.test(sql.slice(at, afterSpace));
    const next = matchEnd(LINE_COMMENT, sql, afterSpace);
    if (next === at) return broken && sql[at] === "'" ? at + 1 : -1;
    at = next;
  }
}

function quotedEnd(sql: string, start: number): number {
  let at = start;
  for (;;) {
    const quote = sql.indexOf('"', at);
    if (quote < 0) return sql.length;
    if (sql[quote + 1] !== '"') return quote + 1;
    at = quote + 2;
  }
}

function blockCommentEnd(sql: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const edge = indexOfMatch(BLOCK_COMMENT_EDGE, sql, at);
    if (edge < 0) return sql.length;
    depth += sql[edge] === '/' ? 1 : -1;
    at = edge + 2;
  } while (depth > 0);
  return at;
}

/** A token that is neither space nor comment. */
interface Code {
  readonly kind: TokenKind;
  readonly start: number;
  readonly text: string;
}

function* codeOf(sql: string): Generator<Code, void, undefined> {
  for (const { kind, start, end } of tokens(sql)) {
    if (kind !== 'space' && kind !== 'comment') yield { kind, start, text: sql.slice(start, end) };
  }
}

/** The name that a word, a quoted name or a plain string spells, in lower case. */
function nameOf({ kind, text }: Code): string {
  const mark = text.charAt(0);
  const name = kind === 'word' ? text : text.slice(1, -1).replaceAll(mark + mark, mark);
  return name.toLowerCase();
}

/** Words after which DuckDB takes a table function. */
const BEFORE_FUNCTION: ReadonlySet<string> = new Set(
  'from join lateral using call pivot pivot_wider unpivot pivot_longer'.split(' '),
);

/** Words after which DuckDB takes `'session'` for the table of that name. */
const BEFORE_TABLE: ReadonlySet<string> = new Set([
  ...BEFORE_FUNCTION,
  ...'describe desc show summarize table copy into update'.split(' '),
]);

/**
 * Every name that `sql` mentions outside comments, in lower case and without quotes: relations,
 * functions, columns and keywords alike. Strings are left out, except a plain one directly after
 * a word that takes a table (`FROM 'session'`). What any other string says, as in
 * `query('FROM session')`, is not seen; `query` and `query_table` themselves are.
 */
export function namesUsed(sql: string): Set<string> {
  const names = new Set<string>();
  let before = '';
  for (const code of codeOf(sql)) {
    const namesTable = code.text.startsWith("'") && BEFORE_TABLE.has(before);
    if (isName(code) || namesTable) names.add(nameOf(code));
    before = code.kind === 'word' ? code.text.toLowerCase() : '';
  }
  return names;
}

/**
 * `sql` with `path=` before the first argument of each call of one of `functionNames` (in lower
 * case) that gives that argument by position, and otherwise as it was. Only what stands where a
 * table may stand is a call, so a table, macro, alias or common table expression that takes one of
 * the names keeps its column list. A second argument by position is left for DuckDB to refuse.
 * Rewriting the result again changes nothing.
 */
export function withNamedPaths(sql: string, functionNames: ReadonlySet<string>): string {
  let rewritten = '';
  let copied = 0;
  for (const offset of positionalPaths([...codeOf(sql)], functionNames)) {
    rewritten += `${sql.slice(copied, offset)}path=`;
    copied = offset;
  }
  return rewritten + sql.slice(copied);
}

/** The offsets of first arguments that lack a name. */
function* positionalPaths(
  code: readonly Code[],
  functionNames: ReadonlySet<string>,
): Generator<number, void, undefined> {
  const enclosing: boolean[] = [];
  let inWith = false;
  for (const [index, token] of code.entries()) {
    if (token.text === '(') {
      enclosing.push(inWith);
    } else if (token.text === ')') {
      inWith = enclosing.pop() ?? false;
    } else if (token.kind === 'word') {
      inWith = staysInWith(token.text, code[index + 1], inWith);
    }
    if (code[index + 1]?.text !== '(' || !isName(token)) continue;
    if (!functionNames.has(nameOf(token)) || !standsForTable(code, index, inWith)) continue;
    const argument = code[index + 2];
    if (argument !== undefined && lacksName(argument, code[index + 3])) yield argument.start;
  }
}

function isName({ kind }: Code): boolean {
  return kind === 'word' || kind === 'quoted';
}

/** Whether the commas after `word`, at its depth of parentheses, part common table expressions. */
function staysInWith(word: string, next: Code | undefined, inWith: boolean): boolean {
  switch (word.toLowerCase()) {
    case 'with':
      // `with ordinality` and `timestamp with time zone` occur inside a FROM list.
      return !/^(?:ordinality|time)$/i.test(next?.text ?? '');
    case 'select':
    case 'from':
      return false;
    default:
      return inWith;
  }
}

/** Whether the name at `index`, qualified or not, stands where a table function may stand. */
function standsForTable(code: readonly Code[], index: number, inWith: boolean): boolean {
  let first = index;
  while (code[first - 1]?.text === '.') first -= 2;
  const before = code[first - 1];
  if (before === undefined) return false;
  if (before.text === ',') return !inWith;
  return '(:'.includes(before.text) || BEFORE_FUNCTION.has(before.text.toLowerCase());
}

/** Whether an argument that begins with `first` and `second` is one, and has no name. */
function lacksName(first: Code, second: Code | undefined): boolean {
  // Other symbols begin no argument, or would become one operator with the `=` of `path=`.
  if (first.kind === 'symbol') return '([{+-$'.includes(first.text);
  return !(isName(first) && (second?.text === '=' || second?.text === ':='));
}
