/**
 * The journal of a chat of VS Code, folded to the chat that it describes.
 *
 * Each line changes the chat: `kind` 0 is the whole chat `v`; 1 sets the value at the path `k` to
 * `v`; 2 cuts the array at `k` down to `i` items, when `i` is given, and appends the items `v`;
 * 3 deletes what is at `k`. VS Code rewrites the file as one line of kind 0 now and then.
 *
 * The rows of a chat are known when its last line is read, so the whole state of one chat is held
 * in memory, and with it the lines that wrote what is left of it. Both are bounded by the size of
 * that chat's file; the next file begins anew. `read_events` streams, and gives every line.
 *
 * What a line wrote last is addressed by it: the prompt of a request by the line that added the
 * request or changed its message, a part of the response by the line that added or changed the
 * part, the answer as a whole by the last line that changed anything else of the request, and the
 * chat itself by the last line that changed anything outside the requests.
 */

import { integerOf, isObject, member } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import { listOf } from '../shared/fields.ts';
import { restoreRecord, type SavedRecord, saveRecord } from '../shared/saved-record.ts';

/** The lines that last wrote a request. */
export interface Writers<Line> {
  prompt: Line;
  answer: Line;
  parts: Line[];
}

/** A chat in the making. */
export interface Journal {
  /** The chat; undefined before the first whole one. */
  chat: unknown;
  /** The line that last wrote outside the requests. */
  line: SourceRecord | null;
  requests: Writers<SourceRecord>[];
}

type Path = readonly (string | number)[];

/** The journal before its first line. */
export function startJournal(): Journal {
  return { chat: undefined, line: null, requests: [] };
}

/** Why a line that is an object is no entry of a journal, by itself; null for an entry. */
export function entryProblem(entry: unknown): string | null {
  const kind = integerOf(member(entry, 'kind'));
  if (kind === null) return 'the journal entry has no kind';
  if (kind < 0 || kind > 3) return `the journal entry is of a kind that is not known: ${kind}`;
  if (kind === 0) return isObject(member(entry, 'v')) ? null : 'the journal entry holds no chat';
  const path = pathOf(member(entry, 'k'));
  return path && path.length > 0 ? null : 'the journal entry has no path';
}

/** Applies an entry; gives why it does not fit the chat, or null. */
export function apply(journal: Journal, record: SourceRecord): string | null {
  // The chat goes on changing what it takes over, and others read the record, too.
  const entry: unknown = structuredClone(record.value);
  const kind = integerOf(member(entry, 'kind'));
  if (kind === 0) {
    replace(journal, member(entry, 'v'), record.retain());
    return null;
  }
  const path = pathOf(member(entry, 'k')) ?? [];
  const problem = change(journal.chat, kind, path, entry);
  if (problem !== null) return `${problem} at ${path.join('.')}`;
  touch(journal, path, record.retain());
  return null;
}

/** The requests of a chat. */
export function requestsOf(chat: unknown): readonly unknown[] {
  return listOf(member(chat, 'requests'));
}

function replace(journal: Journal, chat: unknown, line: SourceRecord): void {
  journal.chat = chat;
  journal.line = line;
  journal.requests = requestsOf(chat).map(request => writtenBy(line, request));
}

function pathOf(value: unknown): Path | null {
  const isPath = Array.isArray(value) && value.every(isStep);
  return isPath ? value : null;
}

/** No chat has a member of that name, and to set it would change the object itself. */
function isStep(step: unknown): boolean {
  if (typeof step === 'string') return step !== '__proto__';
  return integerOf(step) !== null && Number(step) >= 0;
}

function change(chat: unknown, kind: number | null, path: Path, entry: unknown) {
  const parent = path.slice(0, -1).reduce<unknown>(childOf, chat);
  const step = path.at(-1) ?? '';
  if (!isPlace(parent, step)) return 'the chat has no place';
  if (kind === 1) setChild(parent, step, member(entry, 'v') ?? null);
  else if (kind === 2) return append(parent, step, entry);
  else if (isObject(parent)) delete parent[step];
  else setChild(parent, step, null);
  return null;
}

function childOf(parent: unknown, step: string | number): unknown {
  if (Array.isArray(parent)) return typeof step === 'number' ? parent[step] : undefined;
  return isObject(parent) && Object.hasOwn(parent, step) ? parent[step] : undefined;
}

