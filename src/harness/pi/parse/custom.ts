/**
 * What extensions say: entries and messages with a type of the extension's own. Commands that the
 * person ran come the same way, but they wake nobody.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { lookUp, nonEmptyText } from '../../shared/fields.ts';
import type { MessageClass } from '../../shared/prompt/classes.ts';
import { trimmed } from '../../shared/prompt/wire-space.ts';
import { addMessage, contentText } from './message.ts';
import { readNotice } from './notices.ts';
import type { Step } from './state.ts';
import { awaitAnswer } from './turns.ts';

/** What entries that set the agent to work make of the model call after them. */
const TRIGGERS: Readonly<Record<string, string>> = {
  'loop-watch': 'event',
  'loop-wake': 'event',
  'loop-continuation': 'orchestrate',
  'subagent-notify': 'agent_msg',
  'subagent-incremental-child-notify': 'agent_msg',
};

/** Takes what an extension says; `holder` is the entry or the message that has its text. */
export function readCustom(step: Step, holder: unknown): void {
  const { state, uid } = step;
  const customType = nonEmptyText(member(holder, 'customType')) ?? 'custom';
  const text = contentText(member(holder, 'content'));
  awaitAnswer(step, customType);
  readNotice(step, customType, text);
  if (text === '') return;
  addMessage(step, {
    ...{ uid, messageClass: classOf(customType), role: 'user', text },
    // The turn that it may open has the key of the first such entry.
    turnKey: state.pending?.turnKey ?? state.turn,
    trigger: lookUp(TRIGGERS, customType) ?? null,
    detail: { source: customType },
  });
}

function classOf(customType: string): MessageClass {
  if (customType.startsWith('loop-')) return 'hook_output';
  return customType.startsWith('subagent-') ? 'task_notification_summary' : 'context_injection';
}

/** Takes a command that the person ran, with what it printed. */
export function readBash(step: Step): void {
  const { message, state, uid } = step;
  const output = trimmed(textOf(member(message, 'output')) ?? '');
  const command = textOf(member(message, 'command'));
  if (output === '' && command === null) return;
  addMessage(step, {
    ...{ uid, messageClass: 'context_injection', role: 'user', turnKey: state.turn },
    text: [command === null ? '' : `$ ${command}`, output].filter(part => part !== '').join('\n'),
    detail: { source: 'bashExecution' },
  });
}
