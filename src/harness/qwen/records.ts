/**
 * What the records of Qwen Code tell beside the talk: commands of the person, rewinds, how
 * sub-agents ended, and what was measured (see `telemetry.ts`).
 */

import { member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { SourceContext } from '../harness.ts';
import type { Place, Rows } from '../parser.ts';
import { isAgentFile } from '../shared/address.ts';
import { at, listOf, nonEmptyText } from '../shared/fields.ts';
import { callUid } from '../shared/parsed/chats/calls.ts';
import { type Owner, scopeOf } from '../shared/parsed/chats/parser.ts';
import { firstCharacters } from '../shared/parsed/chats/texts.ts';
import { instantMicros } from '../shared/prompt/instants.ts';
import { strictCount } from '../shared/prompt/numbers.ts';
import { agentOf } from './meaning.ts';
import { answerRows, measuredResult, type Telemetry, telemetryRows } from './telemetry.ts';

/** A record on its way, and where its rows go. */
export interface QwenLine {
  readonly value: unknown;
  readonly telemetry: Telemetry;
  readonly place: Place;
  readonly rows: Rows;
  readonly owner: Owner;
  readonly scope: string;
  readonly uid: string;
  readonly turn: string | null;
  readonly at: number | null;
  readonly isAgent: boolean;
}

/** Whose records a file holds; a record may name another session. */
export function whoseFile(context: SourceContext, value: unknown = undefined) {
  const session_uid = nonEmptyText(member(value, 'sessionId')) ?? context.source.sessionId ?? '';
  const agent_id = agentOf(context.source.facts['agentPath'] ?? null) ?? '';
  const owner: Owner = { session_uid, agent_id };
  return { owner, scope: scopeOf(session_uid, agent_id), isAgent: isAgentFile(context) };
}

/** Adds what a record of a transcript tells beside the talk. */
export function recordRows(
  telemetry: Telemetry,
  turn: string | null,
  { value }: SourceRecord,
  place: Place,
  rows: Rows,
  context: SourceContext,
): void {
  const whose = whoseFile(context, value);
  const isCopied = member(value, 'forkedFrom') !== undefined;
  if (isCopied || whose.owner.session_uid === '') return;
  const uid = `${whose.scope}:${nonEmptyText(member(value, 'uuid')) ?? `o${place.byteOffset}`}`;
  const instant = instantMicros(member(value, 'timestamp'));
  const line: QwenLine = { value, telemetry, place, rows, ...whose, uid, turn, at: instant };
  const type = member(value, 'type');
  if (type === 'assistant') answerRows(line);
  if (type === 'tool_result') {
    measuredResult(line);
    spawnEndRow(line);
  }
  if (type === 'system') systemRows(line);
}

function systemRows(line: QwenLine): void {
  const payload = member(line.value, 'systemPayload');
  switch (member(line.value, 'subtype')) {
    case 'ui_telemetry':
      telemetryRows(line);
      break;
    case 'slash_command':
      commandRows(line, payload);
      break;
    case 'rewind': {
      const count = strictCount(member(payload, 'truncatedCount'));
      eventRow(line, 'rewind', count === null ? null : `${count}`);
      break;
    }
    case 'at_command':
      eventRow(line, 'at_command', textOf(member(payload, 'userText')));
      readRows(line, payload);
      break;
    default:
  }
}

/** A command is told when it is given, and again with what it printed. */
function commandRows(line: QwenLine, payload: unknown): void {
  if (member(payload, 'phase') !== 'result') {
    eventRow(line, 'slash_command', textOf(member(payload, 'rawCommand')));
    return;
  }
  const { rows, place, uid, owner, turn, at: ts, isAgent } = line;
  const printed = listOf(member(payload, 'outputHistoryItems'))
    .map(item => nonEmptyText(member(item, 'text')))
    .filter(text => text !== null);
  if (printed.length === 0) return;
  rows.add('message', place, {
    event_uid: uid,
    ...owner,
    turn_key: turn,
    ts,
    role: 'system',
    message_class: 'local_command_output',
    text: printed.join('\n'),
    is_sidechain: isAgent,
    seq: place.lineNumber * 10 + 1,
  });
}

const VALUE_CHARACTERS = 200;

function eventRow(line: QwenLine, kind: string, text: string | null): void {
  const { rows, place, uid, owner, turn, at: ts } = line;
  const value = text === null ? null : firstCharacters(text, VALUE_CHARACTERS);
  const whose = { ...owner, turn_key: turn, ts };
  rows.add('session_event', place, { event_uid: uid, kind, value, ...whose });
}

/** The files that a person named with `@`: they were read into the prompt. */
function readRows(line: QwenLine, payload: unknown): void {
  const { rows, place, uid, owner, turn, at: ts } = line;
  listOf(member(payload, 'filesRead')).forEach((read, index) => {
    const path = nonEmptyText(read);
    if (path === null) return;
    const touch_uid = `${uid}:${index}`;
    rows.add('file_touch', place, { touch_uid, ...owner, turn_key: turn, ts, path, op: 'read' });
  });
}

/** How a sub-agent ended, as the result of the call that launched it shows. */
function spawnEndRow({ value, rows, place, owner, scope, at: ended }: QwenLine): void {
  const shown = at(value, 'toolCallResult', 'resultDisplay');
  const id = textOf(at(value, 'toolCallResult', 'callId'));
  if (member(shown, 'type') !== 'task_execution' || id === null) return;
  const sum = member(shown, 'executionSummary');
  const count = (name: string) => strictCount(member(sum, name));
  rows.add('subagent_spawn', place, {
    spawn_uid: callUid(scope, id),
    ...owner,
    name: textOf(member(shown, 'subagentName')),
    completion_status: textOf(member(shown, 'status')),
    completed_at: ended,
    reported_tokens: count('totalTokens'),
    reported_tool_uses: count('totalToolCalls'),
    reported_duration_ms: count('totalDurationMs'),
  });
}
