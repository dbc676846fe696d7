/**
 * Prompts: what a person, a program or a parent agent said.
 *
 * - The event `user_message`, later the completed item `UserMessage`, is the prompt. The message
 *   in the user's slot beside it is a copy, which tells more about pictures; see `copies.ts`.
 * - In a sub-agent's session it is the message of another agent.
 * - Until summer 2025 there are no events: a bare message in the user's slot is the prompt.
 */

import { fnv1a64 } from '../../../bytes/fnv.ts';
import { member } from '../../../bytes/json.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { type PayloadPart, payloadParts, withoutPayloads } from '../../shared/prompt/binary.ts';
import { peerEnvelopes } from '../../shared/prompt/envelope.ts';
import { promptOrigin } from '../../shared/prompt/origin.ts';
import { isBlank, trimmed } from '../../shared/prompt/wire-space.ts';
import { splitWrappers } from '../../shared/prompt/wrappers.ts';
import { type Line, ownerOf } from './line.ts';
import { addMessage } from './message-row.ts';
import { enterPromptedTurn, heardPeer, openedByPrompt } from './turns.ts';

/** What a prompt holds. */
export interface Prompt {
  readonly source: 'user_message' | 'UserMessage' | 'message';
  readonly texts: readonly string[];
  readonly pictures: readonly Picture[];
  readonly hasSkill: boolean;
}

/** A picture, as far as it is known. */
interface Picture {
  readonly path: string | null;
  readonly mime: string | null;
  readonly bytes: number | null;
}

const PICTURE_TYPES: ReadonlySet<unknown> = new Set(['image', 'local_image', 'localImage']);

/** The prompt that a record is, or null. */
export function promptIn(line: Line): Prompt | null {
  const { type, subtype, payload, item } = line;
  if (type === 'event_msg' && subtype === 'user_message') {
    const text = nonEmptyText(member(payload, 'message'));
    const encoded = listOf(member(payload, 'images')).map(encodedPicture);
    const local = listOf(member(payload, 'local_images')).map(localPicture);
    const pictures = [...encoded, ...local];
    return {
      source: 'user_message',
      texts: text === null ? [] : [text],
      pictures,
      hasSkill: false,
    };
  }
  if (member(item, 'type') !== 'UserMessage') return null;
  const parts = listOf(member(item, 'content'));
  return {
    source: 'UserMessage',
    texts: parts.flatMap(part => nonEmptyText(member(part, 'text')) ?? []),
    pictures: parts.filter(part => PICTURE_TYPES.has(member(part, 'type'))).map(partPicture),
    hasSkill: parts.some(part => member(part, 'type') === 'skill'),
  };
}

function encodedPicture(url: unknown): Picture {
  const found = withoutPayloads(url);
  const mime = nonEmptyText(member(found, 'mime'));
  const bytes = member(found, 'bytes');
  return { path: null, mime, bytes: typeof bytes === 'number' ? bytes : null };
}

function localPicture(path: unknown): Picture {
  return { path: nonEmptyText(path), mime: null, bytes: null };
}

function partPicture(part: unknown): Picture {
  const path = nonEmptyText(member(part, 'path'));
  return path === null ? encodedPicture(member(part, 'image_url')) : localPicture(path);
}

/** Adds the rows of a prompt; `copied` are the pictures of its copy. */
export function readPrompt(prompted: Line, prompt: Prompt, copied: readonly PayloadPart[]): void {
  const line = enterPromptedTurn(prompted);
  const { state } = line;
  const whole = prompt.texts.join('\n\n');
  const text = trimmed(whole);
  state.lastPrompt = { hash: fnv1a64(text), line: line.place.lineNumber };
  addPictures(line, prompt.pictures, copied);
  if (text === '') return;
  if (!state.isSubagent) {
    addHumanPrompt(line, prompt, text);
    return;
  }
  const detail = { source: prompt.source };
  addMessage(line, { role: 'user', messageClass: 'agent_message', text: whole, detail });
}

const SKILL = /^\$[a-z][a-z0-9:_-]*(?![A-Za-z0-9_])/;

function addHumanPrompt(line: Line, { source, hasSkill }: Prompt, text: string): void {
  const envelopes = source === 'user_message' ? peerEnvelopes(text) : [];
  const { human, isHumanBlank, injections } = splitWrappers(text, envelopes);
  if (!isHumanBlank) {
    const found = promptOrigin(human);
    const isSkill = found !== 'launch_message' && (hasSkill || SKILL.test(human));
    const origin = isSkill ? 'skill' : found;
    const words = { role: 'user', messageClass: 'human_prompt', text: human } as const;
    addMessage(line, { ...words, detail: { source }, origin, trigger: 'user' });
    openedByPrompt(line);
    noteHuman(line);
  }
  injections.forEach((injection, index) => {
    const { tag, messageClass, textStart, textEnd } = injection;
    addMessage(line, {
      uid: isHumanBlank && index === 0 ? line.uid : `${line.uid}:injection:${index}`,
      role: 'user',
      messageClass,
      text: injection.text,
      detail: { source: tag, text_start: textStart, text_end: textEnd },
    });
    if (tag === 'legacy-peer-envelope') heardPeer(line);
  });
}

function noteHuman({ state, at }: Line): void {
  if (at === null) return;
  state.firstHumanAt = Math.min(state.firstHumanAt ?? at, at);
  state.lastHumanAt = Math.max(state.lastHumanAt ?? at, at);
}

function addPictures(line: Line, told: readonly Picture[], copied: readonly PayloadPart[]): void {
  const pictures = copied.filter(({ type }) => PICTURE_PART.test(type));
  const count = Math.max(told.length, pictures.length);
  for (let index = 0; index < count; index++) {
    const [picture, copy] = [told[index], pictures[index]];
    const path = picture?.path ?? null;
    line.rows.add('attachment', line.place, {
      ...ownerOf(line),
      attachment_uid: `${line.uid}:a${index}`,
      turn_key: line.turn,
      ts: line.at,
      kind: 'image',
      attached_to: 'prompt',
      event_uid: line.uid,
      mime: picture?.mime ?? copy?.mime ?? null,
      file_name:
        path === null
          ? null
          : path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
      size_bytes: picture?.bytes ?? copy?.bytes ?? null,
    });
  }
}

const PICTURE_PART = /image/;

/** The prompt in a bare message of the user's slot; null when Codex itself wrote all of it. */
export function barePrompt(texts: readonly string[], content: unknown): Prompt | null {
  const pictures = payloadParts(content)
    .filter(({ type }) => PICTURE_PART.test(type))
    .map(({ mime, bytes }) => ({ path: null, mime, bytes }));
  const isEmpty = texts.every(isBlank) && pictures.length === 0;
  return isEmpty ? null : { source: 'message', texts, pictures, hasSkill: false };
}
