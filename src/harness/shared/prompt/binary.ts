/**
 * Pictures and documents inside records: what they are, without their bytes.
 *
 * A payload is a string that is, from end to end, a data URL in base64, or 256 or more characters
 * of base64 that begin as PNG, JPEG, GIF, WebP or PDF files do. In place of it stands
 * `{type, mime, bytes}`, where `bytes` is the size of what is encoded. Other strings stay.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { jsonByteLength } from './blocks.ts';

/** What stands in place of a payload. */
interface Payload {
  readonly type: 'binary';
  /** Null for a data URL that names none. */
  readonly mime: string | null;
  /** The size in bytes, decoded. */
  readonly bytes: number;
}

/** A part of a message that is not text. */
export interface PayloadPart {
  /** The place of the part in the message, from 0 on. */
  readonly index: number;
  readonly type: string;
  readonly mime: string | null;
  /** Of what is encoded, else of the part as JSON; null for a picture that is elsewhere. */
  readonly bytes: number | null;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,/i;
const DATA_URL_HEAD_MAX = 1000;
const RAW_MIN = 256;
const MAGIC: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
];

function payloadOf(text: string): Payload | null {
  if (/^data:/i.test(text.slice(0, 5))) {
    const match = DATA_URL.exec(text.slice(0, DATA_URL_HEAD_MAX));
    return match && payload(match[1] ?? null, text, match[0].length);
  }
  if (text.length < RAW_MIN) return null;
  const mime = MAGIC.find(([head]) => text.startsWith(head))?.[1];
  return mime === undefined ? null : payload(mime, text, 0);
}

function payload(mime: string | null, text: string, start: number): Payload | null {
  const bytes = decodedSize(text, start);
  return bytes === null ? null : { type: 'binary', mime, bytes };
}

const NOT_BASE64 = /[^A-Za-z0-9+/_\r\n-]/g;
const LINE_END = /[\r\n]/g;

/** How many bytes the base64 from `start` on encodes; null when it is no base64. */
function decodedSize(text: string, start: number): number | null {
  NOT_BASE64.lastIndex = start;
  const end = NOT_BASE64.exec(text)?.index ?? text.length;
  if (!/^={0,2}[\r\n]*$/.test(text.slice(end))) return null;
  const breaks = text.slice(start, end).match(LINE_END)?.length ?? 0;
  return Math.floor(((end - start - breaks) * 3) / 4);
}

/**
 * The decoded value with its payloads replaced. The value itself is not changed; it is given back
 * when there are none.
 */
export function withoutPayloads(root: unknown): unknown {
  if (typeof root === 'string') return payloadOf(root) ?? root;
  return firstPayload(root) === null ? root : copied(root);
}

type Container = unknown[] | Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isObject(value);
}

/** The first payload found in a value, in no order that a caller may count on. */
function firstPayload(root: unknown): Payload | null {
  // A list of what is still to do instead of recursion: records nest thousands deep.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      const found = payloadOf(value);
      if (found !== null) return found;
    } else if (isContainer(value)) {
      for (const item of Object.values(value)) {
        if (typeof item === 'string' || isContainer(item)) open.push(item);
      }
    }
  }
  return null;
}

function copied(root: unknown): unknown {
  const open: { from: Container; to: Container }[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value === 'string') return payloadOf(value) ?? value;
    if (!isContainer(value)) return value;
    const to = Array.isArray(value) ? [] : {};
    open.push({ from: value, to });
    return to;
  };
  const copy = copyOf(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next.from)) {
      // Plain assignment to `__proto__` would set the prototype instead of the member.
      Object.defineProperty(next.to, key, {
        value: copyOf(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return copy;
}

const PICTURES: ReadonlySet<unknown> = new Set(['input_image', 'image', 'output_image']);

/** The parts of an array of blocks that are not text; none for anything else. */
export function payloadParts(content: unknown): readonly PayloadPart[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, index) => {
    if (!isObject(part) || isText(part)) return [];
    const type = part['type'];
    return [{ index, type: typeof type === 'string' && type !== '' ? type : '?', ...body(part) }];
  });
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

function isText(part: Record<string, unknown>): boolean {
  return TEXTS.has(part['type']) && typeof part['text'] === 'string';
}

function body(part: Record<string, unknown>): { mime: string | null; bytes: number | null } {
  const found = firstPayload(part) ?? sourcePayload(part);
  const declared = declaredMime(part);
  if (found !== null) return { mime: found.mime ?? declared, bytes: found.bytes };
  return { mime: declared, bytes: PICTURES.has(part['type']) ? null : jsonByteLength(part) };
}

/** What `source.data` holds when the part says that it is base64, however short. */
function sourcePayload(part: Record<string, unknown>): Payload | null {
  const source = part['source'];
  const data = member(source, 'data');
  const isEncoded = member(source, 'type') === 'base64' && typeof data === 'string';
  return isEncoded ? payload(null, data, 0) : null;
}

function declaredMime(part: Record<string, unknown>): string | null {
  const names = [
    part['mimeType'],
    part['mime_type'],
    part['media_type'],
    member(part['source'], 'media_type'),
  ];
  const name = names.find(candidate => typeof candidate === 'string' && candidate !== '');
  return typeof name === 'string' ? name : null;
}
