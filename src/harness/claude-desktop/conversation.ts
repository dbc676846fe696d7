/**
 * The columns of `conversations` for Claude Desktop: those of Claude Code's records, and what the
 * app knows of the task.
 *
 * - `project_path`: tasks run in a machine of their own, with a working folder `/sessions/<name>`.
 *   There it is the first folder that the user gave to the task, where one is recorded.
 * - `session_created_at`, `session_updated_at`, `archived`: the task's.
 * - `metadata`: the task's `sessionId`, `title` and `userSelectedFolders`; `slug` stays the
 *   record's own, which names a plan.
 */

import { booleanOf, isObject, member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cell, Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { conversationsReader as claudeReader } from '../shared/claude-records/conversation.ts';
import type { ClaudeUnit } from '../shared/claude-records/units.ts';
import { companionProblems } from '../shared/diagnosis.ts';
import { isoOfMs } from '../shared/fields.ts';

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, options: ReadOptions): Reader<ClaudeUnit> {
  const base = claudeReader(source, options);
  const cells: Cells<typeof conversations, ClaudeUnit> = {
    ...base.cells,
    project_path: (unit, context) => {
      const path = base.cells['project_path']?.(unit, context) ?? null;
      return selectedFolder(path, context) ?? path;
    },
    session_created_at: (_unit, context) => instant(context, 'createdAt'),
    session_updated_at: (_unit, context) => instant(context, 'lastActivityAt'),
    archived: (_unit, context) => booleanOf(member(context.companion('task'), 'isArchived')),
    parse_error: (unit, context) =>
      base.cells['parse_error']?.(unit, context) ??
      companionProblems(unit.record, context, ['task']),
    metadata: (_unit, context) => metadata(context),
  };
  return { ...base, kinds: ['transcript'], cells };
}

/** Where working folders of the machine of a task lie. */
const MACHINE = '/sessions/';

function selectedFolder(path: Cell, context: SourceContext): string | null {
  if (typeof path !== 'string' || !path.startsWith(MACHINE)) return null;
  const folders = member(context.companion('task'), 'userSelectedFolders');
  return Array.isArray(folders) ? textOf(folders[0]) : null;
}

function instant(context: SourceContext, name: string): string | null {
  return isoOfMs(member(context.companion('task'), name));
}

const METADATA = ['sessionId', 'title', 'userSelectedFolders'];

function metadata(context: SourceContext): string | null {
  const task = context.companion('task');
  if (!isObject(task)) return null;
  const known = METADATA.filter(name => Object.hasOwn(task, name));
  return compactJson(Object.fromEntries(known.map(name => [name, task[name]])));
}
