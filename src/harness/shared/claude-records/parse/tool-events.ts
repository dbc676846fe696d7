/** What some calls tell of the session: skills, tasks, plans, and questions to the person. */

import { member, textOf } from '../../../../bytes/json.ts';
import { listOf, lookUp, nonEmptyText } from '../../fields.ts';
import { addEvent, type Line } from './line.ts';
import type { ToolCall } from './tool-calls.ts';

/** The kind of event for a tool, and what it is about. */
interface ToolEvent {
  readonly kind: string;
  valueOf(input: unknown, tool: string): string | null;
}

const tasks: ToolEvent = { kind: 'task_list_op', valueOf: (_input, tool) => tool };
const plan = (value: string): ToolEvent => ({ kind: 'plan_mode', valueOf: () => value });

const EVENTS: Readonly<Record<string, ToolEvent>> = {
  Skill: { kind: 'skill_invoke', valueOf: skillName },
  TaskCreate: tasks,
  TaskUpdate: tasks,
  TaskList: tasks,
  TaskGet: tasks,
  TodoWrite: tasks,
  TaskStop: tasks,
  EnterPlanMode: plan('enter'),
  ExitPlanMode: plan('exit'),
  AskUserQuestion: { kind: 'user_question', valueOf: firstQuestion },
};

function skillName(input: unknown): string | null {
  return nonEmptyText(member(input, 'skill')) ?? nonEmptyText(member(input, 'command'));
}

function firstQuestion(input: unknown): string | null {
  const [question] = listOf(member(input, 'questions'));
  return textOf(member(question, 'question')) ?? textOf(member(input, 'question'));
}

/** Adds the event of a call, for tools that have one. */
export function addToolEvents(line: Line, { uid, tool, input }: ToolCall): void {
  if (!line.rows.wants('session_event')) return;
  const event = lookUp(EVENTS, tool);
  if (event !== undefined) addEvent(line, event.kind, { uid, value: event.valueOf(input, tool) });
}
