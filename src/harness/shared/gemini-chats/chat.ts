/**
 * What a chat of the Gemini CLI says about itself as a whole: its header, and its project.
 *
 * The header is a line without a type (of `.jsonl`), or what stands around the messages (of
 * `.json`): `{sessionId, projectHash, startTime, lastUpdated, kind, summary, directories}`.
 *
 * The folder of a project is named by the SHA-256 of its path, since 2026 by a short name. Both are
 * found in `projects.json` beside `tmp/`, which maps paths to short names; the folder may also hold
 * the path in `.project_root`.
 */

import { createHash } from 'node:crypto';
import { isObject, member } from '../../../bytes/json.ts';
import type { SourceContext } from '../../harness.ts';
import { nonEmptyText } from '../fields.ts';
import { trimmed } from '../prompt/wire-space.ts';

/** The header of a chat, or undefined where it has none. */
export function headerOf(context: SourceContext): unknown {
  if (context.source.form === 'elements') return context.rest();
  return context.firstRecord('"sessionId"', isHeader);
}

/** Whether a record is the header of a chat. Messages have an `id`. */
export function isHeader(value: unknown): boolean {
  return typeof member(value, 'sessionId') === 'string' && member(value, 'id') === undefined;
}

/** The session of a chat: by its header, else by its name where that tells, else by its folder. */
export function sessionOf(context: SourceContext): string {
  const { sessionId, facts } = context.source;
  const recorded = nonEmptyText(member(headerOf(context), 'sessionId'));
  return recorded ?? sessionId ?? facts['projectDir'] ?? '';
}

/** Whether a chat is a sub-agent's. */
export function isAgentChat(context: SourceContext): boolean {
  if (typeof context.source.facts['parentSession'] === 'string') return true;
  return member(headerOf(context), 'kind') === 'subagent';
}

const projectPaths = new WeakMap<SourceContext, string>();

/** The path of the project that a file belongs to, or an empty text. */
export function projectPathOf(context: SourceContext): string {
  const known = projectPaths.get(context) ?? findProjectPath(context);
  projectPaths.set(context, known);
  return known;
}

function findProjectPath(context: SourceContext): string {
  const projectDir = context.source.facts['projectDir'] ?? '';
  const projects = member(context.companion('projects'), 'projects');
  if (isObject(projects)) {
    for (const [path, name] of Object.entries(projects)) {
      if (name === projectDir || hashOf(path) === projectDir) return path;
    }
  }
  for (const line of context.companionRecords('root')) return trimmed(line.wire);
  return '';
}

/** `path` is wire text: one char for each byte that is hashed. */
function hashOf(path: string): string {
  return createHash('sha256').update(path, 'latin1').digest('hex');
}
