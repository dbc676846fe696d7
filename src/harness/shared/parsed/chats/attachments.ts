/** Images and files that came with a message or a result, without their bytes. */

import type { ChatRow } from './parser.ts';

/** What is known of a thing that was attached. */
export interface Attached {
  /** The place of the part in its message: tells things of one row apart. */
  readonly index: number;
  readonly mime: string | null;
  /** Decoded. */
  readonly sizeBytes: number | null;
  readonly fileName?: string | null;
  /** Where it is, when the record does not hold it. */
  readonly uri?: string | null;
}

/** Adds what a message holds, or what a tool gave back when the call is named. */
export function attachmentRows(
  { rows, place, owner, uid, state, at, author }: ChatRow,
  things: readonly Attached[],
  callUid: string | null = null,
): void {
  for (const { index, mime, sizeBytes, fileName = null, uri = null } of things) {
    rows.add('attachment', place, {
      attachment_uid: `${callUid ?? uid}:${index}`,
      ...owner,
      turn_key: state.turn,
      ts: at,
      kind: kindOf(mime),
      attached_to: callUid === null && author !== 'tool' ? 'prompt' : 'tool_result',
      event_uid: callUid === null ? uid : null,
      call_uid: callUid,
      mime,
      file_name: fileName,
      size_bytes: sizeBytes,
      detail: uri === null ? null : JSON.stringify({ uri }),
    });
  }
}

function kindOf(mime: string | null): string {
  if (mime?.startsWith('image/')) return 'image';
  return mime === 'application/pdf' ? 'document' : 'file';
}

const PADDING = /={1,2}$/;

/** How many bytes base64 stands for. */
export function decodedBytes(base64: string): number {
  return Math.floor((base64.replace(PADDING, '').length * 3) / 4);
}
