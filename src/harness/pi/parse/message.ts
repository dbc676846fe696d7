/** Putting texts of a record into rows: messages, their pictures, and the files they link to. */

import { member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { type PayloadPart, payloadParts } from '../../shared/prompt/binary.ts';
import { textBlocks } from '../../shared/prompt/blocks.ts';
import type { MessageClass } from '../../shared/prompt/classes.ts';
import { artifactKind, linkedPaths } from '../../shared/prompt/links.ts';
import { type Step, seqOf } from './state.ts';

const TEXT: ReadonlySet<string> = new Set(['text']);

/** The text of a message's content, trimmed unless `strip` is false. */
export function contentText(content: unknown, strip = true): string {
  return textBlocks(content, TEXT, strip);
}

/** What a message row says beyond its record. */
export interface Said {
  readonly uid: string;
  readonly messageClass: MessageClass;
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
  readonly turnKey: string | null;
  readonly model?: string | null;
  readonly promptOrigin?: string | null;
  readonly trigger?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Adds a message. What people and parents say sets the agent to work, unless `trigger` differs. */
export function addMessage({ rows, place, owner, at, isAgent }: Step, said: Said): void {
  const { uid, messageClass, role, text, turnKey } = said;
  rows.add('message', place, {
    ...{ event_uid: uid, ...owner, turn_key: turnKey, ts: at, role, text },
    ...{ message_class: messageClass, model: said.model ?? null, is_sidechain: isAgent },
    prompt_origin: said.promptOrigin ?? null,
    trigger_class: said.trigger ?? (SETS_TO_WORK.has(messageClass) ? 'user' : null),
    detail: recordedJson(said.detail),
    seq: seqOf(place, messageClass === 'reasoning' ? 0 : 1),
  });
}

const SETS_TO_WORK: ReadonlySet<MessageClass> = new Set([
  ...(['human_prompt', 'queued_prompt', 'agent_message'] as const),
]);

/** The parts of a content that are not text; of pictures with the size that they encode. */
export function partsOf(content: unknown): readonly PayloadPart[] {
  return payloadParts(content).map(part => {
    const data = Array.isArray(content) ? member(content[part.index], 'data') : undefined;
    return part.bytes === null && typeof data === 'string'
      ? { ...part, bytes: decodedSize(data) }
      : part;
  });
}

/** How many bytes base64 encodes: three for four digits. */
function decodedSize(base64: string): number {
  const digits = base64.replaceAll(/[^A-Za-z0-9+/_-]/g, '').length;
  return Math.floor((digits * 3) / 4);
}

/** What pictures came with. */
export type AttachedTo =
  | { readonly to: 'prompt' | 'queued_prompt'; readonly eventUid: string }
  | { readonly to: 'tool_result'; readonly callUid: string };

/** Adds the pictures of a content. */
export function addPictures(
  { rows, place, owner, at, uid }: Step,
  parts: readonly PayloadPart[],
  turnKey: string | null,
  attached: AttachedTo,
): void {
  for (const { index, type, mime, bytes } of parts) {
    rows.add('attachment', place, {
      ...{ attachment_uid: `${uid}:attachment:${index}`, ...owner, turn_key: turnKey, ts: at },
      ...{ kind: type === 'image' ? 'image' : 'other', attached_to: attached.to },
      event_uid: attached.to === 'tool_result' ? null : attached.eventUid,
      call_uid: attached.to === 'tool_result' ? attached.callUid : null,
      ...{ mime, size_bytes: bytes },
    });
  }
}

/** Adds the files that a text links to. */
export function addLinks(step: Step, text: string, turnKey: string | null): void {
  const { rows, place, owner, uid, at } = step;
  if (!rows.wants('artifact')) return;
  for (const path of linkedPaths(text)) {
    rows.add('artifact', place, {
      ...{ event_uid: uid, path, action: 'linked', ...owner, turn_key: turnKey, ts: at },
      ...{ kind: artifactKind(path), display_name: fileNameOf(path) },
      evidence_type: 'assistant-markdown',
    });
  }
}

/** The last name of a path. */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The first `bytes` bytes of wire text, without half a character at the end. */
export function shortened(text: string | null, bytes: number): string | null {
  if (text === null || text.length <= bytes) return textOf(text);
  let end = bytes;
  while (end > 0 && isContinuation(text, end)) end--;
  return text.slice(0, end);
}

function isContinuation(wire: string, at: number): boolean {
  const code = wire.charCodeAt(at);
  return code >= 0x80 && code < 0xc0;
}
