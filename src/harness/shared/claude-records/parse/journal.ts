/** The journal of a workflow: which agents it started, and which of them ended. */

import { nonEmptyText } from '../../fields.ts';
import type { Line } from './line.ts';

/** Takes a record of a journal; it belongs to the session that the workflow runs in. */
export function readJournal(line: Line): void {
  const { value, state, rows, place } = line;
  const agent = nonEmptyText(value['agentId']);
  const { type } = value;
  if (agent === null || (type !== 'started' && type !== 'result')) return;
  const { workflowId } = state.identity;
  const told =
    type === 'started'
      ? { launch_status: 'started', spawned_at: line.ownAt }
      : { completion_status: 'completed', completed_at: line.ownAt };
  rows.add('subagent_spawn', place, {
    spawn_uid: `wf:${workflowId ?? '-'}:${agent}`,
    ...state.owner,
    child_session_uid: state.owner.session_uid,
    child_agent_id: agent,
    requested_type: 'workflow',
    workflow_id: workflowId,
    ...told,
  });
}
