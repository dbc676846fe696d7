/**
 * The log of prompts of the Gemini CLI, `logs.json` in the folder of a project: an array of
 * `{sessionId, messageId, type, message, timestamp}`, the timestamp as ISO text.
 *
 * An entry that is no object, and a log that is cut short, are rows with their diagnosis.
 */

import { member, textOf } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { history } from '../../../relations/index.ts';
import type { Cells, Reader, Unit } from '../../harness.ts';
import { kindOf } from '../fields.ts';
import { projectPathOf } from './chat.ts';

/** The reader of `history` from logs of prompts, for the harness called `source`. */
export function promptLogReader(source: string): Reader {
  const cells: Cells<typeof history, Unit> = {
    source: () => source,
    timestamp_ms: unit => millisecondsOf(member(unit.record.value, 'timestamp')),
    project: (_unit, context) => projectPathOf(context) || null,
    session_id: unit => textOf(member(unit.record.value, 'sessionId')),
    display: unit => problemOf(unit.record) ?? textOf(member(unit.record.value, 'message')),
  };
  return {
    kinds: ['history'],
    start: () => null,
    read(_state, record, emit) {
      if (!record.isRest || problemOf(record) !== null) emit({ record });
    },
    cells,
  };
}

function problemOf(record: SourceRecord): string | null {
  if (record.error !== null) return `Parse error: ${record.error}`;
  const kind = kindOf(record.value);
  const [what, wanted] = record.isRest ? ['file', 'array'] : ['entry', 'object'];
  const found = kind === 'null' ? kind : `a JSON ${kind}`;
  return kind === wanted ? null : `Parse error: the ${what} is ${found}, not an ${wanted}`;
}

/** Without its zone a time would depend on the machine that reads it. */
const WITH_ZONE = /T.*(?:Z|[+-]\d\d:\d\d)$/;

function millisecondsOf(timestamp: unknown): number | null {
  if (typeof timestamp !== 'string' || !WITH_ZONE.test(timestamp)) return null;
  const milliseconds = Date.parse(timestamp);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}
