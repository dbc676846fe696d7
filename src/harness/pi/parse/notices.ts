/**
 * What the extension for sub-agents tells their parent when one of them ends.
 *
 *     Background task completed: **<name>**           one run in the background has ended; its
 *     …                                               result follows, which may quote anything,
 *     Retention-managed async directory: …/<run>      so the last such line is the notice's own
 *     Workflow run: <run>
 *     Child runs: <name>=<run> (completed), …
 *
 *     Workflow child completed: **<name>**            a child of a workflow has ended; here the
 *     Workflow run: <run>                             first lines are the notice's own
 *     Child run: <run>
 *
 * The names are for people and no evidence of the kind of a sub-agent.
 */

import { recall } from '../../shared/bounded.ts';
import { taskNameOf } from './lineage.ts';
import { shortened } from './message.ts';
import type { Step } from './state.ts';

const NOTIFY = 'subagent-notify';
const CHILD_NOTIFY = 'subagent-incremental-child-notify';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const TASK = /^\s*Background task ([a-z]+): \*\*([^*\n]+)\*\*/;
const CHILD = /^\s*Workflow child ([a-z]+)(?: \([^)\n]*\))?: \*\*([^*\n]+)\*\*/;
const DIRECTORY = new RegExp(
  `^Retention-managed async directory: .*[/\\\\](${UUID})[ \\t\\r]*$`,
  'gm',
);
const WORKFLOW = new RegExp(`^Workflow run: (${UUID})[ \\t\\r]*$`, 'gm');
const CHILD_RUN = new RegExp(`^Child run: (${UUID})[ \\t\\r]*$`, 'gm');
const CHILD_RUNS = /^Child runs: (.+)$/gm;
const CHILD_ITEM = new RegExp(`(?:([^=,\\s][^=,]*)=)?(${UUID})(?: \\(([^)]*)\\))?`, 'g');

/** States in which a sub-agent is at its end. */
const ENDED = ['completed', 'failed', 'stopped', 'cancelled', 'aborted', 'timed-out'];

const NAME_BYTES = 200;

/** A child that a notice tells of. */
interface Child {
  readonly run: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly taskName: string | null;
}

/** Takes a notice; other texts of extensions give nothing. */
export function readNotice(step: Step, customType: string, text: string): void {
  if (customType === CHILD_NOTIFY) readChildNotice(step, text);
  if (customType !== NOTIFY) return;
  endRun(step, text);
  const workflow = last(text, WORKFLOW);
  for (const child of childrenIn(text)) addChild(step, workflow, child);
}

function readChildNotice(step: Step, text: string): void {
  const [, status = null, name = null] = CHILD.exec(text) ?? [];
  const run = first(text, CHILD_RUN);
  if (run === null || status === null) return;
  const taskName = taskNameAfter(text, run);
  addChild(step, first(text, WORKFLOW), { run, name, status, taskName });
}

/** Ends the launch that the run of a notice belongs to. */
function endRun({ state, rows, owner, place, at }: Step, text: string): void {
  const [, status, name = null] = TASK.exec(text) ?? [];
  const run = last(text, DIRECTORY);
  const known = run === null ? null : recall(state.runs, run);
  if (status === undefined || !known?.isSpawn) return;
  rows.add('subagent_spawn', place, {
    ...{ spawn_uid: known.call, ...owner, name: shortened(name, NAME_BYTES) },
    ...endOf(status, at),
  });
}

function endOf(status: string | null, at: number | null) {
  const isEnded = status !== null && ENDED.includes(status);
  return {
    lifecycle_status: status,
    completion_status: isEnded ? status : null,
    completed_at: isEnded ? at : null,
  };
}

function childrenIn(text: string): readonly Child[] {
  const items = [...(last(text, CHILD_RUNS) ?? '').matchAll(CHILD_ITEM)];
  return items.map(([, name = null, run = '', status = null]) => ({
    ...{ run, name, status: shortened(status, NAME_BYTES) },
    // A path behind a list of several could be that of any of them.
    taskName: items.length === 1 ? taskNameAfter(text, run) : null,
  }));
}

function addChild(step: Step, workflow: string | null, child: Child): void {
  const { state, rows, owner, place, at } = step;
  const launch = workflow === null ? null : recall(state.runs, workflow);
  rows.add('subagent_spawn', place, {
    ...{ spawn_uid: child.run, ...owner, turn_key: launch?.turn ?? state.turn },
    ...{ call_uid: launch?.call ?? null, workflow_id: workflow, background: true },
    ...{ name: shortened(child.name, NAME_BYTES), child_task_name: child.taskName },
    ...endOf(child.status, at),
  });
}

function taskNameAfter(text: string, run: string): string | null {
  return taskNameOf(text.slice(text.indexOf(run) + run.length));
}

function first(text: string, lines: RegExp): string | null {
  for (const [, found] of text.matchAll(lines)) return found ?? null;
  return null;
}

function last(text: string, lines: RegExp): string | null {
  let found: string | null = null;
  for (const [, value] of text.matchAll(lines)) found = value ?? null;
  return found;
}
