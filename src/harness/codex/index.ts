/** OpenAI Codex (CLI, desktop and editors), from spring 2025 on. */

import type { Harness, Readers } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { codexParser } from './parse/index.ts';
import { assume, recognise } from './recognise.ts';
import { historyReader, todosReader } from './side-files.ts';
import { statsReader } from './stats.ts';

const { name } = description;

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
  todos: () => todosReader(name),
  history: () => historyReader(name),
  stats: () => statsReader(name),
};

/** The harness. */
export const codex: Harness = {
  description,
  recognise,
  assume,
  discover,
  parser: codexParser,
  reader: readerOf({ description, readers, parser: codexParser }),
};
