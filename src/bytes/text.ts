/**
 * Wire text: a string with one char per UTF-8 byte.
 *
 * JSON's syntax is ASCII, so a line decoded as Latin-1 parses to the same structure, with every
 * string as its UTF-8 bytes, at twice the speed of decoding first; and such a string goes to
 * DuckDB byte for byte. ASCII text is the same in both forms.
 */

const NOT_ASCII = /[^\0-\x7f]/;

/** Ordinary text to wire text. Lone surrogates become U+FFFD. */
export function toWire(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Wire text to ordinary text. Invalid UTF-8 becomes U+FFFD. */
export function fromWire(wire: string): string {
  return NOT_ASCII.test(wire) ? Buffer.from(wire, 'latin1').toString('utf8') : wire;
}
