/** What the model says: its text, its thinking, its calls, and in a sub-agent its report. */

import { member, textOf } from '../../../bytes/json.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import { isToolCall } from '../units.ts';
import { addLinks, addMessage, contentText } from './message.ts';
import { messageText, type Step } from './state.ts';
import { readToolCall } from './tools.ts';
import { endAnswer, turnOfAnswer } from './turns.ts';
import { addCallOfAnswer } from './usage.ts';

/** Takes a message of the model. */
export function readAnswer(step: Step): void {
  const { message, uid } = step;
  const turnKey = turnOfAnswer(step);
  const model = nonEmptyText(member(message, 'model'));
  const responseId = nonEmptyText(member(message, 'responseId')) ?? `pi:${uid}`;
  addCallOfAnswer(step, responseId, turnKey);
  addTexts(step, turnKey, model);
  for (const [index, block] of listOf(member(message, 'content')).entries()) {
    if (isToolCall(block)) readToolCall(step, index, block, { turnKey, responseId });
  }
  endAnswer(step, turnKey, model);
}

function addTexts(step: Step, turnKey: string, model: string | null): void {
  const { message, uid, rows } = step;
  if (!rows.wants('message') && !rows.wants('artifact')) return;
  const content = member(message, 'content');
  const said = { role: 'assistant', turnKey, model } as const;
  for (const [index, block] of listOf(content).entries()) {
    const text = member(block, 'type') === 'thinking' ? textOf(member(block, 'thinking')) : null;
    if (text === null || isBlank(text)) continue;
    addMessage(step, { ...said, uid: `${uid}:think:${index}`, messageClass: 'reasoning', text });
  }
  const text = contentText(content);
  if (text === '') return;
  addMessage(step, { ...said, uid, messageClass: 'assistant_text', text });
  if (step.isAgent && messageText(step, 'stopReason') === 'stop') {
    addMessage(step, { ...said, uid: `${uid}:report`, messageClass: 'subagent_report', text });
  }
  addLinks(step, text, turnKey);
}
