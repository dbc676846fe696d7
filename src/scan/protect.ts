/** What ahq must never write to: the files that agents keep. */

import { basename, dirname } from 'node:path';
import { entryAt, realPath } from '../bytes/walk.ts';
import { AhqError } from '../errors.ts';
import type { Harness } from '../harness/harness.ts';
import { harnesses } from '../harness/index.ts';
import { type Environment, expandHome } from '../places.ts';

/**
 * Throws UNSUPPORTED for a path inside a harness's home, and for a file that a harness would read:
 * an answer must not replace what it was made from.
 */
export function refuseAgentFile(path: string, environment: Environment): void {
  const file = realPath(path);
  const entry = entryAt(file, basename(file));
  const reader = harnesses.find(harness => entry?.isFile && harness.recognise(entry));
  const folder = realPath(dirname(path));
  const owner = reader ?? harnesses.find(harness => isInHome(folder, harness, environment));
  if (!owner) return;
  const { title } = owner.description;
  const message = `'${path}' belongs to ${title}: ahq writes nothing there; choose another folder`;
  throw new AhqError('UNSUPPORTED', message, { path });
}

function isInHome(folder: string, harness: Harness, environment: Environment): boolean {
  return harness.description.homes(environment).some(home => {
    const root = realPath(expandHome(home, environment));
    return folder === root || folder.startsWith(`${root}${environment.path.sep}`);
  });
}
