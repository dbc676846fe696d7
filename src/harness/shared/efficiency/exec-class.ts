/**
 * What running a text is for: a shell command, or a cell of code that calls tools.
 *
 * The first rule that holds decides:
 * 1. `noop`: nothing is run. The text is blank, or it is a short cell that neither calls a tool
 *    nor names a variable with `$`. A shell command that is not blank always runs something.
 * 2. `wait`: somewhere it sleeps, watches, polls or waits.
 * 3. `status`: it looks at how things stand. Where a text gives commands as `cmd: "…"`, each of
 *    them has to look; else looking anywhere in the text is enough.
 * 4. `work`: everything else.
 *
 * All rules take time linear in the length of the text, whatever it holds, and pass over what lies
 * beyond the first 100,000 bytes.
 */

/** What running a text is for. */
export type ExecClass = 'noop' | 'status' | 'wait' | 'work';

/** A command for a shell, or code for a runtime whose tools are called `tools.…`. */
export type ExecForm = 'shell' | 'cell';

const LENGTH_MAX = 100_000;

/** A cell with so many characters may do more than nothing. */
const CELL_LENGTH_MIN = 80;

/** What running `text`, which is of the given form, is for. */
export function execClass(text: string, form: ExecForm = 'shell'): ExecClass {
  const start = text.slice(0, LENGTH_MAX);
  if (start.trim() === '' || (form === 'cell' && isIdleCell(start))) return 'noop';
  if (waits(start)) return 'wait';
  const commands = commandsIn(start);
  return (commands.length === 0 ? [start] : commands).every(looks) ? 'status' : 'work';
}

function isIdleCell(text: string): boolean {
  if (text.includes('tools.') || text.includes('$')) return false;
  return text.replaceAll(/[\x80-\xbf]/g, '').length < CELL_LENGTH_MIN;
}

const WAIT_WORDS = anyOf([
  /"chars"\s*:\s*""/,
  /\btools\.(?:\w+__)?(?:wait|sleep)\b/,
  /\bsleep\s+\d/,
  /setTimeout|(?<![A-Za-z])wait_agent/,
  /\bgh\s+run\s+watch\b/,
  /--watch\b/,
]);

const WAIT_PAIRS = [
  pair({ first: /\bwrite_stdin\b/, second: /\bchars\s*:\s*(?:""|''|``)/ }),
  pair({ first: /\buntil\b/, second: /\bdo\b/, isOneLine: true, gap: 200 }),
  pair({ first: /\bwhile\b/, second: /\bsleep\b/ }),
  pair({ first: /\btimeout\s+\d/, second: /\btail\s+-[fF]|\bwait\b/, isOneLine: true }),
];

function waits(text: string): boolean {
  return WAIT_WORDS.test(text) || WAIT_PAIRS.some(isIn => isIn(text));
}

const STATUS_WORDS = anyOf([
  /\bgh\s+(?:run|pr)\s+(?:view|list|checks|status)\b/,
  /\bgit\s+(?:(?:-C\s+\S+|--no-pager)\s+){0,2}(?:fetch|log|status|rev-parse|ls-remote)\b/,
  /\bgit\s+(?:-C\s+\S+\s+)?worktree\s+list\b/,
  /\bbacklog\s+task\s+(?:list|view)\b/,
  /list_agents|curr_time/,
  // As a program, not as a part of a path or of a name.
  /(?<![\w./-])(?:ps|pgrep)(?![\w./-])/,
]);

/** Names of the files in which agents that work together tell each other how far they are. */
const PROGRESS_FILE = /state-|report-|outcomes-|\.notified|\.claim|(?<![A-Za-z])lane|loop\d|wave\d/;

const STATUS_PAIRS = [
  pair({ first: /\bgh\s+api\b/, second: /actions\/runs|check-runs|\bpulls\b/, isOneLine: true }),
  pair({ first: /\b(?:cat|tail|head|wc|sed\s+-n)\b/, second: PROGRESS_FILE, gap: 160 }),
];

function looks(text: string): boolean {
  return STATUS_WORDS.test(text) || STATUS_PAIRS.some(isIn => isIn(text));
}

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

/** Two patterns of which the second has to match after the first. */
interface Pair {
  readonly first: RegExp;
  readonly second: RegExp;
  /** Whether no line ends between the two. */
  readonly isOneLine?: boolean;
  /** How many characters may stand between the two; any number when left out. */
  readonly gap?: number;
}

/**
 * A search for a pair, in one pass: of all places where the first pattern matches, the last before
 * the second one is the nearest. One pattern for both would look on from every first match anew.
 */
function pair({ first, second, isOneLine = false, gap = Infinity }: Pair) {
  const parts = new RegExp(`(?<first>${first.source})|(?<second>${second.source})|\\n`, 'g');
  return (text: string): boolean => {
    let end: number | null = null;
    for (const { 0: found, index, groups } of text.matchAll(parts)) {
      if (groups?.['first'] !== undefined) end = index + found.length;
      else if (groups?.['second'] === undefined) end = isOneLine ? null : end;
      else if (end !== null && index - end <= gap) return true;
    }
    return false;
  };
}

/** The commands that code gives as `cmd: "…"`; one whose string does not end goes to the end. */
function commandsIn(text: string): string[] {
  const commands: string[] = [];
  const start = /\bcmd["']?\s*:\s*(["'`])/g;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = endOfString(text, start.lastIndex, found[1] ?? '');
    commands.push(text.slice(start.lastIndex, end));
    start.lastIndex = end;
  }
  return commands;
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}
