/** Why a record is not what its harness writes, in words. */

import { isObject, member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { SourceContext } from '../harness.ts';
import { kindOf } from './fields.ts';

/** The diagnosis of a record that is no object with a string `type`. */
export function diagnosisOf(record: SourceRecord): string {
  if (record.error !== null) return record.error;
  const kind = kindOf(record.value);
  if (kind !== 'object')
    return `the record is ${kind === 'null' ? 'null' : `a JSON ${kind}`}, not an object`;
  const type = member(record.value, 'type');
  return type === undefined
    ? 'the record has no type'
    : `the type is ${kindOf(type)}, not a string`;
}

/** What is wrong with the bytes of a record that is read all the same, or null. */
export function byteOrderMarkProblem(record: SourceRecord): string | null {
  return record.hasByteOrderMark ? 'byte order mark before the record' : null;
}

/** What is wrong with a record that should be an object with a string `type`, or null. */
export function problemOfTyped(record: SourceRecord): string | null {
  const isTyped = typeof member(record.value, 'type') === 'string';
  return isTyped ? byteOrderMarkProblem(record) : diagnosisOf(record);
}

/** Why a record is not an object, or was cut short; null when it is whole. */
export function notAnObject(record: SourceRecord): string | null {
  return record.error === null && isObject(record.value) ? null : diagnosisOf(record);
}

/**
 * Why companions of JSON could not be used, for the row of the first line of a file; null for other
 * lines and where nothing is wrong.
 */
export function companionProblems(
  record: SourceRecord,
  context: SourceContext,
  names: readonly string[],
): string | null {
  if (record.lineNumber !== 1) return null;
  const problems = names.flatMap(name => {
    context.companion(name);
    const problem = context.companionProblem(name);
    return problem === null ? [] : [`${name}: ${problem}`];
  });
  return problems.length === 0 ? null : problems.join('; ');
}
