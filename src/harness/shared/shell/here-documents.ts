/**
 * Here-documents of a shell command.
 *
 * `<<END` announces a body that begins after the end of the line and lasts up to a line that is
 * the delimiter and nothing else; `<<-END` allows tabs before it. Where the delimiter is bare, a
 * backslash at the end of a line of the body joins the next line, which then delimits nothing.
 */

/** What was announced and not yet read. */
export interface HereDocument {
  readonly delimiter: string;
  readonly isTabbed: boolean;
  readonly isQuoted: boolean;
}

/**
 * The here-document announced by the `<<` before `start`, and where its delimiter ends; null
 * when there is no delimiter on the line.
 */
export function hereDocumentAt(
  text: string,
  start: number,
): { readonly document: HereDocument; readonly end: number } | null {
  const isTabbed = text[start] === '-';
  let at = start + (isTabbed ? 1 : 0);
  while (text[at] === ' ' || text[at] === '\t') at++;
  const first = at;
  const parts: string[] = [];
  for (;;) {
    DELIMITER_PART.lastIndex = at;
    const part = DELIMITER_PART.exec(text)?.[0];
    if (part === undefined) break;
    parts.push(withoutQuotes(part));
    at += part.length;
  }
  if (at === first) return null;
  const delimiter = parts.join('');
  const isQuoted = delimiter.length < at - first;
  return { document: { delimiter, isTabbed, isQuoted }, end: at };
}

const DELIMITER_PART = /'[^'\n]*'|"[^"\n]*"|\\[^\n]|[^ \t\r\n'"\\;&|()<>]+/y;

function withoutQuotes(part: string): string {
  if (part[0] === '\\') return part.slice(1);
  return part[0] === "'" || part[0] === '"' ? part.slice(1, -1) : part;
}

/** Where the bodies that begin at `start` end; null when one of them has no end. */
export function endOfBodies(
  text: string,
  start: number,
  documents: readonly HereDocument[],
): number | null {
  let at: number | null = start;
  for (const document of documents) {
    at = endOfBody(text, at, document);
    if (at === null) return null;
  }
  return at;
}

function endOfBody(text: string, start: number, document: HereDocument): number | null {
  let isJoined = false;
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    if (!isJoined && isDelimiter(text, at, end, document)) return Math.min(end + 1, text.length);
    isJoined = !document.isQuoted && isContinued(text, at, end);
    at = end + 1;
  }
  return null;
}

function isDelimiter(text: string, start: number, end: number, document: HereDocument): boolean {
  let at = start;
  if (document.isTabbed) while (text[at] === '\t') at++;
  const { delimiter } = document;
  return end - at === delimiter.length && text.startsWith(delimiter, at);
}

function isContinued(text: string, start: number, end: number): boolean {
  let at = end;
  while (at > start && text[at - 1] === '\\') at--;
  return (end - at) % 2 === 1;
}
