/**
 * Whether a folder or file is Claude Desktop's.
 *
 * Its home holds `local-agent-mode-sessions/`. Every folder below that is a part of the home, and
 * what lies in a folder `.claude` there is the part that it is in Claude Code's tree. Elsewhere a
 * folder `local_…` with a folder `.claude` is a task, and a file `audit.jsonl` is one when its
 * records have the time stamp that only this log has.
 */

import { join } from 'node:path';
import { member } from '../../bytes/json.ts';
import { type Entry, isFolderAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import type { Part as ClaudePart } from '../shared/claude-records/discover.ts';
import { firstRecords } from '../shared/probe.ts';
import { PACKAGES } from './describe.ts';
import { AUDIT, type Part, TASKS } from './discover.ts';

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of Claude Desktop's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  const part = entry.isFolder ? partOfFolder(entry) : partOfFile(entry);
  return part && root(entry, part);
}

/** The part that an entry is most likely, when the caller says that it is Claude Desktop's. */
export function assume(entry: Entry): Root {
  const known = recognise(entry);
  if (known) return known;
  if (!entry.isFolder) return root(entry, entry.name === AUDIT ? 'audit' : 'claude file');
  if (entry.name === PACKAGES) return root(entry, 'packages');
  return root(entry, namesIn(entry.path).some(isTaskName) ? 'tree' : 'home');
}

function partOfFolder(entry: Entry): Part | null {
  if (isFolderAt(join(entry.path, TASKS))) return 'home';
  if (entry.name === TASKS) return 'tree';
  const below = partsBelowTasks(entry.path);
  if (below) return partOf(below);
  return isTaskName(entry.name) && isFolderAt(join(entry.path, '.claude')) ? 'tree' : null;
}

function partOfFile(entry: Entry): Part | null {
  if (!entry.name.endsWith('.jsonl')) return null;
  if (entry.name === AUDIT) {
    const isAudit = firstRecords(entry.path).some(
      record => typeof member(record, '_audit_timestamp') === 'string',
    );
    return isAudit ? 'audit' : null;
  }
  return partsBelowTasks(entry.path)?.includes('.claude') ? 'claude file' : null;
}

/** The names between the folder of tasks and the end of a path; null for a path elsewhere. */
function partsBelowTasks(path: string): readonly string[] | null {
  const parts = path.split(/[\\/]/);
  const depth = parts.lastIndexOf(TASKS);
  return depth < 0 ? null : parts.slice(depth + 1);
}

/** The part that a folder below the tasks is; null for a side folder of Claude Code's. */
function partOf(below: readonly string[]): Part | null {
  const depth = below.lastIndexOf('.claude');
  if (depth < 0) return 'tree';
  const [top, , , inSession] = below.slice(depth + 1);
  if (top === undefined) return 'claude home';
  if (top !== 'projects') return null;
  if (inSession !== undefined) return inSession === 'subagents' ? 'claude agents' : null;
  return `claude ${CLAUDE_PARTS[below.length - depth - 2] ?? 'session'}`;
}

/** The parts of Claude Code's tree by their depth below `.claude`. */
const CLAUDE_PARTS: readonly ClaudePart[] = ['projects', 'project', 'session'];

function isTaskName(name: string): boolean {
  return name.startsWith('local_');
}
