/** pi (Mario Zechner), session formats 1 to 3. */

import type { Harness, Readers } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { piParser } from './parse/index.ts';
import { assume, recognise } from './recognise.ts';

const { name } = description;

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: () => eventsReader(description),
};

/** The harness. */
export const pi: Harness = {
  description,
  recognise,
  assume,
  discover,
  parser: piParser,
  reader: readerOf({ description, readers, parser: piParser }),
};
