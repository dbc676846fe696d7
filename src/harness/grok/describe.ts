/** Grok Build: what it is called and where it lies. `GROK_HOME` moves the whole home. */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  return [variables['GROK_HOME'] || path.join(home, '.grok')];
}

/** Relations that the sessions cannot fill. */
const UNFILLED = {
  artifact: 'the sessions name no files as results',
  cost_state: 'the updates tell the cost of each turn, see llm_call; there is no running total',
  git_event: 'the sessions know no commits but in the texts of shell commands',
  hook_event: 'the sessions do not record hooks',
  rate_limit_sample: 'the sessions do not record limits',
  tool_op: 'what a call did is in its result',
} as const;

/** What Grok Build says about itself. */
export const description: Description = {
  name: 'grok',
  title: 'Grok Build',
  variables: ['GROK_HOME'],
  marks: 'a folder `sessions/` with folders named by percent-encoded paths (`%2Fhome…`)',
  homes,
  coverage: {
    ...parsedCoverage(UNFILLED),
    conversations: true,
    events: true,
    plans: true,
    todos: { missing: 'Grok keeps no todo lists' },
    history: { missing: 'Grok keeps no history of prompts outside its sessions' },
    stats: true,
  },
  recordTypes,
  typeOf,
  subtypeOf,
};
