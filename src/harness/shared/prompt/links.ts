/** Paths that texts link to, what kind of thing a path is, and the parts of a tool's name. */

const BRACKET = /[[\]]/g;
const FILE_SCHEME = 'file://';

/**
 * The absolute paths that the Markdown links of wire text lead to, in order, each once. A target
 * may have `file://` before it, angle brackets around it and a title after it; parentheses in it
 * are balanced.
 */
export function linkedPaths(text: string): string[] {
  const paths = new Set<string>();
  if (!text.includes('](')) return [];
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(BRACKET)) {
    if (bracket === '[') {
      depth++;
    } else if (depth > 0) {
      depth--;
      const path = text.charAt(index + 1) === '(' ? targetAt(text, index + 2) : null;
      if (path !== null) paths.add(path);
    }
  }
  return [...paths];
}

/** The absolute path in a link's parentheses, which open before `start`. */
function targetAt(text: string, start: number): string | null {
  const isAngled = text.charAt(start) === '<';
  const at = afterScheme(text, isAngled ? start + 1 : start);
  // The scheme stands before the brackets, too.
  if (text.startsWith('</', at)) return angledTarget(text, at + 1);
  if (text.charAt(at) !== '/') return null;
  if (isAngled) return angledTarget(text, at);
  const end = closingParenthesis(text, at);
  return end === null ? null : withoutTitle(text.slice(at, end));
}

function afterScheme(text: string, at: number): number {
  return text.startsWith(FILE_SCHEME, at) ? at + FILE_SCHEME.length : at;
}

const TITLE_AND_END = /[ \t]*(?:"[^"\n]*"|'[^'\n]*')?[ \t]*\)/y;

function angledTarget(text: string, start: number): string | null {
  let end = start;
  while (end < text.length && !'>\n<'.includes(text.charAt(end))) end++;
  if (text.charAt(end) !== '>') return null;
  TITLE_AND_END.lastIndex = end + 1;
  return TITLE_AND_END.test(text) ? text.slice(start, end) : null;
}

/** Where the parentheses close; null when the line ends or another link begins before. */
function closingParenthesis(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\n' || char === '<' || char === '>') return null;
    if (char === ']' && text.charAt(at + 1) === '(') return null;
    if (char === '(') depth++;
    if (char === ')' && depth-- === 0) return at;
  }
  return null;
}

function withoutTitle(raw: string): string {
  const target = trimEnd(raw);
  const quote = target.charAt(target.length - 1);
  if (quote !== '"' && quote !== "'") return target;
  const open = target.lastIndexOf(quote, target.length - 2);
  const isTitle = open > 0 && ' \t'.includes(target.charAt(open - 1));
  return isTitle ? trimEnd(target.slice(0, open)) : target;
}

/** Without spaces and tabs at the end: no other white space stands before a title. */
function trimEnd(target: string): string {
  let end = target.length;
  while (end > 0 && ' \t'.includes(target.charAt(end - 1))) end--;
  return target.slice(0, end);
}

/** What a path leads to, by its ending; `file` for other endings, `path` for none. */
export type ArtifactKind = 'spreadsheet' | 'document' | 'image' | 'presentation' | 'file' | 'path';

const ENDINGS: readonly (readonly [ArtifactKind, readonly string[]])[] = [
  ['spreadsheet', ['xlsx', 'xls', 'csv', 'tsv', 'ods']],
  ['document', ['docx', 'doc', 'pdf', 'md', 'txt', 'rtf']],
  ['image', ['png', 'jpg', 'jpeg', 'webp', 'svg', 'gif']],
  ['presentation', ['pptx', 'ppt', 'key']],
];

const KIND_OF_ENDING: ReadonlyMap<string, ArtifactKind> = new Map(
  ENDINGS.flatMap(([kind, endings]) => endings.map(ending => [ending, kind] as const)),
);

/** The kind of the artifact at a path, from the ending of its last name in any case. */
export function artifactKind(path: string): ArtifactKind {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end--;
  const name = path.slice(path.lastIndexOf('/', end - 1) + 1, end);
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return 'path';
  return KIND_OF_ENDING.get(name.slice(dot + 1).toLowerCase()) ?? 'file';
}

const MCP_PREFIX = 'mcp__';

/**
 * The server and the tool in `mcp__server__tool`. The tool begins after the last double
 * underscore; what is missing is null, and so are both for other names.
 */
export function mcpParts(toolName: string): { server: string | null; tool: string | null } {
  if (!toolName.startsWith(MCP_PREFIX)) return { server: null, tool: null };
  const rest = toolName.slice(MCP_PREFIX.length);
  const split = rest.lastIndexOf('__');
  if (split < 0) return { server: rest || null, tool: null };
  return { server: rest.slice(0, split) || null, tool: rest.slice(split + 2) || null };
}
