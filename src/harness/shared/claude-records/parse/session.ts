/**
 * Sessions: one row for each file, told at its end from what its records told on the way.
 *
 * The first and last times are those that records carry themselves; folder and branch are the
 * first ones, the front end is the last one. What lies beside a sub-agent's file (`.meta.json`)
 * tells its kind and the call that launched it.
 */

import { member, textOf } from '../../../../bytes/json.ts';
import type { SourceContext } from '../../../harness.ts';
import type { Rows } from '../../../parser.ts';
import { at, nonEmptyText } from '../../fields.ts';
import { addEvent, changed, type Line } from './line.ts';
import type { ClaudeState, SessionFacts } from './state.ts';

/** Notes what any record tells about its session. */
export function noteRecord({ state, value, place, ownAt }: Line): void {
  const { session } = state;
  session.place ??= place;
  if (ownAt !== null) {
    if (session.firstEventAt === null || ownAt < session.firstEventAt) session.firstEventAt = ownAt;
    if (session.lastEventAt === null || ownAt > session.lastEventAt) session.lastEventAt = ownAt;
  }
  const cwd = value['cwd'];
  if (typeof cwd === 'string' && cwd !== '') {
    state.cwd = cwd;
    session.cwd ??= cwd;
  }
  session.gitBranch ??= nonEmptyText(value['gitBranch']);
  const version = value['version'];
  if (typeof version === 'string' && version !== '') {
    state.version = version;
    session.versionFirst ??= version;
    session.versionLast = version;
  }
  const entrypoint = value['entrypoint'];
  if (typeof entrypoint === 'string' && entrypoint !== '') session.entrypoint = entrypoint;
}

/** Notes that a person said something. */
export function noteHuman({ state, at: time }: Line): void {
  if (time === null) return;
  const { session } = state;
  if (session.firstHumanAt === null || time < session.firstHumanAt) session.firstHumanAt = time;
  if (session.lastHumanAt === null || time > session.lastHumanAt) session.lastHumanAt = time;
}

/** Takes a title that the harness gave. */
export function readAiTitle({ state, value }: Line): void {
  state.session.title = nonEmptyText(value['aiTitle']) ?? state.session.title;
}

/** Takes a title that a person gave. */
export function readCustomTitle({ state, value }: Line): void {
  state.session.customTitle = nonEmptyText(value['customTitle']) ?? state.session.customTitle;
}

/** Takes the name of an agent. */
export function readAgentName({ state, value }: Line): void {
  state.session.nickname = nonEmptyText(value['agentName']) ?? state.session.nickname;
}

/** The work tree that a session went to. */
export function readWorktree(line: Line): void {
  const tree = line.value['worktreeSession'];
  const commit = nonEmptyText(member(tree, 'originalHeadCommit'));
  line.state.session.commitStart ??= commit;
  const branch = nonEmptyText(member(tree, 'worktreeBranch'));
  if (branch === null || changed(line.state, 'worktree', branch) === null) return;
  const path = textOf(member(tree, 'worktreePath'));
  addEvent(line, 'worktree', { value: branch, detail: { path, commit } });
}

/** The session that this one was forked from. */
export function readForkContext(line: Line): void {
  const parent = nonEmptyText(line.value['parentSessionId']);
  const child = line.state.owner.session_uid;
  if (parent === null || parent === child) return;
  line.state.session.forkedFrom = parent;
  addContinuation(line, { child, parent, kind: 'fork', evidence: 'fork-context-ref' });
}

/** The session in which this one goes on. */
export function readContinuedIn(line: Line): void {
  const child = nonEmptyText(line.value['continuedInSessionId']);
  if (child === null) return;
  addEvent(line, 'continued_in', { value: child });
  const parent = line.state.owner.session_uid;
  addContinuation(line, { child, parent, kind: 'resume', evidence: 'continued-in' });
}

/** A hand-over from a session to another. */
export interface Continuation {
  readonly child: string;
  readonly parent: string;
  readonly kind: 'resume' | 'fork' | 'other';
  readonly evidence: string;
}

/** Adds a `session_continuation`. */
export function addContinuation({ rows, place, state, at: ts }: Line, told: Continuation): void {
  rows.add('session_continuation', place, {
    child_uid: told.child,
    parent_uid: told.parent,
    kind: told.kind,
    ...state.owner,
    ts,
    evidence: told.evidence,
  });
}

/** Adds the row of the session; none for a file without records. */
export function addSession(state: ClaudeState, rows: Rows, context: SourceContext): void {
  const { session, owner, identity } = state;
  if (session.place === null || !rows.wants('session')) return;
  const isSubagent = identity.role !== 'main';
  rows.add('session', session.place, {
    ...owner,
    is_subagent: isSubagent,
    ...(isSubagent ? lineage(state, context) : {}),
    forked_from_uid: session.forkedFrom,
    title: session.title ?? textOf(member(context.companion('task'), 'title')),
    custom_title: session.customTitle,
    git_commit_start: session.commitStart,
    ...surroundings(session),
  });
}

function surroundings(session: SessionFacts) {
  return {
    cwd: session.cwd,
    git_branch: session.gitBranch,
    cli_version_first: session.versionFirst,
    cli_version_last: session.versionLast,
    entrypoint: session.entrypoint,
    first_event_at: session.firstEventAt,
    last_event_at: session.lastEventAt,
    first_human_at: session.firstHumanAt,
    last_human_at: session.lastHumanAt,
    agent_nickname: session.nickname,
  };
}

function lineage({ owner, identity, session }: ClaudeState, context: SourceContext) {
  const meta = context.companion('meta');
  const type = nonEmptyText(member(meta, 'agentType'));
  const kind = session.isFork ? 'fork' : 'agent';
  return {
    root_session_uid: owner.session_uid,
    parent_session_uid: owner.session_uid,
    parent_call_uid: nonEmptyText(member(meta, 'toolUseId')),
    spawn_kind: identity.role === 'workflow_agent' ? 'workflow' : kind,
    agent_type: type,
    agent_type_source: type === null ? null : 'explicit',
    workflow_id: identity.workflowId,
  };
}

/** What a record says about who wrote it, beside its type. */
export function originKind(value: unknown): string | null {
  return nonEmptyText(at(value, 'origin', 'kind'));
}
