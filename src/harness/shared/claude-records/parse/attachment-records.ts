/**
 * Records of type `attachment`: what the harness put before the model beside the talk.
 *
 * Each is a message of a class that its type tells: a reminder, context (every type that is not
 * known is one), a skill, the output of a hook, a prompt that waited. Its text is what the model
 * was shown where that is recorded, else the member of the type that holds a text, else the whole
 * as compact JSON. Some tell of the session as well.
 */

import { isObject, type JsonObject, member, textOf } from '../../../../bytes/json.ts';
import { recordedJson } from '../../../../bytes/json-print.ts';
import { at, listOf, nonEmptyText } from '../../fields.ts';
import type { MessageClass } from '../../prompt/classes.ts';
import { isBlank } from '../../prompt/wire-space.ts';
import { isHook, readHook } from './hooks.ts';
import { addEvent, addMessage, type Line, tell, whoseTurn } from './line.ts';
import { noteTruncation } from './output.ts';
import { readQueuedCommand } from './queued.ts';

const REMINDERS: ReadonlySet<string> = new Set([
  ...['total_tokens_reminder', 'output_style', 'silent_turn_reminder', 'batching_reminder_sent'],
  ...['task_reminder', 'date', 'date_change', 'auto_mode', 'auto_mode_exit', 'plan_mode'],
  ...['plan_mode_exit', 'plan_mode_reentry', 'ultra_effort_enter', 'ultra_effort_exit'],
  ...['ultrathink_effort', 'budget_usd', 'max_turns_reached', 'read_truncation_notice'],
  ...['critical_system_reminder', 'todo_reminder', 'thinking_stripped'],
]);

const NO_MESSAGE: ReadonlySet<string> = new Set([
  ...['structured_output', 'bash_output_audience_note', 'thinking_drop'],
]);

/** Takes a record of type `attachment`. */
export function readAttachment(line: Line): void {
  const { attachment } = line.value;
  const type = textOf(member(attachment, 'type'));
  if (!isObject(attachment) || type === null) {
    tell(line, 'missing_field', 'attachment.type');
  } else if (isHook(type)) {
    readHook(line, attachment, type);
  } else if (type === 'queued_command') {
    readQueuedCommand(line, attachment);
  } else {
    SIDE_EVENTS.get(type)?.(line, attachment);
    if (type === 'file') addFile(line, attachment);
    if (!NO_MESSAGE.has(type) && line.rows.wants('message')) addShown(line, attachment, type);
  }
}

/** Adds what the model was shown. */
function addShown(line: Line, attachment: JsonObject, type: string): void {
  const adder = IN_PARTS.get(type);
  if (adder !== undefined) {
    adder(line, attachment);
    return;
  }
  const text = shownText(attachment, type);
  if (text === null) return;
  const messageClass = REMINDERS.has(type) ? 'system_reminder' : 'context_injection';
  addMessage(line, { messageClass, text, detail: { source: type } });
}

type Take = (line: Line, attachment: JsonObject) => void;

/** What happened to the session, beside what the model was shown. */
const SIDE_EVENTS: ReadonlyMap<string, Take> = new Map<string, Take>([
  ['deferred_tools_delta', (l, a) => addEvent(l, 'mcp_server_state', { detail: serverState(a) })],
  ['budget_usd', (l, a) => addEvent(l, 'budget', { detail: numbersOf(a) })],
  ['max_turns_reached', (l, a) => addEvent(l, 'max_turns', { detail: numbersOf(a) })],
  ['model', (l, a) => addEvent(l, 'model_switch', { value: textOf(a['model']) })],
  ['plan_mode_exit', l => addEvent(l, 'plan_mode', { value: 'exit' })],
  ['auto_mode_exit', l => addEvent(l, 'permission_mode', { value: 'auto_exit' })],
  ['invoked_skills', addSkillEvents],
  ['read_truncation_notice', readTruncation],
]);

function readTruncation(line: Line, attachment: JsonObject): void {
  const callUid = nonEmptyText(attachment['toolUseID']);
  if (callUid !== null) noteTruncation(line, callUid);
}

function serverState(attachment: JsonObject) {
  return {
    added: listOf(attachment['addedNames']).length,
    removed: listOf(attachment['removedNames']).length,
    pending: listOf(attachment['pendingMcpServers']),
    needs_auth: listOf(attachment['needsAuthMcpServers']),
  };
}

function numbersOf(attachment: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attachment).filter(([, value]) => typeof value === 'number'),
  );
}

