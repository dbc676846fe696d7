/**
 * The folder that was open in a chat. The first that answers:
 *
 * 1. the chat itself (`workspaceIdentifier`, since 2026);
 * 2. the workspace whose own `state.vscdb` is read: its `workspace.json`;
 * 3. the list of all chats in the state of the editor (`composer.composerHeaders`, since 2026);
 * 4. the workspaces' own lists of their chats (`composer.composerData`).
 */

import { member, parseJson, textOf } from '../../bytes/json.ts';
import { toWire } from '../../bytes/text.ts';
import type { SourceContext } from '../harness.ts';
import { at, listOf, nonEmptyText } from '../shared/fields.ts';
import { pathOfUri } from '../shared/file-uri.ts';
import { ALL_CHATS, WORKSPACE_CHATS } from './state.ts';

/** A folder, and the name of the workspace's folder in Cursor's home, as wire text. */
export interface Workspace {
  readonly folder: string | null;
  readonly name: string | null;
}

const NOWHERE: Workspace = { folder: null, name: null };

/** Lists are long and the same for every row of a source. */
const known = new WeakMap<SourceContext, ReadonlyMap<string, Workspace>>();

/** The workspace of a chat in the source that is read. */
export function workspaceOf(sessionId: string, context: SourceContext): Workspace {
  const own = context.source.facts['workspace'] ?? null;
  if (own !== null) return { folder: folderOf(context.companion('workspace')), name: own };
  let list = known.get(context);
  if (!list) {
    list = listed(context);
    known.set(context, list);
  }
  return list.get(sessionId) ?? NOWHERE;
}

function listed(context: SourceContext): ReadonlyMap<string, Workspace> {
  const found = new Map<string, Workspace>();
  for (const name of Object.keys(context.source.companions)) {
    const [kind, workspace = ''] = name.split(':');
    if (kind !== 'state') continue;
    const folder = folderOf(context.companion(`workspace:${workspace}`));
    for (const chat of chatsIn(WORKSPACE_CHATS, name, context)) {
      found.set(idOf(chat), { folder, name: toWire(workspace) });
    }
  }
  for (const chat of chatsIn(ALL_CHATS, 'global', context)) {
    const identifier = member(chat, 'workspaceIdentifier');
    const folder = folderOfIdentifier(identifier);
    if (folder !== null) found.set(idOf(chat), { folder, name: textOf(member(identifier, 'id')) });
  }
  return found;
}

function idOf(chat: unknown): string {
  return textOf(member(chat, 'composerId')) ?? '';
}

function chatsIn(key: string, companion: string, context: SourceContext): readonly unknown[] {
  const text = textOf(member(context.companionRow(companion, 'ItemTable', 'key', key), 'value'));
  if (text === null) return [];
  try {
    const bytes = Buffer.from(text, 'latin1');
    return listOf(member(parseJson(bytes, 0, bytes.length), 'allComposers'));
  } catch {
    return [];
  }
}

/** The folder of a `workspace.json`, or the file that lists several folders. */
function folderOf(workspace: unknown): string | null {
  const uri =
    nonEmptyText(member(workspace, 'folder')) ?? nonEmptyText(member(workspace, 'workspace'));
  return uri === null ? null : pathOfUri(uri);
}

/** The folder of a `workspaceIdentifier`, whose `uri` is a text or its parts. */
export function folderOfIdentifier(identifier: unknown): string | null {
  const uri = member(identifier, 'uri');
  if (typeof uri === 'string') return pathOfUri(uri);
  return nonEmptyText(at(identifier, 'uri', 'fsPath')) ?? nonEmptyText(member(uri, 'path'));
}
