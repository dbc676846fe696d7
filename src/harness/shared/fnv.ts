/** FNV-1a with 64 bits, the hash in identifiers that readers make. */

/** Wire text, which has one char a byte, or bytes. */
type Piece = string | Buffer;

/** Texts are hashed here: bytes are read faster than the chars of a string. */
let memory = Buffer.allocUnsafeSlow(1024);
/** The hash so far, its high half first. */
const digest = Buffer.alloc(8);

/** The hash of pieces, one behind the other, as 16 hexadecimal digits. */
export function fnv1a64(...pieces: readonly Piece[]): string {
  digest.writeUInt32BE(0xcbf29ce4, 0);
  digest.writeUInt32BE(0x84222325, 4);
  for (const piece of pieces) {
    if (typeof piece === 'string') hashText(piece);
    else hashBytes(piece, piece.length);
  }
  return digest.toString('hex');
}

function hashText(wire: string): void {
  if (wire.length > memory.length) memory = Buffer.allocUnsafeSlow(wire.length);
  hashBytes(memory, memory.write(wire, 'latin1'));
}

/** Goes on with the first bytes of a buffer. */
function hashBytes(bytes: Buffer, length: number): void {
  // The prime is 2^40 and this. Here, because the loop is faster with numbers that never change.
  const primeLow = 0x1b3;
  let high = digest.readInt32BE(0);
  let low = digest.readInt32BE(4);
  for (let i = 0; i < length; i++) {
    low ^= bytes[i] ?? 0;
    // By halves of the low word, so that every product is a small integer.
    const lower = Math.imul(low & 0xffff, primeLow);
    const upper = Math.imul(low >>> 16, primeLow) + (lower >>> 16);
    high = (Math.imul(high, primeLow) + (low << 8) + (upper >>> 16)) | 0;
    low = (upper << 16) | (lower & 0xffff);
  }
  digest.writeInt32BE(high, 0);
  digest.writeInt32BE(low, 4);
}

/** The upper 53 bits of the hash of a text, as a number that JavaScript holds exactly. */
export function fnv1a53(wire: string): number {
  fnv1a64(wire);
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11);
}
