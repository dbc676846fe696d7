/**
 * Whose records a file holds.
 *
 * The place of a file tells: `<session>.jsonl` is a session, `subagents/agent-<id>.jsonl` a
 * sub-agent of the session whose folder it lies in, one folder `workflows/<workflow>/` deeper one
 * of a workflow. A sub-agent that lies beside the sessions, as until version 2.0, and a file whose
 * name is no identifier belong to the session that their records name. `sessionId` of a record
 * changes nothing else: a different one in a session's file is told once, as a hand-over.
 */

import type { Source, SourceContext } from '../../../harness.ts';
import { nonEmptyText } from '../../fields.ts';
import { type Line, tell } from './line.ts';
import { addContinuation } from './session.ts';
import type { Identity, Role } from './state.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const JOURNAL = 'journal.jsonl';
const AUDIT = 'audit.jsonl';

/** Whose records `source` holds. */
export function identityOf(source: Source, context: SourceContext): Identity {
  const { sessionId, facts } = source;
  const stem = source.fileName.replace(/\.jsonl$/, '');
  const agentPath = facts['agentPath'] ?? null;
  const role = roleOf(source, agentPath);
  const workflowId = /(?:^|\/)workflows\/([^/]+)\//.exec(agentPath ?? '')?.[1] ?? null;
  const isByPlace = role === 'audit' || typeof facts['parentSession'] === 'string';
  const isNamed = isByPlace || (agentPath === null && UUID.test(sessionId ?? ''));
  const named = isNamed ? null : nonEmptyText(context.firstText('sessionId'));
  const isAgent = role === 'subagent' || role === 'workflow_agent';
  return {
    role,
    sessionUid: named ?? sessionId ?? stem,
    agentId: isAgent ? stem.replace(/^agent-/, '') : '',
    workflowId,
  };
}

function roleOf({ kind, fileName }: Source, agentPath: string | null): Role {
  if (agentPath === null) return kind === 'journal' && fileName === AUDIT ? 'audit' : 'main';
  if (fileName === JOURNAL) return 'workflow_journal';
  return agentPath.includes('/workflows/') ? 'workflow_agent' : 'subagent';
}

/** The records that tell which session they belong to. */
const WITH_SESSION: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment', 'system']);

/** Diagnoses a record without a session, and the first one of another. */
export function checkSession(line: Line): void {
  const { state, value } = line;
  const told = nonEmptyText(value['sessionId']);
  if (told === state.owner.session_uid) return;
  if (told === null) {
    if (WITH_SESSION.has(value['type'])) tell(line, 'missing_field', 'sessionId');
    return;
  }
  if (state.isMismatchTold) return;
  state.isMismatchTold = true;
  tell(line, 'session_mismatch', told);
  if (state.identity.role !== 'main') return;
  const child = state.owner.session_uid;
  addContinuation(line, { child, parent: told, kind: 'other', evidence: 'sessionId' });
}
