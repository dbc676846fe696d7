/** A record as plain JSON, for readers whose state holds records back. */

import { type RecordBytes, SourceRecord } from '../../bytes/record.ts';
import { Work } from '../../bytes/work.ts';

/** The address of a record and its bytes as wire text. */
export interface SavedRecord extends Omit<RecordBytes, 'buffer' | 'start' | 'end' | 'held'> {
  readonly wire: string;
}

/** The record as plain JSON. */
export function saveRecord(record: SourceRecord): SavedRecord {
  const { lineNumber, byteOffset, byteLength, ending, offsetSpace, recordKey } = record;
  const address = { lineNumber, byteOffset, byteLength, ending, offsetSpace, recordKey };
  const { isTooLong, gap, diagnosis, wire } = record;
  return { ...address, isTooLong, gap, diagnosis, wire };
}

/** The record that `saveRecord` wrote down, over bytes of its own; decoded anew when asked. */
export function restoreRecord({ wire, ...address }: SavedRecord): SourceRecord {
  const buffer = Buffer.from(wire, 'latin1');
  return new SourceRecord({ ...address, buffer, start: 0, end: buffer.length }, new Work());
}
