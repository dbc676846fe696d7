/**
 * Codex: what it is called and where it lies. `CODEX_HOME` moves the whole home; its databases may
 * lie in the home or in its folder `sqlite`.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { recordTypes, subtypeOf } from './record-types.ts';

function homes(environment: Environment): readonly string[] {
  const { home, path, variables } = environment;
  return [variables['CODEX_HOME'] || path.join(home, '.codex')];
}

/** What Codex says about itself. */
export const description: Description = {
  name: 'codex',
  title: 'OpenAI Codex',
  variables: ['CODEX_HOME'],
  marks: 'a folder `sessions/` with folders by year, or with `rollout-*` files',
  homes,
  coverage: {
    conversations: true,
    events: true,
    plans: { missing: 'Codex keeps no plan files; the steps of update_plan are todos' },
    todos: true,
    history: true,
    stats: true,
  },
  recordTypes,
  subtypeOf,
};
