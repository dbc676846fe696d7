/** Sub-agents as their parents tell of them. */

import { flag, instant, integer, requiredText, text } from './column.ts';
import { origin, owner, place } from './origin.ts';
import { relation } from './relation.ts';

/** Rows of `read_subagent_spawns()`: one per launch of a sub-agent, in the parent. */
export const subagentSpawn = relation({
  name: 'subagent_spawn',
  functionName: 'read_subagent_spawns',
  meaning: 'Launches of sub-agents, as the launching session tells them',
  key: ['source', 'spawn_uid'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    spawn_uid: requiredText('The launching call, with a number where it launches several', {
      merge: 'KEEP',
    }),
    ...owner,
    turn_key: text('Turn it belongs to'),
    call_uid: text('Tool call that launches'),
    child_session_uid: text('Session of the child'),
    child_agent_id: text('Agent identifier of the child'),
    child_task_name: text('Name of the task of the child'),
    spawned_at: instant('When it was launched', { merge: 'MIN' }),
    requested_type: text('Kind of sub-agent that was asked for'),
    requested_type_source: text('explicit or default'),
    requested_model: text('Model that was asked for'),
    resolved_model: text('Model that it got'),
    reasoning_effort: text('Reasoning effort that was asked for'),
    background: flag('The parent went on'),
    fork_scope: text('How much of the context the child got'),
    isolation: text('How the child was kept apart'),
    name: text('Name of the child'),
    description: text('Short label, up to 200 characters, never the brief'),
    launch_status: text('How the launch went'),
    completion_status: text('How the child ended'),
    lifecycle_status: text('How the child stands, as recorded last'),
    completed_at: instant('When the child ended'),
    reported_tokens: integer('Tokens that the child reports'),
    reported_tool_uses: integer('Tool calls that the child reports'),
    reported_duration_ms: integer('Duration that the child reports'),
    workflow_id: text('Workflow'),
    timeout_ms: integer('Time that the child had'),
    deadline_at: instant('When its time ran out'),
    run_fanout_budget: integer('Children that one run may have'),
    spawn_budget: integer('Launches that were left'),
    active_async_capacity: integer('Children that may work at once'),
    ...place,
  },
});
