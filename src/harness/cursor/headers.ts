/** The headers of the bubbles of a chat: which bubbles it has, in which order. */

import { member } from '../../bytes/json.ts';

/** A bubble as its chat lists it. */
export interface Header {
  readonly bubbleId: string;
  /** Who speaks, as a number. */
  readonly type: unknown;
  /** Place in the chat, from 1. */
  readonly lineNumber: number;
}

/** The headers of a chat, each bubble once; those without a bubble are left out, and counted. */
export function headersOf(composer: unknown): readonly Header[] {
  const headers = member(composer, 'fullConversationHeadersOnly');
  if (!Array.isArray(headers)) return [];
  const seen = new Set<string>();
  return headers.flatMap((header, index) => {
    const bubbleId = member(header, 'bubbleId');
    if (typeof bubbleId !== 'string' || bubbleId === '' || seen.has(bubbleId)) return [];
    seen.add(bubbleId);
    return [{ bubbleId, type: member(header, 'type'), lineNumber: index + 1 }];
  });
}
