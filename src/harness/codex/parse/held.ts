/**
 * Records that are held back until a later one tells what they are: by their bytes when they are
 * short, by their address when they are long and their file can be read at any place.
 */

import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place } from '../../parser.ts';
import { restoreRecord, type SavedRecord, saveRecord } from '../../shared/saved-record.ts';

/** A record that is held, as plain JSON. */
export interface Held {
  readonly place: Place;
  readonly uid: string;
  readonly turn: string | null;
  /** Null for one that is read again. */
  readonly saved: SavedRecord | null;
}

const SHORT_BYTES = 4096;

/** Holds a record, with the names that it got. */
export function hold(record: SourceRecord, names: Pick<Held, 'place' | 'uid' | 'turn'>): Held {
  const isShort = record.byteLength <= SHORT_BYTES || record.offsetSpace !== 'file';
  const { place, uid, turn } = names;
  return { place, uid, turn, saved: isShort ? saveRecord(record) : null };
}

/** The record again. */
export function heldRecord({ saved, place }: Held, context: SourceContext): SourceRecord {
  if (saved !== null) return restoreRecord(saved);
  const { lineNumber, byteLength, byteOffset } = place;
  return context.recordAt({ lineNumber, byteLength, byteOffset: byteOffset ?? 0 });
}
