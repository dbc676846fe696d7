/** The text of messages that are made of parts, as the Gemini API has them. */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { compactJson } from '../../../bytes/json-print.ts';

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
