/**
 * GitHub Copilot: what it is called and where it lies.
 *
 * `COPILOT_HOME` moves the home of the CLI; versions before 1.0 kept it in
 * `$XDG_STATE_HOME/.copilot` where that is set, so both are read then. Chats of VS Code, of its
 * Insiders and of VSCodium lie in `<editor>/User` in the folder of applications (see
 * `shared/application-folder.ts`).
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { applicationFolder } from '../shared/application-folder.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf } from './record-types.ts';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium'];

function homes(environment: Environment): readonly string[] {
  return [...cliHomes(environment), ...editorHomes(environment)];
}

function cliHomes({ home, path, variables }: Environment): readonly string[] {
  const moved = variables['COPILOT_HOME'];
  if (moved) return [moved];
  const state = variables['XDG_STATE_HOME'];
  const older = state && path.isAbsolute(state) ? [path.join(state, '.copilot')] : [];
  return [path.join(home, '.copilot'), ...older];
}

function editorHomes(environment: Environment): readonly string[] {
  const { path } = environment;
  const folder = applicationFolder(environment);
  return EDITORS.map(editor => path.join(folder, editor, 'User'));
}

/** Relations that its records cannot fill. */
const UNFILLED = {
  artifact: 'Copilot does not name the files that are results; see file_touch',
  rate_limit_sample: 'Copilot tells limits only in the text of warnings and errors',
  session_continuation: 'a resumed session goes on under its own identifier, in its own file',
  tool_op: 'Copilot records what it carries out as the result of the call',
} as const;

/** What Copilot says about itself. */
export const description: Description = {
  name: 'copilot',
  title: 'GitHub Copilot',
  variables: ['COPILOT_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'APPDATA'],
  marks:
    'a folder `session-state/` of the Copilot CLI, or `workspaceStorage/` of VS Code with ' +
    '`chatSessions/` in it',
  homes,
  coverage: {
    ...parsedCoverage(UNFILLED),
    conversations: true,
    events: true,
    plans: true,
    todos: true,
    history: true,
    stats: { missing: 'Copilot keeps no activity by day; count from conversations' },
  },
  recordTypes,
  subtypeOf,
};
