/**
 * Files that calls read and change, as the calls ask for it.
 *
 * Edits count the lines of a shortest edit script from the old text to the new one, writing counts
 * the lines that are written. A file that is named by an absolute path is an artifact, too.
 */

import { member, textOf } from '../../../../bytes/json.ts';
import { changedLines, lineCount } from '../../edits/lines.ts';
import { listOf, nonEmptyText } from '../../fields.ts';
import { artifactKind } from '../../prompt/links.ts';
import { type Line, whoseTurn } from './line.ts';
import type { ToolCall } from './tool-calls.ts';

/** What a tool does to the file that it names. */
interface Touch {
  readonly op: 'read' | 'create' | 'edit';
  readonly action: 'read' | 'written' | 'edited';
  readonly path: 'file_path' | 'notebook_path';
  counts(input: unknown): Counts;
}

interface Counts {
  readonly added: number | null;
  readonly removed: number | null;
}

const UNKNOWN: Counts = { added: null, removed: null };
const NONE: Counts = { added: 0, removed: 0 };

const read = { op: 'read', action: 'read', counts: () => UNKNOWN } as const;
const edit = { op: 'edit', action: 'edited' } as const;

const TOUCHES: ReadonlyMap<string, Touch> = new Map<string, Touch>([
  ['Read', { ...read, path: 'file_path' }],
  ['NotebookRead', { ...read, path: 'notebook_path' }],
  ['Write', { op: 'create', action: 'written', path: 'file_path', counts: writtenLines }],
  ['Edit', { ...edit, path: 'file_path', counts: editedLines }],
  ['MultiEdit', { ...edit, path: 'file_path', counts: linesOfEdits }],
  ['NotebookEdit', { ...edit, path: 'notebook_path', counts: linesOfCell }],
]);

/** Adds the file that a call touches. */
export function addTouches(line: Line, { uid, tool, input }: ToolCall): void {
  const touch = TOUCHES.get(tool);
  const path = touch === undefined ? null : nonEmptyText(member(input, touch.path));
  if (touch === undefined || path === null) return;
  const { rows, place } = line;
  if (rows.wants('file_touch')) {
    const { added, removed } = touch.counts(input);
    rows.add('file_touch', place, {
      touch_uid: `${uid}:0`,
      ...whoseTurn(line),
      ts: line.at,
      path,
      op: touch.op,
      tool,
      call_uid: uid,
      lines_added: added,
      lines_removed: removed,
    });
  }
  addArtifact(line, { uid, callUid: uid, path, action: touch.action, evidence: tool });
}

/** A file that a session names. */
export interface NamedFile {
  readonly uid: string;
  readonly callUid: string | null;
  readonly path: string;
  readonly action: string;
  readonly evidence: string;
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** Adds an artifact, where its path is absolute. */
export function addArtifact(line: Line, file: NamedFile): void {
  const { path } = file;
  if (!line.rows.wants('artifact') || !ABSOLUTE.test(path)) return;
  line.rows.add('artifact', line.place, {
    event_uid: file.uid,
    path,
    action: file.action,
    ...whoseTurn(line),
    call_uid: file.callUid,
    ts: line.at,
    kind: artifactKind(path),
    display_name: nameOf(path),
    evidence_type: file.evidence,
  });
}

/** The last name of a path. */
function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function writtenLines(input: unknown): Counts {
  const content = textOf(member(input, 'content'));
  return content === null ? UNKNOWN : { added: lineCount(content), removed: null };
}

function editedLines(input: unknown): Counts {
  const before = textOf(member(input, 'old_string'));
  const after = textOf(member(input, 'new_string'));
  return before === null || after === null ? UNKNOWN : changedLines(before, after);
}

function linesOfEdits(input: unknown): Counts {
  return listOf(member(input, 'edits')).map(editedLines).reduce(sum, NONE);
}

function sum(a: Counts, b: Counts): Counts {
  const add = (x: number | null, y: number | null) => (x === null || y === null ? null : x + y);
  return { added: add(a.added, b.added), removed: add(a.removed, b.removed) };
}

function linesOfCell(input: unknown): Counts {
  if (member(input, 'edit_mode') === 'delete') return { added: 0, removed: null };
  const source = textOf(member(input, 'new_source'));
  return source === null ? UNKNOWN : { added: lineCount(source), removed: null };
}

/** Takes a record of a file that the harness keeps versions of. */
export function readFileHistory(line: Line): void {
  const path = nonEmptyText(line.value['trackingPath']);
  if (path === null) return;
  const uid = `fhd:${textOf(line.value['messageId']) ?? line.uid}`;
  const evidence = 'file-history-delta';
  addArtifact(line, { uid, callUid: null, path, action: 'modified', evidence });
}
