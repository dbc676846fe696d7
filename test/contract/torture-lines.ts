/** What becomes of each evil line of the torture home, written by hand from the rules. */

/** A part of a row; a pattern stands for the words of the JSON parser, which are not ours. */
export type Part = Readonly<Record<string, unknown>>;

/** What one line gives. */
export interface Fate {
  /** Its rows by block; none for a blank line. */
  readonly rows: readonly Part[];
  /** Its row by line, where that says something else. */
  readonly line?: Part;
  /** Its event, beside the bytes. */
  readonly event: Part;
}

const PAD = 'a string that is longer than any short form of a string. '.repeat(6);

const VALID = { is_valid_json: true, parse_error: null, raw_is_exact: true };

/** An ordinary prompt: whatever is odd about it does no harm. */
export function prompt(message_content: string | null, more: Part = {}, event: Part = {}): Fate {
  const row = { message_type: 'user', author: 'user', message_role: 'user', parse_error: null };
  return {
    rows: [{ ...row, message_content, ...more }],
    event: { ...VALID, event_type: 'user', ...event },
  };
}

/** An ordinary answer that calls Bash. */
function call(tool_input: string, more: Part = {}, event: Part = {}): Fate {
  const row = {
    ...{ message_type: 'assistant', author: 'agent', message_content: '', parse_error: null },
    ...{ tool_name: 'Bash', tool_use_id: 'toolu_01Torture', model: 'claude-opus-5' },
    ...{ input_tokens: 1, output_tokens: 2, usage_scope: 'response', tool_input },
  };
  return { rows: [{ ...row, ...more }], event: { ...VALID, event_type: 'assistant', ...event } };
}

/** A line that is no JSON: one row with the diagnosis, in the words of the parser. */
export function broken(pattern: RegExp, event: Part = {}): Fate {
  return {
    rows: [errorRow(pattern, new RegExp(`^Parse error: .*(?:${pattern.source})`, 's'))],
    event: { ...VALID, is_valid_json: false, parse_error: pattern, event_type: null, ...event },
  };
}

/** A line that is JSON, but no record: one row with the diagnosis, and a valid event. */
function noRecord(diagnosis: string): Fate {
  const row = errorRow(diagnosis, `Parse error: ${diagnosis}`);
  return { rows: [row], event: { ...VALID, event_type: null, is_known_type: null } };
}

function errorRow(parse_error: unknown, message_content: unknown): Part {
  const nothing = { message_role: null, event_type: null, tool_name: null, input_tokens: null };
  const row = { message_type: '_parse_error', author: 'system', parse_error, message_content };
  return { ...row, ...nothing };
}

/** A line without anything: an event, no row. */
export function blank(parse_error: unknown): Fate {
  return { rows: [], event: { ...VALID, is_valid_json: false, parse_error, event_type: null } };
}

const INEXACT = {
  is_valid_json: false,
  parse_error: 'bytes are not valid UTF-8',
  raw_is_exact: false,
};

/** What a row says of a record whose bytes had to be replaced. */
const REPLACED = { parse_error: 'bytes that are not UTF-8 were replaced by U+FFFD' };

/** The same broken bytes in four places; `text` is what stands for them. */
function brokenUtf8(name: string, text: string): [string, Fate[]][] {
  return [
    [`utf8-${name}-short`, [prompt(`a${text}b`, REPLACED, INEXACT)]],
    [`utf8-${name}-long`, [prompt(`${PAD}${text}${PAD}`, REPLACED, INEXACT)]],
    [`utf8-${name}-key`, [call(`{"k${text}":"v"}`, REPLACED, INEXACT)]],
    [`utf8-${name}-id`, [prompt('id', { uuid: `u${text}`, ...REPLACED }, INEXACT)]],
  ];
}

