/**
 * Which sessions are sub-agents, and whose: `<parent>/subagents/<child>/meta.json` says so in its
 * members `parent_session_id` and `child_session_id`, else the names of the folders do.
 */

import { join } from 'node:path';
import { readDocument } from '../../bytes/document.ts';
import { member } from '../../bytes/json.ts';
import { SourceRecord } from '../../bytes/record.ts';
import { fromWire } from '../../bytes/text.ts';
import { entriesIn } from '../../bytes/walk.ts';
import { Work } from '../../bytes/work.ts';
import { nonEmptyText } from '../shared/fields.ts';

/** The folder of a session in which its sub-agents are named. */
export const SUBAGENTS = 'subagents';

/** What is known of a sub-agent by its parent's folder. */
export interface Child {
  readonly parentSession: string;
  /** `<parent>/subagents/<child>`. */
  readonly agentPath: string;
  readonly metaPath: string;
}

/** No sub-agent is known. */
export const NO_CHILDREN: ReadonlyMap<string, Child> = new Map();

/** The sub-agents of all sessions below a folder, by the session that each is. */
export function childrenBelow(sessions: string): ReadonlyMap<string, Child> {
  const children = new Map<string, Child>();
  for (const project of entriesIn(sessions)) {
    if (!project.isFolder) continue;
    for (const parent of entriesIn(project.path)) {
      if (!parent.isFolder) continue;
      for (const child of entriesIn(join(parent.path, SUBAGENTS))) {
        if (child.isFolder) addChild(children, parent.name, child.name, child.path);
      }
    }
  }
  return children;
}

function addChild(
  children: Map<string, Child>,
  parentName: string,
  childName: string,
  folder: string,
): void {
  const metaPath = join(folder, 'meta.json');
  const meta = readMeta(metaPath);
  const text = (name: string) => nonEmptyText(member(meta, name));
  const parentSession = text('parent_session_id');
  const childSession = text('child_session_id');
  children.set(childSession === null ? childName : fromWire(childSession), {
    parentSession: parentSession === null ? parentName : fromWire(parentSession),
    agentPath: `${parentName}/${SUBAGENTS}/${childName}`,
    metaPath,
  });
}

function readMeta(path: string): unknown {
  try {
    return new SourceRecord(readDocument(path, new Work()), new Work()).value;
  } catch {
    // Without it the names of the folders tell.
    return undefined;
  }
}
