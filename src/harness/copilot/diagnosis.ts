/** What is wrong with a record of Copilot, in words. */

import { isObject, member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { diagnosisOf } from '../shared/diagnosis.ts';

/** Why a record is not an object, or was cut short; null when it is whole. */
export function notAnObject(record: SourceRecord): string | null {
  return record.error === null && isObject(record.value) ? null : diagnosisOf(record);
}

/** The diagnosis of an event that is malformed, or was not read as it is; null for others. */
export function problemOf(record: SourceRecord): string | null {
  if (typeof member(record.value, 'type') !== 'string') return diagnosisOf(record);
  return record.hasByteOrderMark ? 'byte order mark before the record' : null;
}
