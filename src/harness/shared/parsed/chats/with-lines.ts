/**
 * A parser of chats that also looks at each record as it comes: for what a record tells that no row
 * of `conversations` stands for, or that must not wait for the end of the file.
 */

import type { SourceRecord } from '../../../../bytes/record.ts';
import type { SourceContext } from '../../../harness.ts';
import type { Parser, Place, Rows } from '../../../parser.ts';
import type { ChatState } from './state.ts';

/** The state of the chat, and what the lines left behind: plain JSON. */
export interface WithLines<Own> {
  readonly chat: ChatState;
  readonly own: Own;
}

/** What a harness does with each record. */
export interface Lines<Own> {
  start(): Own;
  /** Comes after the rows that the chat gives for the record. */
  read(
    state: WithLines<Own>,
    record: SourceRecord,
    place: Place,
    rows: Rows,
    context: SourceContext,
  ): void;
  /** Comes before the rows that the chat gives at the end. */
  finish?(state: WithLines<Own>, rows: Rows, context: SourceContext): void;
}

/** The parser of a chat with what its lines tell. */
export function withLines<Own>(
  chats: Parser<ChatState>,
  lines: Lines<Own>,
): Parser<WithLines<Own>> {
  return {
    ...chats,
    start: (source, context) => ({ chat: chats.start(source, context), own: lines.start() }),
    read(state, record, place, rows, context) {
      chats.read(state.chat, record, place, rows, context);
      lines.read(state, record, place, rows, context);
    },
    finish(state, rows, context) {
      lines.finish?.(state, rows, context);
      chats.finish?.(state.chat, rows, context);
    },
    save: ({ chat, own }) => ({ chat: chats.save?.(chat) ?? chat, own }),
    restore(saved) {
      const { chat, own } = saved as WithLines<Own>;
      return { chat: chats.restore?.(chat) ?? chat, own };
    },
    harnessVersion: ({ chat }) => chats.harnessVersion(chat),
  };
}
