/**
 * What the place of a sub-agent's transcript tells about its ancestors.
 *
 *     <time>_<root id>/<run>/run-0/session/<run>/run-1/session.jsonl
 *
 * The root is the text after the last `_` of the folder that is named as a transcript is. Each run
 * is a launch; the folders `session` only part them. Some versions leave `run-<i>` out, some name
 * runs by a shorter identifier: then each part between two folders `session` is one launch.
 */

/** The ancestors of a sub-agent. */
export interface Lineage {
  readonly rootUid: string;
  /** How many launches below the root. */
  readonly depth: number;
  /** The root and the runs, with slashes. */
  readonly path: string;
}

const TRANSCRIPT_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_./;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SEPARATOR = 'session';

/** The lineage by the path below the project's folder; null where it is not that of a sub-agent. */
export function lineageOf(agentPath: string): Lineage | null {
  const folders = agentPath.split('/').slice(0, -1);
  const named = folders.findIndex(folder => TRANSCRIPT_NAME.test(folder));
  const base = folders[Math.max(named, 0)];
  if (base === undefined) return null;
  const below = folders.slice(Math.max(named, 0) + 1);
  const rootUid = base.slice(base.lastIndexOf('_') + 1);
  const runs = below.filter(folder => folder !== SEPARATOR);
  return { rootUid, depth: depthOf(below), path: [rootUid, ...runs].join('/') };
}

function depthOf(folders: readonly string[]): number {
  let depth = 0;
  let isOpen = false;
  let identifiers = 0;
  for (const folder of folders) {
    if (folder === SEPARATOR) {
      isOpen = false;
      continue;
    }
    if (!isOpen) identifiers = 0;
    if (UUID.test(folder)) identifiers++;
    // A part is one launch at least, and one for each identifier in it.
    if (!isOpen || (UUID.test(folder) && identifiers > 1)) depth++;
    isOpen = true;
  }
  return depth;
}

/** `<run>/run-<i>` of a transcript of a sub-agent, with which its agent path ends; else null. */
export function taskNameOf(path: string): string | null {
  const [, run, index] = RUN.exec(path) ?? [];
  return run === undefined || index === undefined ? null : `${run}/${index}`;
}

const RUN =
  /[/\\]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/\\](run-\d+)[/\\][^/\\"\s]+\.jsonl/i;
