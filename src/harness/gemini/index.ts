/** Gemini CLI (Google), versions of 2025 (`.json`) and 2026 (`.jsonl`). */

import type { Harness, Readers } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { sessionOf } from '../shared/gemini-chats/chat.ts';
import { chatsReader } from '../shared/gemini-chats/conversation.ts';
import { type ChatPart, chatSources } from '../shared/gemini-chats/discover.ts';
import { promptLogReader } from '../shared/gemini-chats/prompt-log.ts';
import { plansReader } from '../shared/plan-files.ts';
import { readerOf } from '../shared/readers.ts';
import { description } from './describe.ts';
import { parser } from './parser.ts';
import { assume, recognise } from './recognise.ts';

const { name } = description;

const readers: Readers = {
  conversations: options => chatsReader(name, options),
  events: () => eventsReader(description, sessionOf),
  plans: () => plansReader(name),
  history: () => promptLogReader(name),
};

/** The harness. */
export const gemini: Harness = {
  description,
  recognise,
  assume,
  parser,
  discover: ({ entry, part }, kinds, onProblem) =>
    chatSources(entry, part as ChatPart, kinds, onProblem),
  reader: readerOf({ description, readers, parser }),
};
