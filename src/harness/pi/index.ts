/** pi (Mario Zechner), session formats 1 to 3. */

import type { Harness } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { assume, recognise } from './recognise.ts';

/** The harness. */
export const pi: Harness = {
  description,
  recognise,
  assume,
  discover,
  reader(relation, options) {
    if (relation === 'conversations') return conversationsReader(description.name, options);
    return relation === 'events' ? eventsReader(description) : null;
  },
};
