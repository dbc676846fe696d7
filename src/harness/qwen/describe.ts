/**
 * Qwen Code: what it is called and where it lies.
 *
 * `QWEN_HOME` moves its home, `QWEN_RUNTIME_DIR` what it writes while it runs: sessions, prompts
 * and todo lists. The home is read then too: sessions of before stay where they were.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  const runtime = variables['QWEN_RUNTIME_DIR'] || [];
  const moved = variables['QWEN_HOME'] || (home === '' ? [] : path.join(home, '.qwen'));
  return [...new Set([runtime, moved].flat())];
}

/** Relations that the transcripts cannot fill. */
const UNFILLED = {
  artifact: 'the transcripts name no files as results',
  cost_state: 'the transcripts count tokens, not money',
  git_event: 'the transcripts know no commits but in the texts of shell commands',
  hook_event: 'the transcripts do not record hooks',
  rate_limit_sample: 'the transcripts tell of limits only in the words of errors',
  tool_op: 'what a call did is in its result',
} as const;

/** What Qwen Code says about itself. */
export const description: Description = {
  name: 'qwen',
  title: 'Qwen Code',
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  looksLike: ['gemini'],
  marks: 'a folder `projects/` with `chats/` or `subagents/` in the folder of a project',
  homes,
  coverage: {
    ...parsedCoverage(UNFILLED),
    conversations: true,
    events: true,
    plans: { missing: 'Qwen Code keeps plans in its tool calls only' },
    todos: true,
    history: true,
    stats: { missing: 'Qwen Code keeps no activity by day; count from conversations' },
  },
  recordTypes,
  typeOf,
  subtypeOf,
};
