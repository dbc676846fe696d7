/**
 * What the rows of a pi session know from earlier records, as plain JSON.
 *
 * The first record is the header: the session's id, working folder, format and, where it is a
 * fork, the path of the transcript that it came from. Later headers are rows and change nothing.
 * Records before the header know only what the place of the file tells.
 *
 * By block, the thinking level and the name of the session hold until they change.
 */

import { basename } from 'node:path';
import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { Source, SourceContext } from '../harness.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { idInName } from './discover.ts';

/** What does not change within a session. */
export interface Session {
  readonly id: string;
  readonly cwd: string | null;
  readonly version: string | null;
  readonly createdAt: string | null;
  /** The session that launched this one, or null. */
  readonly parentId: string | null;
  /** The session that this one was forked from, or null. */
  readonly forkedFromId: string | null;
}

/** What holds until a record changes it. */
export interface Settings {
  readonly effort: string | null;
  readonly name: string | null;
}

/** The state of a reader; its parts are replaced, never changed, as rows keep them. */
export interface PiState {
  session: Session;
  settings: Settings;
  hasHeader: boolean;
}

/** Nothing is known of the settings. */
export const NO_SETTINGS: Settings = { effort: null, name: null };

/** The state before the first record. */
export function startState(source: Source, context: SourceContext): PiState {
  const session: Session = {
    id: source.sessionId ?? '',
    cwd: null,
    version: null,
    createdAt: null,
    parentId: parentId(source, context),
    forkedFromId: null,
  };
  return { session, settings: NO_SETTINGS, hasHeader: false };
}

/** The id in the header of the parent's transcript, else the one in its name. */
function parentId(source: Source, context: SourceContext): string | null {
  for (const { value } of context.companionRecords('parent')) {
    if (member(value, 'type') === 'session') return nonEmptyText(member(value, 'id'));
    break;
  }
  return source.facts['parentSession'] ?? null;
}

/** Takes from a record what later rows, and its own, are to know. */
export function takeRecord(state: PiState, { value }: SourceRecord, source: Source): void {
  switch (member(value, 'type')) {
    case 'session':
      if (state.hasHeader) break;
      state.session = sessionOf(value, state.session, source);
      state.settings = { ...state.settings, effort: textOf(member(value, 'thinkingLevel')) };
      state.hasHeader = true;
      break;
    case 'thinking_level_change':
      state.settings = { ...state.settings, effort: textOf(member(value, 'thinkingLevel')) };
      break;
    case 'session_info':
      state.settings = { ...state.settings, name: textOf(member(value, 'name')) };
  }
}

function sessionOf(header: unknown, before: Session, source: Source): Session {
  const origin = idOfPath(member(header, 'parentSession') ?? member(header, 'branchedFrom'));
  const isAgent = typeof source.facts['agentPath'] === 'string';
  const version = member(header, 'version');
  return {
    id: nonEmptyText(member(header, 'id')) ?? before.id,
    cwd: nonEmptyText(member(header, 'cwd')),
    // The first format had no number.
    version: version === undefined ? '1' : typeof version === 'number' ? `${version}` : null,
    createdAt: textOf(member(header, 'timestamp')),
    parentId: isAgent ? (before.parentId ?? origin) : null,
    forkedFromId: isAgent ? null : origin,
  };
}

/** The session of a transcript by its path, which may be one of another system. */
function idOfPath(path: unknown): string | null {
  if (typeof path !== 'string' || path === '') return null;
  const name = basename(path.replaceAll('\\', '/'));
  return idInName(name) ?? name.replace(/\.jsonl$/, '');
}
