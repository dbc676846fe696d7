/** FNV-1a with 64 bits, the hash in identifiers that readers make. */

const PRIME_LOW = 0x1b3;
const BASIS_HIGH = 0xcbf29ce4;
const BASIS_LOW = 0x84222325;
const WORD = 0x1_0000_0000;

/** The hash of wire text, which has one char a byte, as 16 hexadecimal digits. */
export function fnv1a64(wire: string): string {
  let high = BASIS_HIGH;
  let low = BASIS_LOW;
  for (let i = 0; i < wire.length; i++) {
    low = (low ^ wire.charCodeAt(i)) >>> 0;
    // The prime is 2^40 + 0x1b3; the product with the low word is below 2^53.
    const product = low * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / WORD) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return hex(high) + hex(low);
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
