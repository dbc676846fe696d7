/** Claude Code (Anthropic), versions 1.0 to 2.1. */

import type { Harness, Readers } from '../harness.ts';
import { conversationsReader } from '../shared/claude-records/conversation.ts';
import { discover } from '../shared/claude-records/discover.ts';
import { claudeParser } from '../shared/claude-records/parse/index.ts';
import { historyReader, statsReader, todosReader } from '../shared/claude-records/side-files.ts';
import { eventsReader } from '../shared/events.ts';
import { plansReader } from '../shared/plan-files.ts';
import { readerOf } from '../shared/readers.ts';
import { description } from './describe.ts';
import { assume, recognise } from './recognise.ts';

const { name } = description;

const parser = claudeParser({ kinds: ['transcript', 'journal'] });

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
  plans: () => plansReader(name),
  todos: () => todosReader(name),
  history: () => historyReader(name),
  stats: () => statsReader(name),
};

/** The harness. */
export const claude: Harness = {
  description,
  recognise,
  assume,
  discover,
  parser,
  reader: readerOf({ description, readers, parser }),
};
