/**
 * The session: its header, and the row that the whole file makes.
 *
 * The first record is the header. Where it stands elsewhere, or nowhere, there is one issue for all
 * records before it; a file without any has the identifier in its name. Further headers are
 * issues. Where a session was forked from another, the header names the transcript of that one.
 *
 * Of a sub-agent the place of its file tells the root and how deep it is. Its parent is the session
 * of the transcript that its folder belongs to; at the first level that is the root, whether its
 * transcript is there or not. What a launch called it is no evidence of its kind.
 */

import { basename } from 'node:path';
import { member, textOf } from '../../../bytes/json.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { idInName } from '../discover.ts';
import type { PiParserState } from './state.ts';

/** Takes a header. */
export function readHeader(state: PiParserState, value: unknown, place: Place, rows: Rows): void {
  if (state.hasHeader) {
    rows.issue(place, 'late_session_header');
    return;
  }
  const id = nonEmptyText(member(value, 'id'));
  if (id === null) rows.issue(place, 'missing_field', 'id');
  const version = member(value, 'version');
  state.hasHeader = true;
  state.place = place;
  state.sid = id ?? state.sid;
  // The first format had no number.
  state.version = version === undefined ? '1' : typeof version === 'number' ? `${version}` : null;
  state.cwd = nonEmptyText(member(value, 'cwd'));
  state.model = nonEmptyText(member(value, 'modelId'));
  state.provider = nonEmptyText(member(value, 'provider'));
  state.effort = nonEmptyText(member(value, 'thinkingLevel'));
  const startedAt = instantMicros(member(value, 'timestamp'));
  state.startedAt = startedAt;
  state.lastAt = startedAt ?? state.lastAt;
  if (startedAt !== null) {
    state.first = Math.min(state.first ?? startedAt, startedAt);
    state.last = Math.max(state.last ?? startedAt, startedAt);
  }
  readFork(state, value, place, rows);
}

function readFork(state: PiParserState, value: unknown, place: Place, rows: Rows): void {
  const evidence = member(value, 'parentSession') === undefined ? 'branchedFrom' : 'parentSession';
  const parent = idOfPath(member(value, evidence));
  if (parent === null || parent === state.sid) return;
  state.forkedFrom = parent;
  if (state.isAgent) return;
  rows.add('session_continuation', place, {
    ...{ child_uid: state.sid, parent_uid: parent, kind: 'fork', evidence },
    ...{ session_uid: state.sid, agent_id: '', ts: state.startedAt },
  });
}

/** The session of a transcript by its path, which may be one of another system. */
function idOfPath(path: unknown): string | null {
  const text = nonEmptyText(path);
  if (text === null) return null;
  const name = basename(text.replaceAll('\\', '/'));
  return nonEmptyText(idInName(name) ?? name.replace(/\.jsonl$/, ''));
}

/** Notes the first record of a file that does not begin with a header. */
export function missHeader(
  state: PiParserState,
  value: unknown,
  place: Place,
  rows: Rows,
  context: SourceContext,
): void {
  if (state.place !== null) return;
  state.place = place;
  rows.issue(place, 'missing_session_header', textOf(member(value, 'type')));
  // The records before a header are of the same session.
  const header = context.firstRecord('"session"', isHeader);
  state.sid = nonEmptyText(member(header, 'id')) ?? state.sid;
}

function isHeader(value: unknown): boolean {
  return member(value, 'type') === 'session';
}

/** Gives the row of the session. */
export function addSession(state: PiParserState, rows: Rows): void {
  if (state.place === null) return;
  const { isAgent, lineage } = state;
  rows.add('session', state.place, {
    ...{ session_uid: state.sid, agent_id: '', is_subagent: isAgent, cwd: state.cwd },
    ...{ title: state.title, custom_title: state.title, model_provider: state.provider },
    ...(isAgent ? launched(state) : forked(state)),
    agent_path: isAgent ? (lineage?.path ?? null) : null,
    ...{ first_event_at: state.first, last_event_at: state.last },
    ...{ first_human_at: state.firstHuman, last_human_at: state.lastHuman },
    inherited_skipped: inheritedIn(state),
  });
}

/** Copies are known by their identifiers, which the first format does not have. */
function inheritedIn({ forkedFrom, version, inherited }: PiParserState): number | null {
  return forkedFrom === null || version === '1' ? null : inherited;
}

function forked({ forkedFrom }: PiParserState) {
  return { forked_from_uid: forkedFrom, parent_session_uid: forkedFrom };
}

function launched({ lineage, launchedBy }: PiParserState) {
  const root = lineage?.rootUid ?? null;
  return {
    root_session_uid: root,
    parent_session_uid: launchedBy ?? (lineage?.depth === 1 ? root : null),
    spawn_kind: 'pi_subagent',
    spawn_depth: lineage?.depth ?? null,
  };
}