/** Whether a value can be put there: a member of an object, an item of an array or the next. */
function isPlace(parent: unknown, step: string | number): parent is object {
  if (Array.isArray(parent)) return typeof step === 'number' && step <= parent.length;
  return isObject(parent);
}

function setChild(parent: object, step: string | number, value: unknown): void {
  (parent as Record<string | number, unknown>)[step] = value;
}

function append(parent: object, step: string | number, entry: unknown): string | null {
  const known = childOf(parent, step) ?? [];
  const items = member(entry, 'v') ?? [];
  if (!Array.isArray(known) || !Array.isArray(items)) return 'there is no list';
  const keep = integerOf(member(entry, 'i')) ?? known.length;
  if (keep < 0 || keep > known.length) return 'the list is too short';
  known.length = keep;
  for (const item of items) known.push(item);
  setChild(parent, step, known);
  return null;
}

/** Notes the line that wrote at a path; a list that it appended to keeps its first items. */
function touch(journal: Journal, path: Path, line: SourceRecord): void {
  const [first, index, part] = path;
  if (first !== 'requests') {
    journal.line = line;
    return;
  }
  const requests = requestsOf(journal.chat);
  const writers = typeof index === 'number' ? journal.requests[index] : undefined;
  if (typeof index !== 'number') {
    follow(journal.requests, keptItems(line), requests, request => writtenBy(line, request));
  } else if (!writers || path.length === 2) {
    journal.requests[index] = writtenBy(line, requests[index]);
  } else if (part === 'message') {
    writers.prompt = line;
  } else {
    writers.answer = line;
    if (part === 'response') touchParts(writers, path, requests[index], line);
  }
}

function touchParts(
  writers: Writers<SourceRecord>,
  path: Path,
  request: unknown,
  line: SourceRecord,
): void {
  const index = path[3];
  if (typeof index === 'number') {
    writers.parts[index] = line;
    return;
  }
  follow(writers.parts, keptItems(line), listOf(member(request, 'response')), () => line);
}

/** Keeps the writers of the first items, notes those of the others: an append costs its items. */
function follow<Writer>(
  writers: Writer[],
  kept: number,
  items: readonly unknown[],
  writerOf: (item: unknown) => Writer,
): void {
  writers.length = Math.min(writers.length, kept, items.length);
  for (let at = writers.length; at < items.length; at++) writers.push(writerOf(items[at]));
}

/** How many items of its list a line left as they were. */
function keptItems(line: SourceRecord): number {
  const isAppending = member(line.value, 'kind') === 2;
  return isAppending ? (integerOf(member(line.value, 'i')) ?? Number.POSITIVE_INFINITY) : 0;
}

function writtenBy(line: SourceRecord, request: unknown): Writers<SourceRecord> {
  const parts = listOf(member(request, 'response')).map(() => line);
  return { prompt: line, answer: line, parts };
}

/** A journal as plain JSON: each line once, and their numbers in that list. */
export interface SavedJournal {
  readonly chat: unknown;
  readonly lines: readonly SavedRecord[];
  readonly line: number | null;
  readonly requests: readonly Writers<number>[];
}

/** The journal as plain JSON. */
export function saveJournal({ chat, line, requests }: Journal): SavedJournal {
  const numbers = new Map<SourceRecord, number>();
  const numberOf = (one: SourceRecord): number => {
    const known = numbers.get(one) ?? numbers.size;
    numbers.set(one, known);
    return known;
  };
  const saved = requests.map(writers => ({
    prompt: numberOf(writers.prompt),
    answer: numberOf(writers.answer),
    parts: writers.parts.map(numberOf),
  }));
  const base = line === null ? null : numberOf(line);
  return { chat, lines: [...numbers.keys()].map(saveRecord), line: base, requests: saved };
}

/** The journal from plain JSON. */
export function restoreJournal(saved: SavedJournal): Journal {
  const lines = saved.lines.map(restoreRecord);
  const lineAt = (number: number): SourceRecord => {
    const line = lines[number];
    if (!line) throw new RangeError(`the saved journal has no line ${number}`);
    return line;
  };
  return {
    chat: saved.chat,
    line: saved.line === null ? null : lineAt(saved.line),
    requests: saved.requests.map(writers => ({
      prompt: lineAt(writers.prompt),
      answer: lineAt(writers.answer),
      parts: writers.parts.map(lineAt),
    })),
  };
}