const bytesAndCharacters: [string, Fate[]][] = [
  ['surrogate-high', [prompt('a\ufffdb')]],
  ['surrogate-low', [prompt('a\ufffdb')]],
  ['surrogate-swapped', [prompt('\ufffd\ufffd')]],
  ['surrogate-key', [call('{"k\ufffd":"w"}')]],
  ['surrogate-quoted', [prompt('a\\ud83db')]],
  ['surrogate-pair', [prompt('\u{1f30a}')]],
  ...brokenUtf8('truncated', '\ufffd'),
  ...brokenUtf8('overlong', '\ufffd\ufffd'),
  ...brokenUtf8('surrogate', '\ufffd\ufffd\ufffd'),
  ...brokenUtf8('stray', '\ufffd'),
  ['nul-in-string', [broken(/control character/)]],
  ['nul-line', [broken(/Unexpected token/)]],
  ['nul-escape', [prompt('a\0b\0')]],
  ['nul-escape-key', [call('{"k\\u0000":"v"}')]],
  ['nul-escape-quoted', [prompt('a\\u0000b')]],
  ['control-raw', [broken(/control character/)]],
  ['control-escape', [prompt('\x1b[31mred\x1b]0;t\x07')]],
  ['bom-in-line', [broken(/Unexpected token/)]],
  ['bom-in-string', [prompt('\ufeffbom')]],
  ['line-separators', [prompt('a\u2028b\u2029c\u0085d')]],
  ['form-feed', [broken(/Expected ',' or '\}' after property value/)]],
];

const NO_TOKENS = { input_tokens: null, output_tokens: null, cache_read_tokens: null };
const NO_USAGE = { ...NO_TOKENS, usage_scope: null, usage_source_line: null };

const numbers: [string, Fate[]][] = [
  ['tokens-huge', [call('{}', NO_TOKENS)]],
  ['tokens-infinite', [call('{}', NO_TOKENS)]],
  [
    'tokens-fraction',
    [
      call('{}', { input_tokens: null, output_tokens: 2, cache_read_tokens: -1 }),
      call('{}', { input_tokens: 0, output_tokens: 100, cache_read_tokens: null }),
    ],
  ],
  ['tokens-typed', [call('{}', NO_TOKENS)]],
  [
    'numbers-in-input',
    [call('{"a":12345678901234567890,"b":1e400,"c":1.0,"d":-0,"e":1E5,"f":0.10,"g":1e-7}')],
  ],
  ['numbers-invalid', [broken(/Unexpected number/), broken(/Unexpected token/)]],
  ['numbers-named', [broken(/Unexpected token/), broken(/No number after minus sign/)]],
];

const ANSWER = { message_type: 'assistant', author: 'agent' };

const wrongTypes: [string, Fate[]][] = [
  ['typed-cwd', [prompt('x', { cwd: null, project_path: '/home/mira/tide' })]],
  ['typed-timestamp', [prompt(null, { timestamp: null }, { timestamp: null })]],
  ['typed-session', [prompt(null, { session_id: 'typed-session' })]],
  ['typed-uuid', [prompt('x', { uuid: null, parent_uuid: null })]],
  ['typed-usage', [call('{}', NO_USAGE)]],
  ['typed-usage-list', [call('{}', NO_USAGE)]],
  [
    'typed-model',
    [prompt(null, { ...ANSWER, message_role: 'assistant', model: null }, event('assistant'))],
  ],
  [
    'typed-message',
    [prompt(null, { ...ANSWER, message_role: 'assistant', ...NO_USAGE }, event('assistant'))],
  ],
  ['typed-content-number', [prompt('42')]],
  ['typed-content-object', [prompt('{"a":[true,null],"k":1}')]],
  ['typed-content-true', [prompt('true')]],
  [
    'typed-content-items',
    [{ ...prompt('1\ntwo\nnull\n[]\n{}\ntrue'), line: { message_content: '' } }],
  ],
  ['typed-meta', [prompt('x')]],
  ['typed-origin', [prompt('x', { slug: null, client: null })]],
  ['typed-branch', [prompt('x', { git_branch: null, version: null })]],
  ['typed-block', [{ ...prompt('{"text":[1],"type":7}'), line: { message_content: '' } }]],
];

