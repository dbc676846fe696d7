/**
 * Where Copilot keeps its files.
 *
 *     <home>/session-state/<session>/events.jsonl       a session of the CLI, with
 *         workspace.yaml, plan.md, checkpoints/*.md, session.db (todos) and files of no relation
 *     <home>/session-state/<session>.jsonl              a session, until early 2026
 *     <home>/history-session-state/<session>.json       a session, in autumn 2025
 *     <home>/session-store.db                           token usage, read beside the sessions
 *     <home>/command-history-state.json                 prompts
 *     <home>/command-history-state/…                    prompts of newer versions, not read: what
 *                                                       these files hold is not published
 *     <User>/workspaceStorage/<hash>/chatSessions/<chat>.json, .jsonl      chats of VS Code, with
 *         workspace.json beside `chatSessions`
 *     <User>/globalStorage/emptyWindowChatSessions/<chat>.json, .jsonl     without a workspace
 *
 * Order: sessions of the CLI, then chats, folder by folder; names in byte order.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, entryAt, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Root, Source, SourceKind } from '../harness.ts';
import { plainSource, sideFile, sideFilesBelow, skippedSource } from '../shared/sources.ts';
import { fileFormat } from './formats.ts';

/** The places in Copilot's trees that a path may name. */
export type Part =
  | 'home'
  | 'sessions'
  | 'session'
  | 'workspaces'
  | 'workspace'
  | 'chats'
  | 'files'
  | 'file';

/** What a walk needs beside the place where it is. */
interface Walk {
  readonly kinds: Kinds;
  readonly onProblem: OnProblem;
}

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  const walk = { kinds, onProblem };
  switch (root.part as Part) {
    case 'home':
      yield* home(entry.path, walk);
      break;
    case 'sessions':
      yield* sessions(entry.path, walk);
      break;
    case 'session':
      yield* session(entry, walk);
      break;
    case 'workspaces':
      yield* workspaces(entry.path, walk);
      break;
    case 'workspace':
      yield* workspace(entry, walk);
      break;
    case 'chats':
      yield* chats(entry, walk);
      break;
    case 'files':
      for (const file of entriesIn(entry.path, onProblem)) yield* singleFile(file, walk);
      break;
    case 'file':
      yield* singleFile(entry, walk);
  }
}

function* home(path: string, walk: Walk): Generator<Source> {
  yield* sessions(join(path, 'session-state'), walk);
  yield* sessions(join(path, 'history-session-state'), walk);
  yield* workspaces(join(path, 'workspaceStorage'), walk);
  const windows = join(path, 'globalStorage', 'emptyWindowChatSessions');
  const folder = entryAt(windows, 'emptyWindowChatSessions', walk.onProblem);
  if (folder?.isFolder) yield* chats(folder, walk);
  yield* rootFile(path, `${HISTORY}.json`, 'history', walk);
  const prompts = entryAt(join(path, HISTORY), HISTORY, walk.onProblem);
  if (prompts?.isFolder) {
    yield* sideFilesBelow(prompts, walk.kinds, walk.onProblem, UNKNOWN_HISTORY);
  }
  yield* rootFile(path, 'session-store.db', 'other', walk);
}

const HISTORY = 'command-history-state';
const UNKNOWN_HISTORY = 'prompts in a form that is not known';

function* rootFile(path: string, name: string, kind: SourceKind, walk: Walk): Generator<Source> {
  const entry = entryAt(join(path, name), name, walk.onProblem);
  if (!entry?.isFile || !walk.kinds.has(kind)) return;
  const skipped = 'token usage, read beside the sessions';
  yield { ...plainSource(kind, 'document', entry), ...(kind === 'other' && { skipped }) };
}

function* sessions(path: string, walk: Walk): Generator<Source> {
  for (const entry of entriesIn(path, walk.onProblem)) {
    if (entry.isFolder) yield* session(entry, walk);
    else yield* singleFile(entry, walk);
  }
}

/** A session of the CLI: a folder named by its identifier. */
function* session(folder: Entry, walk: Walk): Generator<Source> {
  const place = { sessionId: folder.name, companions: companionsOf(folder.path) };
  for (const entry of entriesIn(folder.path, walk.onProblem)) {
    if (entry.isFolder) {
      if (entry.name === 'checkpoints') yield* checkpoints(entry, place, walk);
      else yield* sideFilesBelow(entry, walk.kinds, walk.onProblem);
    } else if (entry.isFile) {
      const source = { ...sessionFile(entry), ...place };
      if (walk.kinds.has(source.kind)) yield source;
    }
  }
}

