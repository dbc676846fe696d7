/** `metadata` of pi's rows: the facts of a record that have no column, as JSON. */

import { member } from '../../bytes/json.ts';
import { partAsJson } from '../../bytes/json-print.ts';
import { at, lookUp } from '../shared/fields.ts';
import { type PiUnit, roleOf } from './units.ts';

/** The members that are kept, by record type or role of a message. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  assistant: ['api', 'errorMessage'],
  bashExecution: ['exitCode', 'cancelled', 'truncated', 'fullOutputPath', 'excludeFromContext'],
  branch_summary: ['fromId', 'fromHook'],
  branchSummary: ['fromId'],
  compaction: ['tokensBefore', 'firstKeptEntryId', 'firstKeptEntryIndex', 'fromHook'],
  compactionSummary: ['tokensBefore'],
  custom: ['customType', 'display'],
  custom_message: ['customType', 'display'],
  hookMessage: ['customType', 'display'],
  label: ['targetId'],
  session: ['parentSession', 'branchedFrom'],
  usage: ['kind'],
};

/** The facts, with the cost of a model call as `cost`; null where there are none. */
export function metadataOf(unit: PiUnit): string | null {
  if (unit.kind !== 'record') return null;
  return partAsJson(unit.record, facts);
}

function facts(value: unknown): unknown {
  const role = roleOf(value);
  const name = role ?? member(value, 'type');
  const holder = role === null ? value : member(value, 'message');
  const kept: [string, unknown][] = (lookUp(KEPT, name) ?? []).map(key => [
    key,
    member(holder, key),
  ]);
  const cost: [string, unknown] = ['cost', at(holder, 'usage', 'cost')];
  const known = [...kept, cost].filter(([, fact]) => fact !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
