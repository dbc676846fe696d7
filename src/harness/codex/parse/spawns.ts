/**
 * Launches of sub-agents: the call of `spawn_agent`, what it gave, and what became of the child.
 *
 * A child is known by its thread and by the last part of its path, which is the name of its task.
 */

import { member } from '../../../bytes/json.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import { type Line, ownerOf, parsedText } from './line.ts';
import { addMessage } from './message-row.ts';
import { remember } from './state.ts';

const MAX_SPAWNS = 512;

/** Whether a tool launches sub-agents. */
export function isSpawnTool(tool: string): boolean {
  return tool.slice(tool.lastIndexOf('.') + 1) === 'spawn_agent';
}

/** The call; what it tells the child is the brief. */
export function addSpawn(line: Line, call: string, input: unknown): void {
  const asked = parsedText(input);
  const text = (...names: string[]) => firstText(asked, names);
  const type = text('agent_type');
  const task = text('task_name');
  if (task !== null) remember(line.state.spawns, lastPart(task), call, MAX_SPAWNS);
  line.rows.add('subagent_spawn', line.place, {
    ...ownerOf(line),
    spawn_uid: call,
    turn_key: line.turn,
    call_uid: call,
    child_task_name: task,
    spawned_at: line.at,
    requested_type: type ?? 'default',
    requested_type_source: type === null ? 'default' : 'explicit',
    requested_model: text('model'),
    reasoning_effort: text('reasoning_effort'),
    fork_scope: text('fork_turns', 'fork_context'),
    name: task,
  });
  const brief = text('message', 'prompt');
  if (brief === null || isBlank(brief)) return;
  const detail = { source: 'spawn_agent', call_id: call };
  addMessage(line, { role: 'assistant', messageClass: 'subagent_brief', text: brief, detail });
}

function firstText(value: unknown, names: readonly string[]): string | null {
  for (const name of names) {
    const found = member(value, name);
    if (typeof found === 'boolean' || typeof found === 'number') return String(found);
    if (nonEmptyText(found) !== null) return nonEmptyText(found);
  }
  return null;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What the call gave: a child, or the reason why there is none. */
export function addLaunch(line: Line, call: string, output: string): void {
  const told = parsedText(output);
  const [task, agent] = [firstText(told, ['task_name']), firstText(told, ['agent_id'])];
  for (const name of [task, agent]) {
    if (name !== null) remember(line.state.spawns, lastPart(name), call, MAX_SPAWNS);
  }
  line.rows.add('subagent_spawn', line.place, {
    ...ownerOf(line),
    spawn_uid: call,
    child_session_uid: agent,
    child_task_name: task,
    name: firstText(told, ['nickname']),
    launch_status: task === null && agent === null ? 'error' : 'launched',
  });
}

const ENDED: ReadonlySet<string | null> = new Set(['completed', 'interrupted', 'failed']);

/** What is told of a child: an event, or an item. */
export function readActivity(line: Line, told: unknown): void {
  const { spawns } = line.state;
  const thread = firstText(told, ['agent_thread_id']);
  const path = firstText(told, ['agent_path']);
  const names = [
    path === null ? null : lastPart(path),
    thread,
    firstText(told, ['event_id', 'id']),
  ];
  const call = knownCall(spawns, names);
  if (call === null) return;
  if (thread !== null) remember(spawns, thread, call, MAX_SPAWNS);
  const kind = firstText(told, ['kind']);
  const hasEnded = ENDED.has(kind);
  line.rows.add('subagent_spawn', line.place, {
    ...ownerOf(line),
    spawn_uid: call,
    child_session_uid: thread,
    lifecycle_status: kind,
    completion_status: hasEnded ? kind : null,
    completed_at: hasEnded ? line.at : null,
  });
}

/** The call that launched a child of one of these names; a call is known by itself, too. */
function knownCall(
  spawns: ReadonlyMap<string, string>,
  names: readonly (string | null)[],
): string | null {
  for (const name of names) {
    if (name === null) continue;
    const call = spawns.get(name);
    if (call !== undefined) return call;
  }
  const calls = new Set(spawns.values());
  return names.find(name => name !== null && calls.has(name)) ?? null;
}

/** The item of a launch tells the child's thread. */
export function readLaunchItem(line: Line, call: string, item: unknown): void {
  const tool = nonEmptyText(member(item, 'tool'));
  const receivers = member(item, 'receiver_thread_ids');
  const child = Array.isArray(receivers) ? nonEmptyText(receivers[0]) : null;
  if ((tool !== 'spawnAgent' && tool !== 'spawn_agent') || child === null) return;
  remember(line.state.spawns, child, call, MAX_SPAWNS);
  line.rows.add('subagent_spawn', line.place, {
    ...ownerOf(line),
    spawn_uid: call,
    child_session_uid: child,
    resolved_model: nonEmptyText(member(item, 'model')),
  });
}
