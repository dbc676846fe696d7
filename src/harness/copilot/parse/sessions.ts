/**
 * Sessions and sub-agents of the Copilot CLI.
 *
 * - `workspace.yaml` and `session.start` tell where a session is and what it is called. Each record
 *   moves its end on.
 * - A sub-agent writes into the file of its session, under `agentId`, before that under the call
 *   that launched it: it is a session of its own within the other, and a launch in that.
 * - A resumed session goes on in its file: that is an event, no other session.
 */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recall } from '../../shared/bounded.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { ownerOf, type Step, turnOf } from './step.ts';
import { turnClosed } from './turns.ts';

/** Adds what a record tells about the session, or about the sub-agent that wrote it. */
export function sessionRow(step: Step): void {
  const { rows, place, agent, at, state, session } = step;
  if (!rows.wants('session')) return;
  const { facts } = state.session;
  rows.add('session', place, {
    ...ownerOf(step),
    is_subagent: agent !== '',
    first_event_at: at,
    last_event_at: at,
    cwd: facts.cwd,
    git_branch: facts.branch,
    git_commit_start: facts.commit,
    cli_version_first: facts.version,
    cli_version_last: facts.version,
    root_session_uid: session,
    ...(agent === '' ? mainFacts(step) : agentFacts(step)),
  });
}

function mainFacts({ state }: Step) {
  const { title, repository, client, producer } = state.session.facts;
  const git_remote_url = repository;
  return { title, git_remote_url, entrypoint: client, thread_source: producer };
}

function agentFacts({ state, session, agent }: Step) {
  const { agents } = state.session.facts;
  const known = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  return {
    parent_session_uid: session,
    parent_agent_id: '',
    spawn_kind: 'agent',
    spawn_depth: 1,
    agent_type: known?.name ?? null,
    agent_nickname: known?.title ?? null,
  };
}

/** Adds the words of a person to the session's times. */
export function humanSpoke(step: Step): void {
  const { at } = step;
  const times = { first_human_at: at, last_human_at: at };
  step.rows.add('session', step.place, { ...ownerOf(step), is_subagent: false, ...times });
}

/** Adds the commit and branch at the start or the resumption of a session. */
export function gitStartRow(step: Step): void {
  const { rows, place, data, uid, at, state } = step;
  const context = member(data, 'context');
  if (!isObject(context)) return;
  const commit = textOf(context['headCommit']);
  const branch = textOf(context['branch']);
  if (commit === null && branch === null) return;
  rows.add('git_event', place, {
    event_uid: `${uid}:start`,
    ...ownerOf(step),
    ts: at,
    op: 'session_start',
    evidence: 'session_meta',
    cwd: state.session.facts.cwd,
    branch,
    sha_short: commit?.slice(0, SHORT_SHA) ?? null,
    remote_url: textOf(context['repository']),
  });
}

const SHORT_SHA = 12;

const STATUSES: Readonly<Record<string, string>> = {
  'subagent.completed': 'completed',
  'subagent.failed': 'failed',
};

/** Adds what `subagent.started`, `.completed` and `.failed` tell the parent about a launch. */
export function spawnRow(step: Step): void {
  const { rows, place, data, session, agent, at, type, state } = step;
  const callId = nonEmptyText(member(data, 'toolCallId'));
  if (callId === null) return;
  const call_uid = `${session}:${callId}`;
  const call = recall(state.calls, callId);
  const isStart = type === 'subagent.started';
  const parent = call?.agent ?? '';
  const child = agent === '' ? callId : agent;
  const isKnown = Object.hasOwn(state.session.facts.agents, child);
  rows.add('subagent_spawn', place, {
    spawn_uid: call_uid,
    session_uid: session,
    agent_id: parent,
    turn_key: call?.turn ?? turnOf({ ...step, agent: parent }),
    call_uid,
    child_session_uid: isKnown ? session : null,
    child_agent_id: isKnown ? child : null,
    spawned_at: isStart ? at : null,
    name: textOf(member(data, 'agentName')),
    resolved_model: textOf(member(data, 'model')),
    launch_status: isStart ? 'started' : null,
    completion_status: STATUSES[type] ?? null,
    completed_at: isStart ? null : at,
    reported_tokens: integerOf(member(data, 'totalTokens')),
    reported_tool_uses: integerOf(member(data, 'totalToolCalls')),
    reported_duration_ms: integerOf(member(data, 'durationMs')),
  });
  if (!isKnown) return;
  if (!isStart) turnClosed({ ...step, agent: child }, type === 'subagent.failed');
  const owner = { session_uid: session, agent_id: child, is_subagent: true };
  const lineage = { parent_agent_id: parent, parent_call_uid: call_uid };
  rows.add('session', place, { ...owner, ...lineage, parent_session_uid: session });
}
