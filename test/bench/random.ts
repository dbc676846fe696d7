/**
 * The seeded generator behind every made-up byte: the same seed gives the same corpus everywhere.
 */

const HEX = '0123456789abcdef';
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A small fast counter generator (sfc32); not for secrets. */
export class Random {
  #a = 0x9e3779b9;
  #b = 0x243f6a88;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#c = seed | 0;
    for (let round = 0; round < 12; round += 1) this.uint32();
  }

  /** The next 32 random bits, as an unsigned integer. */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A number from 0 to just under 1. */
  unit(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** An integer from `min` to `max`: short ones are common, long ones rare (uniform in the log). */
  skewed(min: number, max: number): number {
    return Math.round(min * (max / min) ** this.unit());
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One of the items, each as likely as the others; throws when there is none. */
  pick<Item>(items: readonly Item[]): Item {
    return itemAt(items, this.below(items.length));
  }

  /** One of the items, the first ones more often, as words are in a language. */
  pickEarly<Item>(items: readonly Item[]): Item {
    return itemAt(items, Math.floor(this.unit() ** 1.6 * items.length));
  }

  /** A random UUID (version 4) in its usual spelling. */
  uuid(): string {
    const digits = this.#characters(HEX, 32);
    const variant = '89ab'.charAt(this.below(4));
    const [head, second, third] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)];
    return `${head}-${second}-4${third}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  /** `length` letters and digits. */
  alphanumeric(length: number): string {
    return this.#characters(ALPHANUMERIC, length);
  }

  #characters(alphabet: string, length: number): string {
    let text = '';
    let bits = 0;
    for (let at = 0; at < length; at += 1) {
      if (at % 4 === 0) bits = this.uint32();
      text += alphabet.charAt((bits & 0xff) % alphabet.length);
      bits >>>= 8;
    }
    return text;
  }
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError('pick: there is nothing to pick from');
  return item;
}
