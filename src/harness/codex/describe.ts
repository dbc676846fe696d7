/**
 * Codex: what it is called and where it lies. `CODEX_HOME` moves the whole home; its databases lie
 * in the home, in its folder `sqlite`, or where `CODEX_SQLITE_HOME` says (see `discover.ts`).
 * `sqlite_home` in `config.toml` is not looked at.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf } from './record-types.ts';

/** The folders where Codex keeps its files by default. */
export function homes(environment: Environment): readonly string[] {
  const { home, path, variables } = environment;
  return [variables['CODEX_HOME'] || path.join(home, '.codex')];
}

/** What Codex says about itself. */
export const description: Description = {
  name: 'codex',
  title: 'OpenAI Codex',
  variables: ['CODEX_HOME', 'CODEX_SQLITE_HOME'],
  marks: 'a folder `sessions/` with folders by year, or with `rollout-*` files',
  homes,
  coverage: {
    ...parsedCoverage({ cost_state: 'Codex records no costs' }),
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
