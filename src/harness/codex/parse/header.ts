/**
 * The session that a file is about.
 *
 * Its header is the first `session_meta` with an id; in the JSON documents of spring 2025 it stands
 * around the items. A later one never changes the session: with the same id it tells that the
 * session was opened again, with another id it is a copy of an ancestor's. Records before the
 * header, or without one, belong to the session that the name of the file tells.
 */

import { isObject, member } from '../../../bytes/json.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { at as memberAt, nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import { sessionOf } from '../session.ts';
import { type Line, ownerOf, told } from './line.ts';
import { addMessage } from './message-row.ts';
import { addEvent } from './session-event.ts';
import { noReplay, type ParseState, type Replay } from './state.ts';
import { mintedAtMs } from './uuid-time.ts';

const SHA_DIGITS = 12;

/** Takes the session from a header. */
export function adoptHeader(state: ParseState, header: unknown): void {
  const facts = factsOf(header);
  state.thread = nonEmptyText(member(header, 'id')) ?? state.thread;
  state.isSubagent = facts.isSubagent;
  state.isExec = facts.originator === 'codex_exec';
  state.ownPath = facts.spawned('agent_path');
  state.cwd = nonEmptyText(member(header, 'cwd'));
  state.firstVersion = nonEmptyText(member(header, 'cli_version'));
  state.lastVersion = state.firstVersion;
  state.replay = replayOf(state.thread, header, facts.forkedFrom);
}

function factsOf(header: unknown) {
  const source = member(header, 'source');
  const subagent = member(source, 'subagent');
  const spawn = member(subagent, 'thread_spawn');
  const isSource = subagent !== undefined && subagent !== null;
  return {
    /** A fact of the launch, told by the header or by its source. */
    spawned: (name: string) =>
      nonEmptyText(member(header, name)) ?? nonEmptyText(member(spawn, name)),
    depth: strictCount(member(spawn, 'depth')),
    isSubagent: isSource || nonEmptyText(member(header, 'thread_source')) === 'subagent',
    forkedFrom: nonEmptyText(member(header, 'forked_from_id')),
    originator: nonEmptyText(member(header, 'originator')),
    role: nonEmptyText(subagent),
  };
}

function replayOf(thread: string | null, header: unknown, forkedFrom: string | null): Replay {
  const createdAt = instantMicros(member(header, 'timestamp'));
  const createdMs = createdAt === null ? null : Math.floor(createdAt / 1000);
  const replay = noReplay(mintedAtMs(thread) ?? createdMs);
  if (forkedFrom === null) return replay;
  const firstOrdinal = strictCount(member(header, 'subagent_history_start_ordinal'));
  const mode = firstOrdinal === null ? 'burst' : 'ordinal';
  return { ...replay, mode, firstOrdinal, hasCopies: true };
}

/** The rows that a header makes. */
export function addHeader(line: Line): void {
  const { state, rows, payload, place } = line;
  const facts = factsOf(payload);
  const git = member(payload, 'git');
  const source = member(payload, 'source');
  state.place = place;
  rows.add('session', place, {
    ...ownerOf(line),
    is_subagent: state.isSubagent,
    root_session_uid: told(line, 'session_id'),
    parent_session_uid: facts.spawned('parent_thread_id') ?? facts.forkedFrom,
    spawn_kind: spawnKind(state, facts.forkedFrom),
    spawn_depth: facts.depth,
    agent_type: facts.spawned('agent_type'),
    agent_role: facts.spawned('agent_role') ?? facts.role,
    agent_path: state.ownPath,
    agent_nickname: facts.spawned('agent_nickname'),
    forked_from_uid: facts.forkedFrom,
    title: told(line, 'title'),
    cwd: state.cwd,
    git_branch: nonEmptyText(member(git, 'branch')),
    git_commit_start: nonEmptyText(member(git, 'commit_hash')),
    git_remote_url: nonEmptyText(member(git, 'repository_url')),
    cli_version_first: state.firstVersion,
    entrypoint: facts.originator ?? nonEmptyText(source),
    model_provider: told(line, 'model_provider'),
    thread_source: told(line, 'thread_source') ?? nonEmptyText(source),
    history_mode: told(line, 'history_mode'),
  });
  addStart(line);
  addInstructions(line);
  if (facts.forkedFrom !== null && !state.isSubagent) addFork(line, facts.forkedFrom);
}

