/**
 * What results mean in pi.
 *
 * - bash follows the rule about commands.
 * - The tool for sub-agents looks when it lists them or asks for their state, and waits for them:
 *   an event when there are results. It orchestrates when it runs a script, starts a run or hands
 *   out tasks. A single task in the foreground is work: its result is the work that was done.
 * - watch_start and wake_at arm a wake and so orchestrate.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { listOf } from '../fields.ts';
import { execClass } from './exec-class.ts';
import { commandOf, type FinishedCall, type ResultClass } from './finished-call.ts';

const LOOKS = ['list', 'status'];
const STARTS = ['run', 'start', 'spawn'];

/** What the result of a call means. */
export function piResultClass(call: FinishedCall): ResultClass {
  switch (call.tool) {
    case 'bash': {
      const command = commandOf(call.input);
      return command === null ? 'work' : execClass(command);
    }
    case 'subagent':
      return subagentClass(call);
    case 'wait':
      return waitClass(call);
    case 'watch_start':
    case 'wake_at':
      return 'orchestrate';
    default:
      return 'work';
  }
}

function subagentClass(call: FinishedCall): ResultClass {
  const action = textOf(member(call.input, 'action')) ?? '';
  if (LOOKS.includes(action)) return 'status';
  if (action === 'wait') return waitClass(call);
  const script = member(call.input, 'workflowScript') ?? null;
  const tasks = listOf(member(call.input, 'tasks'));
  return script !== null || STARTS.includes(action) || tasks.length > 0 ? 'orchestrate' : 'work';
}

function waitClass(call: FinishedCall): ResultClass {
  return listOf(member(call.result, 'results')).length > 0 ? 'event' : 'wait';
}