function addSkillEvents(line: Line, attachment: JsonObject): void {
  listOf(attachment['skills']).forEach((skill, index) => {
    const value = textOf(member(skill, 'name'));
    addEvent(line, 'skill_invoke', { uid: `${line.uid}:${index}`, value });
  });
}

function addFile(line: Line, attachment: JsonObject): void {
  if (!line.rows.wants('attachment')) return;
  const content = fileText(attachment);
  const base64 = textOf(at(at(attachment, 'content', 'file'), 'file', 'base64'));
  line.rows.add('attachment', line.place, {
    attachment_uid: `${line.uid}:file`,
    ...whoseTurn(line),
    ts: line.at,
    kind: 'file',
    attached_to: 'attachment_record',
    event_uid: line.uid,
    file_name: textOf(attachment['filename']),
    size_bytes: content === null ? base64Bytes(base64) : content.length,
    text: content,
  });
}

function base64Bytes(base64: string | null): number | null {
  return base64 === null ? null : Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

const fileText = (attachment: JsonObject) =>
  textOf(at(member(attachment['content'], 'file'), 'content', 'text')) ??
  textOf(member(member(attachment['content'], 'file'), 'content'));

/** The members that hold a type's text, in the order in which they are looked for. */
const TEXT_MEMBERS = [
  ...['rendered', 'content', 'text', 'snippet', 'message', 'turnReminder', 'banner', 'prompt'],
];

function shownText(attachment: JsonObject, type: string): string | null {
  if (type === 'file') return fileText(attachment) ?? whole(attachment);
  if (type === 'nested_memory')
    return textOf(at(attachment, 'content', 'content')) ?? whole(attachment);
  if (type === 'output_style_instructions') {
    return textOf(at(attachment, 'style', 'prompt')) ?? whole(attachment);
  }
  for (const name of TEXT_MEMBERS) {
    const text = nonEmptyText(attachment[name]);
    if (text !== null && !isBlank(text)) return text;
  }
  return whole(attachment);
}

/** Everything but the type; null when there is nothing else. */
function whole({ type: _type, ...others }: JsonObject): string | null {
  return Object.keys(others).length === 0 ? null : recordedJson(others);
}

function addSnapshot(line: Line, attachment: JsonObject): void {
  const { systemPrompt, tools, type: _type, ...others } = attachment;
  const blocks = Array.isArray(systemPrompt) ? systemPrompt : [systemPrompt];
  const texts = blocks.map(block => textOf(block) ?? textOf(member(block, 'text')));
  const text = texts.filter(each => each !== null).join('\n\n');
  if (text !== '') {
    const detail = { source: 'prompt_snapshot', blocks: blocks.length };
    addMessage(line, { messageClass: 'system_prompt', role: 'system', text, detail });
  }
  addContext(line, 'tools', tools);
  const rest = Object.entries(others).filter(([, value]) => typeof value !== 'boolean');
  if (rest.length > 0) addContext(line, 'ctx', Object.fromEntries(rest));
}

function addContext(line: Line, part: string, value: unknown): void {
  const text = recordedJson(value);
  if (text === null) return;
  const detail = { source: 'prompt_snapshot', part };
  const uid = `${line.uid}:${part}`;
  addMessage(line, { messageClass: 'context_injection', uid, text, detail });
}

interface Parts {
  readonly list: string;
  readonly messageClass: MessageClass;
  readonly name: string;
}

const INSTRUCTIONS: Parts = { list: 'files', messageClass: 'context_injection', name: 'path' };
const SKILLS: Parts = { list: 'skills', messageClass: 'skill_body', name: 'name' };

/** A message for each of several files or skills. */
function addEach(line: Line, attachment: JsonObject, { list, messageClass, name }: Parts): void {
  const parts = listOf(attachment[list]);
  parts.forEach((part, index) => {
    const text = textOf(member(part, 'content')) ?? '';
    if (isBlank(text)) return;
    const uid = parts.length === 1 ? line.uid : `${line.uid}:${index}`;
    const detail = { source: textOf(attachment['type']), [name]: textOf(member(part, name)) };
    addMessage(line, { messageClass, uid, text, detail });
  });
}

/** Attachments that are several messages. */
const IN_PARTS: ReadonlyMap<string, Take> = new Map<string, Take>([
  ['prompt_snapshot', addSnapshot],
  ['instructions', (line, attachment) => addEach(line, attachment, INSTRUCTIONS)],
  ['invoked_skills', (line, attachment) => addEach(line, attachment, SKILLS)],
]);
