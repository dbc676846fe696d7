/** Bytes as the text that DuckDB casts a BLOB to, and reads a BLOB from. */

const BACKSLASH = 0x5c;
const QUOTES = [0x22, 0x27];

/** Text of each byte: itself where it is printable ASCII without a meaning of its own. */
const BYTE_TEXTS = Array.from({ length: 256 }, (_, byte) => {
  const isPrintable = byte >= 0x20 && byte < 0x7f;
  if (isPrintable && byte !== BACKSLASH && !QUOTES.includes(byte)) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/** `ab\x00` for the bytes 97, 98, 0. */
export function blobText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += BYTE_TEXTS[byte];
  return text;
}
