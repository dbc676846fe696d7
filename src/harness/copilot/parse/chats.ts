/**
 * What the chats of VS Code mean, and the documents of autumn 2025, through the parser of chats.
 *
 * - A request is a turn. Its usage counts as one model call, though several may have been made:
 *   the prompt tokens are those of the last one, and whether they came from the cache is not told.
 * - `timings` of the result are those of the turn. A failed request is an `api_error` too, a
 *   cancelled one an `interrupt`.
 * - Parts of a response have no times of their own, they get that of the request; how long a call
 *   took is not known. What surrounds the requests is no part of a turn.
 * - Parts have no identifiers either: they are called by their place in the response.
 */

import { booleanOf, integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import type { CellFunction, Reader, SourceContext, Unit } from '../../harness.ts';
import { at, isoOfMs, listOf, lookUp } from '../../shared/fields.ts';
import { callUid } from '../../shared/parsed/chats/calls.ts';
import type { ChatRow } from '../../shared/parsed/chats/parser.ts';
import { chatParser } from '../../shared/parsed/chats/parser.ts';
import type { ChatRules } from '../../shared/parsed/chats/rules.ts';
import { firstCharacters } from '../../shared/parsed/chats/texts.ts';
import { gitCommandOf, gitEvents } from '../../shared/parsed/git-evidence.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import type { ChatUnit } from '../chat-units.ts';
import { conversationsReader } from '../conversation.ts';
import { description } from '../describe.ts';

const rules: ChatRules = {
  version: 1,
  inputIncludes: 'nothing',
  outputIncludesReasoning: true,
  callScopes: new Set(['request']),
  fileTools: {
    apply_patch: 'edit',
    copilot_applypatch: 'edit',
    copilot_createfile: 'create',
    copilot_editfile: 'edit',
    copilot_insertedit: 'edit',
    copilot_readfile: 'read',
    copilot_replacestring: 'edit',
    create: 'create',
    create_file: 'create',
    edit: 'edit',
    insert_edit_into_file: 'edit',
    read_file: 'read',
    replace_string_in_file: 'edit',
    view: 'read',
  },
  spawnTools: new Set(['runsubagent', 'task']),
  compactionTypes: new Set(),
  eventTypes: {},
  turnEndTypes: {},
  more: moreRows,
};

/** The parser of chats and of old documents. */
export const chats = chatParser(description, chatsReader(), rules);

/** The reader of `conversations`, with what the parser of chats is to see instead. */
function chatsReader(): Reader {
  const reader: Reader = conversationsReader(description.name, { rows: 'block' });
  const cells = reader.cells;
  return {
    ...reader,
    cells: {
      ...cells,
      model: (unit, context) => (isAnswered(unit) ? of(cells['model'], unit, context) : null),
      timestamp: (unit, context) =>
        isOfChat(unit) && unit.kind === 'session' ? null : of(cells['timestamp'], unit, context),
      uuid: (unit, context) => partId(unit) ?? of(cells['uuid'], unit, context),
      message_type: (unit, context) => {
        const type = of(cells['message_type'], unit, context);
        return type === 'tool_start' ? 'tool_call' : type;
      },
    },
  };
}

function of(cell: CellFunction<Unit> | undefined, unit: Unit, context: SourceContext) {
  return cell?.(unit, context) ?? null;
}

/** Whether a unit of Copilot is one of a chat of VS Code. */
function isOfChat(unit: Unit): unit is ChatUnit {
  return 'format' in unit && unit.format === 'chat';
}

/** Before a model has answered, the one that was chosen may be `auto`. */
function isAnswered(unit: Unit): boolean {
  if (!isOfChat(unit)) return true;
  return unit.kind === 'assistant' && isObject(at(unit.request, 'result', 'metadata'));
}

function partId(unit: Unit): string | null {
  if (!isOfChat(unit) || unit.part === undefined) return null;
  const request = textOf(member(unit.request, 'requestId'));
  const index = listOf(member(unit.request, 'response')).indexOf(unit.part);
  return request === null ? null : `${request}:${index}`;
}

const STATUSES: Readonly<Record<string, string>> = {
  completed: 'complete',
  failed: 'error',
  in_progress: 'open',
  interrupted: 'aborted',
};

/** What a row tells beyond what those of all chats do. */
function moreRows(row: ChatRow): void {
  const { unit } = row.facts;
  if (!isOfChat(unit)) return;
  if (unit.kind === 'session') creationRow(row, unit);
  else if (unit.kind === 'user') attachmentRows(row, unit);
  else if (unit.kind === 'assistant') responseRows(row, unit);
  else if (unit.kind === 'tool_result') commandRows(row, unit);
}

function creationRow({ rows, place, owner, context }: ChatRow, unit: ChatUnit): void {
  const chat = unit.chat ?? (context.source.form === 'elements' ? context.rest() : undefined);
  const first_event_at = instantMicros(isoOfMs(member(chat, 'creationDate')));
  rows.add('session', place, { ...owner, is_subagent: false, first_event_at });
}

function responseRows(row: ChatRow, unit: ChatUnit): void {
  const { facts, rows, place, owner, state, at: ts, uid } = row;
  if (state.turn === null) return;
  const result = member(unit.request, 'result');
  const status = facts.text('status') ?? (isObject(result) ? 'completed' : null);
  rows.add('turn', place, {
    ...owner,
    turn_key: state.turn,
    status: lookUp(STATUSES, status) ?? null,
    abort_reason: status === 'interrupted' ? 'cancelled' : null,
    duration_ms: integerOf(at(result, 'timings', 'totalElapsed')),
    ttft_ms: integerOf(at(result, 'timings', 'firstProgress')),
    collaboration_mode: textOf(at(unit.request, 'modeInfo', 'kind')),
  });
  const event = { event_uid: uid, ...owner, turn_key: state.turn, ts };
  if (status === 'failed') {
    const message = textOf(at(result, 'errorDetails', 'message'));
    const value = message === null ? null : firstCharacters(message, VALUE_CHARACTERS);
    rows.add('session_event', place, { ...event, kind: 'api_error', value });
  } else if (status === 'interrupted') {
    rows.add('session_event', place, { ...event, kind: 'interrupt', value: 'cancelled' });
  }
}

/** What a command in the terminal did: its exit code, and what that proves of git. */
function commandRows({ rows, place, owner, scope, state, at: ts, facts }: ChatRow, unit: ChatUnit) {
  const id = facts.text('tool_use_id');
  const data = member(unit.part, 'toolSpecificData');
  const command = textOf(at(data, 'commandLine', 'original')) ?? textOf(member(data, 'command'));
  if (id === null || command === null) return;
  const call_uid = callUid(scope, id);
  const exit_code = integerOf(at(data, 'terminalCommandState', 'exitCode'));
  const whose = { ...owner, turn_key: state.turn };
  rows.add('tool_call', place, { call_uid, ...whose, exit_code });
  const git = gitCommandOf(command);
  if (git === null || facts.text('status') !== 'completed') return;
  const output = facts.text('message_content') ?? '';
  for (const columns of gitEvents(call_uid, git, output, exit_code)) {
    rows.add('git_event', place, { ...whose, call_uid, ts, cwd: facts.text('cwd'), ...columns });
  }
}

const VALUE_CHARACTERS = 200;

/** Files and images that a person added to the prompt; what the editor adds by itself is none. */
function attachmentRows({ rows, place, owner, state, at: ts, uid }: ChatRow, unit: ChatUnit): void {
  listOf(at(unit.request, 'variableData', 'variables')).forEach((variable, index) => {
    const kind = textOf(member(variable, 'kind'));
    const isAdded = booleanOf(member(variable, 'automaticallyAdded')) !== true;
    if ((kind !== 'file' && kind !== 'image') || !isAdded) return;
    const uri = member(variable, 'value');
    const path = textOf(member(uri, 'fsPath')) ?? textOf(at(uri, 'uri', 'fsPath'));
    rows.add('attachment', place, {
      attachment_uid: `${uid}:attachment:${index}`,
      ...owner,
      turn_key: state.turn,
      ts,
      kind,
      attached_to: 'prompt',
      event_uid: uid,
      mime: textOf(member(variable, 'mimeType')),
      file_name: textOf(member(variable, 'name')) ?? path,
      detail: path === null ? null : recordedJson({ path }),
    });
  });
}
