/**
 * Where Qwen Code keeps its files.
 *
 *     <home>/projects/<project>/chats/<session>.jsonl              a session
 *     <home>/projects/<project>/subagents/<session>/agent-*.jsonl  sub-agents, with *.meta.json
 *     <home>/tmp/<hash>/chats/session-*.json, logs.json            chats of 2025; prompts
 *     <home>/todos/<session>.json
 *
 * Order: project by project, in each the sessions, then the sub-agents session by session; then
 * what is in `tmp/`, and the todo lists. The folder name of a project is an encoded path; what is
 * lost in it is lost.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Root, Source } from '../harness.ts';
import { type ChatPart, chatSources } from '../shared/gemini-chats/discover.ts';
import { plainSource, sideFile } from '../shared/sources.ts';

/**
 * The places in Qwen Code's tree that a path may name: the home, `projects/`, a project, a folder
 * in one, a file. `old-…` are places below `tmp/`.
 */
export type Part = 'home' | 'projects' | 'project' | 'folder' | 'file' | `old-${ChatPart}`;

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  const part = root.part as Part;
  switch (part) {
    case 'home':
      yield* projects(join(entry.path, 'projects'), kinds, onProblem);
      yield* chatSources(entry, 'home', kinds, onProblem);
      if (kinds.has('todo')) yield* todoLists(join(entry.path, 'todos'), onProblem);
      break;
    case 'projects':
      yield* projects(entry.path, kinds, onProblem);
      break;
    case 'project':
    case 'folder':
      yield* folder(entry, kinds, onProblem);
      break;
    case 'file':
      yield* file(entry, kinds);
      break;
    default:
      yield* chatSources(entry, part.slice('old-'.length) as ChatPart, kinds, onProblem);
  }
}

function* projects(path: string, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(path, onProblem)) {
    if (entry.isFolder) yield* folder(entry, kinds, onProblem);
    else yield* file(entry, kinds);
  }
}

/** The files in a folder of a project and in the folders in it. */
function* folder(
  parent: Entry,
  kinds: Kinds,
  onProblem: OnProblem,
  above: readonly string[] = [],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(parent.identity)) return;
  const folders: Entry[] = [];
  for (const entry of entriesIn(parent.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else yield* file(entry, kinds);
  }
  for (const entry of folders) yield* folder(entry, kinds, onProblem, [...above, parent.identity]);
}

/** A transcript, whose place tells what it is; anything else is a side file. */
function* file(entry: Entry, kinds: Kinds): Generator<Source> {
  if (!entry.name.endsWith('.jsonl')) yield* sideFile(entry, kinds);
  else if (entry.isFile && kinds.has('transcript')) {
    yield agentTranscript(entry) ?? transcript(entry);
  }
}

function transcript(entry: Entry): Source {
  const isPlaced = basename(dirname(entry.path)) === 'chats';
  return {
    ...plainSource('transcript', 'lines', entry),
    sessionId: entry.name.replace(/\.jsonl$/, ''),
    facts: { projectDir: isPlaced ? basename(dirname(dirname(entry.path))) : null },
  };
}

function agentTranscript(entry: Entry): Source | null {
  const session = dirname(entry.path);
  const agents = dirname(session);
  if (basename(agents) !== 'subagents') return null;
  const parentSession = basename(session);
  const agentPath = `subagents/${parentSession}/${entry.name}`;
  return {
    ...plainSource('transcript', 'lines', entry),
    sessionId: parentSession,
    facts: { projectDir: basename(dirname(agents)), parentSession, agentPath },
    companions: { meta: entry.path.replace(/\.jsonl$/, '.meta.json') },
  };
}

function* todoLists(path: string, onProblem: OnProblem): Generator<Source> {
  for (const entry of entriesIn(path, onProblem)) {
    const stem = /^(.*)\.json$/.exec(entry.name)?.[1];
    if (entry.isFile && stem !== undefined) {
      yield { ...plainSource('todo', 'document', entry), sessionId: stem };
    }
  }
}
