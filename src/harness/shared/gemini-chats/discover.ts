/** From the part of a home of the Gemini CLI that a path names to the files under it. */

import { join } from 'node:path';
import type { Entry, OnProblem } from '../../../bytes/walk.ts';
import type { Kinds, Source } from '../../harness.ts';
import {
  agentFolder,
  chatFile,
  chatFolder,
  projectFolder,
  projectFolders,
  promptLog,
} from './project-folder.ts';

/** A home, its `tmp/`, a project in it, `chats/` in that, the chats of sub-agents, one file. */
export type ChatPart = 'home' | 'tmp' | 'project' | 'chats' | 'agents' | 'file';

/** Every file of the wanted kinds below an entry that is this part of a home. */
export function* chatSources(
  entry: Entry,
  part: ChatPart,
  kinds: Kinds,
  onProblem: OnProblem,
): Generator<Source> {
  switch (part) {
    case 'home':
      yield* projectFolders(join(entry.path, 'tmp'), kinds, onProblem);
      break;
    case 'tmp':
      yield* projectFolders(entry.path, kinds, onProblem);
      break;
    case 'project':
      yield* projectFolder(entry, kinds, onProblem);
      break;
    case 'chats':
      yield* chatFolder(entry, kinds, onProblem);
      break;
    case 'agents':
      yield* agentFolder(entry, kinds, onProblem);
      break;
    case 'file':
      if (entry.name === 'logs.json') yield promptLog(entry);
      else yield* chatFile(entry, kinds);
  }
}
