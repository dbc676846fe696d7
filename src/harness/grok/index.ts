/** Grok Build (xAI), chat formats 0 and 1. */

import type { Harness, Readers } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { parser } from './parser.ts';
import { assume, recognise } from './recognise.ts';
import { plansReader, statsReader } from './side-files.ts';

const { name } = description;

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
  plans: () => plansReader(name),
  stats: () => statsReader(name),
};

/** The harness. */
export const grok: Harness = {
  description,
  recognise,
  assume,
  parser,
  discover,
  reader: readerOf({ description, readers, parser }),
};
