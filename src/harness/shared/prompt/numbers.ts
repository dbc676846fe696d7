/**
 * Numbers and truth values of records. What is not one is null, never zero and never false.
 *
 * A JSON number that was written as `12.0` is the integer 12: decoding does not keep the
 * difference. Integers beyond those that JavaScript holds exactly are unknown.
 */

import { trimmed } from './wire-space.ts';

/** The value when it is a JSON number that counts something: an integer from 0 on. */
export function strictCount(value: unknown): number | null {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  // Adding 0 turns -0 into 0.
  return isCount ? value + 0 : null;
}

const INTEGER = /^-?[0-9]+$/;

/** An integer, a float without its fraction, or digits in a string, a minus before them or not. */
export function looseInteger(value: unknown): number | null {
  if (typeof value === 'number') return exact(Math.trunc(value));
  if (typeof value !== 'string') return null;
  const digits = trimmed(value);
  return INTEGER.test(digits) ? exact(Number(digits)) : null;
}

function exact(value: number): number | null {
  return Number.isSafeInteger(value) ? value + 0 : null;
}

/** A boolean, or the words `true` and `false` in any case. */
export function looseFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  if (/^true$/i.test(value)) return true;
  return /^false$/i.test(value) ? false : null;
}
