/**
 * The columns of `conversations` for Cursor, each a function of a row.
 *
 * A session is a chat: its id is the key of the chat in `state.vscdb`, and the name of the agent's
 * transcript. It is an agent's when the chat says so (`isAgentic`), or another one launched it.
 * `slug` is the title of the chat. Model: the bubble's own, else the one chosen for the chat. Input
 * tokens are as Cursor counts them.
 *
 * Author follows the role; the prompt of a chat that another one launched is a caller's.
 */

import { member, textOf } from '../../bytes/json.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, Reader, ReadOptions, Source, SourceContext } from '../harness.ts';
import { byteOrderMarkProblem } from '../shared/diagnosis.ts';
import { at, nonEmptyText, topLevelText } from '../shared/fields.ts';
import { timeOf, tokensOf } from './bubble.ts';
import { composerUnits, recordUnit, startComposer } from './composer.ts';
import { messageUnits } from './message.ts';
import { allRows, chatRows } from './state.ts';
import {
  endText,
  restoreText,
  saveText,
  startText,
  type TextState,
  textLine,
  textLineUnit,
} from './text-transcript.ts';
import { folderOfTranscript } from './transcript-folder.ts';
import { bareChat, type Chat, type CursorUnit } from './units.ts';
import { workspaceOf } from './workspace.ts';

type State =
  | { readonly form: 'state'; readonly composer: ReturnType<typeof startComposer> }
  | { readonly form: 'text'; readonly text: TextState }
  | { readonly form: 'messages' };

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, { rows }: ReadOptions): Reader<CursorUnit> {
  const isByLine = rows === 'line';
  return {
    kinds: isByLine ? ['transcript', 'journal'] : ['transcript'],
    tables: isByLine ? allRows : chatRows,
    readsBlankLines: true,
    start: startOf,
    read(state, record, emit, context) {
      const at = state as State;
      if (at.form === 'state') {
        if (isByLine) emit(recordUnit(record, context));
        else composerUnits(at.composer, record, emit, context);
      } else if (at.form === 'text') {
        const take = isByLine ? textLineUnit : textLine;
        take(at.text, record, transcriptChat(context), emit);
      } else if (!record.isBlank) {
        messageUnits(record, transcriptChat(context), isByLine, emit);
      }
    },
    finish(state, emit, context) {
      const at = state as State;
      if (at.form === 'text') endText(at.text, transcriptChat(context), emit);
    },
    save: state => withText(state as State, saveText),
    restore: saved => withText(saved as State, text => restoreText(text as never)),
    cells: conversationCells(source),
  };
}

function startOf({ form, fileName }: Source): State {
  if (form === 'sqlite') return { form: 'state', composer: startComposer() };
  return fileName.endsWith('.txt') ? { form: 'text', text: startText() } : { form: 'messages' };
}

function withText(state: State, change: (text: TextState) => unknown): unknown {
  return state.form === 'text' ? { ...state, text: change(state.text) } : state;
}

function transcriptChat({ source }: SourceContext): Chat {
  const parentSession = source.facts['parentSession'] ?? null;
  return { ...bareChat(source.sessionId ?? ''), parentSession };
}

function conversationCells(source: string): Cells<typeof conversations, CursorUnit> {
  return {
    source: () => source,
    session_id: unit => unit.chat.sessionId,
    project_path: projectPath,
    project_dir: (unit, context) =>
      isState(context)
        ? (workspaceOf(unit.chat.sessionId, context).name ?? '')
        : (context.source.facts['projectDir'] ?? ''),
    is_agent: unit => member(unit.bubble, 'isAgentic') === true || unit.chat.parentSession !== null,
    line_number: unit => unit.lineNumber,
    message_type: unit => unit.type,
    uuid: unit => unit.uuid,
    parent_uuid: unit => unit.parentUuid,
    timestamp: unit => timeOf(unit.bubble) ?? textOf(member(unit.record.value, 'timestamp')),
    message_role: unit => unit.role,
    message_content: unit => unit.text,
    model: unit =>
      nonEmptyText(at(unit.bubble, 'modelInfo', 'modelName')) ??
      nonEmptyText(member(unit.bubble, 'modelType')) ??
      unit.chat.model,
    tool_name: unit => unit.tool?.name ?? null,
    tool_use_id: unit => unit.tool?.id ?? null,
    tool_input: unit => unit.tool?.input() ?? null,
    input_tokens: unit => usage(unit, 'inputTokens'),
    output_tokens: unit => usage(unit, 'outputTokens'),
    slug: unit => unit.chat.title,
    git_branch: unit => unit.chat.branch,
    record_id: unit => unit.record.recordKey,
    ordinal: unit => (unit.lineNumber > 0 ? unit.lineNumber - 1 : null),
    event_type: topLevelText('type'),
    parent_session_id: unit => unit.chat.parentSession,
    turn_id: unit => nonEmptyText(member(unit.bubble, 'requestId')),
    response_id: unit => nonEmptyText(member(unit.bubble, 'usageUuid')),
    agent_role: unit => unit.chat.agentRole,
    status: unit => unit.tool?.status ?? null,
    session_created_at: unit => unit.chat.createdAt,
    session_updated_at: unit => unit.chat.updatedAt,
    archived: unit => unit.chat.isArchived,
    usage_scope: unit => (usage(unit, 'inputTokens') === null ? null : 'response'),
    usage_source_line: unit => (usage(unit, 'inputTokens') === null ? null : unit.lineNumber),
    parse_error: parseError,
    raw_event: rawEvent,
    author: authorOf,
  };
}

function isState(context: SourceContext): boolean {
  return context.source.form === 'sqlite';
}

function projectPath(unit: CursorUnit, context: SourceContext): string {
  if (unit.chat.folder !== null) return unit.chat.folder;
  const found = isState(context)
    ? workspaceOf(unit.chat.sessionId, context).folder
    : folderOfTranscript(context);
  return found ?? '';
}

function usage(unit: CursorUnit, name: 'inputTokens' | 'outputTokens'): number | null {
  return unit.isMain ? tokensOf(unit.bubble, name) : null;
}

function parseError({ problem, record }: CursorUnit): string | null {
  return problem ?? byteOrderMarkProblem(record);
}

/** A bubble that is listed and not there has no record. */
function rawEvent({ record, bubble, isRawElsewhere }: CursorUnit): CursorUnit['record'] | null {
  return record.isTooLong || bubble === null || isRawElsewhere ? null : record;
}

function authorOf({ type, role, chat }: CursorUnit): string {
  if (type === 'tool_result' || role === 'tool') return 'tool';
  if (role === 'user') return chat.parentSession === null ? 'user' : 'caller';
  return role === 'assistant' ? 'agent' : 'system';
}
