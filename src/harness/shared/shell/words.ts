/**
 * The words and operators of a shell command, by the rules of POSIX and bash.
 *
 * - Quotes and escapes are removed; a backslash before a newline joins the lines.
 * - `#` at the start of a word begins a comment.
 * - A newline is an operator of its own: to who splits commands it means `;`.
 * - Bodies of here-documents are no words. A body without an end makes the command partial.
 * - `$((...))`, `${...}` and everything in double quotes stay inside their word, as they are.
 *
 * Who reads the grammar takes `$(...)`, `<(...)` and backticks as parts of words. Who looks for
 * every command that runs has them split: their parentheses and backticks become operators.
 */

import { endOfBodies, type HereDocument, hereDocumentAt } from './here-documents.ts';
import { endOfCommands, endOfEscaped, endOfExpansion, endOfLine, endOfSingle } from './nested.ts';

/** One token; a redirection is its operator, and the word after it is the target. */
export interface Token {
  readonly kind: 'word' | 'operator' | 'redirection';
  /** The word without quotes, or the operator as it stands. */
  readonly text: string;
  /** Whether nothing in it was quoted, escaped or expanded: only then it can be a keyword. */
  readonly isPlain: boolean;
}

/** The tokens, and whether the command was there to its end. */
export interface Tokens {
  readonly tokens: readonly Token[];
  readonly isWhole: boolean;
}

/** What becomes of commands that stand inside words. */
export type Substitutions = 'kept' | 'split';

/** The tokens of a command; null where a quote, an expansion or an escape does not end. */
export function shellTokens(command: string, substitutions: Substitutions): Tokens | null {
  return new Tokeniser(command, substitutions === 'split').run();
}

