/**
 * Made-up text of several kinds, ready to be copied between the quotes of a JSON string.
 *
 * Writing 500 MB word by word would take minutes. So each kind is written once into a pool of half
 * a megabyte, and a text is a slice of it, cut where a token ends. A pool is wider than the window
 * of gzip (32 KiB), so what two slices share is rarely seen by it.
 */
import type { JsonText } from './json-text.ts';
import type { Random } from './random.ts';
import * as vocabulary from './words.ts';

/**
 * What a text is made of: ASCII (`prose`, `code`, `terminal`, `signature`), raw UTF-8 above ASCII
 * (`marked`, `german`, `french`, `chinese`, `emoji`), or `\u` escapes above U+007F (`escaped`).
 */
export type TextKind =
  | 'prose'
  | 'code'
  | 'terminal'
  | 'signature'
  | 'marked'
  | 'german'
  | 'french'
  | 'chinese'
  | 'emoji'
  | 'escaped';

/** Repeated kinds are more frequent. */
const non_ascii_kinds: readonly TextKind[] = [
  'marked',
  'marked',
  'marked',
  'marked',
  'german',
  'french',
  'chinese',
  'emoji',
];

const POOL_BYTES = 512 * 1024;

/** All pools, written once from the given generator. */
export class TextPools {
  readonly #pools: Readonly<Record<TextKind, TextPool>>;

  constructor(random: Random) {
    const pool = (token: () => string) => new TextPool(token, escapeJson);
    const phrase = (words: readonly string[]) => () => phraseOf(random, words);
    this.#pools = {
      prose: pool(phrase(vocabulary.english_words)),
      code: pool(() => codeLine(random)),
      terminal: pool(() => terminalLine(random)),
      signature: pool(() => random.alphanumeric(16)),
      marked: pool(() => markedLine(random)),
      german: pool(phrase(vocabulary.german_words)),
      french: pool(phrase(vocabulary.french_words)),
      chinese: pool(() => chinesePhrase(random)),
      emoji: pool(() => `${random.pick(vocabulary.emoji)} ${englishPhrase(random)}`),
      escaped: new TextPool(() => escapedLine(random), escapeAllAboveAscii),
    };
  }

  /**
   * What a text of this length is made of: one of the ASCII kinds given, or something above ASCII.
   * The longer a text, the likelier it holds at least one character above ASCII, as in real
   * transcripts: a quarter of the lines, more than half of the bytes.
   */
  kindFor(byte_length: number, ascii_kinds: readonly TextKind[], random: Random): TextKind {
    const is_long = byte_length > 3000;
    if (random.chance(is_long ? 0.04 : 0.004)) return 'escaped';
    const probability = is_long ? 0.85 : byte_length > 400 ? 0.34 : 0.1;
    return random.pick(random.chance(probability) ? non_ascii_kinds : ascii_kinds);
  }

  /** The JSON-escaped bytes of a text of about `byte_length` bytes, never empty. */
  take(kind: TextKind, byte_length: number, random: Random): JsonText {
    return this.#pools[kind].take(byte_length, random);
  }
}

class TextPool {
  readonly #bytes: Buffer;
  /** Where tokens begin and end; a text may be cut at these places and nowhere else. */
  readonly #cuts: number[] = [0];

  constructor(token: () => string, escaping: (token: string) => string) {
    const tokens: string[] = [];
    let byte_length = 0;
    while (byte_length < POOL_BYTES) {
      const escaped = escaping(token());
      tokens.push(escaped);
      byte_length += Buffer.byteLength(escaped);
      this.#cuts.push(byte_length);
    }
    this.#bytes = Buffer.from(tokens.join(''));
  }

