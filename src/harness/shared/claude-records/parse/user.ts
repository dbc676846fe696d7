/**
 * Lines in the user's slot: prompts, results of tools, and what the harness puts there.
 *
 * A line with results belongs to the tools; what stands beside them is a message, and opens no
 * turn. Any other line enters a turn and is a message of the class that its marks tell.
 */

import { member, textOf } from '../../../../bytes/json.ts';
import { textBlocks } from '../../prompt/blocks.ts';
import { peerEnvelopes } from '../../prompt/envelope.ts';
import { promptOrigin } from '../../prompt/origin.ts';
import { type SplitPrompt, splitWrappers } from '../../prompt/wrappers.ts';
import { isToolResult } from '../units.ts';
import { addPastedTexts, addPictures } from './attachments.ts';
import { addEvent, addMessage, type Line, TEXT, tell } from './line.ts';
import { isInterrupt, isNotification, kindOf, type LineKind, META } from './line-kind.ts';
import { notePermission } from './modes.ts';
import { addNotification } from './notifications.ts';
import { readResults } from './results.ts';
import { secondPass } from './second-pass.ts';
import { noteHuman, originKind } from './session.ts';
import { abortTurn, enterTurn } from './turns.ts';

/** Takes a record of type `user`. */
export function readUser(line: Line): void {
  const { value } = line;
  const content = member(value['message'], 'content');
  if (content === undefined) tell(line, 'missing_field', 'message.content');
  else readContent(line, content);
  // Behind the prompt: its turn is the first in the mode.
  const mode = textOf(value['permissionMode']);
  if (mode !== null) notePermission(line, mode);
}

function readContent(line: Line, content: unknown): void {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const results = blocks.filter(isToolResult);
  if (results.length === 0) readPrompt(line, content);
  else {
    readResults(line, results, line.value['toolUseResult']);
    if (results.length < blocks.length) readBeside(line, blocks);
  }
}

/** What stands beside results. */
function readBeside(line: Line, blocks: readonly unknown[]): void {
  const said = blocks.filter(block => !isToolResult(block));
  const text = textBlocks(said, TEXT);
  if (text !== '') addText(line, kindOf(line, text), text, said);
  addBesides(line, said, text);
}

function readPrompt(line: Line, content: unknown): void {
  const text = textBlocks(content, TEXT);
  const kind = kindOf(line, text);
  const { messageClass } = kind;
  const isPrompt = messageClass === 'human_prompt' || messageClass === 'queued_prompt';
  const split = isPrompt ? splitPrompt(line, text) : null;
  const isBlank = split?.isHumanBlank === true && split.injections.length > 0;
  enterTurn(line, isBlank ? META : kind);
  const { state } = line;
  if (state.identity.role !== 'main' && text.includes('<fork-boilerplate>')) {
    state.session.isFork = true;
  }
  if (split !== null) addPrompt(line, kind, split);
  else addText(line, kind, text, content);
  if (isPrompt) state.afterCommand = null;
  addBesides(line, content, text);
}

/** A prompt without wrappers is itself; only some prompts may hold an envelope of a peer. */
function splitPrompt({ value }: Line, text: string): SplitPrompt {
  if (!text.includes('</')) return { human: text, isHumanBlank: text === '', injections: [] };
  const isKnown = originKind(value) === 'human' || value['promptSource'] === 'typed';
  return splitWrappers(text, isKnown ? [] : peerEnvelopes(text));
}

/** Adds what a person wrote, and what the harness wrapped around it. */
function addPrompt(line: Line, { messageClass }: LineKind, split: SplitPrompt): void {
  const { human, isHumanBlank, injections } = split;
  const isWrapped = isHumanBlank && injections.length > 0;
  if (!isWrapped) noteHuman(line);
  if (!line.rows.wants('message')) return;
  if (!isWrapped && messageClass !== null && (human !== '' || hasPicture(line))) {
    const trigger = line.place.recordType === 'user' ? 'user' : null;
    addMessage(line, { messageClass, text: human, promptOrigin: promptOrigin(human), trigger });
  }
  injections.forEach((injection, index) => {
    const { tag, text, textStart, textEnd } = injection;
    const isPeer = tag === PEER && line.place.recordType === 'user';
    addMessage(line, {
      messageClass: injection.messageClass,
      text,
      uid: isWrapped && index === 0 ? line.uid : `${line.uid}:injection:${index}`,
      detail: { source: tag, text_start: textStart, text_end: textEnd },
      trigger: isPeer ? 'user' : null,
    });
  });
}

const PEER = 'legacy-peer-envelope';

/** A prompt may be nothing but a picture. */
function hasPicture({ value }: Line): boolean {
  const content = member(value['message'], 'content');
  return Array.isArray(content) && content.some(block => member(block, 'type') === 'image');
}

/** Adds a text whose class the marks of the line tell, else its words. */
function addText(line: Line, kind: LineKind, text: string, content: unknown): void {
  const { messageClass } = kind;
  if (messageClass === 'human_prompt' || messageClass === 'queued_prompt') {
    addPrompt(line, kind, splitPrompt(line, text));
  } else if (messageClass !== null) {
    if (messageClass === 'subagent_brief') line.state.isBriefSeen = true;
    if (text !== '') addMessage(line, { messageClass, text });
  } else if (isNotification(text)) {
    addNotification(line, text);
  } else {
    secondPass(line, text, content);
  }
}

/** What a line tells beside its text. */
function addBesides(line: Line, content: unknown, text: string): void {
  const pictures = addPictures(line, content, { attachedTo: 'prompt' });
  if (pictures > 0) addEvent(line, 'image_attach', { value: String(pictures) });
  addPastedTexts(line, text);
  if (!isInterrupt(text)) return;
  const isOfTool = text.slice(0, INTERRUPT_HEAD).includes('for tool use');
  addEvent(line, 'interrupt', { value: isOfTool ? 'tool_use' : 'user' });
  abortTurn(line, 'interrupt');
}

const INTERRUPT_HEAD = 60;
