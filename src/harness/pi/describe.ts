/**
 * pi: what it is called and where it lies.
 *
 * `PI_CODING_AGENT_DIR` moves the whole home, `PI_CODING_AGENT_SESSION_DIR` new sessions only: both
 * places are read then.
 */

import type { Environment } from '../../places.ts';
import type { Coverage, Description } from '../harness.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  const agent = variables['PI_CODING_AGENT_DIR'] || path.join(home, '.pi', 'agent');
  const sessions = variables['PI_CODING_AGENT_SESSION_DIR'];
  return sessions ? [agent, sessions] : [agent];
}

const NOT_KEPT = (what: string): Coverage => ({ missing: `pi keeps no ${what}` });

/** What pi says about itself. */
export const description: Description = {
  name: 'pi',
  title: 'pi',
  variables: ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'],
  marks:
    'a folder `sessions/` with folders named `--…--` and transcripts that begin with a session',
  homes,
  coverage: {
    conversations: true,
    events: true,
    plans: NOT_KEPT('plans'),
    todos: NOT_KEPT('todo lists'),
    history: NOT_KEPT('history of prompts'),
    stats: NOT_KEPT('activity by day; count from conversations'),
  },
  recordTypes,
  typeOf,
  subtypeOf,
};