const BLANKS = /[ \t\r]+/y;
const OPERATOR = /\|\||\|&|\||&&|;;&|;;|;&|[;&()]/y;
const REDIRECTION = /<<<|<<|<>|<&|<|>>|>&|>\||>|&>>|&>/y;
/** A run of characters that mean nothing but themselves. */
const ORDINARY = /[^ \t\r\n\\'"$`;&|()<>]+/y;
const QUOTED_ORDINARY = /[^\\"$`]+/y;
/** What before a redirection belongs to it: `2>`, `{log}>`. */
const DESCRIPTOR = /^(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})$/;
const ARRAY_START = /^[A-Za-z_][A-Za-z0-9_]*\+?=$/;

class Tokeniser {
  private readonly tokens: Token[] = [];
  private documents: HereDocument[] = [];
  private at = 0;
  private isWhole = true;
  /** The word being read. */
  private parts: string[] = [];
  private isPlain = true;
  private readonly text: string;
  private readonly isSplit: boolean;

  constructor(text: string, isSplit: boolean) {
    this.text = text;
    this.isSplit = isSplit;
  }

  run(): Tokens | null {
    while (this.at < this.text.length) {
      if (!(this.isBetweenWords() || this.word())) return null;
    }
    if (this.documents.length > 0) this.isWhole = false;
    return { tokens: this.tokens, isWhole: this.isWhole };
  }

  private isBetweenWords(): boolean {
    const { text, at } = this;
    if (this.take(BLANKS) !== null) return true;
    if (text[at] === '\n') this.newline();
    else if (text[at] === '#') this.at = endOfLine(text, at);
    else if (text.startsWith('\\\n', at)) this.at += 2;
    else if (text.startsWith('\\\r\n', at)) this.at += 3;
    else return this.isOperator();
    return true;
  }

  private newline(): void {
    this.push('operator', '\n');
    const end = endOfBodies(this.text, this.at + 1, this.documents);
    this.documents = [];
    if (end === null) this.isWhole = false;
    this.at = end ?? this.text.length;
  }

  private isOperator(): boolean {
    if (!this.isSplit && this.isProcess()) return false;
    if (this.isSplit && this.text[this.at] === '`') {
      this.at++;
      this.push('operator', '`');
      return true;
    }
    const redirection = this.take(REDIRECTION);
    if (redirection !== null) {
      this.push('redirection', redirection);
      if (redirection === '<<') this.hereDocument();
      return true;
    }
    const operator = this.take(OPERATOR);
    if (operator !== null) this.push('operator', operator);
    return operator !== null;
  }

  /** Whether `<(...)` or `>(...)` begins here: a word that stands for a file. */
  private isProcess(): boolean {
    const { text, at } = this;
    return (text[at] === '<' || text[at] === '>') && text[at + 1] === '(';
  }

  private hereDocument(): void {
    const found = hereDocumentAt(this.text, this.at);
    if (found === null) {
      this.isWhole = false;
      return;
    }
    this.documents.push(found.document);
    this.push('word', found.document.delimiter, false);
    this.at = found.end;
  }

  /** Reads one word; false where it does not end. */
  private word(): boolean {
    this.parts = [];
    this.isPlain = true;
    while (this.at < this.text.length) {
      const isRead = this.part();
      if (isRead === null) break;
      if (!isRead) return false;
    }
    const text = this.parts.join('');
    if (this.isPlain && text === '') return true;
    const isNext = this.text[this.at] === '<' || this.text[this.at] === '>';
    const isDescriptor = this.isPlain && isNext && !this.isProcess() && DESCRIPTOR.test(text);
    if (!isDescriptor) this.push('word', text, this.isPlain);
    return true;
  }

  /** Reads one part of a word; null at the end of the word, false where the part has no end. */
  private part(): boolean | null {
    const ordinary = this.take(ORDINARY);
    if (ordinary !== null) {
      this.parts.push(ordinary);
      return true;
    }
    switch (this.text[this.at]) {
      case '\\':
        return this.escape();
      case "'":
        return this.single();
      case '"':
        return this.double();
      case '`':
        return this.isSplit ? null : this.nested(this.expansionEnd());
      case '$':
        return this.dollar();
      case '(':
        return this.isArray() ? this.nested(endOfCommands(this.text, this.at + 1, 0)) : null;
      case '<':
      case '>':
        if (this.isSplit || !this.isProcess()) return null;
        return this.nested(endOfCommands(this.text, this.at + 2, 0));
      default:
        return null;
    }
  }

  private isArray(): boolean {
    return this.isPlain && this.parts.length === 1 && ARRAY_START.test(this.parts[0] ?? '');
  }

  private escape(): boolean {
    const next = this.text[this.at + 1];
    if (next === undefined) return false;
    if (next !== '\n') {
      this.isPlain = false;
      this.parts.push(next);
    }
    this.at += 2;
    return true;
  }

  private single(): boolean {
    const end = endOfSingle(this.text, this.at + 1);
    return this.quoted(end, end === null ? '' : this.text.slice(this.at + 1, end - 1));
  }

  private dollar(): boolean | null {
    const { text, at } = this;
    const next = text[at + 1];
    if (next === '"') {
      this.at++;
      return this.double();
    }
    if (next === "'") {
      const end = endOfEscaped(text, at + 2, "'");
      return this.quoted(end, end === null ? '' : withoutEscapes(text.slice(at + 2, end - 1)));
    }
    if (this.isSplit && next === '(' && text[at + 2] !== '(') {
      this.at++;
      return null;
    }
    return this.nested(this.expansionEnd());
  }

  private double(): boolean {
    const { text } = this;
    this.isPlain = false;
    this.at++;
    while (this.at < text.length) {
      const ordinary = this.take(QUOTED_ORDINARY);
      if (ordinary !== null) {
        this.parts.push(ordinary);
      } else if (text[this.at] === '"') {
        this.at++;
        return true;
      } else if (text[this.at] === '\\') {
        this.quotedEscape();
      } else if (!this.nested(endOfExpansion(text, this.at, 0, true))) {
        return false;
      }
    }
    return false;
  }

  /** Inside double quotes a backslash escapes only what would mean something there. */
  private quotedEscape(): void {
    const next = this.text[this.at + 1] ?? '';
    if (next !== '\n') this.parts.push('$`"\\'.includes(next) ? next : `\\${next}`);
    this.at += 2;
  }

  private expansionEnd(): number | null {
    return endOfExpansion(this.text, this.at, 0, false);
  }

  private nested(end: number | null): boolean {
    return this.quoted(end, end === null ? '' : this.text.slice(this.at, end));
  }

  private quoted(end: number | null, text: string): boolean {
    if (end === null) return false;
    this.isPlain = false;
    this.parts.push(text);
    this.at = end;
    return true;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private push(kind: Token['kind'], text: string, isPlain = true): void {
    this.tokens.push({ kind, text, isPlain });
  }
}

const ANSI_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function withoutEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => ANSI_ESCAPES[char] ?? char);
}
