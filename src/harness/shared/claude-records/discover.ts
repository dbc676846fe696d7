/** From the part of a folder `.claude` that a path names to the files under it. */

import { basename, dirname } from 'node:path';
import type { OnProblem } from '../../../bytes/walk.ts';
import type { Kinds, Root, Source } from '../../harness.ts';
import { home } from './home.ts';
import { agentPlaceOf, project, projects, session, singleFile, subagents } from './projects.ts';

/** The places in Claude Code's tree that a path may name. */
export type Part = 'home' | 'projects' | 'project' | 'session' | 'agents' | 'file';

/** Every file under `root` of the kinds that are wanted. */
export function* discover(root: Root, kinds: Kinds, onProblem: OnProblem): Generator<Source> {
  const { entry } = root;
  switch (root.part as Part) {
    case 'home':
      yield* home(entry.path, kinds, onProblem);
      break;
    case 'projects':
      yield* projects(entry.path, kinds, onProblem);
      break;
    case 'project':
      yield* project(entry, kinds, onProblem);
      break;
    case 'session':
      yield* session(entry, basename(dirname(entry.path)), kinds, onProblem);
      break;
    case 'agents': {
      const place = agentPlaceOf(entry.path);
      if (place) yield* subagents(entry, place, kinds, onProblem);
      break;
    }
    case 'file':
      yield* singleFile(entry, kinds);
  }
}
