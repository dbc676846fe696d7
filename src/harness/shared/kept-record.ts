/** Records in the state of a reader: as plain JSON, and back. */

import { type Address, SourceRecord } from '../../bytes/record.ts';
import { Work } from '../../bytes/work.ts';

/** A record with its address as plain JSON; `wire` holds its bytes, one char each. */
export interface KeptRecord extends Address {
  readonly isTooLong: boolean;
  readonly wire: string;
}

/** A record as plain JSON. */
export function keptRecord(record: SourceRecord): KeptRecord {
  return {
    lineNumber: record.lineNumber,
    byteOffset: record.byteOffset,
    byteLength: record.byteLength,
    ending: record.ending,
    offsetSpace: record.offsetSpace,
    recordKey: record.recordKey,
    isTooLong: record.isTooLong,
    wire: record.wire,
  };
}

/** The record that `keptRecord` wrote down; it owns its bytes and decodes them anew when asked. */
export function recordOf(kept: KeptRecord): SourceRecord {
  const { wire, ...address } = kept;
  const buffer = Buffer.from(wire, 'latin1');
  return new SourceRecord({ ...address, buffer, start: 0, end: buffer.length }, new Work());
}
