/**
 * Which git operations a shell command is proved to have done, when all that is known of it is
 * that its exit status was 0.
 *
 * The command is read by the shell's grammar, and each construct says what its own success
 * proves:
 *
 * - a list proves what its last item proves, unless that runs in the background;
 * - of `a && b || c`, success proves a member that is the first or stands after `&&`, if only
 *   `&&` follow it;
 * - a pipeline proves what its last command proves, with `pipefail` what all of them prove, and
 *   behind `!` nothing;
 * - groups and subshells prove what their list proves;
 * - conditions, loops and functions prove nothing, and neither do substitutions.
 *
 * A command that may not have been reached because the shell was left before it (`exit 0`) is not
 * proved. What this reader cannot follow proves nothing at all.
 */

import { type GitOperation, gitOperationOf } from './git-command.ts';
import { DEPTH_MAX } from './nested.ts';
import { baseName, inlineScript, programIndex, SCRIPT_DEPTH_MAX } from './program.ts';
import { mayLeave, pipefailAfter, type Shell } from './shell-state.ts';
import { shellTokens, type Token } from './words.ts';

/**
 * The operations of git that succeeded if the command exited with status 0, in their order; none
 * where the command is no whole shell command.
 */
export function provedGitOperations(command: string): readonly GitOperation[] {
  return operationsOf(command, false, 0);
}

function operationsOf(
  command: string,
  hasPipefail: boolean,
  depth: number,
): readonly GitOperation[] {
  const read = shellTokens(command, 'kept');
  return read?.isWhole ? new Grammar(read.tokens, depth).program(hasPipefail) : [];
}

/** Keywords that end a list where a command could begin. */
const CLOSING = new Set('then elif else fi do done esac }'.split(' '));
const CASE_ENDS = [';;', ';&', ';;&'];
/** Wrappers that may succeed although the command was not run, or not yet. */
const DETACHING = new Set(['xargs', 'npx', 'bunx']);

class Grammar {
  private at = 0;
  private depth = 0;
  private hasFailed = false;
  private readonly tokens: readonly Token[];
  private readonly scriptDepth: number;

  constructor(tokens: readonly Token[], scriptDepth: number) {
    this.tokens = tokens;
    this.scriptDepth = scriptDepth;
  }

  program(hasPipefail: boolean): readonly GitOperation[] {
    const proved = this.list({ hasPipefail, mayHaveLeft: false, followsFailure: false });
    return this.hasFailed || this.at < this.tokens.length ? [] : proved;
  }

  /** Commands up to a closing keyword or operator, or to the end. */
  private list(shell: Shell): readonly GitOperation[] {
    let proved: readonly GitOperation[] = [];
    this.newlines();
    while (!this.isListEnd()) {
      const before = { ...shell };
      proved = this.andOr(shell);
      if (this.takeOperator('&')) {
        proved = [];
        Object.assign(shell, before);
      } else if (!(this.takeOperator(';') || this.isOperator('\n') || this.isListEnd())) {
        this.fail();
      }
      this.newlines();
    }
    return proved;
  }

  private andOr(shell: Shell): readonly GitOperation[] {
    shell.followsFailure = false;
    let proved = [...this.pipeline(shell)];
    const surely = shell.hasPipefail;
    for (;;) {
      if (this.takeOperator('&&')) {
        this.newlines();
        shell.followsFailure = false;
        for (const operation of this.pipeline(shell)) proved.push(operation);
      } else if (this.takeOperator('||')) {
        this.newlines();
        // Either side may have run: a setting holds if it holds in both cases.
        const either = surely && shell.hasPipefail;
        shell.followsFailure = true;
        this.pipeline(shell);
        shell.hasPipefail = either && shell.hasPipefail;
        proved = [];
      } else {
        shell.hasPipefail = surely && shell.hasPipefail;
        return proved;
      }
    }
  }

