/**
 * What a line in the user's slot is: the first rule that holds decides.
 *
 * A strong line opens its turn and names its origin. A line of the person is a `human_prompt` or a
 * `queued_prompt` in a session's own file; in a sub-agent's file nobody is a person.
 */

import { textOf } from '../../../../bytes/json.ts';
import type { MessageClass } from '../../prompt/classes.ts';
import type { Line } from './line.ts';
import { originKind } from './session.ts';

/** What a line is for its turn, and the class of its text where this alone tells it. */
export interface LineKind {
  readonly origin: string;
  readonly isStrong: boolean;
  readonly messageClass: MessageClass | null;
}

const strong = (origin: string, messageClass: MessageClass | null = null): LineKind => ({
  origin,
  isStrong: true,
  messageClass,
});

const weak = (origin: string): LineKind => ({ origin, isStrong: false, messageClass: null });

/** A line that the harness put there. */
export const META = weak('meta');
const SUMMARY = strong('compaction_summary', 'compaction_summary');
const COMMAND = strong('slash_command');
const SHELL = strong('bash');
const INTERRUPT = weak('interrupt');
const NOTIFICATION = strong('task_notification');
const HUMAN = strong('human');
const HUMAN_PROMPT = strong('human', 'human_prompt');
const QUEUED = strong('queued');
const QUEUED_PROMPT = strong('queued', 'queued_prompt');
const BRIEF = strong('subagent_brief');
const STORED_BRIEF = strong('subagent_brief', 'subagent_brief');

/** Tags that begin a line about a command of the harness. */
export const isCommand = (text: string) =>
  text.startsWith('<command-name>') || text.startsWith('<command-message>');

const isCommandOutput = (text: string) =>
  text.startsWith('<local-command-stdout>') || text.startsWith('<local-command-stderr>');

/** A command that the person gave to the shell. */
export const isShellInput = (text: string) => text.startsWith('<bash-input>');

const isShellOutput = (text: string) =>
  text.startsWith('<bash-stdout>') || text.startsWith('<bash-stderr>');

/** What a command printed. */
export const isOutput = (text: string) => isCommandOutput(text) || isShellOutput(text);

/** What the harness writes when a person interrupts. */
export const isInterrupt = (text: string) => text.startsWith('[Request interrupted');

/** What the harness writes when a task ends. */
export const isNotification = (text: string) => text.startsWith('<task-notification>');

/** The kind of a line; `text` is trimmed at least at its start. */
export function kindOf(line: Line, text: string): LineKind {
  const { value } = line;
  if (value['isCompactSummary'] === true) return SUMMARY;
  const isTag = text.charCodeAt(0) === LESS_THAN;
  if (isTag && (isCommand(text) || isCommandOutput(text))) return COMMAND;
  if (isTag && (isShellInput(text) || isShellOutput(text))) return SHELL;
  const kind = originKind(value);
  if (kind !== null) return kindByOrigin(line, kind);
  if (isInterrupt(text)) return INTERRUPT;
  if (value['isMeta'] === true) return META;
  if (isTag && isNotification(text)) return NOTIFICATION;
  return kindBySource(line);
}

const LESS_THAN = 0x3c;

function kindByOrigin({ value, state }: Line, kind: string): LineKind {
  if (kind !== 'human') return strong(kind.replaceAll('-', '_'));
  if (value['isMeta'] === true) return META;
  const isMain = state.identity.role === 'main';
  if (value['promptSource'] === 'queued') return isMain ? QUEUED_PROMPT : QUEUED;
  return isMain ? HUMAN_PROMPT : HUMAN;
}

function kindBySource({ value, state }: Line): LineKind {
  const { role } = state.identity;
  const source = textOf(value['promptSource']);
  if (source === 'sdk') return strong('sdk');
  if (source === 'queued') return role === 'main' ? QUEUED_PROMPT : QUEUED;
  if (source === 'system') return META;
  if (role !== 'main') {
    return role === 'workflow_agent' && !state.isBriefSeen ? STORED_BRIEF : BRIEF;
  }
  return source === null || source === 'typed' ? HUMAN_PROMPT : strong(source);
}
