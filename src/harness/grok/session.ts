/**
 * What is known of a Grok session from beside its chat: from `summary.json`, from the name of its
 * project's folder, and for a sub-agent from its parent's `subagents/<child>/meta.json`.
 *
 * A session with a parent in its summary is a sub-agent when it says so in `session_kind`, else a
 * fork, which begins with `inherited_prefix_len` lines of the parent's chat.
 */

import { integerOf, member, textOf } from '../../bytes/json.ts';
import type { SourceContext } from '../harness.ts';
import { at, nonEmptyText } from '../shared/fields.ts';
import { trimmed } from '../shared/prompt/wire-space.ts';

/** A text of the summary. */
export function text(context: SourceContext, key: string): string | null {
  return nonEmptyText(member(context.companion('summary'), key));
}

/** The session: the name of its folder, else the id in the summary. */
export function idOf(context: SourceContext): string {
  const inSummary = textOf(at(context.companion('summary'), 'info', 'id'));
  return context.source.sessionId ?? inSummary ?? '';
}

/** The working folder. */
export function cwdOf(context: SourceContext): string | null {
  const known = CWDS.get(context);
  if (known !== undefined) return known;
  const found = findCwd(context);
  CWDS.set(context, found);
  return found;
}

/** The answers: without them the file `.cwd` would be read for every row. */
const CWDS = new WeakMap<SourceContext, string | null>();

function findCwd(context: SourceContext): string | null {
  const encoded = context.source.facts['projectDir'] ?? '';
  if (encoded.includes('%')) return decoded(encoded);
  for (const { wire } of context.companionRecords('cwd')) return nonEmptyText(trimmed(wire));
  return nonEmptyText(at(context.companion('summary'), 'info', 'cwd'));
}

/** Percent-encoding counts bytes, as wire text does. */
function decoded(encoded: string): string {
  return encoded.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The root of the repository, else the working folder. */
export function projectOf(context: SourceContext): string | null {
  return text(context, 'git_root_dir') ?? cwdOf(context);
}

/** The first remote of the repository. */
export function repositoryOf(context: SourceContext): string | null {
  const remotes = member(context.companion('summary'), 'git_remotes');
  return Array.isArray(remotes) ? textOf(remotes[0]) : null;
}

/** The number of the chat's format, as text. */
export function versionOf(context: SourceContext): string | null {
  const version = member(context.companion('summary'), 'chat_format_version');
  return typeof version === 'number' ? `${version}` : textOf(version);
}

/** Whether the session is a sub-agent's. */
export function isAgent(context: SourceContext): boolean {
  const isChild = typeof context.source.facts['parentSession'] === 'string';
  return isChild || text(context, 'session_kind') === 'subagent';
}

/** The session that launched this one. */
export function parentOf(context: SourceContext): string | null {
  if (!isAgent(context)) return null;
  return context.source.facts['parentSession'] ?? text(context, 'parent_session_id');
}

/** The session that this one was forked from. */
export function forkedFromOf(context: SourceContext): string | null {
  return isAgent(context) ? null : text(context, 'parent_session_id');
}

/** The kind of sub-agent. */
export function agentRoleOf(context: SourceContext): string | null {
  if (!isAgent(context)) return null;
  const type = textOf(member(context.companion('meta'), 'subagent_type'));
  return type ?? text(context, 'agent_name');
}

/** Whether a line was copied from the session that this one was forked from. */
export function isInherited(lineNumber: number, context: SourceContext): boolean {
  const inherited = integerOf(member(context.companion('summary'), 'inherited_prefix_len'));
  return inherited !== null && lineNumber <= inherited;
}
