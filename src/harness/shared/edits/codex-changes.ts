/**
 * Reading the changes that Codex records with a patch that it applied.
 *
 * They are an object from path to change, in which a change is `{type: 'update', unified_diff,
 * move_path}`, `{type: 'add', content}` or `{type: 'delete', content}`. Older programs put the type
 * around the rest, `{update: {unified_diff, move_path}}`. Items of newer ones hold a list of
 * `{path, kind, diff}`, where the kind is the type or `{type, move_path}`, and the diff of a file
 * that was added or deleted is its content. A change of no known type is left out.
 */

import { isObject, member, textOf } from '../../../bytes/json.ts';
import { nonEmptyText } from '../fields.ts';
import type { FileEdit, LineCounts } from './edit.ts';
import { lineCount } from './lines.ts';
import { unifiedDiffCounts } from './unified-diff.ts';

const TYPES = ['add', 'delete', 'update'] as const;

interface Change {
  readonly type: (typeof TYPES)[number];
  readonly path: string;
  readonly moveTo: string | null;
  /** The unified diff of an update, the content of another file; null when it is not recorded. */
  readonly text: string | null;
}

/** What the member `changes` of a record says, file by file in its order. */
export function codexChanges(changes: unknown): readonly FileEdit[] {
  return changesIn(changes).map(editOf);
}

function changesIn(changes: unknown): Change[] {
  if (Array.isArray(changes)) {
    return changes.flatMap(change => changeOf(member(change, 'path'), change));
  }
  if (!isObject(changes)) return [];
  return Object.entries(changes).flatMap(([path, change]) => changeOf(path, change));
}

/** The change as the only element of a list; an empty list when it is none. */
function changeOf(path: unknown, change: unknown): Change[] {
  const kind = member(change, 'kind');
  const name = textOf(kind) ?? textOf(member(kind, 'type')) ?? textOf(member(change, 'type'));
  const type = TYPES.find(known => known === name);
  if (typeof path !== 'string') return [];
  if (type !== undefined) return [{ type, path, ...detailsOf(change, kind) }];
  const around = TYPES.find(known => isObject(member(change, known)));
  if (around === undefined) return [];
  return [{ type: around, path, ...detailsOf(member(change, around), undefined) }];
}

function detailsOf(change: unknown, kind: unknown): Pick<Change, 'moveTo' | 'text'> {
  const texts = ['unified_diff', 'content', 'diff'].map(name => textOf(member(change, name)));
  const moveTo =
    nonEmptyText(member(change, 'move_path')) ?? nonEmptyText(member(kind, 'move_path'));
  return { moveTo, text: texts.find(text => text !== null) ?? null };
}

function editOf({ type, path, moveTo, text }: Change): FileEdit {
  const lines = text === null ? null : lineCount(text);
  if (type === 'add') return { op: 'create', path, moveFrom: null, added: lines, removed: 0 };
  if (type === 'delete') return { op: 'delete', path, moveFrom: null, added: 0, removed: lines };
  const counts: LineCounts =
    text === null ? { added: null, removed: null } : unifiedDiffCounts(text);
  if (moveTo === null) return { op: 'edit', path, moveFrom: null, ...counts };
  return { op: 'move', path: moveTo, moveFrom: path, ...counts };
}
