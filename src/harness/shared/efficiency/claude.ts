/**
 * What results mean in Claude Code and in programs that record like it.
 *
 * - TaskOutput waits while the task is running or pending, else it is an event.
 * - BashOutput, Monitor, ScheduleWakeup and Sleep bring an event, unless they were cut short.
 * - A command in the background is work: what it gives comes later. One that waits brings an event
 *   when it ended by itself, but not when it only slept or polled.
 * - TaskList, TaskGet and ListAgents look; tools that start, tell or stop agents orchestrate; the
 *   person answers AskUserQuestion.
 */

import { member } from '../../../bytes/json.ts';
import { at, lookUp } from '../fields.ts';
import { execClass } from './exec-class.ts';
import { commandOf, type FinishedCall, type ResultClass } from './finished-call.ts';

const CLASSES: Readonly<Record<string, ResultClass>> = {
  TaskList: 'status',
  TaskGet: 'status',
  ListAgents: 'status',
  Agent: 'orchestrate',
  Task: 'orchestrate',
  SendMessage: 'orchestrate',
  TaskStop: 'orchestrate',
  KillShell: 'orchestrate',
  Workflow: 'orchestrate',
  TeamCreate: 'orchestrate',
  AskUserQuestion: 'user',
};

const SHELLS = ['Bash', 'PowerShell'];
const WAITING_TOOLS = ['BashOutput', 'Monitor', 'ScheduleWakeup', 'Sleep'];

/** What the result of a call means. */
export function claudeResultClass(call: FinishedCall): ResultClass {
  if (SHELLS.includes(call.tool)) return commandClass(call);
  if (call.tool === 'TaskOutput') return isTaskOpen(call.result) ? 'wait' : 'event';
  if (WAITING_TOOLS.includes(call.tool)) return isCut(call) ? 'wait' : 'event';
  return lookUp(CLASSES, call.tool) ?? 'work';
}

function commandClass(call: FinishedCall): ResultClass {
  const command = commandOf(call.input);
  const inBackground = member(call.input, 'run_in_background');
  // Some programs write the flag as a text.
  if (command === null || inBackground === true || inBackground === 'true') return 'work';
  const found = execClass(command);
  if (found !== 'wait') return found;
  return isCut(call) || onlyPolls(command) ? 'wait' : 'event';
}

/** Whether a command, or one of those that it is made of, is a sleep or a loop. */
function onlyPolls(command: string): boolean {
  return command.split(/[;&|\n]/).some(part => /^\s*(?:sleep|until|while)\s/.test(part));
}

function isTaskOpen(result: unknown): boolean {
  const status = at(result, 'task', 'status') ?? member(result, 'status');
  return status === 'running' || status === 'pending';
}

/** Whether the wait was ended by a person or by the clock, or goes on in the background. */
function isCut({ isInterrupted, result }: FinishedCall): boolean {
  if (isInterrupted || member(result, 'interrupted') === true) return true;
  const marks = [member(result, 'timedOutAfterMs'), member(result, 'backgroundTaskId')];
  return marks.some(mark => mark !== undefined && mark !== null);
}
