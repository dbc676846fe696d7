/**
 * What the result of a call makes of the model call after it.
 *
 * State keeps no input, so a call of a shell is classed when it is made: as if its command ended by
 * itself. The result then tells whether a wait was cut short, and whether a task still runs.
 */

import { member } from '../../../../bytes/json.ts';
import { claudeResultClass } from '../../efficiency/claude.ts';
import { at } from '../../fields.ts';
import { isShell } from './shells.ts';

/** What a result tells for its class. */
export interface ResultMarks {
  /** A wait was cut short, or goes on in the background. */
  readonly isCut: boolean;
  readonly isTaskOpen: boolean;
}

const FINISHED = { input: null, outputText: null, isInterrupted: false };

/** The marks of a structured result. */
export function marksOf(result: unknown, isInterrupted: boolean): ResultMarks {
  // Every tool that waits tells by the same members whether it was cut short.
  const waited = claudeResultClass({ ...FINISHED, tool: 'Monitor', result, isInterrupted });
  const status = at(result, 'task', 'status') ?? member(result, 'status');
  return { isCut: waited === 'wait', isTaskOpen: status === 'running' || status === 'pending' };
}

/** The class of a result; `shellClass` is that of a shell's command, null for other tools. */
export function triggerOf(tool: string, shellClass: string | null, marks: ResultMarks): string {
  const { isCut, isTaskOpen } = marks;
  if (isShell(tool)) return shellClass === 'event' && isCut ? 'wait' : (shellClass ?? 'work');
  const result = { interrupted: isCut, status: isTaskOpen ? 'running' : 'done' };
  return claudeResultClass({ ...FINISHED, tool, result });
}
