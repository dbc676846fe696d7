/** Numbers of things for people. */

/** `12,345 rows`, `1 row`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
