/**
 * Texts of a Copilot CLI session, and what came with them.
 *
 * - A prompt without a source is a person's; `agent-…`, and whatever a sub-agent is asked, comes
 *   from an agent, `skill-…` is the text of a skill, and every other source is the harness.
 * - In 2025 the harness put the time behind the words of a person: it is cut off. `/name` is a
 *   command, and `transformedContent` what the model got for it.
 * - An answer may hold reasoning, which is a message before it.
 * - A notification tells that something has ended which the agent waited for: an event.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { at, contentText, listOf, nonEmptyText } from '../../shared/fields.ts';
import { promptOrigin } from '../../shared/prompt/origin.ts';
import { type Injection, splitWrappers } from '../../shared/prompt/wrappers.ts';
import { humanSpoke } from './sessions.ts';
import { addEvent, addMessage, momentOf, type Step } from './step.ts';
import { currentTurn, openTurn } from './turns.ts';

/** `user.message`. */
export function prompt(step: Step): void {
  const { data, agent } = step;
  const source = nonEmptyText(member(data, 'source')) ?? 'user';
  const text = contentText(member(data, 'content'));
  const isSteering = member(data, 'delivery') === 'steering';
  const isHuman = agent === '' && source === 'user';
  const isAgent = agent !== '' || source.startsWith('agent-');
  if (isSteering) currentTurn(step);
  else openTurn(step, isHuman ? 'human' : isAgent ? 'subagent_brief' : source);
  attachments(step);
  if (isHuman) humanWords(step, text ?? '', isSteering);
  else if (isAgent) addMessage(step, 'agent_message', text, { trigger_class: 'agent_msg' });
  else addMessage(step, source.startsWith('skill-') ? 'skill_body' : 'context_injection', text);
}

const CLOCK = /\n\n(<current_datetime>[^<\n]{1,80}<\/current_datetime>)$/;

function humanWords(step: Step, text: string, isSteering: boolean): void {
  const found = CLOCK.exec(text);
  const { human, isHumanBlank, injections } = splitWrappers(
    found ? text.slice(0, found.index) : text,
  );
  humanSpoke(step);
  if (!isHumanBlank) {
    const name = COMMAND.exec(human)?.[1];
    if (name !== undefined) command(step, name);
    addMessage(step, isSteering ? 'queued_prompt' : 'human_prompt', human, {
      prompt_origin: name === undefined ? promptOrigin(human) : 'slash_command',
      trigger_class: 'user',
    });
  }
  injections.forEach((injection, index) => {
    injected(step, injection, isHumanBlank && index === 0 ? step.uid : `${step.uid}:${index}`);
  });
  const detail = '{"source":"current_datetime"}';
  if (found) {
    addMessage(step, 'context_injection', found[1] ?? '', { uid: `${step.uid}:clock`, detail });
  }
}

function injected(
  step: Step,
  { messageClass, tag, textStart, textEnd, text }: Injection,
  uid: string,
) {
  const detail = JSON.stringify({ source: tag, text_start: textStart, text_end: textEnd });
  addMessage(step, messageClass, text, { uid, detail });
}

/** A command of the CLI; a path begins with a slash too, and goes on with one. */
const COMMAND = /^\/([A-Za-z][\w:-]{0,63})(?=\s|$)/;

function command(step: Step, name: string): void {
  addEvent(step, 'slash_command', name);
  const expansion = textOf(member(step.data, 'transformedContent'));
  addMessage(step, 'command_expansion', expansion, { uid: `${step.uid}:expansion` });
}

/** The texts of `assistant.message`. */
export function answerTexts(step: Step, model: string | null): void {
  const { data, uid } = step;
  const role = 'assistant' as const;
  const reasoning = textOf(member(data, 'reasoningText'));
  addMessage(step, 'reasoning', reasoning, { uid: `${uid}:reasoning`, role, model });
  const phase = textOf(member(data, 'phase'));
  addMessage(step, 'assistant_text', contentText(member(data, 'content')), { role, model, phase });
}

/** `assistant.reasoning`. */
export function reasoningText(step: Step): void {
  addMessage(step, 'reasoning', textOf(member(step.data, 'content')), { role: 'assistant' });
}

/** `system.message`. */
export function systemText(step: Step): void {
  addMessage(step, 'system_prompt', contentText(member(step.data, 'content')), { role: 'system' });
}

/** `system.notification`. */
export function notification(step: Step): void {
  const kind = member(step.data, 'kind');
  const type = textOf(member(kind, 'type')) ?? '';
  const messageClass = type.startsWith('agent_') ? 'task_notification_summary' : 'system_reminder';
  const detail = recordedJson(isObject(kind) ? kind : undefined);
  const text = textOf(member(step.data, 'content'));
  const more = { role: 'system', trigger_class: 'event' } as const;
  addMessage(step, messageClass, text, { ...more, ...(detail === null ? {} : { detail }) });
}

/** `skill.invoked`: which skill, and what it told the model. */
export function skill(step: Step): void {
  addEvent(step, 'skill_invoke', textOf(member(step.data, 'name')));
  addMessage(step, 'skill_body', textOf(member(step.data, 'content')));
}

const KINDS: Readonly<Record<string, 'file' | 'image' | 'document'>> = {
  file: 'file',
  image: 'image',
  document: 'document',
};

function attachments(step: Step): void {
  listOf(member(step.data, 'attachments')).forEach((attachment, index) => {
    const type = textOf(member(attachment, 'type')) ?? 'other';
    const mime = textOf(member(attachment, 'mimeType'));
    const path = textOf(member(attachment, 'path')) ?? textOf(member(attachment, 'filePath'));
    const kind = mime?.startsWith('image/') ? 'image' : (KINDS[type] ?? 'other');
    step.rows.add('attachment', step.place, {
      attachment_uid: `${step.uid}:attachment:${index}`,
      ...momentOf(step),
      kind,
      attached_to: 'prompt',
      event_uid: step.uid,
      mime,
      file_name: textOf(member(attachment, 'displayName')) ?? path,
      text: textOf(member(attachment, 'text')),
      detail: recordedJson({
        type,
        ...(path === null ? {} : { path }),
        ...(isObject(member(attachment, 'selection'))
          ? { start: at(attachment, 'selection', 'start'), end: at(attachment, 'selection', 'end') }
          : {}),
      }),
    });
  });
}
