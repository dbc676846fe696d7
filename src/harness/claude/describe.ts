/**
 * Claude Code: what it is called and where it lies.
 *
 * `CLAUDE_CONFIG_DIR` moves the whole home (a comma separates several); without it both
 * `~/.config/claude` and `~/.claude` are read, as versions of 2025 used either.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { recordTypes, subtypeOf } from '../shared/claude-records/record-types.ts';
import { parsedCoverage } from '../shared/coverage.ts';

function homes(environment: Environment): readonly string[] {
  const { home, path, variables } = environment;
  const moved = variables['CLAUDE_CONFIG_DIR']?.split(',').map(part => part.trim());
  const places = moved?.filter(place => place !== '') ?? [];
  if (places.length > 0) return places;
  // Without a home folder the join would name folders in the working folder.
  if (home === '') return [];
  return [path.join(home, '.claude'), path.join(home, '.config', 'claude')];
}

/** What Claude Code says about itself. */
export const description: Description = {
  name: 'claude',
  title: 'Claude Code',
  variables: ['CLAUDE_CONFIG_DIR'],
  marks: 'a folder `projects/` with a folder per project and `.jsonl` transcripts in it',
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