  private pipeline(shell: Shell): readonly GitOperation[] {
    const before = { ...shell };
    const isNegated = this.prefixes();
    let last = this.command(shell);
    const all = [...last];
    let isPiped = false;
    while (this.takeOperator('|') || this.takeOperator('|&')) {
      this.newlines();
      isPiped = true;
      // Each command of a pipeline has a shell of its own.
      last = this.command({ ...before });
      for (const operation of last) all.push(operation);
    }
    if (isPiped) Object.assign(shell, before);
    if (isNegated) return [];
    return before.hasPipefail ? all : last;
  }

  /** Passes `!` and `time`; tells whether the pipeline is negated. */
  private prefixes(): boolean {
    let isNegated = false;
    for (;;) {
      if (this.takeKeyword('!')) isNegated = true;
      else if (this.takeKeyword('time')) this.takeKeyword('-p');
      else return isNegated;
    }
  }

  private command(shell: Shell): readonly GitOperation[] {
    if (++this.depth > DEPTH_MAX) this.fail();
    const proved = this.anyCommand(shell);
    this.depth--;
    return proved;
  }

  private anyCommand(shell: Shell): readonly GitOperation[] {
    if (this.takeOperator('(')) {
      const proved = this.list({ ...shell });
      this.expectOperator(')');
      this.redirections();
      return proved;
    }
    if (this.takeKeyword('{')) {
      const proved = this.list(shell);
      this.expectKeyword('}');
      this.redirections();
      return proved;
    }
    const { hasPipefail } = shell;
    if (this.isCompound(shell)) {
      this.redirections();
      shell.hasPipefail &&= hasPipefail;
      return [];
    }
    return this.simpleOrFunction(shell);
  }

  /** Reads a compound command that proves nothing, if one begins here. */
  private isCompound(shell: Shell): boolean {
    if (this.takeKeyword('if')) this.condition(shell);
    else if (this.takeKeyword('while') || this.takeKeyword('until')) this.loop(shell);
    else if (this.takeKeyword('for') || this.takeKeyword('select')) this.forLoop(shell);
    else if (this.takeKeyword('case')) this.cases(shell);
    else if (this.takeKeyword('[[')) this.test();
    else if (this.takeKeyword('function')) this.namedFunction(shell);
    else return false;
    return true;
  }

  private condition(shell: Shell): void {
    do {
      this.list(shell);
      this.expectKeyword('then');
      this.list(shell);
    } while (this.takeKeyword('elif'));
    if (this.takeKeyword('else')) this.list(shell);
    this.expectKeyword('fi');
  }

  private loop(shell: Shell): void {
    this.list(shell);
    this.body(shell);
  }

  private body(shell: Shell): void {
    this.expectKeyword('do');
    this.list(shell);
    this.expectKeyword('done');
  }

  private forLoop(shell: Shell): void {
    if (this.takeOperator('(')) this.parentheses();
    else this.expectWord();
    this.newlines();
    if (this.takeKeyword('in')) while (this.takeWord() !== null);
    this.takeOperator(';');
    this.newlines();
    this.body(shell);
  }

  /** Passes what stands in parentheses, the first of which has been read. */
  private parentheses(): void {
    let open = 1;
    while (open > 0 && this.at < this.tokens.length) {
      if (this.isOperator('(')) open++;
      if (this.isOperator(')')) open--;
      this.at++;
    }
    if (open > 0) this.fail();
  }

  private cases(shell: Shell): void {
    this.expectWord();
    this.newlines();
    this.expectKeyword('in');
    this.newlines();
    while (this.at < this.tokens.length && !this.isKeyword('esac')) {
      this.takeOperator('(');
      do this.expectWord();
      while (this.takeOperator('|'));
      this.expectOperator(')');
      this.list(shell);
      if (!CASE_ENDS.some(end => this.takeOperator(end))) break;
      this.newlines();
    }
    this.expectKeyword('esac');
  }

  private test(): void {
    while (this.at < this.tokens.length && !this.isKeyword(']]')) this.at++;
    this.expectKeyword(']]');
  }

  private namedFunction(shell: Shell): void {
    const name = this.takeWord();
    if (this.takeOperator('(')) this.expectOperator(')');
    this.functionBody(name, shell);
  }

