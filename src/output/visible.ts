/**
 * Text that cannot drive a terminal.
 *
 * A transcript holds what programs printed: escape sequences, carriage returns, marks that reverse
 * the writing direction. A table shows each as a symbol instead of sending it to the terminal.
 */

/** Controls (C0, DEL, C1), line and paragraph separators, marks that steer text direction. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** U+2400 to U+241F picture the C0 controls. */
const PICTURES = 0x2400;

/**
 * `text` with every character that steers a terminal replaced: LF by ↵, TAB by →, other C0
 * controls and DEL by their pictures (␛), the rest by their code (`\x85`, `\u202e`).
 */
export function visible(text: string): string {
  return text.replace(STEERING, symbolFor);
}

function symbolFor(character: string): string {
  if (character === '\n') return '↵';
  if (character === '\t') return '→';
  if (character === '\u007f') return '␡';
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  const digits = code.toString(16);
  return code < 0x100 ? `\\x${digits}` : `\\u${digits.padStart(4, '0')}`;
}
