/**
 * The parser of harnesses whose records say no more than their rows of `conversations` do.
 *
 * It reads those rows, so a new harness has all relations as soon as it has conversations:
 * - the words of a person are a `human_prompt` and open a turn; those of a program or of a parent
 *   agent are an `agent_message`; what the harness adds by itself is `context_injection`;
 * - the words of the agent are `assistant_text`, its thoughts `reasoning`, and a summary of what
 *   went before is a `compaction_summary`;
 * - a row with the usage of one model call is an `llm_call`, called by the response or by the row;
 * - calls of tools and their results are paired by identifier within the session; where a harness
 *   uses one identifier for several calls, the later ones get a number, and the results go to the
 *   calls in order;
 * - records that were copied from another session count there: here they are counted, no more.
 *
 * The identifier of a row is that of its record within the session, else the place of the record.
 * A sub-agent that shares the session of its parent has its own name in front.
 */

import type { Description, Reader, SourceContext, Unit } from '../../../harness.ts';
import type { Parser, Place, Rows } from '../../../parser.ts';
import { callRows, resultRows } from './calls.ts';
import { RowFacts } from './facts.ts';
import { usageRows } from './model-calls.ts';
import type { ChatRules } from './rules.ts';
import { inheritedRow, sessionRow } from './sessions.ts';
import { type ChatState, enterSession, startChat } from './state.ts';
import { textRows } from './texts.ts';

/** The columns that say whose a row is. */
export interface Owner {
  readonly session_uid: string;
  /** Empty for the session itself. */
  readonly agent_id: string;
}

/** A row on its way through the parser. */
export interface ChatRow {
  readonly facts: RowFacts;
  readonly rules: ChatRules;
  readonly state: ChatState;
  readonly place: Place;
  readonly rows: Rows;
  readonly context: SourceContext;
  readonly session: string;
  /** The session, and the sub-agent within it: who did what the row tells. */
  readonly owner: Owner;
  /** What the identifiers of the rows begin with. */
  readonly scope: string;
  /** Identifier of the row. */
  readonly uid: string;
  readonly type: string;
  readonly author: string;
  readonly isAgent: boolean;
  readonly at: number | null;
}

/** The parser over the reader of `conversations`, by block. */
export function chatParser(
  description: Description,
  reader: Reader,
  rules: ChatRules,
): Parser<ChatState> {
  const emitInto = (state: ChatState, rows: Rows, context: SourceContext) => (unit: Unit) =>
    rowsOf(new RowFacts(description, reader, unit, context), rules, state, rows, context);
  return {
    version: rules.version,
    kinds: reader.kinds,
    ...(reader.tables ? { tables: reader.tables } : {}),
    start: (source, context) => startChat(reader.start(source, context)),
    read(state, record, _place, rows, context) {
      reader.read(state.inner, record, emitInto(state, rows, context), context);
    },
    finish(state, rows, context) {
      reader.finish?.(state.inner, emitInto(state, rows, context), context);
    },
    save: state => ({ ...state, inner: reader.save ? reader.save(state.inner) : state.inner }),
    restore(saved) {
      const state = saved as ChatState;
      return { ...state, inner: reader.restore ? reader.restore(state.inner) : state.inner };
    },
    harnessVersion: ({ version }) => version,
  };
}

function rowsOf(
  facts: RowFacts,
  rules: ChatRules,
  state: ChatState,
  rows: Rows,
  context: SourceContext,
): void {
  const type = facts.text('message_type') ?? '';
  const session = facts.text('session_id');
  const { at, place } = facts;
  const agent_id = facts.text('agent_id') ?? '';
  const scope = scopeOf(session ?? context.source.path, agent_id);
  const uid = uidOf(facts, state, scope);
  state.version = facts.text('version') ?? state.version;
  if (type === '_parse_error') return;
  // A record that names no session, in a file that does not either, belongs to nobody.
  if (session === null) {
    rows.issue(place, 'missing_field', 'session');
    return;
  }
  enterSession(state, session);
  const author = facts.text('author') ?? 'system';
  const owner = { session_uid: session, agent_id };
  const who = { session, owner, scope, uid, type, author, isAgent: facts.flag('is_agent'), at };
  const row: ChatRow = { facts, rules, state, place, rows, context, ...who };
  if (facts.flag('is_inherited')) {
    inheritedRow(row);
    return;
  }
  sessionRow(row, textRows(row));
  usageRows(row);
  if (type === 'tool_result') resultRows(row);
  else if (author === 'agent' || author === 'tool') callRows(row);
  rules.more?.(row);
}

/** What identifiers begin with: those of sub-agents within a session have the agent's name. */
export function scopeOf(session: string, agentId: string): string {
  return agentId === '' ? session : `${session}:${agentId}`;
}

function uidOf(facts: RowFacts, state: ChatState, scope: string): string {
  const { lineNumber, byteOffset, recordKey } = facts.unit.record;
  const record = recordKey ?? `${lineNumber}@${byteOffset ?? ''}`;
  const native = facts.text('uuid') ?? (recordKey === null ? `o${byteOffset}` : recordKey);
  const isSame = state.recordKey === record;
  state.rowsOfRecord = isSame ? state.rowsOfRecord + 1 : 0;
  // A record may hold several messages, each with an identifier and rows of its own.
  state.rowsOfId = isSame && state.id === native ? state.rowsOfId + 1 : 0;
  state.recordKey = record;
  state.id = native;
  return `${scope}:${native}${state.rowsOfId === 0 ? '' : `:${state.rowsOfId}`}`;
}
