/**
 * Cursor: what it is called and where it lies.
 *
 * The editor keeps its state with the other applications of the user, in `Cursor/User`; its agent,
 * in the editor and on the command line, in `~/.cursor`, which `CURSOR_DATA_DIR` moves.
 *
 * `conversations` covers the editor's chats and the agent's transcripts; the blobs that the command
 * line keeps beside its transcripts (see `chat-stores.ts`) have rows in `events`, and by line.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { Environment } from '../../places.ts';
import type { Coverage, Description } from '../harness.ts';
import { applicationFolder } from '../shared/application-folder.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { speakerOf } from './bubble.ts';

function homes(environment: Environment): readonly string[] {
  const { home, path, variables } = environment;
  return [
    path.join(applicationFolder(environment), 'Cursor', 'User'),
    variables['CURSOR_DATA_DIR'] || path.join(home, '.cursor'),
  ];
}

const NOT_KEPT = (what: string): Coverage => ({ missing: `Cursor keeps no ${what}` });

/** The role of a message of a transcript, or who speaks in a bubble. */
function subtypeOf(value: unknown): string | null {
  if (!isObject(value)) return null;
  return textOf(member(value, 'role')) ?? speakerOf(member(value, 'type'));
}

const NOT_RECORDED = 'the chats do not record it';

/** Relations that the chats cannot fill. */
const UNFILLED = {
  artifact: 'Cursor does not name the files that are results; see file_touch',
  compaction: 'what Cursor keeps of a summary is not published',
  cost_state: NOT_RECORDED,
  hook_event: NOT_RECORDED,
  rate_limit_sample: NOT_RECORDED,
  session_continuation: NOT_RECORDED,
  tool_op: 'Cursor records what it carries out as the result of the call',
} as const;

/** What Cursor says about itself. */
export const description: Description = {
  name: 'cursor',
  title: 'Cursor',
  variables: ['CURSOR_DATA_DIR', 'XDG_CONFIG_HOME', 'APPDATA'],
  marks: 'a file `state.vscdb`, or a folder `projects/` with `agent-transcripts/` in its projects',
  homes,
  coverage: {
    ...parsedCoverage(UNFILLED),
    conversations: true,
    events: true,
    plans: NOT_KEPT('plans'),
    todos: true,
    history: true,
    stats: NOT_KEPT('activity by day; count from conversations'),
  },
  recordTypes: { turn_ended: [] },
  subtypeOf,
};
