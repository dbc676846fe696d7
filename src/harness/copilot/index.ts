/** GitHub Copilot: the CLI, versions 0.0 to 1.0, and the chats of VS Code. */

import type { Harness, Readers } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { parser } from './parse/index.ts';
import { assume, recognise } from './recognise.ts';
import { historyReader, plansReader, todosReader } from './side-files.ts';

const { name } = description;

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
  plans: () => plansReader(name),
  todos: () => todosReader(name),
  history: () => historyReader(name),
};

/** The harness. */
export const copilot: Harness = {
  description,
  recognise,
  assume,
  parser,
  discover,
  reader: readerOf({ description, readers, parser }),
};
