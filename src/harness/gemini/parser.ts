/**
 * What the chats of the Gemini CLI mean.
 *
 * Messages and calls of tools are those of what is left of a chat at its end; turns and model calls
 * are all that there were, also those that were taken back.
 */

import type { Parser } from '../parser.ts';
import {
  COMPACTION,
  EVENT_TYPES,
  FILE_TOOLS,
  meaningReader,
  moreChatRows,
} from '../shared/gemini-chats/meaning.ts';
import { type LineState, lineRows } from '../shared/gemini-chats/records.ts';
import { chatParser } from '../shared/parsed/chats/parser.ts';
import type { ChatRules } from '../shared/parsed/chats/rules.ts';
import { type WithLines, withLines } from '../shared/parsed/chats/with-lines.ts';
import { description } from './describe.ts';

const rules: ChatRules = {
  version: 1,
  inputIncludes: 'cache_reads',
  outputIncludesReasoning: false,
  // The lines tell of model calls, as they come.
  callScopes: new Set(),
  fileTools: FILE_TOOLS,
  spawnTools: new Set(['delegate_to_agent', 'invoke_agent']),
  compactionTypes: new Set(['compression', COMPACTION]),
  eventTypes: EVENT_TYPES,
  turnEndTypes: {},
  more: moreChatRows,
};

const chats = chatParser(description, meaningReader(description.name), rules);

/** The parser of all relations. */
export const parser: Parser<WithLines<LineState>> = withLines(chats, {
  start: () => ({ turn: null }),
  read: ({ own }, record, place, rows, context) => lineRows(own, record, place, rows, context),
});
