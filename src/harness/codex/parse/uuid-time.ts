/** Identifiers that tell when they were made: UUIDs of version 7 begin with milliseconds. */

const VERSION_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** When an identifier was made, in milliseconds since 1970; null for other identifiers. */
export function mintedAtMs(id: string | null): number | null {
  const [, high, low] = VERSION_7.exec(id ?? '') ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
}
