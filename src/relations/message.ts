/** Messages and what was attached to them. */

import { instant, integer, json, requiredFlag, requiredText, sha256Of, text } from './column.ts';
import { origin, owner, place, seq } from './origin.ts';
import { relation } from './relation.ts';

/** Rows of `read_messages()`: one per text, told apart by who wrote it and why. */
export const message = relation({
  name: 'message',
  functionName: 'read_messages',
  meaning: 'Texts, told apart by who wrote them: people, agents, tools, the harness itself',
  key: ['source', 'event_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the message'),
    ...owner,
    turn_key: text('Turn it belongs to'),
    ts: instant('When it was written'),
    role: requiredText('user, assistant or system'),
    message_class: requiredText('human_prompt, assistant_text, reasoning, subagent_brief …'),
    text: requiredText('The text', { compressed: true }),
    model: text('Model that wrote it'),
    is_sidechain: requiredFlag('It belongs to a sub-agent'),
    prompt_origin: text('For prompts: typed, pasted, slash_command, launch_message …'),
    phase: text('Phase of the answer, as recorded', { merge: 'UPDATE' }),
    trigger_class: text(
      'What it makes of the model call after it: user, event, orchestrate or agent_msg',
    ),
    detail: json('Further facts; spans of text are in code points'),
    content_sha256: sha256Of('text'),
    seq,
    ...place,
  },
});

/** Rows of `read_attachments()`: one per image, file or pasted text. */
export const attachment = relation({
  name: 'attachment',
  functionName: 'read_attachments',
  meaning: 'Images, files and pasted texts that came with a message or a tool result',
  key: ['source', 'attachment_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    attachment_uid: requiredText('Identifier of the attachment'),
    ...owner,
    turn_key: text('Turn it belongs to'),
    ts: instant('When it came'),
    kind: requiredText('image, file, pasted_text, document or other'),
    attached_to: requiredText(
      'prompt, queued_prompt, tool_result, tool_input or attachment_record',
    ),
    event_uid: text('Message that it came with'),
    call_uid: text('Tool call that it came with'),
    mime: text('Media type'),
    file_name: text('Name of the file'),
    size_bytes: integer('Size in bytes, decoded'),
    text: text('What it says, where it is text', { compressed: true }),
    detail: json('Further facts'),
    ...place,
  },
});
