/**
 * What the sessions of Grok Build mean: the chat says what was said, the updates what was used.
 *
 * - The tokens on the lines of a chat are the session's, so they are no model call: those are in
 *   the updates (see `updates.ts`), and unknown for sessions without.
 * - Several calls may share an identifier; each line of a call is one of its own.
 * - A line has a time where the updates have one for it, else none. When the session began and
 *   ended tells its summary.
 * - Lines that a fork took over from its parent count there.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { CellFunction, Reader, SourceContext } from '../harness.ts';
import type { Parser } from '../parser.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { attachmentRows } from '../shared/parsed/chats/attachments.ts';
import { type ChatRow, chatParser } from '../shared/parsed/chats/parser.ts';
import type { ChatRules } from '../shared/parsed/chats/rules.ts';
import { forkRow } from '../shared/parsed/chats/sessions.ts';
import type { ChatState } from '../shared/parsed/chats/state.ts';
import { payloadParts } from '../shared/prompt/binary.ts';
import { instantMicros } from '../shared/prompt/instants.ts';
import { conversationsReader, inputOf } from './conversation.ts';
import { description } from './describe.ts';
import { UPDATES } from './discover.ts';
import * as session from './session.ts';
import { spawnFacts } from './spawn.ts';
import { type GrokUnit, typeOfLine } from './units.ts';
import { updateRows } from './updates.ts';

function grokReader(source: string): Reader<GrokUnit> {
  const reader = conversationsReader(source, { rows: 'block' });
  const own: Readonly<Record<string, CellFunction<GrokUnit>>> = {
    uuid: unit => nonEmptyText(member(unit.record.value, 'id')),
    timestamp: unit => unit.timestamp,
    // What the summary calls a version is that of the format.
    version: () => null,
    // The summary knows the last ones of the session only.
    model: unit => textOf(member(unit.record.value, 'model_id')),
    reasoning_effort: unit => textOf(member(unit.record.value, 'reasoning_effort')),
    forked_at: (_unit, context) => session.text(context, 'forked_at'),
    tool_input: unit => inputOf(unit, 'recorded'),
    message_class: unit => (typeOfLine(unit.record.value) === 'system' ? 'system_prompt' : null),
    is_inherited: (unit, context) => session.isInherited(unit.record.lineNumber, context),
    agent_type: (_unit, context) => session.agentRoleOf(context),
  };
  return { ...reader, cells: { ...reader.cells, ...own } };
}

const rules: ChatRules = {
  version: 1,
  inputIncludes: 'cache_reads',
  outputIncludesReasoning: true,
  callScopes: new Set(),
  fileTools: {
    edit_file: 'edit',
    read_file: 'read',
    search_replace: 'edit',
    write: 'create',
    write_file: 'create',
  },
  // The updates and the parent's folder tell of sub-agents.
  spawnTools: new Set(),
  compactionTypes: new Set(),
  eventTypes: {},
  turnEndTypes: {},
  repeatsIdentifiers: true,
  more: moreRows,
};

function moreRows(row: ChatRow): void {
  const { facts, state, rows, place } = row;
  if (state.rowsOfRecord > 0) return;
  const { value } = facts.unit.record;
  const parts = payloadParts(member(value, 'content'));
  attachmentRows(
    row,
    parts.map(({ index, mime, bytes }) => ({ index, mime, sizeBytes: bytes })),
  );
  if (rows.wants('session')) rows.add('session', place, { ...row.owner, ...timesOf(row) });
  forkRow(row, 'summary');
  if (rows.wants('subagent_spawn')) parentSpawn(row);
}

function timesOf({ context, isAgent }: ChatRow) {
  const time = (name: string) => instantMicros(session.text(context, name));
  return {
    is_subagent: isAgent,
    first_event_at: time('created_at'),
    last_event_at: time('last_active_at') ?? time('updated_at'),
  };
}

/** A sub-agent is told of once more by its own session, where its parent has no updates. */
function parentSpawn({ context, session: child, rows, place }: ChatRow): void {
  const meta = context.companion('meta');
  const parent = session.parentOf(context);
  if (meta === undefined || parent === null) return;
  rows.add('subagent_spawn', place, spawnFacts(parent, child, meta, undefined));
}

const chats = chatParser(description, grokReader(description.name), rules);

/** The state: that of a chat; null for a journal, whose lines stand for themselves. */
type GrokState = ChatState | null;

/** The parser of all relations. */
export const parser: Parser<GrokState> = {
  ...chats,
  kinds: ['transcript', 'journal'],
  start: (source, context) => (source.kind === 'journal' ? null : chats.start(source, context)),
  read(state, record, place, rows, context) {
    if (state !== null) chats.read(state, record, place, rows, context);
    else if (isUpdates(context)) updateRows(record.value, place, rows, context);
  },
  finish(state, rows, context) {
    if (state !== null) chats.finish?.(state, rows, context);
  },
  save: state => (state === null ? null : chats.save?.(state)),
  restore: saved => (saved === null ? null : (chats.restore?.(saved) ?? null)),
  harnessVersion: () => null,
};

function isUpdates({ source }: SourceContext): boolean {
  return source.fileName === UPDATES;
}
