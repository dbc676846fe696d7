/** Qwen Code (Alibaba), versions of 2025 (chats as Gemini CLI writes them) and later. */

import type { Harness, Readers, SourceContext } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { sessionOf } from '../shared/gemini-chats/chat.ts';
import { promptLogReader } from '../shared/gemini-chats/prompt-log.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { parser } from './parser.ts';
import { assume, recognise } from './recognise.ts';
import { todosReader } from './side-files.ts';

const { name } = description;

/** Names of transcripts tell their session, those of earlier chats do not. */
function sessionOfFile(context: SourceContext): string | null {
  return context.source.form === 'elements' ? sessionOf(context) : context.source.sessionId;
}

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description, sessionOfFile),
  todos: () => todosReader(name),
  history: () => promptLogReader(name),
};

/** The harness. */
export const qwen: Harness = {
  description,
  recognise,
  assume,
  parser,
  discover,
  reader: readerOf({ description, readers, parser }),
};
