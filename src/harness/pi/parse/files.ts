/**
 * Files that the tools of pi read, wrote and edited. A path that is not absolute is one below the
 * working folder of the session. How long a file was that was written over is not recorded.
 */

import { posix, win32 } from 'node:path';
import { member, textOf } from '../../../bytes/json.ts';
import { changedLines, lineCount } from '../../shared/edits/lines.ts';
import { listOf, lookUp, nonEmptyText } from '../../shared/fields.ts';
import { artifactKind } from '../../shared/prompt/links.ts';
import { fileNameOf } from './message.ts';
import type { OpenCall, Step, Touch } from './state.ts';

const OPS: Readonly<Record<string, Touch['op']>> = { read: 'read', write: 'create', edit: 'edit' };

const ACTIONS = { read: 'read', create: 'written', edit: 'edited' } as const;

/** Longer ones are no paths, and would only fill the memory. */
const PATH_BYTES_MAX = 4096;

const UNCOUNTED = { added: null, removed: null } as const;

/**
 * What a call does to a file, if it succeeds; null for other calls. Lines are counted only where
 * somebody reads them: that takes time.
 */
export function touchOf(
  tool: string,
  input: unknown,
  cwd: string | null,
  isCounted: boolean,
): Touch | null {
  const op = lookUp(OPS, tool);
  const path = nonEmptyText(member(input, 'path')) ?? nonEmptyText(member(input, 'file_path'));
  if (op === undefined || path === null || path.length > PATH_BYTES_MAX) return null;
  return { op, path: absolute(path, cwd), ...(isCounted ? linesOf(op, input) : UNCOUNTED) };
}

const IS_ABSOLUTE = /^(?:[A-Za-z]:)?[\\/]|^~/;
const IS_WINDOWS = /^[A-Za-z]:|^\\\\/;

function absolute(path: string, cwd: string | null): string {
  if (cwd === null || IS_ABSOLUTE.test(path)) return path;
  return (IS_WINDOWS.test(cwd) ? win32 : posix).join(cwd, path);
}

function linesOf(op: Touch['op'], input: unknown): Pick<Touch, 'added' | 'removed'> {
  if (op === 'create') {
    const content = textOf(member(input, 'content'));
    return { added: content === null ? null : lineCount(content), removed: null };
  }
  if (op === 'read') return UNCOUNTED;
  const edits = [input, ...listOf(member(input, 'edits'))].flatMap(edit => {
    const before = textOf(member(edit, 'oldText'));
    const after = textOf(member(edit, 'newText'));
    return before === null || after === null ? [] : [changedLines(before, after)];
  });
  if (edits.length === 0) return UNCOUNTED;
  const sum = (key: 'added' | 'removed') => edits.reduce((all, edit) => all + edit[key], 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** Adds what a call did to a file. */
export function addTouch({ rows, owner }: Step, callUid: string, call: OpenCall): void {
  const { touch, place, turn, at, tool } = call;
  if (touch === null || !(rows.wants('file_touch') || rows.wants('artifact'))) return;
  const { op, path, added, removed } = touch;
  rows.add('file_touch', place, {
    ...{ touch_uid: `${callUid}:0`, ...owner, turn_key: turn, ts: at, path, op, tool },
    ...{ call_uid: callUid, lines_added: added, lines_removed: removed },
  });
  if (!IS_ABSOLUTE.test(path)) return;
  rows.add('artifact', place, {
    ...{ event_uid: callUid, path, action: ACTIONS[op], ...owner, turn_key: turn, ts: at },
    ...{ call_uid: callUid, kind: artifactKind(path), display_name: fileNameOf(path) },
    evidence_type: tool,
  });
}
