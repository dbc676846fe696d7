/** The text of messages that are a string or an array of blocks, and the size of values. */

import { isObject, member } from '../../../bytes/json.ts';
import { isBlank, trimmed } from './wire-space.ts';

/**
 * The wire text of a message: a string, or the `text` of the blocks whose `type` is one of
 * `types`, those that are blank left out, with a blank line between two. Each is trimmed unless
 * `strip` is false. Empty for anything else.
 */
export function textBlocks(content: unknown, types: ReadonlySet<string>, strip = true): string {
  if (typeof content === 'string') return strip ? trimmed(content) : content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const block of content) {
    const type = member(block, 'type');
    const text = member(block, 'text');
    const isText = typeof type === 'string' && types.has(type) && typeof text === 'string';
    if (isText && !isBlank(text)) texts.push(strip ? trimmed(text) : text);
  }
  return texts.join('\n\n');
}

/**
 * The bytes of a decoded value: of a string its own, of anything else those of its compact JSON
 * with characters beyond ASCII as they are; 0 for null and for what is absent.
 */
export function jsonByteLength(root: unknown): number {
  if (root === null || root === undefined) return 0;
  if (typeof root === 'string') return root.length;
  let bytes = 0;
  // A list of what is still to do instead of recursion: records nest thousands deep.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      bytes += framing(value.length);
      for (const item of value) open.push(item);
    } else if (isObject(value)) {
      const keys = Object.keys(value);
      bytes += framing(keys.length) + keys.length;
      for (const key of keys) {
        bytes += JSON.stringify(key).length;
        open.push(value[key]);
      }
    } else {
      bytes += JSON.stringify(value)?.length ?? 0;
    }
  }
  return bytes;
}

/** The brackets of an array or object and the commas between its members. */
function framing(members: number): number {
  return 2 + Math.max(0, members - 1);
}
