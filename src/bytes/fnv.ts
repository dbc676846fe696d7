/** FNV-1a with 64 bits: the hash in identifiers that readers make, and of the keys of rows. */

/** Wire text, which has one char a byte, or bytes. */
type Piece = string | Buffer;

/** A hash in two words of 32 bits without sign. */
interface Words {
  readonly high: number;
  readonly low: number;
}

const BASIS_HIGH = 0xcbf29ce4 | 0;
const BASIS_LOW = 0x84222325 | 0;

/** What no wire text has; in a text of bytes it is not even looked for. */
const NOT_A_BYTE = /[^\u0000-\u00ff]/;

/** Texts are hashed here: bytes are read faster than the chars of a string. */
let memory = Buffer.allocUnsafeSlow(1024);
/** The hash so far, as integers with sign. */
let high = 0;
let low = 0;

/** The hash of pieces, one behind the other, as 16 hexadecimal digits. */
export function fnv1a64(...pieces: readonly Piece[]): string {
  start();
  for (const piece of pieces) {
    if (typeof piece === 'string') hashText(piece);
    else hashBytes(piece, piece.length);
  }
  return hexOf(high) + hexOf(low);
}

/** The hash of a text as two words. A text that is not wire text is hashed as its UTF-8. */
export function fnv1aWords(text: string): Words {
  start();
  hashText(text);
  return { high: high >>> 0, low: low >>> 0 };
}

/** The upper 53 bits of the hash of a text, as a number that JavaScript holds exactly. */
export function fnv1a53(text: string): number {
  const words = fnv1aWords(text);
  return words.high * 2 ** 21 + (words.low >>> 11);
}

function start(): void {
  high = BASIS_HIGH;
  low = BASIS_LOW;
}

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

function hashText(text: string): void {
  const isWire = !NOT_A_BYTE.test(text);
  // A char is three bytes of UTF-8 at most.
  const room = isWire ? text.length : text.length * 3;
  if (room > memory.length) memory = Buffer.allocUnsafeSlow(room);
  hashBytes(memory, memory.write(text, isWire ? 'latin1' : 'utf8'));
}

/** Goes on with the first bytes of a buffer. */
function hashBytes(bytes: Buffer, length: number): void {
  // The prime is 2^40 and this. Here, because the loop is faster with numbers that never change.
  const primeLow = 0x1b3;
  let [upperWord, lowerWord] = [high, low];
  for (let i = 0; i < length; i++) {
    lowerWord ^= bytes[i] ?? 0;
    // By halves of the low word, so that every product is a small integer.
    const lower = Math.imul(lowerWord & 0xffff, primeLow);
    const upper = Math.imul(lowerWord >>> 16, primeLow) + (lower >>> 16);
    upperWord = (Math.imul(upperWord, primeLow) + (lowerWord << 8) + (upper >>> 16)) | 0;
    lowerWord = (upper << 16) | (lower & 0xffff);
  }
  high = upperWord;
  low = lowerWord;
}
