/** Floating-point numbers as text: the fewest digits that read back as the same number. */

/** Below the first and from the second bound on, DuckDB writes an exponent. */
const FIXED_FROM = 1e-4;
const FIXED_BELOW = 1e16;

/** Every FLOAT reads back from this many digits. */
const FLOAT_DIGITS_MAX = 9;

/** A DOUBLE as `CAST(x AS VARCHAR)` writes it: `42.0`, `1e-05`, `nan`, `-inf`. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return value > 0 ? 'inf' : '-inf';
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= FIXED_FROM && size < FIXED_BELOW) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  // DuckDB's exponents have at least two digits.
  return value.toExponential().replace(/(?<=[+-])(?=\d$)/, '0');
}

/** The double with the fewest digits that is `value` again when rounded to a FLOAT. */
export function shortestFloat(value: number): number {
  for (let digits = 1; digits < FLOAT_DIGITS_MAX; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(short), value)) return short;
  }
  return value === 0 ? value : Number(value.toPrecision(FLOAT_DIGITS_MAX));
}

/** A DOUBLE in JSON: a number, or the strings `"NaN"`, `"Infinity"`, `"-Infinity"`. */
export function doubleJson(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}
