/**
 * The chats of `state.vscdb` as rows.
 *
 * - A chat (`composerData:<chat>`) lists its bubbles, which follow it as records of their own. A
 *   bubble that is listed and not there is a row without content. The chat itself has no row.
 * - A chat that does not parse is a row with its diagnosis. Its bubbles follow in the order in
 *   which they were written, and say themselves who speaks; which answers which is not known.
 * - Older chats hold their bubbles themselves, as `conversation`; in 2024 one record held the chats
 *   of a workspace as `tabs` with `bubbles`, later as `allComposers`. Their rows are parts of one
 *   record, whose text only the first of them carries.
 * - By line, each record is one row.
 */

import { booleanOf, isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { SourceContext } from '../harness.ts';
import { at, kindOf, listOf, nonEmptyText } from '../shared/fields.ts';
import { type Bubble, bubbleUnits, instantText } from './bubble.ts';
import { type Header, headersOf } from './headers.ts';
import { composerRows, OLD_CHATS, type StateKey, stateKeyOf, WORKSPACE_CHATS } from './state.ts';
import { bareChat, type Chat, type EmitUnit, errorUnit, plainUnit } from './units.ts';
import { folderOfIdentifier } from './workspace.ts';

/** The chat whose bubbles are being read: plain JSON. */
export interface ComposerState {
  chat: Chat | null;
  headers: readonly Header[];
  /** How many bubbles were read. */
  done: number;
}

/** The state before the first record. */
export function startComposer(): ComposerState {
  return { chat: null, headers: [], done: 0 };
}

/** The rows of a record that came with the chats in order. */
export function composerUnits(
  state: ComposerState,
  record: SourceRecord,
  emit: EmitUnit,
  context: SourceContext,
): void {
  const key = stateKeyOf(record.recordKey);
  if (key.kind === 'bubble') followingBubble(state, record, key, emit);
  else if (key.kind === 'composer') composer(state, record, key.session, emit);
  else if (!isObject(record.value)) emit(malformed(record, ''));
  else if (key.name === OLD_CHATS) tabs(record, emit);
  else if (key.name === WORKSPACE_CHATS) inlineComposers(record, emit, context);
}

/** The row of any record. */
export function recordUnit(
  record: SourceRecord,
  { source }: SourceContext,
): ReturnType<typeof plainUnit> {
  const key = stateKeyOf(record.recordKey);
  if (key.kind === 'item') return plainUnit(record, bareChat(source.sessionId ?? ''), key.name);
  if (key.kind === 'bubble') {
    const [unit] = bubbleUnits(bubbleAlone(record, key), true);
    return { ...(unit ?? malformed(record, key.session)), lineNumber: record.lineNumber };
  }
  if (!isObject(record.value)) return malformed(record, key.session);
  const chat = chatOf(record.value, key.session);
  return { ...plainUnit(record, chat, 'composer'), text: chat.title };
}

function malformed(record: SourceRecord, session: string): ReturnType<typeof errorUnit> {
  const kind = kindOf(record.value);
  const problem = record.error ?? `the record is a JSON ${kind}, not an object`;
  return { ...errorUnit(record, bareChat(session), problem), lineNumber: 1 };
}

function composer(
  state: ComposerState,
  record: SourceRecord,
  session: string,
  emit: EmitUnit,
): void {
  const { value } = record;
  state.chat = chatOf(value, session);
  state.headers = headersOf(value);
  state.done = 0;
  if (!isObject(value)) emit(malformed(record, session));
  else if (state.headers.length === 0) {
    inline(record, state.chat, root => listOf(member(root, 'conversation')), emit, false);
  }
}

function followingBubble(
  state: ComposerState,
  record: SourceRecord,
  key: StateKey & { readonly kind: 'bubble' },
  emit: EmitUnit,
): void {
  const header = state.headers[state.done];
  const previous = state.headers[state.done - 1];
  state.done++;
  const alone = bubbleAlone(record, key);
  const bubble = {
    ...alone,
    chat: state.chat ?? bareChat(key.session),
    type: header ? header.type : alone.type,
    parentUuid: previous?.bubbleId ?? null,
    lineNumber: header?.lineNumber ?? state.done,
  };
  for (const unit of bubbleUnits(bubble, false)) emit(unit);
}

function bubbleAlone(record: SourceRecord, key: StateKey & { readonly kind: 'bubble' }): Bubble {
  return {
    record,
    chat: bareChat(key.session),
    value: record.value,
    pick: root => root,
    type: member(record.value, 'type'),
    uuid: key.bubbleId,
    parentUuid: null,
    lineNumber: record.lineNumber,
    isRawElsewhere: false,
  };
}

function tabs(record: SourceRecord, emit: EmitUnit): void {
  let isRawElsewhere = false;
  listOf(member(record.value, 'tabs')).forEach((tab, index) => {
    const chat = {
      ...bareChat(textOf(member(tab, 'tabId')) ?? `tab-${index + 1}`),
      title: nonEmptyText(member(tab, 'chatTitle')),
      updatedAt: instantText(member(tab, 'lastSendTime')),
    };
    const bubbles = (root: unknown) =>
      listOf(member(listOf(member(root, 'tabs'))[index], 'bubbles'));
    isRawElsewhere = inline(record, chat, bubbles, emit, isRawElsewhere);
  });
}

function inlineComposers(record: SourceRecord, emit: EmitUnit, context: SourceContext): void {
  let isRawElsewhere = false;
  listOf(member(record.value, 'allComposers')).forEach((item, index) => {
    const session = textOf(member(item, 'composerId')) ?? `composer-${index + 1}`;
    const bubbles = (root: unknown) =>
      listOf(member(listOf(member(root, 'allComposers'))[index], 'conversation'));
    if (bubbles(record.value).length === 0 || isInGlobalState(session, context)) return;
    isRawElsewhere = inline(record, chatOf(item, session), bubbles, emit, isRawElsewhere);
  });
}

/** Chats that have moved from a workspace to the state of the editor are read there. */
function isInGlobalState(session: string, context: SourceContext): boolean {
  const { table, key, prefix } = composerRows;
  return context.companionRow('global', table, key, `${prefix}${session}`) !== null;
}

/** The rows of bubbles that lie in one record; gives whether its text has been carried. */
function inline(
  record: SourceRecord,
  chat: Chat,
  bubblesIn: (root: unknown) => readonly unknown[],
  emit: EmitUnit,
  isRawElsewhere: boolean,
): boolean {
  let isCarried = isRawElsewhere;
  let parentUuid: string | null = null;
  bubblesIn(record.value).forEach((value, index) => {
    const uuid = textOf(member(value, 'bubbleId')) ?? textOf(member(value, 'id'));
    const pick = (root: unknown) => bubblesIn(root)[index];
    const type = member(value, 'type');
    const place = { uuid, parentUuid, lineNumber: index + 1 };
    const bubble = { record, chat, value, pick, type, ...place };
    for (const unit of bubbleUnits({ ...bubble, isRawElsewhere: true }, false)) {
      emit({ ...unit, isRawElsewhere: isCarried });
      isCarried = true;
    }
    parentUuid = uuid;
  });
  return isCarried;
}

/** What a chat says of itself. */
function chatOf(value: unknown, sessionId: string): Chat {
  const agent = member(value, 'subagentInfo');
  return {
    sessionId,
    title: nonEmptyText(member(value, 'name')),
    model: nonEmptyText(at(value, 'modelConfig', 'modelName')),
    branch: nonEmptyText(member(value, 'createdOnBranch')),
    createdAt: instantText(member(value, 'createdAt')),
    updatedAt: instantText(member(value, 'lastUpdatedAt')),
    isArchived: booleanOf(member(value, 'isArchived')),
    parentSession: nonEmptyText(member(agent, 'parentComposerId')),
    agentRole: nonEmptyText(member(agent, 'subagentTypeName')),
    folder: folderOfIdentifier(member(value, 'workspaceIdentifier')),
  };
}
