/**
 * Claude Desktop: what it is called and where it lies.
 *
 * It keeps one folder for each user of the machine. On Windows a build from the store keeps it in
 * a package of its own, whose name ends in an identifier of the publisher: there the folder of all
 * packages is the home, and the walk picks the right ones.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { applicationFolder } from '../shared/application-folder.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf } from './record-types.ts';

/** The folder of packages from the store, on Windows. */
export const PACKAGES = 'Packages';

function homes(environment: Environment): readonly string[] {
  const { home, path, platform, variables } = environment;
  const ordinary = path.join(applicationFolder(environment), 'Claude');
  if (platform !== 'win32') return [ordinary];
  const moved = variables['LOCALAPPDATA'];
  const local = moved && path.isAbsolute(moved) ? moved : path.join(home, 'AppData', 'Local');
  return [ordinary, path.join(local, PACKAGES)];
}

/** What Claude Desktop says about itself. */
export const description: Description = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  variables: ['XDG_CONFIG_HOME', 'APPDATA', 'LOCALAPPDATA'],
  looksLike: ['claude'],
  marks: 'a folder `local-agent-mode-sessions/`',
  homes,
  coverage: {
    ...parsedCoverage({ tool_op: 'calls have no operations of their own in the records' }),
    conversations: true,
    events: true,
    plans: true,
    todos: true,
    history: true,
    stats: true,
  },
  recordTypes,
  subtypeOf,
};
