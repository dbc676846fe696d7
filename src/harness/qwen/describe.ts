/**
 * Qwen Code: what it is called and where it lies.
 *
 * `QWEN_HOME` moves its home, `QWEN_RUNTIME_DIR` what it writes while it runs: sessions, prompts
 * and todo lists. The home is read then too: sessions of before stay where they were.
 */

import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  const runtime = variables['QWEN_RUNTIME_DIR'] || [];
  const moved = variables['QWEN_HOME'] || (home === '' ? [] : path.join(home, '.qwen'));
  return [...new Set([runtime, moved].flat())];
}

/** What Qwen Code says about itself. */
export const description: Description = {
  name: 'qwen',
  title: 'Qwen Code',
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  marks: 'a folder `projects/` with `chats/` or `subagents/` in the folder of a project',
  homes,
  coverage: {
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