/** What a file in the folder of a session is. */
function sessionFile(entry: Entry): Source {
  switch (entry.name) {
    case 'events.jsonl':
      return { ...plainSource('transcript', 'lines', entry), facts: { format: 'cli' } };
    case 'plan.md':
      return plainSource('plan', 'document', entry);
    case 'session.db':
      return plainSource('todo', 'sqlite', entry);
    default:
      return skippedSource(entry);
  }
}

function* checkpoints(
  folder: Entry,
  place: Pick<Source, 'sessionId' | 'companions'>,
  walk: Walk,
): Generator<Source> {
  for (const entry of entriesIn(folder.path, walk.onProblem)) {
    const isList = entry.isFile && entry.name.endsWith('.md') && entry.name !== 'index.md';
    if (isList && walk.kinds.has('todo')) {
      yield { ...plainSource('todo', 'document', entry), ...place };
    } else if (entry.isFolder) yield* sideFilesBelow(entry, walk.kinds, walk.onProblem);
    else if (!isList) yield* sideFile(entry, walk.kinds);
  }
}

/** The files that tell more about a session in `folder`. */
function companionsOf(folder: string): Record<string, string> {
  const store = join(dirname(dirname(folder)), 'session-store.db');
  return { workspace: join(folder, 'workspace.yaml'), store };
}

function* workspaces(path: string, walk: Walk): Generator<Source> {
  for (const entry of entriesIn(path, walk.onProblem)) {
    if (entry.isFolder) yield* workspace(entry, walk);
  }
}

/** A workspace of VS Code: a folder named by a hash. */
function* workspace(folder: Entry, walk: Walk): Generator<Source> {
  const path = join(folder.path, 'chatSessions');
  const entry = entryAt(path, 'chatSessions', walk.onProblem);
  if (entry?.isFolder) yield* chats(entry, walk);
  const copies = join(folder.path, 'GitHub.copilot-chat', 'transcripts');
  const transcripts = entryAt(copies, 'transcripts', walk.onProblem);
  if (transcripts?.isFolder) {
    yield* sideFilesBelow(transcripts, walk.kinds, walk.onProblem, 'another copy of a chat');
  }
}

function* chats(folder: Entry, walk: Walk): Generator<Source> {
  for (const entry of entriesIn(folder.path, walk.onProblem)) yield* singleFile(entry, walk);
}

/** A file by itself: its name, its place and its beginning tell what it is. */
function* singleFile(entry: Entry, walk: Walk): Generator<Source> {
  if (!entry.isFile) return;
  const source = fileSource(entry);
  if (walk.kinds.has(source.kind)) yield source;
}

function fileSource(entry: Entry): Source {
  const folder = dirname(entry.path);
  const stem = entry.name.replace(/\.jsonl?$/, '');
  switch (fileFormat(entry)) {
    case 'cli': {
      const companions = companionsOf(entry.name === 'events.jsonl' ? folder : join(folder, stem));
      const sessionId = entry.name === 'events.jsonl' ? basename(folder) : stem;
      const source = plainSource('transcript', 'lines', entry);
      return { ...source, sessionId, companions, facts: { format: 'cli' } };
    }
    case 'old': {
      const source = plainSource('transcript', 'elements', entry);
      const facts = { format: 'old' };
      return { ...source, arrayPath: ['chatMessages'], sessionId: oldSession(stem), facts };
    }
    case 'chat': {
      const source = plainSource('transcript', 'elements', entry);
      return { ...source, arrayPath: ['requests'], sessionId: stem, ...chatPlace(folder, 'chat') };
    }
    case 'journal': {
      const source = plainSource('journal', 'lines', entry);
      return { ...source, sessionId: stem, isFolded: true, ...chatPlace(folder, 'journal') };
    }
    default:
      return skippedSource(entry);
  }
}

/** `session_<id>_<time>` */
function oldSession(stem: string): string {
  return /^session_(.+)_\d+$/.exec(stem)?.[1] ?? stem;
}

/** What the place of a chat tells: the workspace that its folder lies in. */
function chatPlace(folder: string, format: string): Pick<Source, 'facts' | 'companions'> {
  const isWorkspace = basename(folder) === 'chatSessions';
  return {
    facts: { format, projectDir: isWorkspace ? basename(dirname(folder)) : '' },
    companions: isWorkspace ? { workspace: join(dirname(folder), 'workspace.json') } : {},
  };
}
