/**
 * Reading the patches of the tool `apply_patch`.
 *
 * A patch stands between `*** Begin Patch` and `*** End Patch`. In it `*** Add File:`,
 * `*** Update File:` and `*** Delete File:` begin the part of a file, `*** Move to:` gives an
 * updated file a new path, and of the lines of a part those that start with `+` and `-` count.
 * The patch may be an argument or a here-document of a shell command, and the whole may be JSON:
 * a list of arguments or an object that has the text as a member. What surrounds a patch is
 * passed over, and so is a text without one. A patch that was cut off gives what it has.
 */

import { member } from '../../../bytes/json.ts';
import { fromWire, toWire } from '../../../bytes/text.ts';
import type { FileEdit } from './edit.ts';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const PART = /^\*\*\* (Add|Update|Delete) File:/;
const MOVE = '*** Move to:';

const [SPACE, TAB, RETURN] = [0x20, 0x09, 0x0d];

/** Members under which tools take a patch or the command that holds it. */
const TEXT_MEMBERS = ['input', 'patch', 'cmd', 'command'];

/** What the patch in `text` does, file by file in its order; nothing when there is no patch. */
export function patchFiles(text: string): readonly FileEdit[] {
  const files: Part[] = [];
  let isInside = false;
  for (const line of patchIn(text).split('\n')) {
    // In a command the first line may follow a quote or the name of the program.
    if (!isInside) isInside = trimmed(line).endsWith(BEGIN);
    else if (line.startsWith(END)) isInside = false;
    else readLine(line, files);
  }
  return files.map(editOf);
}

interface Part {
  readonly verb: string;
  readonly path: string;
  moveTo: string | null;
  added: number;
  removed: number;
}

function readLine(line: string, files: Part[]): void {
  const head = PART.exec(line);
  const file = files.at(-1);
  if (head !== null) files.push(partAt(head[1] ?? '', trimmed(line.slice(head[0].length))));
  else if (file === undefined) return;
  else if (line.startsWith(MOVE)) file.moveTo = trimmed(line.slice(MOVE.length));
  else if (line.startsWith('+')) file.added++;
  else if (line.startsWith('-')) file.removed++;
}

/** Without blanks around it. `trim` takes 0xA0 for one, which is a byte of `à` in wire text. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === RETURN;
}

function partAt(verb: string, path: string): Part {
  return { verb, path, moveTo: null, added: 0, removed: 0 };
}

function editOf({ verb, path, moveTo, added, removed }: Part): FileEdit {
  if (verb === 'Add') return { op: 'create', path, moveFrom: null, added, removed: 0 };
  // How long the file was is not in the patch.
  if (verb === 'Delete') return { op: 'delete', path, moveFrom: null, added: 0, removed: null };
  if (moveTo === null) return { op: 'edit', path, moveFrom: null, added, removed };
  return { op: 'move', path: moveTo, moveFrom: path, added, removed };
}

/** The text that holds the patch, taken out of JSON; the text as it is when it is not JSON. */
function patchIn(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    const holder = holderIn(JSON.parse(fromWire(text)));
    return holder === null ? '' : toWire(holder);
  } catch {
    return text;
  }
}

function holderIn(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(textWithPatch).find(isText) ?? null;
  const direct = textWithPatch(value);
  if (direct !== null) return direct;
  const members = TEXT_MEMBERS.map(name => member(value, name));
  return members.flat().map(textWithPatch).find(isText) ?? null;
}

function textWithPatch(value: unknown): string | null {
  return typeof value === 'string' && value.includes(BEGIN) ? value : null;
}

function isText(value: string | null): value is string {
  return value !== null;
}
