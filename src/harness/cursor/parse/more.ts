/** Rows that only Cursor's bubbles give: files, commands, thoughts with a duration, failures. */

import { integerOf, isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import type { Unit } from '../../harness.ts';
import { decodedInput } from '../../shared/efficiency/finished-call.ts';
import { at, listOf, lookUp } from '../../shared/fields.ts';
import { callUid } from '../../shared/parsed/chats/calls.ts';
import type { ChatRow } from '../../shared/parsed/chats/parser.ts';
import type { FileOperation } from '../../shared/parsed/chats/rules.ts';
import { addEvent } from '../../shared/parsed/chats/texts.ts';
import { touchesOf } from '../../shared/parsed/chats/touches.ts';
import { gitCommandOf, gitEvents } from '../../shared/parsed/git-evidence.ts';
import type { CursorUnit } from '../units.ts';
import { commandOf, isResult, statusOf } from './units.ts';

/** Tools by their names without the version at the end, in small letters. */
const FILE_TOOLS: Readonly<Record<string, FileOperation>> = {
  apply_patch: 'edit',
  applypatch: 'edit',
  create_file: 'create',
  delete: 'delete',
  delete_file: 'delete',
  edit_file: 'edit',
  edit_notebook: 'edit',
  editnotebook: 'edit',
  multi_edit: 'edit',
  read: 'read',
  read_file: 'read',
  search_replace: 'edit',
  strreplace: 'edit',
  write: 'create',
  write_file: 'create',
};

const VERSION = /_v\d+$/;

/** Adds what a row tells beyond what those of all chats do. */
export function moreRows(row: ChatRow): void {
  const { unit } = row.facts;
  if (!isOfCursor(unit)) return;
  if (unit.type === 'tool_call') touchRows(row, unit);
  else if (isResult(unit)) commandRows(row, unit);
  if (unit.isMain) bubbleRows(row, unit);
  if (unit.type === 'thinking') thinkingRow(row, unit);
}

function isOfCursor(unit: Unit): unit is CursorUnit {
  return 'chat' in unit && 'isMain' in unit;
}

/** A call that never ran touched nothing. */
const FAILED: ReadonlySet<string> = new Set(['cancelled', 'failed', 'rejected']);

function touchRows(row: ChatRow, unit: CursorUnit): void {
  const { facts, rows, place, owner, scope, state, at: ts, uid } = row;
  const tool = facts.text('tool_name');
  const operation = lookUp(FILE_TOOLS, tool?.toLowerCase().replace(VERSION, ''));
  if (tool === null || operation === undefined || FAILED.has(statusOf(unit) ?? '')) return;
  const call_uid = callUid(scope, facts.text('tool_use_id') ?? uid);
  const input = decodedInput(facts.text('tool_input'));
  touchesOf(operation, input).forEach((touch, index) => {
    const whose = { ...owner, turn_key: state.turn, ts, tool, call_uid };
    rows.add('file_touch', place, { touch_uid: `${call_uid}:${index}`, ...whose, ...touch });
  });
}

function commandRows(
  { facts, rows, place, owner, scope, state, at: ts }: ChatRow,
  unit: CursorUnit,
) {
  const id = facts.text('tool_use_id');
  const found = commandOf(unit);
  if (id === null || found === null) return;
  const call_uid = callUid(scope, id);
  const { command, output, exitCode } = found;
  const whose = { ...owner, turn_key: state.turn };
  rows.add('tool_call', place, { call_uid, ...whose, exit_code: exitCode });
  const git = gitCommandOf(command);
  if (git === null || FAILED.has(statusOf(unit) ?? '')) return;
  for (const columns of gitEvents(call_uid, git, output ?? '', exitCode)) {
    rows.add('git_event', place, { ...whose, call_uid, ts, ...columns });
  }
}

/** What stands on a bubble as a whole. */
function bubbleRows(row: ChatRow, { bubble, role }: CursorUnit): void {
  const error = member(bubble, 'errorDetails');
  if (isObject(error)) addEvent(row, 'api_error', textOf(member(error, 'message')));
  if (role === 'user') attachmentRows(row, bubble);
}

function attachmentRows(
  { rows, place, owner, state, at: ts, uid }: ChatRow,
  bubble: unknown,
): void {
  const files = listOf(at(bubble, 'context', 'fileSelections')).map(
    selection =>
      textOf(at(selection, 'uri', 'fsPath')) ??
      textOf(at(selection, 'uri', 'path')) ??
      textOf(member(selection, 'relativePath')),
  );
  const images = listOf(member(bubble, 'images')).map(image => textOf(member(image, 'path')));
  const found = [
    ...files.filter(path => path !== null).map(path => ({ kind: 'file', path })),
    ...images.map(path => ({ kind: 'image', path })),
  ];
  found.forEach(({ kind, path }, index) => {
    rows.add('attachment', place, {
      attachment_uid: `${uid}:attachment:${index}`,
      ...owner,
      turn_key: state.turn,
      ts,
      kind,
      attached_to: 'prompt',
      event_uid: uid,
      file_name: path?.split(/[\\/]/).at(-1) ?? null,
      detail: path === null ? null : recordedJson({ path }),
    });
  });
}

/** How long a thought took; the event has the name of its message. */
function thinkingRow(row: ChatRow, { bubble }: CursorUnit): void {
  const { rows, place, owner, state, at: ts, uid } = row;
  const duration = integerOf(member(bubble, 'thinkingDurationMs'));
  if (duration === null) return;
  const detail = recordedJson({ duration_ms: duration });
  const event = { event_uid: uid, kind: 'thinking', ...owner, turn_key: state.turn, ts, detail };
  rows.add('session_event', place, event);
}
