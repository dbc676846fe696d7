/** Pictures, documents and pasted texts that came with a message or a result. */

import { member, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { payloadParts } from '../../prompt/binary.ts';
import { type Line, whoseTurn } from './line.ts';

/** What a picture came with. */
export interface CameWith {
  readonly attachedTo: 'prompt' | 'queued_prompt' | 'tool_result';
  readonly callUid?: string;
}

const KINDS: ReadonlySet<unknown> = new Set(['image', 'document']);

/** Adds the pictures and documents among blocks; how many there are. */
export function addPictures(line: Line, content: unknown, { attachedTo, callUid }: CameWith) {
  if (!Array.isArray(content)) return 0;
  const blocks = content.filter(block => KINDS.has(member(block, 'type')));
  if (blocks.length === 0 || !line.rows.wants('attachment')) return blocks.length;
  const pasteIds = line.value['imagePasteIds'];
  const uid = callUid ?? line.uid;
  for (const { index, type, mime, bytes } of payloadParts(blocks)) {
    const pasteId = Array.isArray(pasteIds) ? pasteIds[index] : undefined;
    line.rows.add('attachment', line.place, {
      attachment_uid: `${uid}:att:${index}`,
      ...whoseTurn(line),
      ts: line.at,
      kind: type === 'document' ? 'document' : 'image',
      attached_to: attachedTo,
      event_uid: line.uid,
      call_uid: callUid ?? null,
      mime,
      file_name: textOf(member(blocks[index], 'title')),
      size_bytes: bytes,
      detail: pasteId === undefined ? null : recordedJson({ paste_id: pasteId }),
    });
  }
  return blocks.length;
}

const PLACEHOLDER = /\[Pasted text #(\d+)(?: \+(\d+) lines)?\]/g;
const PASTED = /<pasted_content(?:\s[^<>]*)?>([\s\S]*?)<\/pasted_content>/g;

/** Adds the texts that were pasted into a prompt; of some only a placeholder is recorded. */
export function addPastedTexts(line: Line, text: string): void {
  const { rows } = line;
  if (!rows.wants('attachment')) return;
  const hasPlaceholder = text.includes('[Pasted text #');
  if (!hasPlaceholder && !text.includes('<pasted_content')) return;
  let count = 0;
  for (const [, id, lines] of text.matchAll(PLACEHOLDER)) {
    const detail = { paste_id: Number(id), lines: lines === undefined ? null : Number(lines) };
    addPasted(line, count++, null, detail);
  }
  for (const [, body = ''] of text.matchAll(PASTED)) addPasted(line, count++, body, null);
}

function addPasted(line: Line, number: number, text: string | null, detail: object | null): void {
  line.rows.add('attachment', line.place, {
    attachment_uid: `${line.uid}:paste:${number}`,
    ...whoseTurn(line),
    ts: line.at,
    kind: 'pasted_text',
    attached_to: 'prompt',
    event_uid: line.uid,
    size_bytes: text === null ? null : text.length,
    text,
    detail: detail === null ? null : recordedJson(detail),
  });
}
