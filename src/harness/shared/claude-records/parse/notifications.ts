/**
 * Notifications that a task ended, from a line of the user's slot or from a queued command.
 *
 * The same text comes both ways: rows are known by the task and by the text. A notification that
 * names a launch tells how it ended.
 */

import { notificationKey, type TaskNotification, taskNotification } from '../../prompt/tags.ts';
import { addMessage, type Line, shortened } from './line.ts';

const STATUS_CHARACTERS = 40;

/** Adds the rows of a notification; `text` is trimmed and begins as one. */
export function addNotification(line: Line, text: string): void {
  const told = taskNotification(text);
  if (told === null) return;
  noteEnd(line, told);
  if (!line.rows.wants('message')) return;
  const key = notificationKey(told, text);
  const isEvent = line.place.recordType === 'user';
  addMessage(line, {
    messageClass: 'agent_message',
    uid: `${key}:text`,
    text,
    detail: { source: 'task-notification', task_id: told.taskId },
    trigger: isEvent ? 'event' : null,
  });
  if (told.summary !== null) {
    const uid = `${key}:summary`;
    addMessage(line, { messageClass: 'task_notification_summary', uid, text: told.summary });
  }
  if (told.result !== null) {
    addMessage(line, {
      messageClass: 'subagent_report',
      uid: `${key}:result`,
      role: 'assistant',
      text: told.result,
      detail: { source: 'task-notification' },
    });
  }
}

function noteEnd({ state, rows, place, at }: Line, told: TaskNotification): void {
  const callUid = told.toolUseId;
  if (callUid === null || !state.spawns.has(callUid) || !rows.wants('subagent_spawn')) return;
  rows.add('subagent_spawn', place, {
    spawn_uid: callUid,
    ...state.owner,
    completion_status: told.status === null ? null : shortened(told.status, STATUS_CHARACTERS),
    completed_at: at,
    reported_tokens: told.subagentTokens,
    reported_tool_uses: told.toolUses,
    reported_duration_ms: told.durationMs,
  });
}
