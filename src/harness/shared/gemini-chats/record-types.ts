/** The types of records in chats of the Gemini CLI. */

import { isObject, member } from '../../../bytes/json.ts';

/** Known types. `session` stands for the header, the two with a dollar are directives. */
export const chatRecordTypes: Readonly<Record<string, readonly string[]>> = {
  $rewindTo: [],
  $set: [],
  error: [],
  gemini: [],
  info: [],
  session: [],
  user: [],
  warning: [],
};

/** The type of a record: its own, the name of a directive, `session` for a header, or null. */
export function chatRecordType(value: unknown): string | null {
  const type = member(value, 'type');
  if (typeof type === 'string') return type;
  if (typeof member(value, '$rewindTo') === 'string') return '$rewindTo';
  if (isObject(member(value, '$set'))) return '$set';
  const isChat = Array.isArray(member(value, 'messages'));
  return isChat || typeof member(value, 'sessionId') === 'string' ? 'session' : null;
}