  /** Reads the body of a function. It does not run here; a call of it may leave the shell. */
  private functionBody(name: string | null, shell: Shell): void {
    this.newlines();
    // What is called git from here on is not git.
    if (name === null || name === 'git') this.fail();
    const inner = { ...shell };
    this.command(inner);
    shell.mayHaveLeft = inner.mayHaveLeft;
  }

  private simpleOrFunction(shell: Shell): readonly GitOperation[] {
    const start = this.at;
    const first = this.tokens[start];
    if (first?.isPlain && first.kind === 'word' && CLOSING.has(first.text)) this.fail();
    const words: string[] = [];
    for (;;) {
      this.redirections();
      const word = this.takeWord();
      if (word === null) break;
      words.push(word);
      if (words.length === 1 && this.takeOperator('(')) {
        this.expectOperator(')');
        this.functionBody(word, shell);
        return [];
      }
    }
    if (this.at === start) this.fail();
    return this.hasFailed ? [] : this.simple(words, shell);
  }

  private simple(words: readonly string[], shell: Shell): readonly GitOperation[] {
    const index = programIndex(words);
    const proved =
      shell.mayHaveLeft || isDetached(words.slice(0, index))
        ? []
        : this.proofOf(words.slice(index));
    shell.hasPipefail = pipefailAfter(words, shell.hasPipefail);
    shell.mayHaveLeft ||= mayLeave(words, shell.followsFailure);
    return proved;
  }

  private proofOf(words: readonly string[]): readonly GitOperation[] {
    const script = inlineScript(words);
    if (script !== null) {
      if (this.scriptDepth >= SCRIPT_DEPTH_MAX) return [];
      return operationsOf(script.text, script.hasPipefail, this.scriptDepth + 1);
    }
    const operation = gitOperationOf(words);
    return operation === null ? [] : [operation];
  }

  private redirections(): void {
    while (this.tokens[this.at]?.kind === 'redirection') {
      this.at++;
      this.expectWord();
    }
  }

  private newlines(): void {
    while (this.takeOperator('\n'));
  }

  private isListEnd(): boolean {
    const token = this.tokens[this.at];
    if (token === undefined) return true;
    if (token.kind === 'operator') return token.text === ')' || CASE_ENDS.includes(token.text);
    return token.kind === 'word' && token.isPlain && CLOSING.has(token.text);
  }

  private isOperator(text: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'operator' && token.text === text;
  }

  private isKeyword(text: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'word' && token.isPlain && token.text === text;
  }

  private takeOperator(text: string): boolean {
    const isHere = this.isOperator(text);
    if (isHere) this.at++;
    return isHere;
  }

  private takeKeyword(text: string): boolean {
    const isHere = this.isKeyword(text);
    if (isHere) this.at++;
    return isHere;
  }

  private takeWord(): string | null {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word') return null;
    this.at++;
    return token.text;
  }

  private expectOperator(text: string): void {
    if (!this.takeOperator(text)) this.fail();
  }

  private expectKeyword(text: string): void {
    if (!this.takeKeyword(text)) this.fail();
  }

  private expectWord(): void {
    if (this.takeWord() === null) this.fail();
  }

  /** Gives up: at the end of the tokens every loop ends. */
  private fail(): void {
    this.hasFailed = true;
    this.at = this.tokens.length;
  }
}

/** Whether the wrappers before a program keep its success from being theirs. */
function isDetached(wrappers: readonly string[]): boolean {
  let wrapper = '';
  return wrappers.some(word => {
    if (!word.startsWith('-')) wrapper = baseName(word);
    else if (wrapper === 'command') return /^-[pvV]*[vV]/.test(word);
    else if (wrapper === 'sudo') return SUDO_DETACHING.test(word);
    return DETACHING.has(wrapper);
  });
}

/** In the background, or nothing but a question. */
const SUDO_DETACHING =
  /^(?:-[A-Za-z]*[blveK]|--(?:background|list|validate|edit|remove-timestamp))/;
