/** What a row of a chat tells about its session. */

import { instantMicros } from '../../prompt/instants.ts';
import type { ChatRow } from './parser.ts';

/**
 * Adds what the row tells; the sightings of all rows make up the session. `isHuman` for the words
 * of a person.
 */
export function sessionRow({ facts, rows, place, owner, isAgent, at }: ChatRow, isHuman: boolean) {
  if (!rows.wants('session')) return;
  const version = facts.text('version');
  const parent = facts.text('parent_session_id');
  rows.add('session', place, {
    ...owner,
    is_subagent: isAgent,
    parent_session_uid: parent,
    parent_agent_id: parent === null ? null : (facts.text('parent_agent_id') ?? ''),
    forked_from_uid: facts.text('forked_from_session_id'),
    spawn_kind: isAgent ? 'agent' : null,
    agent_path: facts.text('agent_path'),
    agent_nickname: facts.text('agent_nickname'),
    agent_role: facts.text('agent_role'),
    agent_type: facts.text('agent_type'),
    title: facts.text('title') ?? facts.text('slug'),
    custom_title: facts.text('custom_title'),
    cwd: facts.text('cwd') ?? facts.text('project_path'),
    git_branch: facts.text('git_branch'),
    git_commit_start: facts.text('git_commit'),
    git_remote_url: facts.text('repository'),
    cli_version_first: version,
    cli_version_last: version,
    entrypoint: facts.text('client'),
    model_provider: facts.text('model_provider'),
    thread_source: facts.text('thread_source'),
    first_event_at: at,
    last_event_at: at,
    first_human_at: isHuman ? at : null,
    last_human_at: isHuman ? at : null,
  });
}

/**
 * Counts a record that was copied from another session. Its time is that of the other session, so
 * it tells nothing about when this one began.
 */
export function inheritedRow(row: ChatRow): void {
  const { facts, rows, state, place, owner, isAgent } = row;
  if (state.rowsOfRecord === 0) state.inherited++;
  rows.add('session', place, {
    ...owner,
    is_subagent: isAgent,
    forked_from_uid: facts.text('forked_from_session_id'),
    inherited_skipped: state.inherited,
  });
  forkRow(row, 'inherited_records');
}

/** Adds that the session goes on from the one that it was forked from, where it was. */
export function forkRow({ facts, rows, place, owner, session }: ChatRow, evidence: string): void {
  const parent = facts.text('forked_from_session_id');
  if (parent === null || parent === session) return;
  rows.add('session_continuation', place, {
    child_uid: session,
    parent_uid: parent,
    kind: 'fork',
    ...owner,
    ts: instantMicros(facts.text('forked_at')),
    evidence,
  });
}
