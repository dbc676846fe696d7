/** The text of messages that are made of parts, as the Gemini API has them. */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { compactJson, recordedJson } from '../../../bytes/json-print.ts';
import { at, listOf } from '../fields.ts';
import { type Attached, decodedBytes } from '../parsed/chats/attachments.ts';

/**
 * The text of a message: a string as it is, of parts one a line: text as it is, everything else by
 * its kind, for example `[inlineData: image/png]`. Thoughts are no part of what is said. Null where
 * nothing is said.
 */
export function partsText(content: unknown): string | null {
  if (content === undefined || content === null || content === '') return null;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.filter(part => !isThought(part)).map(textOrPlaceholder);
  return texts.length > 0 ? texts.join('\n') : null;
}

/** Whether a part is what the model thought. */
export function isThought(part: unknown): boolean {
  return member(part, 'thought') === true;
}

function textOrPlaceholder(part: unknown): string {
  if (typeof part === 'string') return part;
  const text = member(part, 'text');
  if (typeof text === 'string') return text;
  const [kind, body] = isObject(part) ? (Object.entries(part)[0] ?? []) : [];
  if (kind === undefined || !isObject(body)) return compactJson(part) ?? '';
  const detail = textOf(member(body, 'mimeType')) ?? textOf(member(body, 'name'));
  return detail === null ? `[${kind}]` : `[${kind}: ${detail}]`;
}

/** What a tool gave back: its output or its error as text, else all of it as JSON. */
export function resultText(part: unknown): string | null {
  const response = at(part, 'functionResponse', 'response');
  const text = textOf(member(response, 'output')) ?? textOf(member(response, 'error'));
  if (text !== null) return text;
  return isObject(response) ? recordedJson(response) : textOf(response);
}

/** The images and files among the parts of a message. */
export function attachedParts(content: unknown): readonly Attached[] {
  return listOf(content).flatMap((part, index): Attached[] => {
    const body = member(part, 'inlineData') ?? member(part, 'fileData');
    if (!isObject(body)) return [];
    const data = textOf(member(body, 'data'));
    return [
      {
        index,
        mime: textOf(member(body, 'mimeType')),
        sizeBytes: data === null ? null : decodedBytes(data),
        fileName: textOf(member(body, 'displayName')),
        uri: textOf(member(body, 'fileUri')),
      },
    ];
  });
}

/** What the harness showed of a result, as JSON; null for nothing. */
export function shownJson(shown: unknown): string | null {
  return shown === '' || shown === null ? null : recordedJson(shown);
}
