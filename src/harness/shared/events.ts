/**
 * The reader of `events`, one for every harness.
 *
 * Rules:
 * - Each physical line is a row, blank and malformed ones too; of a document each element of its
 *   array, and then the rest: the bytes that belong to no element, with the address of the document
 *   and the line number 0. The rest of a whole document is valid, although elements are missing.
 * - `raw` is the line as text (U+FFFD for invalid bytes), `raw_bytes` its exact bytes.
 * - A line is valid JSON when its bytes are UTF-8 and parse, as they are: a byte order mark makes
 *   it invalid, although `conversations` reads past it.
 * - `event_type` is the top-level string `type`, verbatim, or what the harness has for it;
 *   `timestamp` the top-level string of that name.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { events } from '../../relations/index.ts';
import type { Cells, Description, Reader, SourceContext, Unit } from '../harness.ts';
import { rawOf } from './address.ts';
import { isKnown, typeOfRecord } from './record-type.ts';

/**
 * The reader of `events` for a harness described by `description`. `sessionId` is the session of a
 * file, where its name and place do not tell.
 */
export function eventsReader(
  description: Description,
  sessionId = (context: SourceContext): string | null => context.source.sessionId,
): Reader {
  return {
    kinds: ['transcript', 'journal'],
    readsBlankLines: true,
    start: () => null,
    read: (_state, record, emit) => emit({ record }),
    cells: { ...eventCells(description), session_id: (_unit, context) => sessionId(context) },
  };
}

function eventCells(description: Description): Cells<typeof events, Unit> {
  return {
    source: () => description.name,
    line_ending: unit => unit.record.ending,
    raw: rawOf,
    raw_is_exact: unit => !unit.record.isTooLong && unit.record.isUtf8,
    is_valid_json: unit => problemOf(unit.record) === null,
    parse_error: unit => problemOf(unit.record),
    event_type: unit => typeOfRecord(description, unit.record.value),
    timestamp: unit => textOf(member(unit.record.value, 'timestamp')),
    raw_bytes: rawOf,
    record_subtype: unit => description.subtypeOf(unit.record.value),
    is_known_type: unit => isKnownType(description, unit.record),
    offset_space: unit => unit.record.offsetSpace,
    record_key: unit => unit.record.recordKey,
  };
}

function problemOf(record: SourceRecord): string | null {
  if (record.isTooLong || record.diagnosis !== null) return record.error;
  if (record.byteLength === 0) return 'blank line';
  if (record.hasByteOrderMark) return 'byte order mark before the JSON text';
  return record.error ?? (record.isUtf8 ? null : 'bytes are not valid UTF-8');
}

function isKnownType(description: Description, { value }: SourceRecord): boolean | null {
  const type = typeOfRecord(description, value);
  return type === null ? null : isKnown(description, type, description.subtypeOf(value));
}
