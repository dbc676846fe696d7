/** Files that patches changed: a row each, named after the call or operation with a number. */

import type { FileEdit } from '../../shared/edits/edit.ts';
import { artifactKind } from '../../shared/prompt/links.ts';
import { type Line, ownerOf } from './line.ts';

/** Whose edits they are. */
export interface Touching {
  readonly owner: string;
  readonly tool: string;
  readonly call: string | null;
  readonly item: string | null;
}

/** Adds the files of a patch. */
export function addTouches(line: Line, edits: readonly FileEdit[], touching: Touching): void {
  const { owner, tool, call, item } = touching;
  edits.forEach((edit, index) => {
    line.rows.add('file_touch', line.place, {
      ...ownerOf(line),
      touch_uid: `${owner}:${index}`,
      turn_key: line.turn,
      ts: line.at,
      path: edit.path,
      op: edit.op,
      tool,
      call_uid: call,
      item_uid: item,
      lines_added: edit.added,
      lines_removed: edit.removed,
      move_from: edit.moveFrom,
    });
    addArtifact(line, edit, owner, call);
  });
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

function addArtifact(line: Line, { path, op }: FileEdit, owner: string, call: string | null): void {
  if (op === 'delete' || !ABSOLUTE.test(path)) return;
  const action = op === 'create' ? 'written' : 'edited';
  addArtifactRow(line, { path, action, uid: owner, call, evidence: 'patch' });
}

/** A file that a session names as a result. */
export interface NamedFile {
  readonly path: string;
  readonly action: 'linked' | 'written' | 'edited';
  readonly uid: string;
  readonly call: string | null;
  readonly evidence: 'patch' | 'assistant-markdown';
}

/** Adds a file that a message links to or a patch wrote. */
export function addArtifactRow(line: Line, file: NamedFile): void {
  line.rows.add('artifact', line.place, {
    ...ownerOf(line),
    event_uid: file.uid,
    path: file.path,
    action: file.action,
    turn_key: line.turn,
    call_uid: file.call,
    ts: line.at,
    kind: artifactKind(file.path),
    display_name: file.path.slice(file.path.search(/[^\\/]*[\\/]*$/)),
    evidence_type: file.evidence,
  });
}
