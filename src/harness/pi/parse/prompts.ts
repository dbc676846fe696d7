/**
 * What stands in the user's slot, and what the system is told.
 *
 * In a session of its own it is a person's prompt: one that opens a turn while the agent is idle,
 * a queued one while it is busy. What harnesses wrap into it is cut out. In a sub-agent it is the
 * task of the parent first, and what the parent says later. One exact sentence that the extension
 * for sub-agents sends after word from one of them is no prompt: that word has woken the agent.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { listOf } from '../../shared/fields.ts';
import { promptOrigin } from '../../shared/prompt/origin.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import { type SplitPrompt, splitWrappers } from '../../shared/prompt/wrappers.ts';
import { addMessage, addPictures, contentText, partsOf } from './message.ts';
import type { Step } from './state.ts';
import { currentTurn, noteHuman, openTurn } from './turns.ts';

/** The sentence with which the extension for sub-agents wakes their parent. */
const WAKE = 'Subagent updates above.';

/** Takes a message in the user's slot. */
export function readUser(step: Step): void {
  const { state, message, uid } = step;
  const content = member(message, 'content');
  const text = contentText(content);
  const parts = partsOf(content);
  if (text === '' && parts.length === 0) return;
  const { pending } = state;
  if (pending?.hasNotice && parts.length === 0 && contentText(content, false) === WAKE) {
    const detail = { source: 'subagent-parent-wake' };
    const said = { uid, role: 'user', text, turnKey: pending.turnKey, detail } as const;
    addMessage(step, { ...said, messageClass: 'task_notification_summary' });
    return;
  }
  if (step.isAgent) readParent(step, text);
  else readPerson(step, text);
  const to = state.isBusy ? 'queued_prompt' : 'prompt';
  addPictures(step, parts, state.turn, { to, eventUid: uid });
}

function readParent(step: Step, text: string): void {
  const { state, uid } = step;
  const isTask = state.users++ === 0;
  const origin = isTask ? 'subagent_brief' : 'peer';
  const turnKey = state.isBusy ? currentTurn(step, origin) : openTurn(step, origin);
  const detail = { source: isTask ? 'subagent_task' : 'parent_message' };
  addMessage(step, { uid, messageClass: 'agent_message', role: 'user', text, turnKey, detail });
}

function readPerson(step: Step, text: string): void {
  const { state, uid, at } = step;
  const split = splitWrappers(text);
  const isPrompt = !split.isHumanBlank || split.injections.length === 0;
  const origin = isPrompt ? 'human' : 'meta';
  const turnKey = state.isBusy ? currentTurn(step, origin) : openTurn(step, origin);
  if (isPrompt) {
    noteHuman(state, at);
    addMessage(step, {
      ...{ uid, role: 'user', text: split.human, turnKey },
      messageClass: state.isBusy ? 'queued_prompt' : 'human_prompt',
      promptOrigin: promptOrigin(split.human),
    });
  }
  addInjections(step, split, isPrompt, turnKey);
}

function addInjections(step: Step, split: SplitPrompt, isPrompt: boolean, turnKey: string): void {
  for (const [index, injection] of split.injections.entries()) {
    const { tag, messageClass, text, textStart, textEnd } = injection;
    addMessage(step, {
      uid: isPrompt || index > 0 ? `${step.uid}:injection:${index}` : step.uid,
      ...{ messageClass, role: 'user', text, turnKey },
      detail: { source: tag, text_start: textStart, text_end: textEnd },
    });
  }
}

/** Takes what the system is told: a text, sections by name, and tools that come and go. */
export function readSystem(step: Step): void {
  const { message, state, uid } = step;
  const sections = member(message, 'sections');
  const texts = [contentText(member(message, 'content'))];
  for (const section of isObject(sections) ? Object.values(sections) : []) {
    texts.push(textOf(section) ?? '');
  }
  const text = texts.filter(part => !isBlank(part)).join('\n\n');
  const detail = {
    source: 'system',
    ...namesAs('tools_added', member(message, 'toolsAdded')),
    ...namesAs('tools_removed', member(message, 'toolsRemoved')),
  };
  if (text === '' && Object.keys(detail).length === 1) return;
  const role = 'system';
  addMessage(step, { uid, messageClass: 'system_prompt', role, text, turnKey: state.turn, detail });
}

function namesAs(key: string, tools: unknown): Readonly<Record<string, readonly string[]>> {
  const names = listOf(tools).flatMap(tool => textOf(tool) ?? textOf(member(tool, 'name')) ?? []);
  return names.length === 0 ? {} : { [key]: names };
}