function spawnKind(state: ParseState, forkedFrom: string | null): string | null {
  if (forkedFrom !== null) return 'codex_fork';
  if (state.isSubagent) return 'codex_spawn';
  return state.isExec ? 'codex_exec' : null;
}

function addStart(line: Line): void {
  const git = member(line.payload, 'git');
  const [branch, commit, remote] = ['branch', 'commit_hash', 'repository_url'].map(name =>
    nonEmptyText(member(git, name)),
  );
  if (!branch && !commit && !remote) return;
  line.rows.add('git_event', line.place, {
    ...ownerOf(line),
    event_uid: `${line.thread}:session_start`,
    ts: line.at,
    op: 'session_start',
    evidence: 'session_meta',
    cwd: line.state.cwd,
    branch: branch ?? null,
    sha_short: commit?.slice(0, SHA_DIGITS) ?? null,
    remote_url: remote ?? null,
  });
}

function addInstructions(line: Line): void {
  const base = member(line.payload, 'base_instructions');
  const prompt =
    nonEmptyText(base) ?? nonEmptyText(memberAt(line.payload, 'base_instructions', 'text'));
  if (prompt !== null && !isBlank(prompt)) {
    const uid = `${line.thread}:system_prompt`;
    const detail = { source: 'base_instructions' };
    addMessage(line, { uid, role: 'system', messageClass: 'system_prompt', text: prompt, detail });
  }
  const own = told(line, 'instructions');
  if (own === null || isBlank(own)) return;
  const uid = `${line.thread}:instructions`;
  const detail = { source: 'instructions' };
  addMessage(line, { uid, role: 'user', messageClass: 'context_injection', text: own, detail });
}

function addFork(line: Line, parent: string): void {
  line.rows.add('session_continuation', line.place, {
    ...ownerOf(line),
    child_uid: line.thread,
    parent_uid: parent,
    kind: 'fork',
    ts: line.at,
    evidence: 'forked_from_id',
  });
}

/** A header behind the first: the session was opened again, or an ancestor's header was copied. */
export function readLaterHeader(line: Line): void {
  const { state, payload } = line;
  const id = isObject(payload) ? nonEmptyText(payload['id']) : null;
  line.rows.issue(line.place, 'late_session_meta', id);
  if (id !== state.thread) {
    state.replay.hasCopies ||= id !== null;
    return;
  }
  const version = told(line, 'cli_version');
  state.lastVersion = version ?? state.lastVersion;
  const originator = told(line, 'originator');
  addEvent(line, 'resume', version, originator === null ? null : { originator });
}

/** What is known of the session when all its records were read. */
export function finishSession(state: ParseState, rows: Rows, context: SourceContext): void {
  const { thread, place } = state;
  if (thread === null || place === null || !rows.wants('session')) return;
  rows.add('session', place, {
    ...ownerOf({ thread }),
    is_subagent: state.isSubagent,
    title: sessionOf(context).title,
    cli_version_last: state.lastVersion,
    first_event_at: state.firstAt,
    last_event_at: state.lastAt,
    first_human_at: state.firstHumanAt,
    last_human_at: state.lastHumanAt,
    inherited_skipped: state.inherited + state.replay.copied || null,
  });
}

/** The session of a file whose first record is no header: that of its name. */
export function adoptFileName(state: ParseState, rows: Rows, place: Place): boolean {
  rows.issue(place, 'missing_session_meta');
  state.thread = nonEmptyText(state.fileSession);
  state.replay = noReplay(mintedAtMs(state.thread));
  state.place = place;
  return state.thread !== null;
}
