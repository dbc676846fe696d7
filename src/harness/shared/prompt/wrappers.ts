/**
 * What a harness wraps into a prompt, cut out of what the person wrote.
 *
 * A wrapper is a complete element with a reserved name that begins on a line of its own (only
 * white space before it) or right after the wrapper before it. What is inside belongs to the
 * outermost one. Elements of the same name nest; one that is not closed is the person's text, and
 * so are other names, tags within a line, fenced code and quoted lines. When the person wrote only
 * white space, it goes to the wrappers beside it, so that no character is lost.
 */

import type { MessageClass } from './classes.ts';
import type { PeerEnvelope } from './envelope.ts';
import { elementsOf } from './tag-tokens.ts';
import { codePoints, isBlank, spaceLengthBefore } from './wire-space.ts';

const CLASS_OF_TAG: ReadonlyMap<string, MessageClass> = new Map([
  ['system-reminder', 'system_reminder'],
  ['local-command-caveat', 'system_reminder'],
  ['environment_context', 'context_injection'],
  ['instructions', 'context_injection'],
  ['user_instructions', 'context_injection'],
  ['permissions', 'context_injection'],
  ['skill', 'skill_body'],
  ['hook_prompt', 'hook_output'],
  ['turn_aborted', 'interrupt_marker'],
  ['subagent_notification', 'agent_message'],
  ['task-notification', 'agent_message'],
  ['local-command-stdout', 'local_command_output'],
  ['local-command-stderr', 'local_command_output'],
  ['bash-stdout', 'local_command_output'],
  ['bash-stderr', 'local_command_output'],
]);

const NAMES = new RegExp(`</?(${[...CLASS_OF_TAG.keys()].join('|')})`, 'g');

/** A part of a prompt that a harness wrote. */
export interface Injection {
  /** The wrapper's name, or `legacy-peer-envelope`. */
  readonly tag: string;
  readonly messageClass: MessageClass;
  readonly text: string;
  /** Where it begins in the prompt, in code points. */
  readonly textStart: number;
  /** Where it ends in the prompt, in code points. */
  readonly textEnd: number;
}

/** A prompt taken apart. */
export interface SplitPrompt {
  /** What the person wrote: the prompt without its injections. */
  readonly human: string;
  /** Whether the person wrote nothing but white space. */
  readonly isHumanBlank: boolean;
  /** In the order of the prompt. */
  readonly injections: readonly Injection[];
}

/** A part of the prompt, in chars. */
interface Span {
  readonly tag: string;
  readonly messageClass: MessageClass;
  readonly start: number;
  readonly end: number;
}

/**
 * Takes the wire text of a prompt apart. `envelopes` are those that `peerEnvelopes` finds in it;
 * none for prompts that a person is known to have typed.
 */
export function splitWrappers(text: string, envelopes: readonly PeerEnvelope[] = []): SplitPrompt {
  const spans = wrapperSpans(text, envelopes);
  const human = withoutSpans(text, spans);
  const isHumanBlank = isBlank(human);
  if (!isHumanBlank || spans.length === 0) {
    return { human, isHumanBlank, injections: injectionsOf(text, spans) };
  }
  return { human: '', isHumanBlank, injections: injectionsOf(text, grown(text, spans)) };
}

function wrapperSpans(text: string, envelopes: readonly PeerEnvelope[]): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const candidate of candidates(text, envelopes)) {
    const { start } = candidate;
    if (start < end || !(start === end || beginsLine(text, start))) continue;
    spans.push(candidate);
    end = candidate.end;
  }
  return spans;
}

function candidates(text: string, envelopes: readonly PeerEnvelope[]): Span[] {
  const wrappers = elementsOf(text, NAMES).flatMap(({ tag, start, end }) => {
    const messageClass = CLASS_OF_TAG.get(tag);
    return messageClass === undefined ? [] : [{ tag, messageClass, start, end }];
  });
  if (envelopes.length === 0) return wrappers;
  const peers = envelopes.map(({ start, end }) => ({ ...PEER, start, end }));
  return [...wrappers, ...peers].sort((a, b) => a.start - b.start);
}

const PEER = { tag: 'legacy-peer-envelope', messageClass: 'agent_message' } as const;

/** Whether only white space stands before `at` on its line. */
function beginsLine(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && text.charAt(start - 1) !== '\n') {
    const size = spaceLengthBefore(text, start);
    if (size === 0) return false;
    start -= size;
  }
  return true;
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let human = '';
  let copied = 0;
  for (const { start, end } of spans) {
    human += text.slice(copied, start);
    copied = end;
  }
  return human + text.slice(copied);
}

/** Each span with the white space before it, the last one with all that follows. */
function grown(text: string, spans: readonly Span[]): Span[] {
  return spans.map((span, index) => ({
    ...span,
    start: spans[index - 1]?.end ?? 0,
    end: index === spans.length - 1 ? text.length : span.end,
  }));
}

function injectionsOf(text: string, spans: readonly Span[]): Injection[] {
  let counted = 0;
  let characters = 0;
  const characterAt = (at: number) => {
    characters += codePoints(text, counted, at);
    counted = at;
    return characters;
  };
  return spans.map(({ tag, messageClass, start, end }) => ({
    tag,
    messageClass,
    text: text.slice(start, end),
    textStart: characterAt(start),
    textEnd: characterAt(end),
  }));
}
