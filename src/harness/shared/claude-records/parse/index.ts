/**
 * What the records of Claude Code mean, as rows of the relations.
 *
 * Each record passes here once: what any record may tell is noted, then the part for its type takes
 * it. Whoever records like Claude Code names the kinds of files that hold such records.
 */

import { isObject, textOf } from '../../../../bytes/json.ts';
import type { SourceRecord } from '../../../../bytes/record.ts';
import { fromWire, toWire } from '../../../../bytes/text.ts';
import type { SourceContext, SourceKind } from '../../../harness.ts';
import type { Parser, Place, Rows } from '../../../parser.ts';
import { nonEmptyText } from '../../fields.ts';
import { instantMicros } from '../../prompt/instants.ts';
import { readAssistant } from './assistant.ts';
import { readAttachment } from './attachment-records.ts';
import { readAudit } from './audit.ts';
import { concernsOf } from './concerns.ts';
import { giveUp, tellOrphans } from './early.ts';
import { readPrLink } from './git.ts';
import { readProgress } from './hooks.ts';
import { checkSession, identityOf } from './identity.ts';
import { readJournal } from './journal.ts';
import { noteTime } from './latency.ts';
import { type Line, tell } from './line.ts';
import { readMode, readPermissionMode, releaseHeldMode } from './modes.ts';
import { releaseReads } from './output.ts';
import {
  addSession,
  noteRecord,
  readAgentName,
  readAiTitle,
  readContinuedIn,
  readCustomTitle,
  readForkContext,
  readWorktree,
} from './session.ts';
import { readCostState, readQueueOperation } from './side-records.ts';
import { type ClaudeState, restoreState, type SavedState, saveState, startState } from './state.ts';
import { readSystem } from './system.ts';
import { readFileHistory } from './touches.ts';
import { readUser } from './user.ts';

/** Raised whenever the parser makes other rows. */
const VERSION = 1;

/** Who records like Claude Code. */
export interface ClaudeParserOptions {
  /** The kinds of sources that hold records. */
  readonly kinds: readonly SourceKind[];
}

/** The parser of Claude Code's records. */
export function claudeParser({ kinds }: ClaudeParserOptions): Parser<ClaudeState> {
  return {
    version: VERSION,
    kinds,
    start: (source, context) => startState(identityOf(source, context)),
    read,
    finish(state, rows, context) {
      if (!hasSession(state)) return;
      tellOrphans(state, rows);
      addSession(state, rows, context);
    },
    save: saveState,
    restore: saved => restoreState(saved as SavedState),
    harnessVersion: state => state.version,
    instantOf: timeOf,
    concerns: concernsOf,
  };
}

/** Journals and logs tell of the sessions of other files. */
function hasSession({ identity: { role } }: ClaudeState): boolean {
  return role !== 'workflow_journal' && role !== 'audit';
}

function timeOf(value: unknown): number | null {
  if (!isObject(value)) return null;
  return instantMicros(value['timestamp']) ?? instantMicros(value['_audit_timestamp']);
}

const READERS: ReadonlyMap<string, (line: Line) => void> = new Map([
  ['user', readUser],
  ['assistant', readAssistant],
  ['attachment', readAttachment],
  ['system', readSystem],
  ['progress', readProgress],
  ['queue-operation', readQueueOperation],
  ['permission-mode', readPermissionMode],
  ['mode', readMode],
  ['pr-link', readPrLink],
  ['file-history-delta', readFileHistory],
  ['cost-state', readCostState],
  ['continued-in', readContinuedIn],
  ['fork-context-ref', readForkContext],
  ['worktree-state', readWorktree],
  ['ai-title', readAiTitle],
  ['custom-title', readCustomTitle],
  ['agent-name', readAgentName],
]);

function read(
  state: ClaudeState,
  record: SourceRecord,
  place: Place,
  rows: Rows,
  _context: SourceContext,
): void {
  const { value } = record;
  if (!isObject(value)) return;
  const line = lineOf(state, record, place, rows, value);
  const type = textOf(value['type']);
  if (type === null) tell(line, 'missing_field', 'type');
  const { role } = state.identity;
  if (role === 'workflow_journal') readJournal(line);
  else if (role === 'audit') readAudit(line);
  else readTranscript(line, type);
}

function readTranscript(line: Line, type: string | null): void {
  noteRecord(line);
  checkSession(line);
  noteTime(line);
  releaseHeldMode(line);
  giveUp(line);
  if (type === 'assistant') releaseReads(line);
  READERS.get(type ?? '')?.(line);
}

function lineOf(
  state: ClaudeState,
  record: SourceRecord,
  place: Place,
  rows: Rows,
  value: Line['value'],
): Line {
  const ownAt = timeOf(value);
  if (ownAt !== null) state.lastAt = ownAt;
  const { session_uid, agent_id } = state.owner;
  const own = nonEmptyText(value['uuid']);
  // Bytes that are no UTF-8 are replaced in rows, so they are in what rows are known by.
  const uid =
    own === null ? `${session_uid}/${agent_id}@${place.byteOffset}` : toWire(fromWire(own));
  return { state, record, value, place, rows, uid, ownAt, at: ownAt ?? state.lastAt, issues: '' };
}
