/** Claude Desktop (Anthropic): tasks that Claude Code does in a machine of their own. */

import type { Harness, Readers } from '../harness.ts';
import { claudeParser } from '../shared/claude-records/parse/index.ts';
import { historyReader, statsReader, todosReader } from '../shared/claude-records/side-files.ts';
import { eventsReader } from '../shared/events.ts';
import { plansReader } from '../shared/plan-files.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
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
export const claudeDesktop: Harness = {
  description,
  recognise,
  assume,
  discover,
  parser,
  reader: readerOf({ description, readers, parser }),
};
