/**
 * What a message is: who wrote it and what for.
 *
 * Seven classes are the conversation: what people asked, what models answered, and what agents
 * told each other. The rest is what harnesses put between.
 */

const CONVERSATION = [
  'human_prompt',
  'queued_prompt',
  'assistant_text',
  'subagent_brief',
  'subagent_report',
  'compaction_summary',
  'task_notification_summary',
] as const;

const HARNESS = [
  'reasoning',
  'system_prompt',
  'system_reminder',
  'context_injection',
  'hook_output',
  'command_expansion',
  'skill_body',
  'local_command_output',
  'agent_message',
  'interrupt_marker',
] as const;

/** All classes, those of the conversation first. */
export const MESSAGE_CLASSES = [...CONVERSATION, ...HARNESS] as const;

/** The class of a message. */
export type MessageClass = (typeof MESSAGE_CLASSES)[number];

const IS_CONVERSATION: ReadonlySet<MessageClass> = new Set(CONVERSATION);

/** Whether messages of this class are part of the conversation, which is counted and searched. */
export function isConversationClass(messageClass: MessageClass): boolean {
  return IS_CONVERSATION.has(messageClass);
}
