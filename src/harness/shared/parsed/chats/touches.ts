/** Which files the input of a tool names, and what happens to them. */

import { isObject, member, textOf } from '../../../../bytes/json.ts';
import { changedLines, lineCount } from '../../edits/lines.ts';
import { patchFiles } from '../../edits/patch.ts';
import { listOf } from '../../fields.ts';
import type { FileOperation } from './rules.ts';

/** One file that a call touches. */
export interface FileTouch {
  readonly path: string;
  readonly op: FileOperation | 'move';
  readonly lines_added: number | null;
  readonly lines_removed: number | null;
  readonly move_from: string | null;
}

/** Members that hold the path of a file, in the order in which they are tried. */
const PATHS = [
  ...['file_path', 'filePath', 'absolute_path', 'path', 'target_file', 'targetFile', 'filename'],
  ...['relativeWorkspacePath', 'notebook_path', 'uri'],
];

/** Members that hold a whole new text, the text before an edit, and the text behind it. */
const CONTENTS = ['content', 'contents', 'file_text', 'code_edit', 'text'];
const BEFORE = ['old_string', 'old_str', 'oldString', 'oldText'];
const AFTER = ['new_string', 'new_str', 'newString', 'newText'];

/** The files that a call with this input touches; a patch names its own. */
export function touchesOf(operation: FileOperation, input: unknown): readonly FileTouch[] {
  const patch = typeof input === 'string' ? input : first(input, ['patch', 'input', 'diff']);
  if (operation === 'edit' && patch?.includes('*** Begin Patch')) return patchTouches(patch);
  const paths = [first(input, PATHS), ...listOf(member(input, 'paths')).map(textOf)];
  return paths
    .filter(path => path !== null)
    .map(path => ({ path, op: operation, ...linesOf(operation, input), move_from: null }));
}

function patchTouches(patch: string): readonly FileTouch[] {
  return patchFiles(patch).map(({ op, path, moveFrom, added, removed }) => ({
    path,
    op,
    lines_added: added,
    lines_removed: removed,
    move_from: moveFrom,
  }));
}

function linesOf(
  operation: FileOperation,
  input: unknown,
): { readonly lines_added: number | null; readonly lines_removed: number | null } {
  const content = first(input, CONTENTS);
  if (operation === 'create' && content !== null) {
    return { lines_added: lineCount(content), lines_removed: null };
  }
  const [before, after] = [first(input, BEFORE), first(input, AFTER)];
  if (operation !== 'edit' || after === null) return { lines_added: null, lines_removed: null };
  const { added, removed } = changedLines(before ?? '', after);
  return { lines_added: added, lines_removed: removed };
}

function first(input: unknown, names: readonly string[]): string | null {
  if (!isObject(input)) return null;
  return names.map(name => textOf(member(input, name))).find(text => text !== null) ?? null;
}