function event(event_type: string): Part {
  return { event_type, is_known_type: true };
}

const records: [string, Fate[]][] = [
  ['record-list', [noRecord('the record is a JSON array, not an object')]],
  ['record-text', [noRecord('the record is a JSON string, not an object')]],
  ['record-number', [noRecord('the record is a JSON number, not an object')]],
  ['record-null', [noRecord('the record is null, not an object')]],
  ['record-true', [noRecord('the record is a JSON boolean, not an object')]],
  ['record-empty', [noRecord('the record has no type')]],
  ['type-missing', [noRecord('the record has no type')]],
  ['type-number', [noRecord('the type is number, not a string')]],
  ['type-null', [noRecord('the type is null, not a string')]],
  ['type-object', [noRecord('the type is object, not a string')]],
  ['type-last', [prompt(null)]],
  ['type-escaped', [prompt(null)]],
  ['type-quoted', [prompt('{"type":"assistant"}')]],
  ['keys-twice', [prompt(null, { uuid: 'two' })]],
  ['keys-of-objects', [prompt('p', { slug: null })]],
  [
    'keys-of-objects-in-input',
    [call('{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}')],
  ],
  ['keys-empty', [call('{"":"empty"," ":"space"}')]],
  ['nesting-500', [prompt('deep')]],
];

const AFTER_JSON = /Unexpected non-whitespace character after JSON/;

const halves: [string, Fate[]][] = [
  ['half-line', [broken(/Unterminated string|Expected/)]],
  ['half-line-glued', [broken(/in JSON at position/)]],
  ['half-escape', [broken(/Bad Unicode escape/)]],
  ['two-records', [broken(AFTER_JSON)]],
  ['rest', [broken(AFTER_JSON)]],
  ['padded', [prompt('padded', {}, { raw: /^ {2}\t\{.*\} \t $/ })]],
  ['escape-unknown', [broken(/Bad escaped character/), broken(/Bad Unicode escape/)]],
  ['comma', [broken(/Expected double-quoted property name/), broken(AFTER_JSON)]],
  ['comment', [broken(AFTER_JSON), broken(/Expected property name/)]],
  ['blank', [blank('blank line'), blank('blank line')]],
  ['spaces', [blank(/Unexpected end/), blank(/Unexpected end/)]],
  ['tab', [blank(/Unexpected end/)]],
  ['no-break-space', [broken(/Unexpected token/)]],
  ['cr-in-line', [prompt('cr', { slug: 'cr' })]],
  ['cr-in-string', [broken(/control character/)]],
  ['cr-twice', [prompt('cr', {}, { raw: /\}\r$/, line_ending: 'CRLF' })]],
];

/** Files that are built when the tests run; some are odd only in their names. */
const generated: [string, Fate[]][] = [
  ['line-of-2-mb', [prompt('潮'.repeat(700_000))]],
  ['nesting-5000', [prompt('deep')]],
  ['nesting-100000', [prompt('deep')]],
  ['keys-50000', [prompt('keys')]],
  ['blanks-of-1-mb', [prompt('far')]],
  ['a line\nfeed', []],
  [`long-${'n'.repeat(240)}`, []],
  ['caf\u00c3\u00a9', []],
  ['cafe\u0301', []],
  ['caf%C3%28', []],
  ['caf\\xE9', []],
  [' "quoted" $HOME ', []],
];

/** The fates of the lines between `before` and `after`, by the name of the transcript. */
export const FATES: ReadonlyMap<string, readonly Fate[]> = new Map([
  ...bytesAndCharacters,
  ...numbers,
  ...wrongTypes,
  ...records,
  ...halves,
  ...generated,
]);
