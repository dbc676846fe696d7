/** A sub-agent as its parent knows it: from an update, and from `subagents/<child>/meta.json`. */

import { member } from '../../bytes/json.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { firstCharacters } from '../shared/parsed/chats/texts.ts';

const LABEL_CHARACTERS = 200;

/** The columns that both tell; what an update says counts, as it is later. */
export function spawnFacts(parent: string, child: string, meta: unknown, update: unknown) {
  const text = (name: string) =>
    nonEmptyText(member(update, name)) ?? nonEmptyText(member(meta, name));
  const type = text('subagent_type');
  const label = text('description');
  return {
    spawn_uid: `${parent}:${child}`,
    session_uid: parent,
    agent_id: '',
    child_session_uid: child,
    requested_type: type,
    requested_type_source: type === null ? null : 'explicit',
    description: label === null ? null : firstCharacters(label, LABEL_CHARACTERS),
    completion_status: text('status'),
  };
}
