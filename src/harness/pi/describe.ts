/**
 * pi: what it is called and where it lies.
 *
 * `PI_CODING_AGENT_DIR` moves the whole home, `PI_CODING_AGENT_SESSION_DIR` new sessions only: both
 * places are read then.
 *
 * The copies that the extension for sub-agents keeps of their work (`*_transcript.jsonl`) are
 * evidence of which run and which kind of sub-agent a response belongs to. No relation holds that:
 * `record_type_seen` counts their records, and what they say is read from the transcripts.
 */

import type { Environment } from '../../places.ts';
import type { Coverage, Description } from '../harness.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { recordTypes, subtypeOf, typeOf } from './record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  const agent = variables['PI_CODING_AGENT_DIR'] || path.join(home, '.pi', 'agent');
  const sessions = variables['PI_CODING_AGENT_SESSION_DIR'];
  return sessions ? [agent, sessions] : [agent];
}

const NOT_KEPT = (what: string): Coverage => ({ missing: `pi keeps no ${what}` });

/** What pi says about itself. */
export const description: Description = {
  name: 'pi',
  title: 'pi',
  variables: ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'],
  marks:
    'a folder `sessions/` with folders named `--…--` and transcripts that begin with a session',
  homes,
  coverage: {
    ...parsedCoverage({
      tool_op: 'pi records calls and their results, not how it carries them out',
      hook_event: 'pi has extensions in place of hooks, and records no runs of them',
      rate_limit_sample: 'pi records no rate limits',
      cost_state: 'pi keeps no running totals; sum llm_call',
    }),
    conversations: true,
    events: true,
    plans: NOT_KEPT('plans'),
    todos: NOT_KEPT('todo lists'),
    history: NOT_KEPT('history of prompts'),
    stats: NOT_KEPT('activity by day; count from conversations'),
  },
  recordTypes,
  typeOf,
  subtypeOf,
};
