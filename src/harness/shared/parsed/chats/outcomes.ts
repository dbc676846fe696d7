/** What a call of a tool concerns beyond itself: the files it touches, the agent it launches. */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { decodedInput } from '../../efficiency/finished-call.ts';
import { lookUp } from '../../fields.ts';
import type { ChatRow } from './parser.ts';
import { firstCharacters } from './texts.ts';
import { type FileTouch, touchesOf } from './touches.ts';

/** Adds the files that a call touches. */
export function touchRows(row: ChatRow, call_uid: string, tool: string, input: string | null) {
  const { rows, rules, place, owner, state, at } = row;
  if (!rows.wants('file_touch') || input === null) return;
  const operation = lookUp(rules.fileTools, tool.toLowerCase());
  const touches: readonly FileTouch[] = operation ? touchesOf(operation, decodedInput(input)) : [];
  touches.forEach((touch, index) => {
    rows.add('file_touch', place, {
      touch_uid: `${call_uid}:${index}`,
      ...owner,
      turn_key: state.turn,
      ts: at,
      tool,
      call_uid,
      ...touch,
    });
  });
}

/** Whether a call launches a sub-agent. */
export function launches({ rules, facts }: ChatRow, tool: string): boolean {
  return rules.spawnTools.has(tool.toLowerCase()) || facts.text('spawned_session') !== null;
}

/** Members that hold the kind of sub-agent, and what it is told. */
const TYPES = ['subagent_type', 'agent_type', 'agentType', 'agent_name', 'agent', 'subagentType'];
const BRIEFS = ['prompt', 'task', 'instructions', 'objective'];

const LABEL_CHARACTERS = 200;

/** Adds the sub-agent that a call launches, and what it is told. */
export function spawnRow(row: ChatRow, spawn_uid: string, tool: string, input: string | null) {
  const { rows, rules, place, owner, state, at, facts, isAgent } = row;
  const child_session_uid = facts.text('spawned_session');
  if (!launches(row, tool)) return;
  const asked = decodedInput(input);
  const text = (names: readonly string[]) =>
    names.map(name => textOf(member(asked, name))).find(found => found !== null) ?? null;
  const description = text(['description']);
  // A tool that launches one kind of agent is called like it.
  const type = text(TYPES) ?? (rules.spawnTools.has(tool.toLowerCase()) ? null : tool);
  rows.add('subagent_spawn', place, {
    spawn_uid,
    ...owner,
    turn_key: state.turn,
    call_uid: spawn_uid,
    child_session_uid,
    spawned_at: at,
    requested_type: type,
    requested_type_source: type === null ? null : 'explicit',
    requested_model: text(['model']),
    name: text(['name']),
    description: description === null ? null : firstCharacters(description, LABEL_CHARACTERS),
  });
  const brief = text(BRIEFS);
  if (brief === null || !isObject(asked)) return;
  rows.add('message', place, {
    event_uid: `${spawn_uid}:brief`,
    ...owner,
    turn_key: state.turn,
    ts: at,
    role: 'assistant',
    message_class: 'subagent_brief',
    text: brief,
    is_sidechain: isAgent,
    seq: place.lineNumber * 10 + 1,
  });
}
