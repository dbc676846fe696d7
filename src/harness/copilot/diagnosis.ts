/** What is wrong with a record of Copilot, in words. */

import { member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { kindOf } from '../shared/fields.ts';

/** Why a record is not an object with a string `type`. */
export function diagnosisOf(record: SourceRecord): string {
  const type = member(record.value, 'type');
  return (
    notAnObject(record) ??
    (type === undefined ? 'the record has no type' : `the type is ${kindOf(type)}, not a string`)
  );
}

/** Why a record is not an object, or null when it is one. */
export function notAnObject(record: SourceRecord): string | null {
  if (record.error !== null) return record.error;
  const kind = kindOf(record.value);
  if (kind === 'object') return null;
  return `the record is ${kind === 'null' ? 'null' : `a JSON ${kind}`}, not an object`;
}

/** The diagnosis of a record that is malformed, or was not read as it is; null for others. */
export function problemOf(record: SourceRecord): string | null {
  if (typeof member(record.value, 'type') !== 'string') return diagnosisOf(record);
  return record.hasByteOrderMark ? 'byte order mark before the record' : null;
}
