/**
 * Commands that waited until the agent could take them: what a person wrote meanwhile, what peers
 * sent, and notifications that a task ended.
 */

import { type JsonObject, textOf } from '../../../../bytes/json.ts';
import { textBlocks } from '../../prompt/blocks.ts';
import { promptOrigin } from '../../prompt/origin.ts';
import { addPictures } from './attachments.ts';
import { addMessage, type Line, TEXT } from './line.ts';
import { isNotification } from './line-kind.ts';
import { addNotification } from './notifications.ts';
import { noteHuman, originKind } from './session.ts';

/** Takes an attachment of type `queued_command`. */
export function readQueuedCommand(line: Line, attachment: JsonObject): void {
  const { prompt } = attachment;
  const text = textBlocks(prompt, TEXT);
  const isTask = attachment['commandMode'] === 'task-notification';
  const isMain = line.state.identity.role === 'main';
  if (isNotification(text)) addNotification(line, text);
  else if (isMain && !isTask) addQueuedPrompt(line, attachment, text);
  else if (text !== '') {
    const detail = { source: 'queued_command' };
    addMessage(line, { messageClass: 'agent_message', text, detail });
  }
  addPictures(line, prompt, { attachedTo: 'queued_prompt' });
}

function addQueuedPrompt(line: Line, attachment: JsonObject, text: string): void {
  const kind = originKind(attachment) ?? originKind(line.value);
  const isMeta = attachment['isMeta'] === true || line.value['isMeta'] === true;
  const isAgent = isMeta || (kind !== null && kind !== 'human');
  if (!isAgent) noteHuman(line);
  if (text === '' || !line.rows.wants('message')) return;
  addMessage(line, {
    messageClass: 'queued_prompt',
    text,
    promptOrigin: isAgent ? 'agent_message' : promptOrigin(text),
    detail: { source: 'queued_command', mode: textOf(attachment['commandMode']) },
  });
}
