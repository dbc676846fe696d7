/** OpenAI Codex (CLI, desktop and editors), from spring 2025 on. */

import type { RelationName } from '../../relations/index.ts';
import type { Harness, Reader, ReadOptions } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { assume, recognise } from './recognise.ts';
import { historyReader, todosReader } from './side-files.ts';
import { statsReader } from './stats.ts';

const { name } = description;

const readers: Readonly<Record<RelationName, (options: ReadOptions) => Reader | null>> = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
  plans: () => null,
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
  reader: (relation, options) => readers[relation](options),
};
