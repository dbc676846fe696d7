/** FNV-1a with 64 bits, the hash in identifiers that readers make. */

/** The prime is 2^40 and this. */
const PRIME_LOW = 0x1b3;
const BASIS_HIGH = 0xcbf29ce4;
const BASIS_LOW = 0x84222325;

/** The hash of wire text, which has one char a byte, as 16 hexadecimal digits. */
export function fnv1a64(wire: string): string {
  let high = BASIS_HIGH;
  let low = BASIS_LOW;
  for (let i = 0; i < wire.length; i++) {
    low ^= wire.charCodeAt(i);
    // By halves of the low word, so that every product is a small integer.
    const lower = (low & 0xffff) * PRIME_LOW;
    const upper = (low >>> 16) * PRIME_LOW + (lower >>> 16);
    high = (Math.imul(high, PRIME_LOW) + (low << 8) + (upper >>> 16)) | 0;
    low = (upper << 16) | (lower & 0xffff);
  }
  return hex(high >>> 0) + hex(low >>> 0);
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