  take(byte_length: number, random: Random): JsonText {
    const token_count = this.#cuts.length - 1;
    let tokens_left = Math.max(1, Math.round((byte_length * token_count) / this.#bytes.length));
    const pieces: Buffer[] = [];
    while (tokens_left > 0) {
      const first = random.below(token_count);
      const after = Math.min(first + tokens_left, token_count);
      pieces.push(this.#bytes.subarray(this.#cuts[first], this.#cuts[after]));
      tokens_left -= after - first;
    }
    return pieces;
  }
}

function phraseOf(random: Random, words: readonly string[]): string {
  const picked = Array.from({ length: random.between(3, 9) }, () => random.pickEarly(words));
  const end = random.chance(0.3) ? random.pick(['. ', '.\n', ':\n- ', ', ', '? ', '\n\n']) : ' ';
  return picked.join(' ') + end;
}

function englishPhrase(random: Random): string {
  return phraseOf(random, vocabulary.english_words);
}

function chinesePhrase(random: Random): string {
  const length = random.between(2, 8);
  const picked = Array.from({ length }, () => random.pickEarly(vocabulary.chinese_words));
  return picked.join('') + random.pick(['，', '。', '。\n', ' ', '：']);
}

/** Mostly English: in tool output and prose a single arrow or dash makes a line non-ASCII. */
function markedLine(random: Random): string {
  const text = random.chance(0.5) ? codeLine(random) : englishPhrase(random);
  return random.chance(0.4) ? `${random.pick(vocabulary.typographic_marks)} ${text}` : text;
}

function identifier(random: Random): string {
  const [first, second] = [word(random), word(random)];
  return random.chance(0.5)
    ? first + second.charAt(0).toUpperCase() + second.slice(1)
    : `${first}_${second}`;
}

function word(random: Random): string {
  return random.pick(vocabulary.english_words);
}

/** An invented path below a project, such as `src/cache/readOffset.ts`. */
export function filePath(random: Random): string {
  const extension = random.pick(vocabulary.extensions);
  return `src/${word(random)}/${identifier(random)}.${extension}`;
}

function codeLine(random: Random): string {
  const [a, b, c] = [identifier(random), identifier(random), identifier(random)];
  const indent = ' '.repeat(2 * random.below(5));
  const number = random.below(5000);
  return `${indent}${random.pick([
    `const ${a} = ${b}(${c}, ${number});`,
    `if (${a} !== undefined && ${b} > ${number}) {`,
    `return ${a}.${word(random)}(${b} => ${b}.${c});`,
    `// ${englishPhrase(random).trim()}`,
    `import { ${a}, ${b} } from './${word(random)}/${word(random)}.ts';`,
    `"${a}": { "${b}": "${word(random)}", "${c}": ${number} },`,
    `def ${a}(self, ${b}: str) -> None:`,
    `\tassert ${a}["${b}"] == ${number}, "${word(random)}"`,
    `SELECT ${a}, count(*) FROM ${b} WHERE ${c} > ${number} GROUP BY 1;`,
    '}',
  ])}\n`;
}

function terminalLine(random: Random): string {
  const hash = random.uint32().toString(16).padStart(8, '0');
  const milliseconds = random.below(90_000);
  return `${random.pick([
    `${filePath(random)}:${random.below(900)}:${random.below(90)}: ${englishPhrase(random).trim()}`,
    `\u001b[32m  ok\u001b[0m ${filePath(random)} > ${word(random)} ${milliseconds}ms`,
    `\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m ${filePath(random)}`,
    `${hash} ${englishPhrase(random).trim()}`,
    `-rw-r--r-- 1 dev dev ${random.uint32() % 900_000} ${filePath(random)}`,
    `[${milliseconds}] INFO ${identifier(random)}=${hash} ${identifier(random)}=${milliseconds}`,
  ])}\n`;
}

/** Source text from tools that escape everything above ASCII, as Python's json module does. */
function escapedLine(random: Random): string {
  const words = random.pick([vocabulary.french_words, vocabulary.chinese_words]);
  const text = random.chance(0.3) ? phraseOf(random, words) : codeLine(random);
  return random.chance(0.05) ? `${random.pick(vocabulary.emoji)} ${text}` : text;
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeAllAboveAscii(text: string): string {
  return escapeJson(text).replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
