/**
 * Finds the borders of the elements of one array in a stream of JSON bytes.
 *
 * Only structure is looked at: strings, brackets, commas and colons. The array is found by the
 * names of the members that lead to it from the root; no names mean that the root is the array. The
 * first array found counts, whatever comes after. Names are compared as they are written, without
 * decoding escapes. Bytes above ASCII outside strings, such as a byte order mark, are passed over.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/** Longer strings are no name of a member that anybody looks for. */
const MAX_NAME_BYTES = 256;

/**
 * What was met: the bracket that opens the array, the first byte of an element, the end of one, or
 * the end of the bytes given.
 */
export type Border = 'array' | 'begin' | 'end' | 'none';

/** A scanner that keeps its place between blocks. */
export class ElementScanner {
  /** Where the last border is: the first byte of an element, or the one after the border's. */
  at = 0;
  /** Open brackets. */
  depth = 0;
  /** The array was found. */
  isFound = false;
  readonly #path: readonly string[];
  /** How many names of the path the open objects match. */
  #matched = 0;
  /** Depth of the elements; 0 outside the array. */
  #elementDepth = 0;
  #isInElement = false;
  #isInString = false;
  #isEscaped = false;
  /** The string that was read last where a name could stand. */
  #name = '';
  /** The next value is the one that the path leads to, or a step on the way. */
  #isNextOnPath: boolean;

  constructor(path: readonly string[]) {
    this.#path = path;
    this.#isNextOnPath = path.length === 0;
  }

  /** Whether a bracket or string was opened and not closed. */
  get isOpen(): boolean {
    return this.depth > 0 || this.#isInString;
  }

  /**
   * Looks at the bytes from `start`, stops at the first border and gives what it is. Go on from
   * `at`, after a beginning from the byte behind it.
   */
  next(block: Buffer, start: number, end: number): Border {
    for (let i = start; i < end; i++) {
      const byte = block[i] ?? 0;
      const border = this.#isInString ? this.#inString(byte, i) : this.#outside(byte, i);
      if (border !== 'none') return border;
    }
    this.at = end;
    return 'none';
  }

  #inString(byte: number, i: number): Border {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      return this.#isScalarElement ? this.#end(i + 1) : 'none';
    }
    if (this.#isNamePlace && this.#name.length < MAX_NAME_BYTES) {
      this.#name += String.fromCharCode(byte);
    }
    return 'none';
  }

  #outside(byte: number, i: number): Border {
    if (byte <= SPACE) return this.#isScalarElement ? this.#end(i) : 'none';
    switch (byte) {
      case QUOTE:
        return this.#openString(i);
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        return this.#open(byte, i);
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        return this.#close(i);
      case COMMA:
        return this.#isScalarElement ? this.#end(i) : 'none';
      case COLON:
        this.#isNextOnPath = this.#isNamePlace && this.#name === this.#path[this.#matched];
        return 'none';
      default:
        if (byte > LAST_ASCII && this.depth === 0) return 'none';
        this.#isNextOnPath = false;
        return this.#begin(i);
    }
  }

  /** A number, string or word that is an element, not yet ended. */
  get #isScalarElement(): boolean {
    return this.#isInElement && this.depth === this.#elementDepth;
  }

  /** Strings here may be the name that is looked for. */
  get #isNamePlace(): boolean {
    return !this.isFound && this.depth === this.#matched + 1;
  }

  #openString(i: number): Border {
    this.#isInString = true;
    this.#isNextOnPath = false;
    this.#name = '';
    return this.#begin(i);
  }

  #open(byte: number, i: number): Border {
    const isOnPath = this.#isNextOnPath;
    this.#isNextOnPath = false;
    const border = this.#begin(i);
    this.depth++;
    return isOnPath ? this.#step(byte, i) : border;
  }

  /** Enters the value that the path leads to, or a step on the way. */
  #step(byte: number, i: number): Border {
    const isLast = this.#matched + 1 >= this.#path.length;
    if (byte === OPEN_OBJECT && !isLast) this.#matched++;
    if (byte !== OPEN_ARRAY || !isLast) return 'none';
    this.isFound = true;
    this.#elementDepth = this.depth;
    this.at = i + 1;
    return 'array';
  }

  #close(i: number): Border {
    const isEndOfArray = this.#elementDepth > 0 && this.depth === this.#elementDepth;
    // The bracket is looked at again when the element before it has ended.
    if (isEndOfArray && this.#isInElement) return this.#end(i);
    if (!this.isFound && this.#matched > 0 && this.depth === this.#matched + 1) this.#matched--;
    this.depth--;
    if (isEndOfArray) this.#elementDepth = 0;
    return this.#isScalarElement ? this.#end(i + 1) : 'none';
  }

  #begin(i: number): Border {
    if (this.#isInElement || this.#elementDepth === 0 || this.depth !== this.#elementDepth) {
      return 'none';
    }
    this.#isInElement = true;
    this.at = i;
    return 'begin';
  }

  #end(at: number): Border {
    this.#isInElement = false;
    this.at = at;
    return 'end';
  }
}
