/**
 * How a model call failed, from the message of its error: the name that it begins with, else a word
 * for a known kind of failure near its beginning, else the mere status.
 */

/** A failure: what kind, and the HTTP status where it is told. */
export interface Failure {
  readonly kind: string;
  readonly status: number | null;
}

const NAME = /^\s*([a-z][a-z0-9_]{2,63}):/;
const STATUS = /\(([1-5]\d\d)\)|^\s*([45]\d\d)\b/;

/** How far into a message words for a kind of failure count. */
const HEAD_BYTES = 200;

const KINDS: readonly (readonly [kind: string, words: RegExp])[] = [
  ['rate_limit', /rate.?limit|too many requests|usage.?limit/i],
  ['overloaded', /overloaded/i],
  ['timeout', /timed.?out|timeout/i],
  ['quota', /quota|billing|credit/i],
  ['authentication', /authenticat|unauthori[sz]ed|forbidden|api.?key/i],
  ['context_length', /context.?(?:length|window)|too long/i],
  ['invalid_request', /invalid.?request|bad request/i],
  ['connection', /connection|network|socket|fetch failed|terminated/i],
  ['server_error', /server.?error|internal error|unavailable/i],
];

/** Reads the message of an error. */
export function failureOf(message: string | null): Failure {
  const text = message ?? '';
  const [, inParentheses, leading] = STATUS.exec(text) ?? [];
  const digits = inParentheses ?? leading;
  const status = digits === undefined ? null : Number(digits);
  const name = NAME.exec(text)?.[1];
  const head = text.slice(0, HEAD_BYTES);
  const known = KINDS.find(([, words]) => words.test(head))?.[0];
  return { kind: name ?? known ?? (status === null ? 'error' : 'http_error'), status };
}
