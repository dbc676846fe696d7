/**
 * Lines in the user's slot whose marks do not tell their class: their words do.
 *
 * Commands of the harness and of the shell are prompts in a session's own file. The line after a
 * command holds what the harness made of it. The first line of a sub-agent is its brief, which the
 * parent's call has already; what comes later was sent to it. Other senders are agents.
 */

import { textOf } from '../../../../bytes/json.ts';
import { textBlocks } from '../../prompt/blocks.ts';
import type { MessageClass } from '../../prompt/classes.ts';
import { tagText } from '../../prompt/tags.ts';
import { addEvent, addMessage, type Line, type MessageFacts, TEXT } from './line.ts';
import { isCommand, isInterrupt, isOutput, isShellInput } from './line-kind.ts';
import { originKind } from './session.ts';

/** Adds the message of a line; `trimmed` is its text without white space at its ends. */
export function secondPass(line: Line, trimmed: string, content: unknown): void {
  if (trimmed === '') return;
  const facts = factsOf(line, trimmed);
  if (facts === null || !line.rows.wants('message')) return;
  addMessage(line, { ...facts, text: textBlocks(content, TEXT, false) });
}

type Facts = Omit<MessageFacts, 'text'>;

const of = (messageClass: MessageClass): Facts => ({ messageClass });

function factsOf(line: Line, text: string): Facts | null {
  const isMeta = line.value['isMeta'] === true;
  if (text.startsWith('<')) {
    if (!isMeta && line.state.identity.role === 'main') {
      if (isCommand(text)) return commandFacts(line, text);
      if (isShellInput(text)) return prompt('local_command');
    }
    if (isOutput(text)) return of('local_command_output');
    if (text.startsWith('<local-command-caveat>') || text.startsWith('<system-reminder>')) {
      return of('system_reminder');
    }
  }
  if (isInterrupt(text)) return of('interrupt_marker');
  return isMeta ? metaFacts(line, text) : senderFacts(line);
}

const prompt = (promptOrigin: string): Facts => ({
  messageClass: 'human_prompt',
  promptOrigin,
  trigger: 'user',
});

/** A command with a colon in its name, or whose message comes first, is a skill. */
function commandFacts(line: Line, text: string): Facts {
  const name = tagText(text, 'command-name') ?? tagText(text, 'command-message') ?? '';
  const isSkill = text.startsWith('<command-message>') || name.includes(':');
  line.state.afterCommand = isSkill ? 'skill' : 'command';
  addEvent(line, 'slash_command', { value: name });
  if (name === '/clear' || name === 'clear') addEvent(line, 'clear', { value: name });
  return { ...prompt(isSkill ? 'skill' : 'slash_command'), detail: { source: 'command', name } };
}

const SKILL_HEAD = 'Base directory for this skill';

function metaFacts(line: Line, text: string): Facts {
  const { state, value } = line;
  if (typeof value['sourceToolUseID'] === 'string' || text.startsWith(SKILL_HEAD)) {
    state.afterCommand = null;
    return of('skill_body');
  }
  const { afterCommand } = state;
  if (afterCommand !== null) {
    state.afterCommand = null;
    return of(afterCommand === 'skill' ? 'skill_body' : 'command_expansion');
  }
  const kind = originKind(value);
  if (kind !== null) return agentFacts(line, kind);
  if (text.startsWith('Stop hook feedback')) return of('hook_output');
  return of(text.startsWith('[Image') ? 'context_injection' : 'system_reminder');
}

function senderFacts(line: Line): Facts | null {
  const { state, value } = line;
  const { role } = state.identity;
  if (role !== 'main' && !state.isBriefSeen) {
    state.isBriefSeen = true;
    const detail = { source: 'brief' };
    return role === 'workflow_agent' ? { messageClass: 'agent_message', detail } : null;
  }
  const kind = originKind(value);
  if (kind !== null && kind !== 'human') return agentFacts(line, kind);
  const source = role === 'main' ? textOf(value['promptSource']) : 'followup';
  return agentFacts(line, source ?? 'unknown');
}

/** What another agent or a program says; a peer is somebody, and a task that ended an event. */
function agentFacts(line: Line, source: string): Facts {
  const facts = { messageClass: 'agent_message', detail: { source } } as const;
  if (line.place.recordType !== 'user') return facts;
  if (source === 'peer') return { ...facts, trigger: 'user' };
  return source === 'task-notification' ? { ...facts, trigger: 'event' } : facts;
}
