/**
 * Where Cursor keeps its files: the editor in a `User` folder (see `databases.ts`), its agent in
 *
 *     <home>/projects/<project>/agent-transcripts/…   conversations (see `transcripts.ts`)
 *     <home>/projects/<project>/agent-tools/*.txt, terminals/*.txt, mcps/…
 *     <home>/chats/<workspace>/<chat>/store.db        chats of the command line as blobs
 *                                                     (see `chat-stores.ts`)
 *     <home>/ai-tracking/ai-code-tracking.db          which lines of code came from where
 *
 * Order: databases, the global one first, then transcripts project by project, names in byte order.
 */

import { join } from 'node:path';
import { type Entry, entriesIn, entryAt, type OnProblem } from '../../bytes/walk.ts';
import type { DiscoverOptions, Kinds, Root, Source } from '../harness.ts';
import { sideFile, sideFilesBelow } from '../shared/sources.ts';
import { CHATS, chatStore, chatStores } from './chat-stores.ts';
import { chatsIn, database, databaseIn, userDatabases, workspaces } from './databases.ts';
import { TRANSCRIPTS, transcript, transcripts } from './transcripts.ts';

/** The places in Cursor's folders that a path may name. */
export type Part =
  | 'home'
  | 'storage'
  | 'workspaces'
  | 'database'
  | 'projects'
  | 'project'
  | 'transcripts'
  | 'file'
  | 'stores'
  | 'store';

/** What a walk needs everywhere. */
interface Walk {
  readonly kinds: Kinds;
  readonly onProblem: OnProblem;
  readonly isToldElsewhere: (chat: string) => boolean;
}

/** Every file under `root` of the kinds that are wanted. */
export function* discover(
  root: Root,
  kinds: Kinds,
  onProblem: OnProblem,
  options: DiscoverOptions = {},
): Generator<Source> {
  const { entry } = root;
  const isToldElsewhere = chatsOf(options.roots ?? [root], kinds, onProblem);
  const walk = { kinds, onProblem, isToldElsewhere };
  switch (root.part as Part) {
    case 'home':
      yield* home(entry.path, walk);
      break;
    case 'storage': {
      const state = databaseIn(entry.path, onProblem);
      if (state) yield* database(state, kinds);
      break;
    }
    case 'workspaces':
      yield* workspaces(entry.path, kinds, onProblem);
      break;
    case 'database':
      yield* database(entry, kinds);
      break;
    case 'projects':
      yield* projects(entry.path, walk);
      break;
    case 'project':
      yield* project(entry, walk);
      break;
    case 'transcripts':
      yield* transcripts(entry, kinds, isToldElsewhere, onProblem);
      break;
    case 'file':
      if (kinds.has('transcript')) yield transcript(entry);
      break;
    case 'stores':
      yield* chatStores(entry, kinds, onProblem);
      break;
    case 'store':
      if (kinds.has('journal')) yield chatStore(entry);
  }
}

/** Asked for only where it matters: whoever reads journals too reads everything. */
function chatsOf(
  roots: readonly Root[],
  kinds: Kinds,
  onProblem: OnProblem,
): Walk['isToldElsewhere'] {
  if (kinds.has('journal')) return () => false;
  let chats: ReadonlySet<string> | null = null;
  return chat => {
    chats ??= chatsIn(roots, onProblem);
    return chats.has(chat);
  };
}

function* home(path: string, walk: Walk): Generator<Source> {
  yield* userDatabases(path, walk.kinds, walk.onProblem);
  yield* projects(join(path, 'projects'), walk);
  const chats = entryAt(join(path, CHATS), CHATS, walk.onProblem);
  if (chats?.isFolder) yield* chatStores(chats, walk.kinds, walk.onProblem);
  yield* tracking(path, walk);
}

function* projects(path: string, walk: Walk): Generator<Source> {
  for (const entry of entriesIn(path, walk.onProblem)) {
    if (entry.isFolder) yield* project(entry, walk);
    else yield* sideFile(entry, walk.kinds);
  }
}

function* project(folder: Entry, walk: Walk): Generator<Source> {
  for (const entry of entriesIn(folder.path, walk.onProblem)) {
    if (!entry.isFolder) yield* sideFile(entry, walk.kinds);
    else if (entry.name !== TRANSCRIPTS) yield* sideFilesBelow(entry, walk.kinds, walk.onProblem);
    else yield* transcripts(entry, walk.kinds, walk.isToldElsewhere, walk.onProblem);
  }
}

const TRACKING = 'which code came from where, no conversation';

function* tracking(home: string, { kinds, onProblem }: Walk): Generator<Source> {
  const name = 'ai-tracking';
  const folder = kinds.has('other') ? entryAt(join(home, name), name, onProblem) : null;
  if (folder) yield* sideFilesBelow(folder, kinds, onProblem, TRACKING);
}
