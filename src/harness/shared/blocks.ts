/** Messages whose content is a string or an array of blocks, as Anthropic's API has them. */

import { member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import { at, listOf } from './fields.ts';

/** The blocks of a record's message; none when its content is a string or nothing. */
export function blocksOf(value: unknown): readonly unknown[] {
  return listOf(at(value, 'message', 'content'));
}

/** The text of a block; one without text by its type, for example `[image: image/png]`. */
export function textOrPlaceholder(block: unknown, detailOf: (block: unknown) => unknown): string {
  const text = member(block, 'text');
  if (typeof text === 'string') return text;
  if (typeof block === 'string') return block;
  const type = textOf(member(block, 'type'));
  if (type === null) return compactJson(block) ?? '';
  const detail = detailOf(block);
  return typeof detail === 'string' ? `[${type}: ${detail}]` : `[${type}]`;
}
