/** Grok Build: what it is called and where it lies. `GROK_HOME` moves the whole home. */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  return [variables['GROK_HOME'] || path.join(home, '.grok')];
}

/** What Grok Build says about itself. */
export const description: Description = {
  name: 'grok',
  title: 'Grok Build',
  variables: ['GROK_HOME'],
  marks: 'a folder `sessions/` with folders named by percent-encoded paths (`%2Fhome…`)',
  homes,
  coverage: {
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
