/**
 * Messages that Codex puts into the conversation beside what people and agents said: copies of
 * prompts, and context of its own.
 *
 * A message in the user's slot is held until the next record. When that is a prompt, the blocks
 * with the prompt's text are its copy and make no rows; neither does a copy right behind its
 * prompt. Each other block is a row, told apart by the tag that it begins with.
 */

import { fnv1a64 } from '../../../bytes/fnv.ts';
import { member } from '../../../bytes/json.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { type PayloadPart, payloadParts } from '../../shared/prompt/binary.ts';
import type { MessageClass } from '../../shared/prompt/classes.ts';
import { trimmed } from '../../shared/prompt/wire-space.ts';
import { hold } from './held.ts';
import { type Line, openHeld, type Reading } from './line.ts';
import { addMessage } from './message-row.ts';
import { barePrompt, type Prompt, readPrompt } from './prompts.ts';

interface Block {
  readonly index: number;
  readonly text: string;
}

const NO_TEXTS: ReadonlySet<string> = new Set();

/** A message that the model did not write. */
export function readContextMessage(line: Line): void {
  const { state, record, payload } = line;
  const role = member(payload, 'role');
  const isBare = member(record.value, 'payload') === undefined;
  if (role !== 'user') addBlocks(line, NO_TEXTS);
  else if (isBare) readBareMessage(line);
  else if (!isBehindItsPrompt(line)) state.copy = hold(record, line);
}

function isBehindItsPrompt({ state, place, payload }: Line): boolean {
  const { lastPrompt } = state;
  if (lastPrompt?.line !== place.lineNumber - 1) return false;
  return isCopyOf(blocksOf(payload), lastPrompt.hash);
}

function isCopyOf(blocks: readonly Block[], hash: string): boolean {
  return fnv1a64(blocks.map(({ text }) => text).join('\n\n')) === hash;
}

/** Without an envelope no event tells the prompt, so what is not Codex's own text is it. */
function readBareMessage(line: Line): void {
  const blocks = blocksOf(line.payload);
  const own = new Set(blocks.filter(({ text }) => !isContext(text)).map(({ text }) => text));
  if (own.size < blocks.length) addBlocks(line, own);
  const prompt = barePrompt([...own], member(line.payload, 'content'));
  if (prompt !== null) readPrompt(line, prompt, []);
}

const WRAPPED = /^<([a-z][a-z_-]*)>[\s\S]*<\/\1>$/;

function isContext(text: string): boolean {
  return WRAPPED.test(text) || text.startsWith(AGENTS_HEADING);
}

/** The next record is no prompt: the message that is held was none either. */
export function releaseCopy(reading: Reading): void {
  const { copy } = reading.state;
  if (copy === null) return;
  reading.state.copy = null;
  addBlocks(openHeld(reading, copy), NO_TEXTS);
}

/** The next record is a prompt: gives what its copy holds beside text, and the copy's own rows. */
export function claimCopy(line: Line, prompt: Prompt): readonly PayloadPart[] {
  const { copy } = line.state;
  if (copy === null) return [];
  line.state.copy = null;
  const held = openHeld(line, copy);
  const { payload } = held;
  const texts = new Set(prompt.texts.map(trimmed));
  const blocks = blocksOf(payload);
  const whole = blocks.map(({ text }) => text).join('\n\n');
  const said = trimmed(prompt.texts.join('\n\n'));
  const isCopy = whole === said || blocks.some(({ text }) => texts.has(text));
  if (whole !== said) addBlocks(held, texts);
  return isCopy || blocks.length === 0 ? payloadParts(member(payload, 'content')) : [];
}

/** Marks around pictures say nothing. */
const PICTURE_LABEL = /^<\/?image\b[^>]*>$/;

function blocksOf(payload: unknown): readonly Block[] {
  const content = member(payload, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part, index) => {
    const text = trimmed(nonEmptyText(part) ?? nonEmptyText(member(part, 'text')) ?? '');
    return text === '' || PICTURE_LABEL.test(text) ? [] : [{ index, text }];
  });
}

function addBlocks(line: Line, without: ReadonlySet<string>): void {
  for (const { index, text } of blocksOf(line.payload)) {
    if (!without.has(text)) addBlock(line, index, text);
  }
}

function addBlock(line: Line, index: number, text: string): void {
  const { state, payload } = line;
  const isUser = member(payload, 'role') === 'user';
  const { messageClass, source } = kindOf(text, isUser);
  const isTold = source === 'user_text' && state.isSubagent;
  addMessage(line, {
    uid: `${line.uid}:${index}`,
    role: isUser ? 'user' : 'system',
    messageClass: isTold ? 'agent_message' : messageClass,
    text,
    detail: { source },
  });
}

const AGENTS_HEADING = '# AGENTS.md';
const TAG = /^<([A-Za-z][\w-]*)/;

const CLASS_OF_TAG: ReadonlyMap<string, MessageClass> = new Map([
  ['skill', 'skill_body'],
  ['turn_aborted', 'interrupt_marker'],
  ['hook_prompt', 'hook_output'],
  ['subagent_notification', 'agent_message'],
]);

function kindOf(text: string, isUser: boolean): { messageClass: MessageClass; source: string } {
  const tag = TAG.exec(text)?.[1];
  const messageClass = CLASS_OF_TAG.get(tag ?? '') ?? 'context_injection';
  if (tag !== undefined) return { messageClass, source: tag };
  if (!isUser) return { messageClass, source: 'developer' };
  return { messageClass, source: text.startsWith(AGENTS_HEADING) ? 'agents_md' : 'user_text' };
}
