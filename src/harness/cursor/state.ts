/**
 * Which rows of Cursor's databases are records: those of `state.vscdb`, and of `chat-stores.ts`.
 *
 * `cursorDiskKV` holds the chats: `composerData:<chat>` a chat with the headers of its bubbles,
 * `bubbleId:<chat>:<bubble>` one bubble, and what the agent keeps beside them. `ItemTable` is the
 * editor's own memory; of it, `workbench.panel.aichat.view.aichat.chatdata` holds the chats of
 * 2024, `composer.composerData` the chats of the workspace, `aiService.prompts` what was typed.
 *
 * Keys under which the editor keeps credentials are never read, not even by `events`.
 */

import { isObject } from '../../bytes/json.ts';
import type { SqliteTable } from '../../bytes/sqlite-table.ts';
import { storeRows } from './chat-stores.ts';
import { headersOf } from './headers.ts';

const CHATS = { table: 'cursorDiskKV', key: 'key', value: 'value' } as const;
const ITEMS = { table: 'ItemTable', key: 'key', value: 'value' } as const;

const COMPOSER = 'composerData:';
const BUBBLE = 'bubbleId:';

/** The record of all chats of 2024 of a workspace. */
export const OLD_CHATS = 'workbench.panel.aichat.view.aichat.chatdata';

/** The record that lists the chats of a workspace. */
export const WORKSPACE_CHATS = 'composer.composerData';

/** The record that lists the chats of all workspaces, since 2026. */
export const ALL_CHATS = 'composer.composerHeaders';

/** The record of what was typed in a workspace. */
const PROMPTS = 'aiService.prompts';

/** Tokens of the account, and what extensions have asked the editor to keep secret. */
const CREDENTIALS = ['cursorAuth/', 'secret://'];

/** All rows. A database has the tables of one kind or of the other. */
export const allRows: readonly SqliteTable[] = [
  CHATS,
  { ...ITEMS, without: CREDENTIALS },
  ...storeRows,
];

/** The chats, without their bubbles. */
export const composerRows: SqliteTable = { ...CHATS, prefix: COMPOSER };

/**
 * The chats, each with its bubbles behind it in their order; then the older chats. A chat that is
 * damaged does not list its bubbles: whatever is there follows, as it was written.
 */
export const chatRows: readonly SqliteTable[] = [
  {
    ...composerRows,
    followedBy: (value, key) => {
      const prefix = `${BUBBLE}${key.slice(COMPOSER.length)}:`;
      if (!isObject(value)) return { prefix };
      return headersOf(value).map(({ bubbleId }) => prefix + bubbleId);
    },
  },
  { ...ITEMS, prefix: OLD_CHATS },
  { ...ITEMS, prefix: WORKSPACE_CHATS },
];

/** What was typed. */
export const promptRows: readonly SqliteTable[] = [{ ...ITEMS, prefix: PROMPTS }];

/** What a row is, by its key. */
export type StateKey =
  | { readonly kind: 'composer'; readonly session: string }
  | { readonly kind: 'bubble'; readonly session: string; readonly bubbleId: string }
  | { readonly kind: 'item'; readonly name: string };

/** Reads the key of a record, `table:key`. */
export function stateKeyOf(recordKey: string | null): StateKey {
  const [table = '', ...rest] = (recordKey ?? '').split(':');
  const name = rest.join(':');
  // The keys of a store are hashes; what its records are is told by the table.
  if (storeRows.some(rows => rows.table === table)) return { kind: 'item', name: table };
  if (table !== CHATS.table) return { kind: 'item', name };
  if (name.startsWith(COMPOSER)) return { kind: 'composer', session: name.slice(COMPOSER.length) };
  if (!name.startsWith(BUBBLE)) return { kind: 'item', name: name.split(':', 1)[0] ?? name };
  const [session = '', ...bubble] = name.slice(BUBBLE.length).split(':');
  return { kind: 'bubble', session, bubbleId: bubble.join(':') };
}
