/** The types of records, and whether a harness's description knows them. */

import { member, textOf } from '../../bytes/json.ts';
import type { Description } from '../harness.ts';
import { lookUp } from './fields.ts';

/** The type of a decoded record as its harness names it, or null. */
export function typeOfRecord(description: Description, value: unknown): string | null {
  return description.typeOf ? description.typeOf(value) : textOf(member(value, 'type'));
}

/** Whether the description knows a type with its subtype; null for none. */
export function isKnown(description: Description, type: string, subtype: string | null): boolean {
  const subtypes = lookUp(description.recordTypes, type);
  if (subtypes === undefined) return false;
  return subtypes.length === 0 || subtype === null || subtypes.includes(subtype);
}
